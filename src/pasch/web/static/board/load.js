// @ts-check
/**
 * A game's board: its own board.js over the usual board, and its board.css.
 */
import * as usual from "./default.js";
import { asset } from "../app/addresses.js";
import { RETRY_DELAYS_MS, delay } from "../app/retry.js";

/** @import { Board, BoardModel, Telling } from "./model.js" */

/** style sheets that were asked for @type {Map<string, Promise<void>>} */
const styles = new Map();

/**
 * Rejects if a file cannot be had after several tries.
 * @param {Pick<import("../app/api.js").GameInfo, "id" | "files">} game
 * @returns {Promise<Board>}
 */
export async function loadBoard({ id, files }) {
  const [own] = await Promise.all([
    files.includes("board.js") ? load((tries) => import(`../games/${id}/board.js${tries ? `?again=${tries}` : ""}`)) : {},
    files.includes("board.css") && loadStyle(asset(`static/games/${id}/board.css`)),
  ]);
  return withDefaults(own);
}

/**
 * Try again after growing delays: a busy server may have refused it. A browser may remember that a module was refused, so
 * each try has an address of its own.
 * @template T
 * @param {(tries: number) => Promise<T>} attempt
 * @param {(ms: number) => Promise<unknown>} [wait] replaced in tests
 * @returns {Promise<T>}
 */
export async function load(attempt, wait = (ms) => new Promise((done) => setTimeout(done, ms))) {
  for (const [tries, planned] of RETRY_DELAYS_MS.slice(0, 3).entries()) {
    try {
      return await attempt(tries);
    } catch {
      await wait(delay(planned, null, Math.random()));
    }
  }
  return attempt(RETRY_DELAYS_MS.length);
}

/** Add a style sheet, once, and wait for it; a board without its looks is better than none. @param {string} href */
export function loadStyle(href) {
  const found = styles.get(href);
  if (found) return found;
  const loaded = new Promise((/** @type {(value: void) => void} */ done) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = () => done();
    document.head.append(link);
  });
  styles.set(href, loaded);
  return loaded;
}

/** A board of which everything is there: tables of words are filled up entry by entry. @param {Partial<Board>} own @returns {Board} */
export function withDefaults(own) {
  /** @type {Record<string, any>} */
  const all = { ...usual, ...own };
  for (const [name, given] of Object.entries(usual)) {
    const mine = /** @type {Record<string, any>} */ (own)[name];
    if (mine === undefined) continue;
    if (typeof given === "object" && given !== null && !Array.isArray(given)) all[name] = { ...given, ...mine };
    if (BY_PHASE.has(name)) all[name] = (/** @type {BoardModel} */ model) => ({ .../** @type {any} */ (given)(model), ...mine(model) });
  }
  return /** @type {Board} */ (all);
}
const BY_PHASE = new Set(["prompts", "notes", "needs", "chances", "nouns"]);

/** A move as its button says it, perhaps with a small line below. @param {Board} board @param {Telling} telling */
export function labelOf({ labels }, telling) {
  const said = phrase(labels, telling) ?? "";
  return typeof said === "string" ? { text: said, sub: "" } : said;
}

/** The words for an event: of the first of its fields that the table knows. @template T @param {Record<string, (telling: Telling) => T>} table @param {Telling} telling @returns {T | undefined} */
export function phrase(table, telling) {
  const kind = Object.keys(telling.event).find((name) => Object.hasOwn(table, name)) ?? "";
  return table[kind]?.(telling);
}
