// @ts-check
/**
 * How long what happens is shown. Pure: it knows no table, only the event, the positions around it and the wished pace.
 *
 * @typedef {import("../app/types.js").Position} Position
 * @typedef {"calm" | "normal" | "quick"} Pace
 * @typedef {object} Showing
 * @property {"quiet" | "own" | "roll" | "lost" | "move" | "held" | "common"} kind
 * @property {number} hold in milliseconds
 * @property {number | null} seat whose board is shown meanwhile; null: whose turn it is
 * @property {boolean} blocks whether it has to be seen, or skipped, before somebody acts
 *
 * @typedef {object} Circumstances
 * @property {Position} before
 * @property {Position} after
 * @property {readonly number[]} yours
 * @property {boolean} wide whether all boards are in sight
 * @property {Pace} pace
 * @property {number} waiting how much else is to be shown
 * @property {boolean} waits whether dice or cards wait for us
 */

const FACTORS = { calm: 1.6, normal: 1, quick: 0.25 };
/** when so much has piled up, everything is shown quickly */
const MANY = 14;
/** until dice lie still, and until a chip has landed */
const ROLLING = 700;
const LANDING = 400;
/** how long the reason of a lost turn is to be read, and a move to be seen after the chip has landed */
const READING = 1500;
const SEEING = 1000;
/** how long a move can be taken back before the dice come that follow it */
const REGRET = { calm: 4000, normal: 2200, quick: 700 };

/**
 * Whether a roll has been used up at once: it lost the turn, or nothing could be chosen.
 * @param {Record<string, any>} event
 * @param {Position} after
 */
export function usedUp(event, after) {
  const { rolled } = after.snapshot;
  return Boolean(event.roll) && Array.isArray(rolled) && !rolled.some(Boolean);
}

/**
 * How an event is shown.
 * @param {Record<string, any>} event
 * @param {Circumstances} at
 * @returns {Showing}
 */
export function showing(event, { after, yours, wide, pace, waiting, waits }) {
  const factor = waiting > MANY ? 0.1 : FACTORS[pace];
  const seat = typeof event.seat === "number" ? event.seat : null;
  const own = seat !== null && yours.includes(seat);
  if (usedUp(event, after)) {
    // one's own bad luck is read in peace, whatever the pace
    return { kind: "lost", hold: own ? ROLLING + READING : (ROLLING + READING) * factor, seat, blocks: true };
  }
  if (own) {
    if (waits) return { kind: "held", hold: REGRET[pace], seat, blocks: true };
    return { kind: "own", hold: event.roll ? ROLLING * factor : LANDING * factor, seat: null, blocks: false };
  }
  if (seat === null) return { kind: "common", hold: ROLLING * factor, seat: null, blocks: false };
  if (event.roll) return { kind: "roll", hold: (ROLLING + 200) * factor, seat, blocks: !wide };
  // cards that nobody sees, and the wish to go on, are soon seen
  const little = "draw" in event || "next" in event;
  return { kind: "move", hold: (little ? LANDING : LANDING + SEEING) * factor, seat, blocks: !wide };
}
