// @ts-check
/**
 * When a mistake comes back: a small schedule after Leitner. Each card lies in a box; finding the best move puts
 * it into the next one, where it waits longer, and after the last box it is learned; missing it begins again,
 * soon. Pure functions.
 *
 * @typedef {object} Card
 * @property {import("../app/api.js").Puzzle} puzzle
 * @property {string} table the table of one's own that it is from
 * @property {number} cost what was given away there
 * @property {number} box counted from 0
 * @property {number} due from when on it comes back, in milliseconds since 1970
 * @property {number} missed how often it was missed since
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** how long a card waits in each box before it comes back, in milliseconds */
export const WAITS = [0, DAY, 3 * DAY, 7 * DAY, 21 * DAY];
/** how long it waits after it was missed */
export const SOON = 10 * MINUTE;
/** the cards that are kept at most; those that cost least are dropped */
export const MAX_CARDS = 50;

/**
 * The cards with new ones, which come at once. A position that is there already stays as it is.
 * @param {readonly Card[]} cards
 * @param {readonly {puzzle: Card["puzzle"], table: string, cost: number}[]} found
 * @param {number} now
 * @returns {Card[]}
 */
export function added(cards, found, now) {
  const known = new Set(cards.map((card) => card.puzzle.id));
  const fresh = found.filter(({ puzzle }) => !known.has(puzzle.id)).map((one) => ({ ...one, box: 0, due: now + (WAITS[0] ?? 0), missed: 0 }));
  const all = [...cards, ...fresh];
  const kept = new Set([...all].sort((a, b) => b.cost - a.cost).slice(0, MAX_CARDS));
  return all.filter((card) => kept.has(card));
}

/**
 * The cards after one was answered: found, it waits in the next box, or is learned and gone; missed, it comes back soon.
 * @param {readonly Card[]} cards
 * @param {string} id of the puzzle
 * @param {boolean} found
 * @param {number} now
 * @returns {Card[]}
 */
export function answered(cards, id, found, now) {
  return cards.flatMap((card) => {
    if (card.puzzle.id !== id) return [card];
    if (!found) return [{ ...card, box: 0, due: now + SOON, missed: card.missed + 1 }];
    const wait = WAITS[card.box + 1];
    return wait === undefined ? [] : [{ ...card, box: card.box + 1, due: now + wait }];
  });
}

/** The cards that are due, those that wait longest first. @param {readonly Card[]} cards @param {number} now */
export function due(cards, now) {
  return cards.filter((card) => card.due <= now).sort((a, b) => a.due - b.due || b.cost - a.cost);
}
