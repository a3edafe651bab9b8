// @ts-check
/**
 * Questions to the server that need no open table.
 *
 * @typedef {import("./types.js").NewTable} NewTable
 * @typedef {import("./types.js").MadeTable} MadeTable
 * @typedef {import("./types.js").Sentence} Sentence
 * @typedef {{name: string, kind: "number"|"switch"|"choice"|"list", default: any, explanation: string,
 *   least: number|null, most: number|null, choices: any[]}} OptionSpec
 * @typedef {{name: string, gives_away: number|null, bot: boolean}} Level
 * @typedef {{id: string, title: string, pitch: string, players: number[], minutes: [number, number],
 *   options: OptionSpec[], levels: Level[], has_secrets: boolean}} GameInfo
 */
import { say, t } from "./i18n.js";

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
    answer = await fetch(path, init);
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

/** @type {Promise<GameInfo[]> | null} */
let asked = null;

/** @returns {Promise<GameInfo[]>} */
export function games() {
  asked ??= ask("/api/games").then(
    ({ body }) => body,
    (error) => {
      asked = null;
      throw error;
    },
  );
  return asked;
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
 * @param {string[]} tokens
 * @returns {Promise<import("./report.js").Report | null>}
 */
export async function report(id, tokens) {
  const { status, body } = await ask(`/api/tables/${id}/report`, withTokens(tokens));
  return status === 202 ? null : body;
}

/**
 * @param {string} id
 * @param {string[]} tokens
 */
export async function record(id, tokens) {
  return (await ask(`/api/tables/${id}/record`, withTokens(tokens))).body;
}

/**
 * A finished game, position by position.
 * @param {string} id
 * @param {string[]} tokens
 * @returns {Promise<import("./replay.js").Replay>}
 */
export async function replay(id, tokens) {
  return (await ask(`/api/tables/${id}/replay`, withTokens(tokens))).body;
}

/**
 * All that the dice of a finished game followed from; null while the coach is still calculating its numbers.
 * @param {string} id
 * @param {string[]} tokens
 * @param {boolean} coach whether the coach's numbers are wanted
 * @returns {Promise<import("./fair.js").Receipt | null>}
 */
export async function receipt(id, tokens, coach) {
  const { status, body } = await ask(`/api/tables/${id}/receipt${coach ? "" : "?coach=no"}`, withTokens(tokens));
  return status === 202 ? null : body;
}

/** @param {string[]} tokens @returns {RequestInit} */
function withTokens(tokens) {
  return tokens[0] ? { headers: { Authorization: `Bearer ${tokens[0]}` } } : {};
}

/**
 * @param {string} id
 * @param {string} language
 */
export async function rules(id, language) {
  return (await ask(`/api/rules/${id}?language=${language}`)).body;
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
