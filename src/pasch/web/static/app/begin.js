// @ts-check
/** Makes a table and goes there. What was chosen is remembered, for "Play now". */
import { makeTable } from "./api.js";
import { names, rememberLast, rememberNames, rememberTable } from "./device.js";
import { go } from "./frame.js";
import { levelsFor, usualLevel } from "./levels.js";
import { usualHome } from "./addresses.js";

/**
 * @typedef {import("./api.js").GameInfo} GameInfo
 * @typedef {import("./types.js").NewTable} NewTable
 */

/** What somebody plays who has chosen nothing: a game against one computer. @param {GameInfo} game @returns {NewTable} */
export function usualTable(game) {
  return { game: game.id, seats: [{ kind: "here", name: names()[0] ?? "" }, { kind: "computer", level: usualLevel(levelsFor(game, {}, usualHome())) }] };
}

/** @param {GameInfo} game @param {NewTable} wish */
export async function begin(game, wish) {
  const made = await makeTable(wish);
  rememberNames(wish.seats.flatMap((seat) => (seat.kind === "here" ? [seat.name ?? ""] : [])));
  // tomorrow's game of the day has other dice
  if (!wish.day) rememberLast(wish);
  sitDown(made, { game: game.id, title: game.title, day: wish.day || undefined });
}

/** Remember a table that was made here, and go there. @param {import("./types.js").MadeTable} made @param {Parameters<typeof rememberTable>[1]} about */
export function sitDown({ id, seats: tokens, maker, watch, invitations }, about) {
  rememberTable(id, { ...about, tokens, maker, watch, invitations });
  go(`/t/${id}`);
}
