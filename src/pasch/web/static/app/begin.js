// @ts-check
/** Makes a table and goes there. What was chosen is remembered, for "Play now". */
import { Refusal, makeTable } from "./api.js";
import { names, rememberLast, rememberNames, rememberTable } from "./device.js";
import { go, toast } from "./frame.js";
import { levelsFor, usualLevel } from "./levels.js";
import { usualHome } from "./addresses.js";

/** @import { GameInfo } from "./api.js" */
/** @import { NewTable } from "./types.js" */

/** What somebody plays who has chosen nothing: a game against one computer. @param {GameInfo} game @returns {NewTable} */
export function usualTable(game) {
  return { game: game.id, seats: [{ kind: "here", name: names()[0] ?? "" }, { kind: "computer", level: usualLevel(levelsFor(game, {}, usualHome())) }] };
}

/**
 * Make a table and go there; until then the page is busy.
 * @param {{busy: boolean}} page
 * @param {() => void} redraw
 * @param {GameInfo} game
 * @param {NewTable} wish
 * @param {(why: string) => void} [refuse]
 */
export async function begin(page, redraw, game, wish, refuse = toast) {
  const busy = (/** @type {boolean} */ is) => {
    page.busy = is;
    redraw();
  };
  busy(true);
  const made = await makeTable(wish).catch((error) => {
    busy(false);
    if (!(error instanceof Refusal)) throw error;
    refuse(error.message);
  });
  if (!made) return;
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
