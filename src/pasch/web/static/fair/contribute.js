// @ts-check
/**
 * Adds to a table's dice for our seats, before the first roll, so that nobody can know them in advance, not even the
 * server, which has bound itself to its own part before (see docs/fairness.md).
 *
 * What is added is remembered on this device, with the seal that was there then, before it is sent: a server that does not
 * answer, or says later that something else was added, is found out.
 */
import * as device from "../app/device.js";
import { agreement, contribution, disputes } from "./verify.js";

/** @import { TableInfo } from "../app/types.js" */

/**
 * Remember what the server says of a table's dice, and add to them what is still missing from us. It may be called as
 * often as one likes.
 * @param {TableInfo} info
 * @param {number[]} yours
 * @param {{version: number, send: ReturnType<typeof import("../table/socket.js").connect>["send"]}} how
 * @returns {boolean} whether all that had to be remembered is stored
 */
export function contribute(info, yours, { version, send }) {
  const { id, phase, seats } = info;
  const contributions = info.contributions ?? [];
  if (!witness(info) || phase !== "waiting") return device.keepsDice(id);
  const lacking = yours.filter((seat) => seats[seat]?.kind !== "computer" && !contributions[seat]);
  const seen = device.dice(id);
  // a server that contradicts itself gets nothing
  if (!lacking.length || disputes(info, seen).length) return device.keepsDice(id);
  // once made it stays: drawn anew, it could be chosen by somebody who drops the answers
  const added = seen.contribution ?? contribution();
  const name = seen.id ?? contribution().slice(0, 32);
  device.rememberDice(id, { contribution: added, id: name, seats: [...new Set([...(seen.seats ?? []), ...lacking])].sort() });
  send({ type: "contribute", id: `${name}-${lacking.join("")}`, version, contribution: device.dice(id).contribution });
  return device.keepsDice(id);
}

/**
 * Remember seal, agreement and everybody's contributions as they are said first; false if this device was not there before
 * the first roll, or if there is nothing to remember.
 * @param {TableInfo} info
 */
function witness(info) {
  const { id, commitment, phase, seats } = info;
  const seen = device.dice(id);
  if (!seen.commitment) {
    if (phase !== "waiting" || !commitment) return false;
    const computers = seats.filter((seat) => seat.kind === "computer" && !seat.lent).map((seat) => seat.seat);
    device.rememberDice(id, { commitment, agreed: agreement(info), computers });
  }
  const others = info.contributions?.map((one, seat) => seen.others?.[seat] ?? one) ?? [];
  if (others.some((one, seat) => one && !seen.others?.[seat])) device.rememberDice(id, { others });
  return true;
}
