// @ts-check
/**
 * Remembers the game's events as this device sees them: the receipt has to have the same ones. A move may be taken back;
 * a roll or a card never, so one that was seen stays remembered whatever the server says later.
 */
import * as device from "../app/device.js";

/**
 * @param {string} id the table
 * @param {Pick<typeof device, "rememberEvents" | "forgetEvents">} [memory]
 */
export function witness(id, memory = device) {
  /** the numbers of the events that dice or cards brought, as far as we saw them come @type {Set<number>} */
  const chance = new Set();
  /** @type {number | null} */
  let actor = null;
  /**
   * @param {import("../app/types.js").Entry[]} entries
   * @param {import("../app/types.js").Position} position the one after them
   */
  return (entries, position) => {
    const change = (/** @type {import("../app/types.js").Entry} */ { kind, body }) => (kind === "event" ? 1 : kind === "undo" && body.settled ? -1 : 0);
    let number = position.events - entries.reduce((sum, entry) => sum + change(entry), 0);
    for (const entry of entries) {
      if (change(entry) > 0) {
        number += 1;
        if (actor === -1) chance.add(number);
        memory.rememberEvents(id, number, [entry.body]);
      } else if (change(entry) < 0) {
        if (!chance.has(number)) memory.forgetEvents(id, number);
        number -= 1;
      }
      // what came with others at once came in an order that we did not see
      actor = null;
    }
    actor = position.actor;
  };
}
