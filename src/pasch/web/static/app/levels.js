// @ts-check
/** Which computer players there are at a table. */
import { DEVICE } from "./addresses.js";

/** @import { GameInfo, Level } from "./api.js" */

/**
 * The players that can play with these options. A device has not all values: without them only those play that need none.
 * @param {GameInfo} game
 * @param {Record<string, any>} options those that were chosen; the others are the usual ones
 * @param {string} home where the table is, see `addresses.js`
 * @returns {Level[]}
 */
export function levelsFor(game, options, home) {
  const { quick } = game;
  if (!quick || home !== DEVICE) return game.levels;
  if (!quick.usual && !without(quick, options)) return game.levels;
  return quick.levels.filter(({ lacks }) => !lacks || !without(lacks, options));
}

/**
 * Whether something is lacking with these options.
 * @param {import("./api.js").Lacks} lacks
 * @param {Record<string, any>} options
 */
function without(lacks, options) {
  const lacking = (/** @type {[string, any[]]} */ [name, values]) => [options[name]].flat().some((value) => values.includes(value));
  return Object.entries(lacks.options).some(lacking) || (lacks.boxes && Boolean(options.components));
}

/** The level of a computer unless another is chosen: medium, or else the best that there is. @param {Level[]} levels */
export function usualLevel(levels) {
  const known = levels.map((level) => level.name);
  return known.includes("medium") ? "medium" : known.at(-1) ?? "";
}
