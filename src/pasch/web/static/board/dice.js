// @ts-check
/** Dice as dice: with pips, some of them coloured, and rolling when they have just been thrown. */

import { svg } from "../app/dom.js";
import { t } from "../app/i18n.js";

/**
 * @typedef {object} DieLook
 * @property {string} [colour] red, blue, yellow, black, white or green; ivory unless given
 * @property {string} [token] what touching it means
 * @property {boolean | number | null} [rolling] whether it has just been thrown, or for how long it has been rolling
 * @property {number} [as] what it is used as; 0: it is not used
 * @property {number} [x] where it lies when it is part of a larger drawing
 * @property {number} [y]
 * @property {number} [size]
 */

/** the places of the pips of each face, on a grid of three by three */
const PIPS = [[], [4], [2, 6], [2, 4, 6], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/** a mark for each colour, for people who cannot tell colours apart; no face has a pip where it stands */
const MARKS = new Map([
  ["red", "M0-4 4.4 3.6H-4.4Z"],
  ["blue", "M-5-1.9H5V1.9H-5Z"],
  ["yellow", "M0-5 1.3-1.5 5-1.5 2 .7 3.1 4.4 0 2.2-3.1 4.4-2 .7-5-1.5-1.3-1.5Z"],
  ["black", "M-1.5-4.4h3v2.9h2.9v3H1.5v2.9h-3V1.5h-2.9v-3h2.9Z"],
  ["white", "M0-4.2A4.2 4.2 0 1 1 0 4.2 4.2 4.2 0 1 1 0-4.2M0-2A2 2 0 1 0 0 2 2 2 0 1 0 0-2Z"],
  ["green", "M0-4.8 4.4 0 0 4.8-4.4 0Z"],
]);

/**
 * A colour's mark, about ten wide, around the point given.
 * @param {string} colour
 * @param {number} x
 * @param {number} y
 */
export function colourMark(colour, x, y) {
  return svg("path", {
    class: "colour-mark",
    d: MARKS.get(colour) ?? "",
    transform: `translate(${x} ${y})`,
    "fill-rule": "evenodd",
  });
}

/** Whether dice have this colour. @param {string} name */
export function isColour(name) {
  return MARKS.has(name);
}

/**
 * A colour's name, as in "red".
 * @param {string} colour
 */
export function colourName(colour) {
  switch (colour) {
    case "red":
      return t("red");
    case "blue":
      return t("blue");
    case "yellow":
      return t("yellow");
    case "black":
      return t("black");
    case "white":
      return t("white");
    case "green":
      return t("green");
    default:
      return colour;
  }
}

/**
 * @param {number} face
 * @param {string} name
 */
function pips(face, name) {
  const dots = (PIPS[face] ?? []).map((place) =>
    svg("circle", { cx: 12 + 12 * (place % 3), cy: 12 + 12 * Math.floor(place / 3), r: 4.3 }),
  );
  return svg("g", { class: name }, dots);
}

/**
 * A die; face 0 is one that has still to be rolled.
 * @param {number} face
 * @param {DieLook} [look]
 */
export function die(face, look = {}) {
  const { colour = "ivory", token, rolling = null, as = 0, x, y, size = 48 } = look;
  const coloured = MARKS.has(colour);
  const details = { colour: colourName(colour), face };
  const name = face
    ? coloured
      ? t("{colour} die showing {face}", details)
      : t("die showing {face}", details)
    : coloured
      ? t("{colour} die, not rolled yet", details)
      : t("die, not rolled yet");
  const used = as ? t("{die}, used as {face}", { die: name, face: as }) : name;
  const moving = rolling === true ? 0 : rolling === false ? null : rolling;
  // faces that flash by while it rolls
  const others = moving !== null ? [1, 2, 3].map((step) => pips(((face + 2 * step) % 6) + 1, `pips flash flash-${step}`)) : [];
  return svg(
    "svg",
    {
      class: `die die-${colour}${face ? "" : " die-blank"}${moving === null ? "" : " rolling"}${as ? " used" : ""}${as && as < face ? " turned" : ""}`,
      viewBox: "0 0 48 48",
      width: size,
      height: size,
      x,
      y,
      role: "img",
      "aria-label": used,
      "data-token": token,
      "data-face": as || face || undefined,
      style: moving ? { "--since": `${-Math.round(moving)}ms` } : null,
    },
    svg(
      "g",
      { class: "die-body" },
      svg("rect", { class: "die-side", x: 1.5, y: 3.5, width: 45, height: 43, rx: 9 }),
      svg("rect", { class: "die-top", x: 1.5, y: 1.5, width: 45, height: 42.5, rx: 9 }),
      coloured && colourMark(colour, 24, 9),
      pips(as || face, "pips"),
      others,
    ),
    svg("rect", { class: "hit", x: -3, y: -3, width: 54, height: 54, rx: 12 }),
  );
}

/**
 * Dice in a row, as they lie on the table; the first `blank` of no faces have still to be rolled.
 * @param {readonly number[]} faces
 * @param {number | null} rolling for how long they have been rolling
 * @param {number} [blank]
 */
export function diceOf(faces, rolling, blank = 0) {
  const shown = faces.length ? faces : Array(blank).fill(0);
  return shown.map((face) => die(face, { rolling: face ? rolling : null }));
}
