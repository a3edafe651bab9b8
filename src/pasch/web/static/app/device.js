// @ts-check
/**
 * Local storage: names, settings, boxes, and the tables this device has a seat at. Seat tokens are sent to nobody but
 * the server that made them.
 *
 * @typedef {object} KnownTable
 * @property {string} id
 * @property {string} game
 * @property {string} [home] where it is: see `addresses.js`
 * @property {string} title
 * @property {Record<string, string>} tokens the tokens of our seats, by seat
 * @property {string} [maker]
 * @property {string} [watch]
 * @property {Record<string, string>} [invitations] what we can invite others with, by seat
 * @property {string} [invitation] what we were invited with
 * @property {string[]} names
 * @property {boolean} over
 * @property {number} seen when it was last open here, in milliseconds since 1970
 * @property {string} [day] of a game of the day, the day
 * @property {boolean} [again] whether to ask for another game when it is opened
 * @property {{at: number, version: number}} [left] when nobody looked at it here any more, and what was seen by then
 *
 * @typedef {object} Settings
 * @property {string} [language]
 * @property {boolean} sound
 * @property {number} volume from 0 to 1
 * @property {"system" | "light" | "dark"} theme
 * @property {"calm" | "normal" | "quick" | "none"} pace how fast what happens is shown; "none": at once
 * @property {boolean} wait whether a computer's turn stays until it was touched
 * @property {boolean} large larger text
 * @property {boolean} still no motion, whatever the system says
 * @property {boolean} reactions whether those of others are shown
 * @property {boolean} notify whether to say that it is our turn while we look elsewhere
 *
 * @typedef {{name: string, data: Record<string, any>}} Box
 * @typedef {"localStorage" | "sessionStorage"} Place where something is kept: the latter for as long as the tab is open
 */

/** @import { Seen } from "../fair/verify.js" */

/** the home of tables that are played on this device, without a server */
export const DEVICE = "device";

const MAX_TABLES = 60;
const MAX_NAMES = 12;
/** finished games whose summaries, and days whose puzzles, are remembered */
const MAX_SUMMARIES = 400;
const MAX_DAYS = 400;
/** the events of a table that are remembered; longer games are not compared to their end */
const MAX_EVENTS = 2000;

/**
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @param {Place} [place]
 * @returns {T}
 */
function load(key, otherwise, place = "localStorage") {
  try {
    const text = globalThis[place].getItem(`pasch.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {unknown} value @param {Place} [place] @returns {boolean} whether it is there now */
function save(key, value, place = "localStorage") {
  const text = JSON.stringify(value);
  try {
    globalThis[place].setItem(`pasch.${key}`, text);
    return globalThis[place].getItem(`pasch.${key}`) === text;
  } catch {
    // private windows may forbid storage; the game continues without it
    return false;
  }
}

/** @param {string} key */
function remove(key) {
  try {
    localStorage.removeItem(`pasch.${key}`);
  } catch {
    // where nothing can be kept, nothing has to be removed
  }
}

/**
 * What is kept under a key: how it is read, and how it is replaced.
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {[read: () => T, write: (value: T) => boolean]}
 */
const kept = (key, otherwise) => [() => load(key, structuredClone(otherwise)), (value) => save(key, value)];

/** @returns {Settings} */
export function settings() {
  /** @type {Settings} */
  const usual = { sound: false, volume: 0.7, pace: "normal", wait: false, still: false, large: false, theme: "system", reactions: true, notify: false };
  return { ...usual, ...load("settings", {}) };
}

/** @param {Partial<Settings>} changed */
export function setSettings(changed) {
  save("settings", { ...settings(), ...changed });
}

/** The names used on this device, the last used first. */
export const [names, saveNames] = kept("names", /** @type {string[]} */ ([]));

/** @param {string[]} used */
export function rememberNames(used) {
  const all = [...used, ...names()].map((name) => name.trim()).filter(Boolean);
  saveNames([...new Set(all)].slice(0, MAX_NAMES));
}

const [allTables, saveTables] = kept("tables", /** @type {Record<string, KnownTable>} */ ({}));

/** The tables this device knows, the last seen first. */
export function tables() {
  return Object.values(allTables()).sort((a, b) => b.seen - a.seen);
}

/** @param {string} id */
export function table(id) {
  return allTables()[id] ?? null;
}

/** @param {string} id @param {Partial<KnownTable>} changed */
export function rememberTable(id, changed) {
  const all = allTables();
  const before = all[id] ?? { id, game: "", title: "", tokens: {}, names: [], over: false, seen: 0 };
  all[id] = { ...before, ...changed, seen: Date.now() };
  const sorted = Object.values(all).sort((a, b) => b.seen - a.seen);
  saveTables(Object.fromEntries(sorted.slice(0, MAX_TABLES).map((one) => [one.id, one])));
  sorted.slice(MAX_TABLES).forEach(forget);
}

/** Take over what another device knows of tables; what this one knows itself stays. @param {KnownTable[]} known */
export function adoptTables(known) {
  const all = allTables();
  for (const one of known) all[one.id] ??= one;
  saveTables(all);
}

/** @param {string} id */
export function forgetTable(id) {
  const { [id]: gone, ...others } = allTables();
  saveTables(others);
  forget({ id, home: gone?.home });
}

/** Forget what is remembered beside a table's entry in the list. @param {Pick<KnownTable, "id" | "home">} gone */
function forget({ id, home }) {
  for (const what of ["dice", "events", "rounds"]) remove(`${what}.${id}`);
  if (home === DEVICE) saveForgotten([...forgotten(), id]);
}

/** Tables that were played on this device and are not in the list any more: nobody can reach them. */
export const [forgotten, saveForgotten] = kept("forgotten", /** @type {string[]} */ ([]));

/** These have been deleted. @param {string[]} ids */
export function rememberDeleted(ids) {
  saveForgotten(forgotten().filter((id) => !ids.includes(id)));
}

/** what is remembered of dice for as long as the page is open, because it could not be stored @type {Map<string, Seen>} */
const unsaved = new Map();

/** What this device remembers of a table's dice, without the events. @param {string} id @returns {Seen} */
export function dice(id) {
  return unsaved.get(id) ?? load(`dice.${id}`, {});
}

/**
 * Remember more of a table's dice. What cannot be stored is remembered until the page is left, and false is the answer.
 * @param {string} id
 * @param {Seen} more
 */
export function rememberDice(id, more) {
  const all = { ...dice(id), ...more };
  const saved = save(`dice.${id}`, all);
  if (saved) unsaved.delete(id);
  else unsaved.set(id, all);
  return saved;
}

/** Whether what is remembered of a table's dice is there after the page was left. @param {string} id */
export function keepsDice(id) {
  return !unsaved.has(id);
}

/** The events of a table as they were first seen here. @param {string} id @returns {(Record<string, any> | null)[]} */
export function events(id) {
  return load(`events.${id}`, /** @type {(Record<string, any> | null)[]} */ ([]));
}

/**
 * Remember events as they are seen for the first time, the first of which has this number.
 * @param {string} id
 * @param {number} number counted from 1
 * @param {Record<string, any>[]} seen
 */
export function rememberEvents(id, number, seen) {
  const all = events(id);
  const fresh = seen.slice(Math.max(0, all.length - (number - 1)));
  while (all.length < Math.min(number - 1, MAX_EVENTS)) all.push(null);
  if (fresh.length) save(`events.${id}`, [...all, ...fresh].slice(0, MAX_EVENTS));
}

/**
 * The events from this number on were taken back; what comes in their place is remembered anew.
 * @param {string} id
 * @param {number} number counted from 1
 */
export function forgetEvents(id, number) {
  save(`events.${id}`, events(id).slice(0, number - 1));
}

/**
 * What a page could not know of a table any more: its rounds, and while the tab is open its positions.
 * @param {string} id
 * @returns {import("../table/controller.js").Memory}
 */
export function memory(id) {
  return { moments: load(`rounds.${id}`, []), ...load(`seen.${id}`, { positions: [] }, "sessionStorage") };
}

/** @param {string} id @param {import("../table/controller.js").Memory} known */
export function saveMemory(id, { positions, moments }) {
  save(`seen.${id}`, { positions }, "sessionStorage");
  if (moments.length) save(`rounds.${id}`, moments);
}

/** The games that were explained here. */
export const [explained, saveExplained] = kept("explained", /** @type {string[]} */ ([]));

/** @param {string} game */
export function rememberExplained(game) {
  if (!explained().includes(game)) saveExplained([...explained(), game]);
}

/** The step of a game's lesson that somebody left, counted from 0. @param {string} game @returns {number} */
export function lessonStep(game) {
  return load(`lesson.${game}`, 0);
}

/** @param {string} game @param {number} step 0 if the lesson is to begin again */
export function rememberLessonStep(game, step) {
  save(`lesson.${game}`, step);
}

/** The table that was made last on this device, as it was asked for. */
export const [last, rememberLast] = kept("last", /** @type {import("./types.js").NewTable | null} */ (null));

/** The box a person has entered for a game; null: none. @param {string} game @returns {Box | null} */
export function ownBox(game) {
  return load(`boxes.${game}`, /** @type {Box[]} */ ([]))[0] ?? null;
}

/** @param {string} game @param {Box | null} box null: it is put away */
export function saveOwnBox(game, box) {
  save(`boxes.${game}`, box ? [box] : []);
}

/** What is remembered of finished games, the latest first. */
export const [summaries, saveSummaries] = kept("summaries", /** @type {import("../pages/practice.js").Summary[]} */ ([]));

/** @param {import("../pages/practice.js").Summary} summary */
export function rememberSummary(summary) {
  const others = summaries().filter((one) => one.table !== summary.table);
  saveSummaries([summary, ...others].sort((a, b) => b.when - a.when).slice(0, MAX_SUMMARIES));
}

/** The mistakes that come back as puzzles. */
export const [mistakes, saveMistakes] = kept("mistakes", /** @type {import("../pages/leitner.js").Card[]} */ ([]));

/** The days whose puzzle was answered, and whether the best move was found. */
export const [puzzleDays, savePuzzleDays] = kept("days", /** @type {Record<string, boolean>} */ ({}));

/** Only the first answer of a day counts. @param {string} day as 2026-12-24 @param {boolean} found */
export function rememberPuzzleDay(day, found) {
  const days = puzzleDays();
  if (Object.hasOwn(days, day)) return;
  const all = Object.entries({ ...days, [day]: found }).sort(([a], [b]) => (a < b ? 1 : -1));
  savePuzzleDays(Object.fromEntries(all.slice(0, MAX_DAYS)));
}
