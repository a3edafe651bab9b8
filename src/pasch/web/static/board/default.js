// @ts-check
/**
 * The usual board: shows any game's state as labelled values, its moves as buttons, its events in words. A game's own
 * board.js replaces what it draws or says differently.
 */
import { colourName, die, diceOf, isColour } from "./dice.js";
import { h } from "../app/dom.js";
import { capital, number, t, tn } from "../app/i18n.js";
import { atOnce, kind } from "../table/choose.js";
import { choosing, gain, justRolled, scoreBar, shared, tellNext, tellRoll } from "./pieces.js";
import { touchable } from "../table/touch.js";

/** @typedef {import("../table/touch.js").Ctx} Ctx */
/** @typedef {import("../app/types.js").Position} Position */

/** fields that the page shows anyway, or that are drawn as dice */
const SHOWN = new Set(["actor", "seat", "phase", "roll", "rolled"]);

// --- words ---------------------------------------------------------------------------------------

/** A name as it stands in a state, an event or a token, in words: "turn_total" is "turn total". @param {string} name */
function spelt(name) {
  const plainWords = name.replaceAll("_", " ");
  return t(plainWords);
}

/**
 * Any JSON value in words.
 * @param {unknown} value
 * @returns {string}
 */
function told(value) {
  if (value === null) return "?";
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (Array.isArray(value)) return value.map(told).join(value.some(Array.isArray) ? "; " : ", ") || "–";
  if (typeof value === "object") return Object.entries(value).map(([name, one]) => `${spelt(name)} ${told(one)}`).join(", ") || "–";
  return spelt(String(value));
}

/**
 * What an event says besides its seat: "card 9, field 2". What comes next says so by itself: "hold".
 * @param {Record<string, any>} event
 */
function content(event) {
  const entries = Object.entries(event).filter(([name]) => name !== "seat");
  return entries
    .map(([name, value]) => (name === "next" ? told(value) : value === true ? spelt(name) : `${spelt(name)} ${told(value)}`))
    .join(", ");
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 * @param {Position | null} before
 * @param {Position | null} after
 */
export function tell(ctx, event, before, after) {
  const { seat, next } = event;
  if (typeof seat !== "number") return capital(content(event));
  if (next === "roll") return tellNext(ctx, { seat, next }, before);
  const faces = facesIn(event.roll);
  const what = faces.length ? tellRoll(ctx, { seat, roll: faces }) : t("{name}: {what}", { name: ctx.who(seat), what: content(event) });
  const n = before && after ? gain(seat, before, after) : 0;
  return n ? tn("{what}: {n} point", "{what}: {n} points", n, { what }) : what;
}

/**
 * @param {Ctx} _ctx
 * @param {Record<string, any>} event
 */
export function label(_ctx, event) {
  return event.next === "roll" ? t("Roll on") : capital(content(event));
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 */
export function short(ctx, event) {
  return label(ctx, event);
}

/** @param {string} kind */
export function partName(kind) {
  return spelt(kind);
}

/**
 * @param {string} phase
 * @param {boolean} roll
 */
export function prompt(phase, roll) {
  if (roll) return t("Your turn: roll.");
  return phase.endsWith("next") ? t("Roll on or stop?") : t("Your turn.");
}

/** @param {string} _phase */
export function chanceButton(_phase) {
  return t("Roll");
}

/** @param {string} name */
export function word(name) {
  switch (name) {
    case "bonus": return t("Bonus");
    case "chips": return t("Chips");
    case "dice": return t("Dice");
    case "name": return t("Name");
    case "number": return t("How many");
    case "players": return t("Players");
    case "round_limit": return t("Most rounds");
    case "rounds": return t("Rounds");
    case "slides": return t("Slides");
    case "value": return t("Value");
    case "values": return t("Values");
    default: return isColour(name) ? colourName(name) : capital(spelt(name));
  }
}

/**
 * @param {string} _option
 * @param {string | number} value
 */
export function valueName(_option, value) {
  return typeof value === "string" ? spelt(value) : number(value);
}

/** @param {string} part */
export function partLabel(part) {
  return part === "die" ? t("die") : spelt(part);
}

/**
 * @param {Ctx} _ctx
 * @param {string} part
 * @param {number} value
 * @returns {Element | string}
 */
export function face(_ctx, part, value) {
  if (value < 1 || value > 6) return number(value);
  return part === "die" ? die(value) : isColour(part) ? die(value, { colour: part }) : number(value);
}

/**
 * @param {string} _part
 * @param {number} value
 */
export function faceName(_part, value) {
  return number(value);
}

/** The title that a finished game for one has earned: none. @param {string} _title */
export function earned(_title) {
  return "";
}

export const ownBoards = false;

export const docked = false;

/** @type {string[]} */
export const growing = [];

// --- drawings ------------------------------------------------------------------------------------

/**
 * The faces of dice, whether they come as one number or as several.
 * @param {unknown} roll
 * @returns {number[]}
 */
function facesIn(roll) {
  return [roll].flat().filter((one) => typeof one === "number" && one >= 1 && one <= 6).map(Number);
}

/**
 * The faces to show: those that lie on the table, or those of a roll just made that do no longer.
 * @param {Ctx} ctx
 */
function lying(ctx) {
  const { roll, rolled = roll } = ctx.position.snapshot;
  const faces = facesIn(rolled);
  return faces.length ? faces : facesIn(ctx.recent.map(({ event }) => event.roll).filter(Boolean).at(-1));
}

/**
 * The state's fields that belong to each seat, or those that belong to none; the scores are shown anyway.
 * A field by seat is empty while there is nothing to say.
 * @param {Pick<Ctx, "info" | "position">} ctx
 * @param {boolean} ofSeats
 */
export function fields(ctx, ofSeats) {
  const { snapshot, scores } = ctx.position;
  const wanted = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    ctx.info.by_seat.includes(name) ? ofSeats && String(value) !== String(scores) && String(value) !== "" : !ofSeats;
  return Object.entries(snapshot).filter(([name, value]) => !SHOWN.has(name) && wanted(name, value));
}

/** @param {[string, unknown][]} values */
function valueList(values) {
  return values.length > 0 && h("dl", { class: "values" }, values.flatMap(([name, value]) => [h("dt", null, word(name)), h("dd", null, told(value))]));
}

/**
 * Every part of a move as a button; those that no move has together with what was touched are dimmed.
 * @param {Ctx} ctx
 */
function tokenButtons(ctx) {
  if (!choosing(ctx, ctx.position.actor)) return null;
  const tokens = [...new Set(ctx.position.moves.flatMap((move) => move.tokens))].filter((token) => !atOnce(token));
  const kinds = [...new Set(tokens.map(kind))];
  const buttons = kinds.flatMap((one) => tokens.filter((token) => kind(token) === one)).map((token) => {
    const text = capital(token.split(":").map(spelt).join(" "));
    return touchable(ctx, token, text, h("button", { type: "button", class: "token" }, text));
  });
  return buttons.length > 0 && h("div", { class: "tokens", role: "group", "aria-label": t("What to choose from") }, buttons);
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 * @returns {Element}
 */
export function seatBoard(ctx, seat) {
  const { scores } = ctx.position;
  const own = fields(ctx, true).map(([name, value]) => /** @type {[string, unknown]} */ ([name, /** @type {unknown[]} */ (value)[seat]]));
  return h("div", { class: "stack" }, scoreBar(ctx, seat, scores[seat] ?? 0, scores), valueList(own));
}

/**
 * @param {Ctx} ctx
 * @returns {Element | null}
 */
export function common(ctx) {
  if (ctx.position.actor === -2) return null;
  const faces = lying(ctx);
  return shared(
    t("On the table"),
    "",
    faces.length > 0 && h("div", { class: "dice-row" }, diceOf(faces, justRolled(ctx, faces))),
    valueList(fields(ctx, false)),
    tokenButtons(ctx),
  );
}
