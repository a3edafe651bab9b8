// @ts-check
/**
 * Real dice and cards: slots for what lies on the table, and one row of faces. A touch of a face fills the ringed slot and
 * moves on; a slot that is full can be touched to change it. Hidden cards are read hand by hand; between two people's hands
 * the screen is handed over.
 */
import { icon } from "../app/frame.js";
import { list, t } from "../app/i18n.js";
import { usualFace } from "../board/default.js";
import { colourName, isColour } from "../board/dice.js";
import { h } from "../vendor/preact.js";
import { isYou, seatName } from "./people.js";
import { boardModel } from "./view.js";

/** @import { Ask } from "../app/types.js" */
/** @import { Model } from "./controller.js" */

/** What a part is called. Cards name their seat: "card 0". @param {Model} model @param {string} part */
function partName(model, part) {
  const [what = "", seat] = part.split(" ");
  const label = model.board.nouns()[what] ?? (isColour(what) ? colourName(what) : what === "die" ? t("die") : what.replaceAll("_", " "));
  return seat === undefined || model.info.players === 1 || isYou(model, Number(seat)) ? label : t("{part} of {name}", { part: label, name: seatName(model.info, Number(seat)) });
}

/** @param {Model} model */
export function reader(model) {
  const ask = model.position.ask;
  if (!ask) return null;
  const { places, missing } = model.readingParts;
  const [next] = missing;
  const filled = places.filter((place) => !missing.includes(place));
  return [
    h("div", { key: "slots", class: "slots", role: "group", "aria-label": t("What lies on the table") }, places.map((place) => slot(model, ask, place, place === next))),
    h(
      "div",
      { key: "faces", class: "faces", role: "group", "aria-label": t("What does it show? Keys 1 to 9 work, too"), "aria-disabled": next === undefined ? "true" : null },
      ask.values.map((value) => faceButton(model, ask, next, value)),
      h("button", { class: "tool", type: "button", "data-key": "undo", "aria-label": t("Take the last one back"), disabled: !filled.length, onClick: () => model.commands.unread(filled.at(-1) ?? 0) }, icon("rub")),
    ),
  ];
}

/** @param {Model} model @param {Ask} ask @param {number} place @param {boolean} next */
function slot(model, ask, place, next) {
  const part = ask.parts[place] ?? "";
  const value = model.readings[place] ?? null;
  const name = partName(model, part);
  const label = value === null ? name : t("{part}: {value}, touch to change", { part: name, value: model.board.faceName(part, value) });
  return h(
    "button",
    { key: place, class: `slot${value !== null ? " read" : ""}${next ? " next" : ""}${isColour(part) ? ` d-${part}` : ""}`, type: "button", "data-key": `part-${place}`, disabled: value === null, "aria-label": label, onClick: () => model.commands.unread(place) },
    value !== null && drawn(model, part, value),
  );
}

/** @param {Model} model @param {string} part @param {number} value */
function drawn(model, part, value) {
  const [what = ""] = part.split(" ");
  return model.board.face(boardModel(model), what, value) || usualFace(model.board.faceName(part, value), what, value);
}

/** @param {Model} model @param {Ask} ask @param {number | undefined} next @param {number} value */
function faceButton(model, ask, next, value) {
  const part = ask.parts[next ?? 0] ?? "";
  return h(
    "button",
    { key: value, class: "face-key", type: "button", "data-key": `face-${value}`, "data-value": value, "aria-label": model.board.faceName(part, value), disabled: next === undefined, onClick: () => model.commands.read(value) },
    drawn(model, isColour(part) ? "die" : part, value),
  );
}

/** What is to be read now, in words. @param {Model} model */
export function readingText(model) {
  const { readingParts: { parts, places, missing: [next] }, info } = model;
  const seats = [...new Set(places.flatMap((place) => parts[place]?.split(" ").slice(1) ?? []))].map(Number);
  if (seats.length === 1 && isYou(model, seats[0] ?? -1)) return t("Tap your cards.");
  if (seats.length && info.players > 1) return t("Tap the cards of {names}.", { names: list(seats.map((seat) => seatName(info, seat))) });
  if (next === undefined) return t("All read. Touch one to change it.");
  if (parts[next] === "die" && places.length > 1) return t("Tap the dice, in any order.");
  return t("Tap what lies on the table: {part}", { part: partName(model, parts[next] ?? "") });
}
