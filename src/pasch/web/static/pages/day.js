// @ts-check
/** The game of the day: one of those that have typical games to compare with, alone, the same dice for everybody. */
import { names } from "../app/device.js";

/** @typedef {import("../app/api.js").GameInfo} GameInfo */

const DAY_MS = 24 * 60 * 60 * 1000;

/** Which game it is; undefined if there is none. @param {readonly GameInfo[]} all @param {string} day as 2026-12-24 */
export function dayGame(all, day) {
  const able = all.filter(({ typical }) => typical.length);
  return able[(Date.parse(day) / DAY_MS) % able.length];
}

/** The table to be made. @param {GameInfo} game @param {string} day @returns {import("../app/types.js").NewTable} */
export function dayWish(game, day) {
  return { game: game.id, seats: [{ kind: "here", name: names()[0] ?? "" }], day };
}
