// @ts-check
/**
 * Real dice and cards: the person taps what lies on the table. Dice are a grid, a row for each with all its faces, so
 * that a roll takes one touch for each die and a misread one is put right by another. Everything else is read part by
 * part. Hidden cards are read hand by hand; between two people's hands the screen is handed over.
 */
import { isColour } from "../board/dice.js";
import { h } from "../app/dom.js";
import { icon } from "../app/frame.js";
import { list, t } from "../app/i18n.js";
import { contextOf, isYou, nameOf, readingParts } from "./play.js";

/** @typedef {import("./play.js").Play} Play */

/** the most values that fit side by side */
const MOST_FACES = 6;

/** @param {Play} play @returns {import("../app/dom.js").Child[]} */
export function reader(play) {
  const { ask } = play.position;
  if (!ask) return [];
  const { from, to } = readingParts(play);
  const places = Array.from({ length: to - from }, (_, at) => from + at);
  const read = places.filter((place) => isRead(play, place));
  const complete = read.length === places.length;
  const dice = ask.values.length <= MOST_FACES && places.every((place) => isDie(ask.parts[place] ?? ""));
  const last = to === ask.parts.length;
  return [
    dice ? matrix(play, places) : sequence(play, places),
    h(
      "div",
      { class: "buttons" },
      h("button", { class: "button icon", type: "button", "data-key": "undo", "aria-label": t("Undo the last touch"), disabled: !read.length, onclick: () => play.actions.unread(read.at(-1) ?? from) }, icon("undo")),
      h(
        "div",
        { class: "main" },
        h("button", { class: "button primary", type: "button", "data-key": "primary", disabled: !complete || play.busy, onclick: play.actions.confirmRead }, last ? t("That’s what lies there") : t("On to the next hand")),
      ),
    ),
  ];
}

/** @param {Play} play @param {number} place */
function isRead(play, place) {
  return (play.readings[place] ?? null) !== null;
}

/** @param {string} part */
function isDie(part) {
  return part === "die" || isColour(part);
}

/**
 * The first part that has still to be read, of those that are read now; null if none.
 * @param {Play} play
 */
export function nextPart(play) {
  const { from, to } = readingParts(play);
  for (let place = from; place < to; place += 1) if (!isRead(play, place)) return place;
  return null;
}

/**
 * A row of faces for each die.
 * @param {Play} play
 * @param {number[]} places
 */
function matrix(play, places) {
  const { parts, values } = /** @type {import("../app/types.js").Ask} */ (play.position.ask);
  return h(
    "div",
    { class: "reader matrix" },
    places.map((place) => {
      const part = parts[place] ?? "";
      const name = places.length > 1 && part === "die" ? t("{part} {n}", { part: play.board.partLabel(part), n: place + 1 }) : play.board.partLabel(part);
      return h(
        "div",
        { class: `faces${isRead(play, place) ? " read" : place === nextPart(play) ? " next" : ""}`, role: "group", "aria-label": name },
        values.map((value) => faceButton(play, place, value)),
      );
    }),
  );
}

/**
 * One part after the other; touching one that was read already asks for it again.
 * @param {Play} play
 * @param {number[]} places
 */
function sequence(play, places) {
  const { parts, values } = /** @type {import("../app/types.js").Ask} */ (play.position.ask);
  const next = nextPart(play);
  return h(
    "div",
    { class: "reader" },
    h("div", { class: "parts" }, places.map((place) => partButton(play, parts[place] ?? "", place, place === next))),
    next !== null &&
      h("div", { class: "faces next", role: "group", "aria-label": partName(play, parts[next] ?? "") }, values.map((value) => faceButton(play, next, value))),
  );
}

/**
 * What a part is called. Cards name their seat: "card 0".
 * @param {Play} play
 * @param {string} part
 */
function partName(play, part) {
  const [what = "", seat] = part.split(" ");
  const label = play.board.partLabel(what);
  return seat === undefined || play.info.players === 1 || isYou(play, Number(seat)) ? label : t("{part} of {name}", { part: label, name: nameOf(play, Number(seat)) });
}

/**
 * @param {Play} play
 * @param {string} part
 * @param {number} place
 * @param {boolean} next
 */
function partButton(play, part, place, next) {
  const value = play.readings[place] ?? null;
  const name = partName(play, part);
  return h(
    "button",
    {
      class: `part${value !== null ? " read" : next ? " next" : ""}`,
      type: "button",
      "data-key": `part-${place}`,
      disabled: value === null,
      "aria-label": value === null ? name : t("{part}: {value}, touch to change", { part: name, value: play.board.faceName(part, value) }),
      onclick: () => play.actions.unread(place),
    },
    value !== null ? play.board.faceName(part, value) : name,
  );
}

/**
 * @param {Play} play
 * @param {number} place
 * @param {number} value
 */
function faceButton(play, place, value) {
  const [what = ""] = play.position.ask?.parts[place]?.split(" ") ?? [];
  const drawn = play.board.face(contextOf(play), what, value);
  const chosen = play.readings[place] === value;
  // a die is one of many and named by its face; other drawings name themselves
  const name = typeof drawn === "string" || drawn.matches(".die") ? play.board.faceName(what, value) : null;
  return h(
    "button",
    { class: `button${chosen ? " chosen" : ""}`, type: "button", "data-key": `face-${place}-${value}`, "data-value": value, "aria-label": name, "aria-pressed": String(chosen), onclick: () => play.actions.read(value, place) },
    drawn,
  );
}

/** Whose cards are to be read now, in words; empty if they are nobody's in particular. @param {Play} play */
export function readingText(play) {
  const { ask } = play.position;
  const { from, to } = readingParts(play);
  const seats = [...new Set((ask?.parts ?? []).slice(from, to).flatMap((part) => part.split(" ").slice(1)))].map(Number);
  if (seats.length === 1 && isYou(play, seats[0] ?? -1)) return t("Tap your cards.");
  const names = seats.map((seat) => nameOf(play, seat));
  return names.length && play.info.players > 1 ? t("Tap the cards of {names}.", { names: list(names) }) : t("Tap what lies on the table.");
}
