// @ts-check
/**
 * HTTP requests to the server.
 *
 * @typedef {{name: string, kind: "number"|"switch"|"choice"|"list", default: any, explanation: string,
 *   least: number|null, most: number|null, choices: any[], house: boolean, players: number[]}} OptionSpec `players`: with how many it has a meaning; empty: always
 * @typedef {{name: string, gives_away: number|null, wins: number|null, against: string|null, bot: boolean, lacks?: Lacks}} Level
 *   `lacks`: where it cannot play, of a site
 * @typedef {{text: string, when: Record<string, any[]>}} Step a sentence of how a game goes, and with which options
 * @typedef {{id: string, title: string, pitch: string, players: number[], minutes: [number, number],
 *   options: OptionSpec[], levels: Level[], has_secrets: boolean, howto: Step[], lesson: boolean, puzzles: boolean, typical: number[],
 *   files: ("board.js"|"board.css"|"thumb.svg")[], quick?: Quick}} GameInfo `typical`: percentiles 1 to 99 of the
 *   scores of typical games alone, empty where none were played; `quick`: of a site
 * @typedef {{boxes: boolean, options: Record<string, any[]>}} Lacks with a box of one's own, with these values of options
 * @typedef {{levels: Level[], usual: boolean} & Lacks} Quick who plays where a site has no values; `usual`: nowhere
 *
 * @typedef {object} Puzzle a position with its solution, as `pasch.table.puzzle` writes it
 * @property {string} id equal for equal positions
 * @property {import("./types.js").TableInfo} table
 * @property {import("./types.js").Entry[]} entries the last events before it
 * @property {import("./types.js").Position} position
 * @property {number[]} points what each of the position's moves brings on average
 * @property {number} best the number of the best move
 * @property {number} obvious the number of the one that looks good, or was made
 * @property {number} slack a move that gives away less than this counts as found
 * @property {number} margin
 * @property {Sentence[]} sentences why the best move is better
 * @property {number[]} reasons for each move, which of these applies; -1: none
 * @property {"easy" | "medium" | "hard" | null} difficulty null where the points are estimates
 * @property {{name: string, slug: string, when: Sentence | null}} habit
 * @property {boolean} exact
 *
 * @typedef {{seat: number, score: number, won: boolean, costs: number, without_luck: number, accuracy: number | null,
 *   habits: import("../pages/practice.js").HabitCost[]}} Figures
 * @typedef {{game: string, title: string, players: number, given: number, exact: boolean, earned: string,
 *   seats: {figures: Figures, mistakes: Puzzle[]}[]}} Practice
 *
 * @typedef {{report: import("../pages/sections.js").Report, record: unknown, replay: import("../table/steps.js").ReplayPage,
 *   receipt: import("../fair/verify.js").Receipt, practice: Practice}} Finished what is known of a finished game; `practice` is
 *   what people can learn from it, by the `receipt` its dice are checked
 */
import { rememberTable } from "./device.js";
import { toast } from "./frame.js";
import { allTexts, currentLanguage, say, t } from "./i18n.js";
import { DEVICE, answerFile, friendsHome, homeOf, usualHome } from "./addresses.js";
import { fetchWithRetries } from "./retry.js";
import { transportTo } from "../table/transport.js";

/** @import { MadeTable, NewTable, Sentence } from "./types.js" */

/** how soon something is asked for again that is not ready yet */
const ASK_AGAIN_MS = 2500;

/** What the server refused, in words for people. */
export class Refusal extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** Do something; what the server refuses is said for a few seconds. @param {() => unknown} act */
export async function orToast(act) {
  try {
    await act();
  } catch (error) {
    toast(error instanceof Refusal ? error.message : t("Something went wrong."));
    if (!(error instanceof Refusal)) throw error;
  }
}

/** @param {unknown} reason a sentence, or plain words @returns {string} */
function words(reason) {
  if (reason && typeof reason === "object" && "template" in reason) {
    return say(/** @type {Sentence} */ (reason));
  }
  return typeof reason === "string" ? t(reason) : t("Something went wrong.");
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @param {string} [home] who is asked, see `addresses.js`
 * @returns {Promise<{status: number, body: any}>}
 */
async function ask(path, init, home = usualHome()) {
  const file = init ? null : answerFile(path);
  const { request } = transportTo(home);
  let answer;
  try {
    // only what changes nothing is asked twice
    if (file) answer = await fetchWithRetries(file);
    else answer = await (init ? request(path, init) : fetchWithRetries(path, { fetch: request }));
  } catch {
    throw new Refusal(t("The server cannot be reached."), 0);
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok) {
    await allTexts();
    throw new Refusal(words(body?.reason), answer.status);
  }
  return { status: answer.status, body };
}

/** @param {string} path @param {unknown} data @param {string} [home] */
function post(path, data, home) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(data) }, home);
}

/** the answers by language @type {Map<string, Promise<GameInfo[]>>} */
const asked = new Map();

/** All games, in the reader's language. @returns {Promise<GameInfo[]>} */
export function games() {
  const language = currentLanguage();
  const known = asked.get(language);
  if (known) return known;
  const answer = ask(`/api/games?language=${language}`).then(({ body }) => body);
  asked.set(language, answer);
  // what failed is asked again
  answer.catch(() => asked.delete(language));
  return answer;
}

/** @param {string} id @returns {Promise<GameInfo>} */
export async function game(id) {
  const found = (await games()).find((one) => one.id === id);
  if (!found) throw new Refusal(t("There is no such game."), 404);
  return found;
}

/** @param {NewTable} wish @returns {Promise<MadeTable>} */
export async function makeTable(wish) {
  const home = wish.seats.some((seat) => seat.kind === "link") ? friendsHome() : usualHome();
  const { body } = await post("/api/tables", wish, home);
  rememberTable(body.id, { home });
  return body;
}

/**
 * What is known of a finished game; null while it is still being worked out.
 * @template {keyof Finished} K
 * @param {string} id
 * @param {K} what
 * @param {string} [query]
 * @returns {Promise<Finished[K] | null>}
 */
export async function finished(id, what, query = "") {
  const { status, body } = await ask(`/api/tables/${id}/${what}${query}`, undefined, homeOf(id));
  return status === 202 ? null : body;
}

/** A part of a finished game: the one with this step, or with -1 the last one. @param {string} id @param {number} from */
export async function replay(id, from) {
  return /** @type {Finished["replay"]} */ (await finished(id, "replay", `?from=${from}`));
}

/**
 * Ask until something has been worked out; null if nobody wants it any more.
 * @template T
 * @param {() => Promise<T | null>} question
 * @param {() => boolean} [wanted]
 */
export async function untilReady(question, wanted = () => true) {
  for (;;) {
    const found = await question();
    if (found || !wanted()) return found;
    await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
  }
}

/**
 * What a game states about its chance events, a file that comes with the page; null if it states nothing.
 * @param {string} game
 * @returns {Promise<import("../fair/shapes.js").Description | null>}
 */
export async function chanceShapes(game) {
  return (await ask(`/static/games/${game}/chance.json`)).body;
}

/** @param {string} id @param {string} language */
export async function rules(id, language) {
  return (await ask(`/api/rules/${id}?language=${language}`)).body;
}

/**
 * A game's lesson, in the reader's language.
 * @param {string} id
 * @returns {Promise<import("../pages/lesson.js").Lesson>}
 */
export async function lesson(id) {
  return (await ask(`/api/lessons/${id}?language=${currentLanguage()}`)).body;
}

/**
 * Where others in the network reach the server; only this machine gets an answer. `open`: whether they are let in; null: that
 * cannot be changed.
 * @returns {Promise<{addresses: string[], open: boolean | null}>}
 */
export async function lan() {
  return (await ask("/api/addresses")).body;
}

/** Let others in the network join, or no longer. @param {boolean} open @returns {Promise<{addresses: string[], open: boolean | null}>} */
export async function setLan(open) {
  return (await post("/api/lan", { open })).body;
}

/**
 * A puzzle: of a day, or of a game; null while its values are still being worked out.
 * @param {string} game empty for the puzzle of a day
 * @param {Record<string, string>} which date, or seed, difficulty and kind
 * @returns {Promise<Puzzle | null>}
 */
export async function puzzle(game, which) {
  const { status, body } = await ask(`/api/puzzles${game && `/${game}`}?${new URLSearchParams(which)}`);
  return status === 202 ? null : body;
}

/** The data of the box that Pasch knows. @param {string} id */
export async function components(id) {
  return (await ask(`/api/components/${id}`)).body;
}

/**
 * Whether a box can be played with, and if not, where and why.
 * @param {string} id
 * @param {unknown} data
 * @returns {Promise<{ok: boolean, place: string, reason: string, totals: string[]}>}
 */
export async function checkComponents(id, data) {
  const { body } = await post(`/api/components/${id}`, data);
  return { ok: body.ok, place: body.place ?? "", reason: body.ok ? "" : words(body.reason), totals: (body.totals ?? []).map(words) };
}

/**
 * A file with all games of this device, and a note; only where there is no server.
 * @param {string} note
 * @returns {Promise<Blob>}
 */
export async function saveGames(note) {
  const answer = await transportTo(DEVICE).request("/api/device/save", { method: "POST", body: note });
  if (!answer.ok) throw new Refusal(words((await answer.json().catch(() => null))?.reason), answer.status);
  return answer.blob();
}

/**
 * Delete games of this device.
 * @param {string[]} ids
 * @returns {Promise<string[]>} those that are gone; one that is open in another tab stays
 */
export async function deleteGames(ids) {
  return (await post("/api/device/delete", ids, DEVICE)).body;
}

/**
 * Add the games of a file to those of this device.
 * @param {Uint8Array<ArrayBuffer>} file
 * @returns {Promise<{new: number, known: number, note: string}>}
 */
export async function loadGames(file) {
  return (await ask("/api/device/load", { method: "POST", body: file }, DEVICE)).body;
}
