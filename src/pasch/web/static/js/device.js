// @ts-check
/**
 * Local storage: names, settings, boxes, and the tables this device has a seat at. Seat tokens are sent to nobody but
 * the server that made them.
 *
 * @typedef {object} KnownTable
 * @property {string} id
 * @property {string} game
 * @property {string} title
 * @property {Record<string, string>} tokens the tokens of our seats, by seat
 * @property {string} [maker]
 * @property {string} [watch]
 * @property {Record<string, string>} [invitations] what we can invite others with, by seat
 * @property {string} [invitation] what we were invited with
 * @property {string} [commitment] what the server had bound itself to before the first roll, as we saw it then
 * @property {string} [contribution] what we have added to the dice
 * @property {string[]} names
 * @property {boolean} over
 * @property {number} seen when it was last open here, in milliseconds since 1970
 *
 * @typedef {object} Settings
 * @property {string} [language]
 * @property {boolean} sound
 * @property {boolean} still no motion, whatever the system says
 *
 * @typedef {{name: string, data: Record<string, any>}} Box
 */

const MOST_TABLES = 60;
const MOST_NAMES = 12;

/**
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
function load(key, otherwise) {
  try {
    const text = localStorage.getItem(`pasch.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
function save(key, value) {
  try {
    localStorage.setItem(`pasch.${key}`, JSON.stringify(value));
  } catch {
    // private windows may forbid storage; the game goes on without it
  }
}

/** @returns {Settings} */
export function settings() {
  return { sound: false, still: false, ...load("settings", {}) };
}

/** @param {Partial<Settings>} changed */
export function setSettings(changed) {
  save("settings", { ...settings(), ...changed });
}

/** The names used on this device, the last used first. @returns {string[]} */
export function names() {
  return load("names", /** @type {string[]} */ ([]));
}

/** @param {string[]} used */
export function rememberNames(used) {
  const all = [...used, ...names()].map((name) => name.trim()).filter(Boolean);
  save("names", [...new Set(all)].slice(0, MOST_NAMES));
}

/** @returns {Record<string, KnownTable>} */
function allTables() {
  return load("tables", {});
}

/** The tables this device knows, the last seen first. */
export function tables() {
  return Object.values(allTables()).sort((a, b) => b.seen - a.seen);
}

/** @param {string} id */
export function table(id) {
  return allTables()[id] ?? null;
}

/**
 * @param {string} id
 * @param {Partial<KnownTable>} changed
 */
export function rememberTable(id, changed) {
  const all = allTables();
  const before = all[id] ?? { id, game: "", title: "", tokens: {}, names: [], over: false, seen: 0 };
  all[id] = { ...before, ...changed, seen: Date.now() };
  const kept = Object.values(all).sort((a, b) => b.seen - a.seen).slice(0, MOST_TABLES);
  save("tables", Object.fromEntries(kept.map((one) => [one.id, one])));
}

/** @param {string} id */
export function forgetTable(id) {
  const all = allTables();
  delete all[id];
  save("tables", all);
}

/** The games that were explained here. @returns {string[]} */
export function explained() {
  return load("explained", /** @type {string[]} */ ([]));
}

/** @param {string} game */
export function rememberExplained(game) {
  if (!explained().includes(game)) save("explained", [...explained(), game]);
}

/** The boxes a person has entered for a game. @param {string} game @returns {Box[]} */
export function boxes(game) {
  return load(`boxes.${game}`, /** @type {Box[]} */ ([]));
}

/**
 * @param {string} game
 * @param {Box[]} kept
 */
export function saveBoxes(game, kept) {
  save(`boxes.${game}`, kept);
}
