// @ts-check
/** The puzzle and the game of a day, by the player's clock. The game is one that has typical games to compare with, alone. */
import { names } from "../app/device.js";

/** @import { GameInfo } from "../app/api.js" */

const DAY_MS = 24 * 60 * 60 * 1000;

/** A day as 2026-12-24. @param {Date} [now] */
export function today(now = new Date()) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * For how many days in a row, up to today or yesterday, the puzzle of the day was answered.
 * @param {Record<string, boolean>} days
 * @param {Date} [now]
 */
export function inARow(days, now = new Date()) {
  const day = new Date(now);
  if (!Object.hasOwn(days, today(day))) day.setDate(day.getDate() - 1);
  let found = 0;
  for (; Object.hasOwn(days, today(day)); day.setDate(day.getDate() - 1)) found += 1;
  return found;
}

/** Which game it is; undefined if there is none. @param {readonly GameInfo[]} all @param {string} day as 2026-12-24 */
export function dayGame(all, day) {
  const able = all.filter(({ typical }) => typical.length);
  return able[(Date.parse(day) / DAY_MS) % able.length];
}

/** The table to be made. @param {GameInfo} game @param {string} day @returns {import("../app/types.js").NewTable} */
export function dayWish(game, day) {
  return { game: game.id, seats: [{ kind: "here", name: names()[0] ?? "" }], day };
}
