// @ts-check
/** Real dice and cards: the person taps what lies on the table, part by part. */
import { h } from "./dom.js";
import { icon } from "./frame.js";
import { t } from "./i18n.js";
import { contextOf, nameOf } from "./play.js";

/** @typedef {import("./play.js").Play} Play */

/** @param {Play} play @returns {import("./dom.js").Child[]} */
export function reader(play) {
  const { ask } = play.position;
  if (!ask) return [];
  const next = play.readings.length;
  const complete = next === ask.parts.length;
  return [
    h(
      "div",
      { class: "reader" },
      h("div", { class: "parts" }, ask.parts.map((part, place) => partButton(play, part, place))),
      !complete &&
        h(
          "div",
          { class: "faces", role: "group", "aria-label": partName(play, ask.parts[next] ?? "") },
          ask.values.map((value) => faceButton(play, ask.parts[next] ?? "", value)),
        ),
    ),
    h(
      "div",
      { class: "buttons" },
      h("button", { class: "button icon", type: "button", "data-key": "undo", "aria-label": t("Undo the last touch"), disabled: !next, onclick: () => play.actions.unread(next - 1) }, icon("undo")),
      h(
        "div",
        { class: "main" },
        h("button", { class: "button primary", type: "button", "data-key": "primary", disabled: !complete || play.busy, onclick: play.actions.confirmRead }, t("That’s what lies there")),
      ),
    ),
  ];
}

/**
 * What a part is called. Cards name their seat: "card 0".
 * @param {Play} play
 * @param {string} part
 */
function partName(play, part) {
  const [what = "", seat] = part.split(" ");
  const label = play.board.partLabel(what);
  return seat === undefined || play.info.players === 1 ? label : t("{part} of {name}", { part: label, name: nameOf(play, Number(seat)) });
}

/**
 * @param {Play} play
 * @param {string} part
 * @param {number} place
 */
function partButton(play, part, place) {
  const value = play.readings[place];
  const name = partName(play, part);
  const state = value !== undefined ? " read" : place === play.readings.length ? " next" : "";
  return h(
    "button",
    {
      class: `part${state}`,
      type: "button",
      "data-key": `part-${place}`,
      disabled: value === undefined,
      "aria-label": value === undefined ? name : t("{part}: {value}, touch to change", { part: name, value }),
      onclick: () => play.actions.unread(place),
    },
    value !== undefined ? play.board.faceName(part, value) : part === "die" ? "?" : name,
  );
}

/**
 * @param {Play} play
 * @param {string} part
 * @param {number} value
 */
function faceButton(play, part, value) {
  const [what = ""] = part.split(" ");
  const drawn = play.board.face(contextOf(play), what, value);
  // a die is one of many and named by its face; other drawings name themselves
  const name = typeof drawn === "string" || drawn.matches(".die") ? play.board.faceName(what, value) : null;
  return h(
    "button",
    { class: "button", type: "button", "data-key": `face-${value}`, "aria-label": name, onclick: () => play.actions.read(value) },
    drawn,
  );
}
