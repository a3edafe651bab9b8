// @ts-check
/**
 * HTTP requests to the server.
 *
 * @typedef {import("./types.js").NewTable} NewTable
 * @typedef {import("./types.js").MadeTable} MadeTable
 * @typedef {import("./types.js").Sentence} Sentence
 * @typedef {{name: string, kind: "number"|"switch"|"choice"|"list", default: any, explanation: string,
 *   least: number|null, most: number|null, choices: any[], house: boolean, added: boolean}} OptionSpec
 * @typedef {{name: string, gives_away: number|null, bot: boolean}} Level
 * @typedef {{text: string, when: Record<string, any[]>}} Step a sentence of how a game goes, and with which options
 * @typedef {{id: string, title: string, pitch: string, players: number[], minutes: [number, number],
 *   options: OptionSpec[], levels: Level[], has_secrets: boolean, howto: Step[], lesson: boolean,
 *   files: ("board.js"|"board.css"|"thumb.svg")[]}} GameInfo
 */
import { say, currentLanguage, t } from "./i18n.js";
import { fetchPatiently } from "./retry.js";

/** What the server refused, in words for people. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {number} status
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {unknown} reason a sentence, or plain words
 * @returns {string}
 */
function words(reason) {
  if (reason && typeof reason === "object" && "template" in reason) {
    return say(/** @type {Sentence} */ (reason));
  }
  return typeof reason === "string" ? t(reason) : t("Something went wrong.");
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<{status: number, body: any}>}
 */
async function ask(path, init) {
  let answer;
  try {
    // only what changes nothing is asked twice
    answer = await (init ? fetch(path, init) : fetchPatiently(path));
  } catch {
    throw new Refusal(t("The server cannot be reached."), 0);
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refusal(words(body?.reason), answer.status);
  return { status: answer.status, body };
}

/**
 * @param {string} path
 * @param {unknown} data
 */
function post(path, data) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(data) });
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

/**
 * @param {string} id
 * @returns {Promise<GameInfo>}
 */
export async function game(id) {
  const found = (await games()).find((one) => one.id === id);
  if (!found) throw new Refusal(t("There is no such game."), 404);
  return found;
}

/** @param {NewTable} wish @returns {Promise<MadeTable>} */
export async function makeTable(wish) {
  return (await post("/api/tables", wish)).body;
}

/**
 * What the coach says of a finished game; null while it is still being worked out.
 * @param {string} id
 * @returns {Promise<import("./report.js").Report | null>}
 */
export async function report(id) {
  const { status, body } = await ask(`/api/tables/${id}/report`);
  return status === 202 ? null : body;
}

/** The record of a finished game. @param {string} id */
export async function record(id) {
  return (await ask(`/api/tables/${id}/record`)).body;
}

/**
 * A part of a finished game: the one with this step, or with -1 the last one.
 * @param {string} id
 * @param {number} from
 * @returns {Promise<import("./steps.js").ReplayPage>}
 */
export async function replay(id, from) {
  return (await ask(`/api/tables/${id}/replay?from=${from}`)).body;
}

/**
 * The receipt of a finished game, by which its dice are checked; null while the coach is still calculating.
 * @param {string} id
 * @param {boolean} coach whether the coach's numbers are wanted
 * @returns {Promise<import("./fair.js").Receipt | null>}
 */
export async function receipt(id, coach) {
  const { status, body } = await ask(`/api/tables/${id}/receipt${coach ? "" : "?coach=no"}`);
  return status === 202 ? null : body;
}

/**
 * What a game states about its chance events, a file that comes with the page; null if it states nothing.
 * @param {string} game
 * @returns {Promise<import("./shapes.js").Description | null>}
 */
export async function chanceShapes(game) {
  return (await ask(`/static/games/${game}/chance.json`)).body;
}

/**
 * @param {string} id
 * @param {string} language
 */
export async function rules(id, language) {
  return (await ask(`/api/rules/${id}?language=${language}`)).body;
}

/**
 * A game's lesson, in the reader's language.
 * @param {string} id
 * @returns {Promise<import("./lesson.js").Lesson>}
 */
export async function lesson(id) {
  return (await ask(`/api/lessons/${id}?language=${currentLanguage()}`)).body;
}

/** The data of the box that Pasch knows. @param {string} id */
export async function components(id) {
  return (await ask(`/api/components/${id}`)).body;
}

/**
 * Whether a box can be played with, and if not, where and why.
 * @param {string} id
 * @param {unknown} data
 * @returns {Promise<{ok: boolean, place: string, reason: string}>}
 */
export async function checkComponents(id, data) {
  const { body } = await post(`/api/components/${id}`, data);
  return { ok: body.ok, place: body.place ?? "", reason: body.ok ? "" : words(body.reason) };
}
