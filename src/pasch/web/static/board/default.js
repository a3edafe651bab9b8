// @ts-check
/**
 * The board of a game that brings none: what its rules declare is drawn by its kind (dice, cards, sets, tracks, tables), its
 * moves are buttons, its events are described by their fields. A game's own board.js replaces what it draws or says
 * differently; the words that several games share are here, too.
 *
 * @typedef {import("./model.js").Board["sentences"]} Phrases
 */
import { capital, list, number, t, tn } from "../app/i18n.js";
import { kind } from "../table/choose.js";
import { h } from "../vendor/preact.js";
import { colourName, die, diceRow, isColour, lastRoll, sum } from "./dice.js";
import { card, classes, has, range } from "./pieces.js";

/** @import { FieldKind as Field } from "../app/types.js" */
/** @import { BoardModel, Child, Telling } from "./model.js" */

// --- words that games share --------------------------------------------------------------------------

/** Groups of dice with what they add up to: 1 and 2 + 4 = 6. @param {readonly (readonly number[])[]} groups */
export const sums = (groups) => list(groups.map(sum));

/** By how many points a seat's score has changed. @param {number} seat @param {Record<string, any>} before @param {Record<string, any>} after */
export const gain = (seat, before, after) => (after.scores[seat] ?? 0) - (before.scores[seat] ?? 0);

/** Whether a turn ended between two positions of a game in which seats take turns. @param {Telling} telling */
export function turnEnded({ before, after }) {
  if (!before || !after) return false;
  const [was, is] = [before.snapshot, after.snapshot];
  return is.seat !== was.seat || is.round !== was.round || is.phase === "over";
}

/** The sentence, and what the turn scores if it has ended with it. @param {string} what @param {Telling} telling */
export function withScore(what, telling) {
  const { event, before, after } = telling;
  if (!before || !after || !turnEnded(telling)) return what;
  return tn("{what}. The turn scores {n} point", "{what}. The turn scores {n} points", gain(event.seat, before, after), { what });
}

/** The faces of a roll: one, several, or by the name of the die. @param {unknown} roll @returns {number[]} */
export const facesIn = (roll) => (typeof roll === "number" ? [roll] : Object.values(roll ?? {}).filter((face) => typeof face === "number" && face > 0));

/** Who rolls what. @param {Telling} telling @param {string} [dice] */
export function rolls({ event, you, name }, dice = facesIn(event.roll).join(" ")) {
  return you ? t("You roll {dice}", { dice }) : t("{name} rolls {dice}", { name, dice });
}

/** @param {number} n */
export const rollDice = (n) => tn("Roll {n} die", "Roll {n} dice", n);
/** What a stop scores, for its button: the number has its sign. @param {number} n */
export const stopWith = (n) => t("Stop: {points}", { points: n > 0 ? `+${number(n)}` : number(n) });

// --- any value in words --------------------------------------------------------------------------------

/** A name as it stands in a state, an event or a token: "turn_total" is "turn total". @param {string} name */
function spelt(name) {
  const plainWords = name.replaceAll("_", " ");
  return t(plainWords);
}

/** Any JSON value. @param {unknown} value @returns {string} */
function formatValue(value) {
  if (value === null) return "?";
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (Array.isArray(value)) return value.map(formatValue).join(value.some(Array.isArray) ? "; " : ", ") || "–";
  if (typeof value === "object") return Object.entries(value).map(([name, one]) => `${spelt(name)} ${formatValue(one)}`).join(", ") || "–";
  return spelt(String(value));
}

/** What an event says besides its seat: "card 9, field 2". What comes next says so by itself: "hold". @param {Record<string, any>} event */
function content(event) {
  const entries = Object.entries(event).filter(([name]) => name !== "seat");
  return entries.map(([name, value]) => (name === "next" ? formatValue(value) : value === true ? spelt(name) : `${spelt(name)} ${formatValue(value)}`)).join(", ");
}

/** The sentence, and by how much the score has changed. @param {string} what @param {Telling} telling */
export function withGain(what, { event, before, after }) {
  const n = before && after ? gain(event.seat, before, after) : 0;
  return n ? tn("{what}: {n} point", "{what}: {n} points", n, { what }) : what;
}

/** @type {Phrases} */
export const sentences = {
  roll: (telling) => (typeof telling.event.seat === "number" ? withGain(rolls(telling), telling) : capital(content(telling.event))),
  next(telling) {
    const { event, you, name, before } = telling;
    if (event.next === "roll") return you ? t("You roll on") : t("{name} rolls on", { name });
    if (event.next !== "stop") return sentences[""]?.(telling) ?? "";
    const n = before?.marks.worth;
    if (n === undefined) return you ? t("You stop") : t("{name} stops", { name });
    if (you) return tn("You stop and score {n} point", "You stop and score {n} points", n);
    return tn("{name} stops and scores {n} point", "{name} stops and scores {n} points", n, { name });
  },
  "": (telling) => {
    const { event, who } = telling;
    if (typeof event.seat !== "number") return capital(content(event));
    return withGain(t("{name}: {what}", { name: who(event.seat), what: content(event) }), telling);
  },
};

/** @type {Phrases} */
export const labels = {
  next({ event, position }) {
    if (event.next === "roll") return t("Roll on");
    return event.next === "stop" && position?.marks.worth !== undefined ? stopWith(position.marks.worth) : capital(formatValue(event.next));
  },
  "": ({ event }) => capital(content(event)),
};

/** @type {Phrases} */
export const shorts = {};

/** @param {BoardModel} model @returns {Record<string, string>} */
export const prompts = ({ moves }) => ({ "": t("Your turn."), roll: t("Your turn: roll."), next: moves.some(({ event }) => event.next === "stop") ? t("Roll on or stop?") : t("Your turn.") });
export const chances = () => ({ "": t("Roll") });
export const notes = () => ({});
export const needs = () => ({ "": t("Choose first") });

/** Names of options, fields and parts that no game says. @param {string} name */
export function noun(name) {
  const known = { bonus: t("Bonus"), chips: t("Chips"), dice: t("Dice"), die: t("die"), name: t("Name"), number: t("How many"), players: t("Players"), round_limit: t("Round limit"), rounds: t("Rounds"), slides: t("Slides"), value: t("Value"), values: t("Values") };
  return Object.hasOwn(known, name) ? known[/** @type {keyof typeof known} */ (name)] : isColour(name) ? colourName(name) : spelt(name);
}
export const nouns = () => ({});

/** @type {import("./model.js").Board["face"]} */
export const face = () => null;
/** What can be read off the real table. @param {string} said @param {string} part @param {number} value @returns {Child} */
export function usualFace(said, part, value) {
  const isDie = value >= 1 && value <= 6 && (part === "die" || isColour(part));
  return isDie ? die(value, { colour: isColour(part) ? part : "ivory", name: "small" }) : h("b", null, said);
}
export const faceName = (/** @type {string} */ _part, /** @type {number} */ value) => number(value);

/** @type {string[]} */
export const growing = [];
export const scorePad = null;
export const placing = "chip";
export const seatBoard = null;
export const smallBoard = null;
export const reference = null;
export const wide = () => false;
export const where = () => "";
export const earned = () => "";
export const seatNote = () => "";
export const storyButton = () => t("Continue");
/** @returns {number[]} */
export const beats = () => [];

// --- drawings ------------------------------------------------------------------------------------------

/** fields that the page shows anyway, or that are drawn as dice */
const SHOWN = new Set(["actor", "seat", "phase", "roll", "rolled"]);
/** a number that cannot be higher is a place on a track */
const TRACK = 24;

/** What is not declared is known by its value. @param {string} name @param {unknown} value @returns {Field} */
const undeclared = (name, value) => ({ name, kind: Array.isArray(value) ? "row" : "number", by_seat: false, size: 0, high: 0 });

/**
 * The state's fields that belong to each seat, or those that belong to none; scores are shown anyway.
 * @param {Pick<BoardModel, "state" | "scores" | "fields">} model @param {boolean} ofSeats
 * @returns {[Field, any][]}
 */
function fieldsOf({ state, scores, fields }, ofSeats) {
  return Object.entries(state)
    .map(([name, value]) => /** @type {[Field, any]} */ ([fields.find((one) => one.name === name) ?? undeclared(name, value), value]))
    .filter(([{ name, by_seat, kind }, value]) => !SHOWN.has(name) && kind !== "dice" && by_seat === ofSeats && !(ofSeats && ((kind === "row" && String(value) === String(scores)) || String(value) === "")));
}

/** A value by the kind of its field. @param {any} value @param {Field} field @returns {Child} */
function drawn(value, { kind, size, high }) {
  const label = formatValue(value);
  const cells = (/** @type {string} */ name, /** @type {Child[]} */ ...inside) => h("span", { class: `cells ${name}`, role: "img", "aria-label": label }, inside);
  if (kind === "set") return cells("set", range(1, size).map((n) => h("i", { key: n, class: classes(has(value, n - 1) && "on") }, number(n))));
  if (kind === "number" && typeof value === "number" && high > 1 && high <= TRACK) return cells("track", range(0, high).map((n) => h("i", { key: n, class: classes(n === value && "on", n < value && "past") }, number(n))));
  if (!Array.isArray(value)) return label;
  if (value.some(Array.isArray)) return h("span", { class: "rows" }, value.map((row, at) => h("span", { key: at }, drawn(row, { name: "", kind: "row", by_seat: false, size, high }))));
  if (kind === "list" || value.includes(null)) return cells("cards", value.map((one, at) => card(one, { key: at, name: "small" })));
  return value.length ? cells("row", value.map((one, at) => h("i", { key: at }, h("small", null, number(at + 1)), h("b", null, formatValue(one))))) : label;
}

/** A row for each seat: what it has in front of it. @param {BoardModel} model @param {[Field, any][]} fields */
const seatTable = ({ seats, who, portrait, turn }, fields) =>
  h("table", { class: "seat-table" },
    h("thead", null, h("tr", null, h("td", null), fields.map(([{ name }]) => h("th", { key: name, scope: "col" }, capital(noun(name)))))),
    h("tbody", null, range(0, seats - 1).map((seat) => h("tr", { key: seat, class: classes(seat === turn && "on") }, h("th", { scope: "row" }, portrait(seat), who(seat)),
      fields.map(([field, value]) => h("td", { key: field.name }, drawn(value[seat], field)))))));

/** A part of a move in words; the second of two equal ones says the same. @param {string} token */
export const partName = (token) => capital(token.replace(/#\d+$/, "").split(":").map((word) => (word === "[]" ? t("nothing") : spelt(word))).join(" "));

/** Every part of a move as a button. @param {BoardModel} model */
function tokenButtons({ tokens, touch }) {
  const kinds = [...new Set(tokens.map(kind))];
  const buttons = kinds.flatMap((one) => tokens.filter((token) => kind(token) === one)).map((token) => {
    const text = partName(token);
    const control = touch(token, text);
    return h("button", { key: token, type: "button", ...control, class: `token ${control.class}` }, text);
  });
  return buttons.length > 0 && h("div", { class: "tokens", role: "group", "aria-label": t("What to choose from") }, buttons);
}

/** @param {BoardModel} model @returns {Child} */
export function board(model) {
  const [shared, own] = [fieldsOf(model, false), fieldsOf(model, true)];
  return h("div", { class: "any cardboard", role: "group", "aria-label": t("On the table") },
    shared.length > 0 && h("dl", { class: "values" }, shared.map(([field, value]) => [h("dt", { key: field.name }, capital(noun(field.name))), h("dd", { key: `${field.name} value` }, drawn(value, field))])),
    own.length > 0 && seatTable(model, own),
    model.chooser !== null && tokenButtons(model));
}

/** @param {BoardModel} model @returns {Child} */
export function zone(model) {
  const plain = (/** @type {Record<string, any>} */ event) => (event.roll ? { ...event, roll: facesIn(event.roll) } : event);
  const { roll, state, awaits, fields } = model;
  const recent = model.recent.map((one) => ({ ...one, event: plain(one.event) }));
  const last = lastRoll({ ...model, recent });
  if (!roll && !last && !fields.some(({ kind }) => kind === "dice") && (!awaits || recent.length)) return null;
  const dice = facesIn(last?.roll).length || 1;
  // dice that the position does not keep lie there until somebody does something
  const lie = facesIn(state.rolled).length || awaits || recent.at(-1)?.event !== last ? facesIn(state.rolled) : facesIn(last?.roll);
  return diceRow({ ...model, recent, roll: roll && { ...roll, event: plain(roll.event) }, state: { ...state, rolled: lie } }, { dice });
}
