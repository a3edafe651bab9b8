// @ts-check
/** How a table uses the screen: where there is room for every board, which one is large, and what is docked. */
import { contextOf, covered, onlyMine } from "./play.js";

/** @typedef {import("./play.js").Play} Play */

/** Room for everybody's board beside the list of what happened. On a low screen the controls stand beside one board. */
export const WIDE = "(min-width: 60rem) and (min-height: 30.01rem)";

/**
 * What a person holds and plays from, above the controls at every size. Empty where a seat's drawing is a board.
 * @param {Play} play
 * @returns {import("../app/dom.js").Child[]}
 */
export function docked(play) {
  const { as_seat: seat, actor } = play.position;
  if (!play.board.docked || seat === null || actor === -2 || covered(play)) return [];
  return [play.board.seatBoard(contextOf(play), seat)];
}

/**
 * The classes of the boards: how many there are, and whether they are what is touched.
 * @param {Play} play
 */
export function boardsClass({ wide, info, board }) {
  const several = wide && info.players > 1 && !board.docked ? ` of-${info.players}` : "";
  return `boards${several}${board.ownBoards ? " own" : ""}${board.docked ? " hands-docked" : ""}`;
}

/**
 * The seat whose board is the large one where several are shown: one's own, or that of whoever plays.
 * @param {Play} play
 * @param {number} shown
 */
export function mainSeat(play, shown) {
  return onlyMine(play) ?? shown;
}

/**
 * Boards are as large as fits between what is above them and the bar, so that nobody has to scroll to touch.
 * @param {{boards: HTMLElement, bar: HTMLElement}} parts
 */
export function makeRoom(parts) {
  const board = parts.boards.querySelector(".place > svg, .hands-docked .middle .drawing");
  const bar = parts.bar.closest(".bar")?.getBoundingClientRect();
  if (!bar) return;
  parts.boards.closest("main")?.style.setProperty("--below", `${Math.round(bar.height)}px`);
  if (!board) return;
  const top = board.getBoundingClientRect().top + window.scrollY;
  // on a low screen the bar is a column beside the boards
  const bottom = bar.top > 0 ? window.innerHeight - bar.height : window.innerHeight;
  parts.boards.style.setProperty("--room", `${Math.round(bottom - top - 12)}px`);
}

/**
 * Where the keyboard goes when what it was on is gone: to the big button, or, while that can do nothing, to the bar itself,
 * from where it goes on as soon as there is something to do.
 * @param {HTMLElement} bar
 * @returns {HTMLElement}
 */
export function focusIn(bar) {
  const primary = /** @type {HTMLButtonElement | null} */ (bar.querySelector("[data-key=primary]"));
  if (primary) return primary.disabled ? bar : primary;
  return bar.querySelector("button:not([disabled])") ?? bar;
}
