// @ts-check
/**
 * Loads the drawing of a game: its own board.js over the usual board, and its board.css.
 *
 * @typedef {import("../table/touch.js").Ctx} Ctx
 * @typedef {import("../app/types.js").Position} Position
 * @typedef {object} Board what a game's board.js may export; what it does not is taken from the usual board
 * @property {(ctx: Ctx, seat: number) => Element} seatBoard one seat's board
 * @property {(ctx: Ctx) => Element | null} common what all share: strip, plan, pot, the dice on the table
 * @property {(ctx: Ctx, event: Record<string, any>, before: Position | null, after: Position | null) => string} tell
 *   an event in words, with the positions before and after it if they are known
 * @property {(ctx: Ctx, event: Record<string, any>) => string} label a move in words
 * @property {(ctx: Ctx, event: Record<string, any>) => string} short a move as the caption beside a name: "5×3"
 * @property {(kind: string) => string} partName a part of the final score that `marks.settlement` names
 * @property {(phase: string, roll: boolean) => string} prompt what a person has to do; `roll`: let chance happen
 * @property {(phase: string) => string} chanceButton what the button says that lets chance happen
 * @property {(name: string) => string} word the name of an option, a field or a part of the box
 * @property {(option: string, value: string | number) => string} valueName one of an option's values
 * @property {(part: string) => string} partLabel what to read off the real table
 * @property {(ctx: Ctx, part: string, value: number) => Element | string} face a value to choose among those that
 *   can be read off the real table
 * @property {(part: string, value: number) => string} faceName the same as text
 * @property {(title: string) => string} earned the title that a finished game for one has earned, in words
 * @property {string[]} growing the lists of the box that may have more or fewer entries
 * @property {boolean} docked whether a seat's drawing is what it holds: it lies above the controls, not on the table
 * @property {boolean} ownBoards whether every seat has a board worth drawing in the rules; if not, all play at one
 */
import * as usual from "./default.js";
import { h } from "../app/dom.js";
import { asset } from "../app/addresses.js";

/**
 * @param {import("../app/api.js").GameInfo} game
 * @returns {Promise<Board>}
 */
export async function loadBoard({ id, files }) {
  const [own] = await Promise.all([
    files.includes("board.js") ? import(`../games/${id}/board.js`) : {},
    files.includes("board.css") && loadStyle(asset(`static/games/${id}/board.css`)),
  ]);
  return { ...usual, ...own };
}

/** Add a style sheet, once, and wait for it; a board without its looks is better than none. @param {string} href */
export function loadStyle(href) {
  if (document.querySelector(`link[href="${href}"]`)) return null;
  return new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done }));
  });
}
