// @ts-check
/** Which computer players there are at a table. */
import { DEVICE } from "./places.js";

/**
 * @typedef {import("./api.js").GameInfo} GameInfo
 * @typedef {import("./api.js").Level} Level
 */

/**
 * The players that can play with these options. A device has not all values: without them only the quick one plays.
 * @param {GameInfo} game
 * @param {Record<string, any>} options those that were chosen; the others are the usual ones
 * @param {string} home where the table is, see `places.js`
 * @returns {Level[]}
 */
export function levelsFor(game, options, home) {
  const { quick } = game;
  if (!quick || home !== DEVICE) return game.levels;
  const unknown = Object.entries(quick.options).some(([name, values]) => [options[name]].flat().some((value) => values.includes(value)));
  return quick.usual || unknown || (quick.boxes && options.components) ? quick.levels : game.levels;
}

/** The level of a computer unless another is chosen: medium, or else the best that there is. @param {Level[]} levels */
export function usualLevel(levels) {
  const known = levels.map((level) => level.name);
  return known.includes("medium") ? "medium" : known.at(-1) ?? "";
}
