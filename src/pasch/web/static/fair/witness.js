// @ts-check
/**
 * Remembers the game's events as this device sees them: the receipt has to have the same ones. A move may be taken back;
 * a roll or a card never, so one that was seen stays remembered whatever the server says later.
 */
import * as device from "../app/device.js";

/** @param {string} id the table @param {Pick<typeof device, "rememberEvents" | "forgetEvents">} [memory] */
export function witness(id, memory = device) {
  /** the numbers of the events that dice or cards brought, as far as we saw them come @type {Set<number>} */
  const chance = new Set();
  /** @type {number | null} */
  let actor = null;
  /**
   * @param {readonly import("../app/types.js").Entry[]} entries of one message: they are written at once
   * @param {import("../app/types.js").Position} position the one after them
   * @param {readonly import("../app/types.js").Position[]} [between] the one after each of them, if they are known
   */
  return (entries, position, between = []) => {
    /** those in a row that are not written yet, up to `number` @type {Record<string, any>[]} */
    let row = [];
    let number = 0;
    const write = () => {
      if (row.length) memory.rememberEvents(id, number - row.length + 1, row);
      row = [];
    };
    entries.forEach(({ kind, body, events }, place) => {
      if (kind === "event") {
        if (events !== number + 1) write();
        number = events;
        if (actor === -1) chance.add(number);
        row.push(body);
      } else if (kind === "undo" && body.settled) {
        write();
        // the event that was taken back is the one after those that are left
        if (!chance.has(events + 1)) memory.forgetEvents(id, events + 1);
        number = events;
      }
      // what came with others at once came in an order that we did not see
      actor = between[place]?.actor ?? null;
    });
    write();
    actor = position.actor;
  };
}
