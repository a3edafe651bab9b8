// @ts-check
/** The smallest pieces of drawings: chips with a seat's colour and mark, and text. */

import { svg } from "../app/dom.js";

/** @typedef {import("../app/dom.js").Child} Child */

/** each seat's mark, so that colours are not all that tells seats apart; within a circle of radius ten */
const SEAT_MARKS = [
  "M0-5.5A5.5 5.5 0 1 1 0 5.5 5.5 5.5 0 1 1 0-5.5Z",
  "M0-6.6 6.2 4.4H-6.2Z",
  "M-5-5H5V5H-5Z",
  "M0-7.2 6.2 0 0 7.2-6.2 0Z",
  "M-2-6.5h4v4.5h4.5v4H2v4.5h-4V2h-4.5v-4H-2Z",
  "M0-7.2 2-2.2 7.2-2 3.1 1.3 4.5 6.3 0 3.4-4.5 6.3-3.1 1.3-7.2-2-2-2.2Z",
];

/**
 * @param {number} least
 * @param {number} most
 */
export function range(least, most) {
  return Array.from({ length: most - least + 1 }, (_, at) => least + at);
}

/**
 * Text in a drawing, centred on a point.
 * @param {number} x
 * @param {number} y
 * @param {string | number} text
 * @param {string} [name]
 */
export function words(x, y, text, name = "") {
  return svg("text", { class: `words ${name}`.trim(), x, y, "text-anchor": "middle" }, text);
}

/**
 * A seat's chip with its mark, or with a text on it.
 * @param {number} seat
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {...Child} on what lies on the chip, drawn for a radius of ten
 */
export function chip(seat, x, y, r, ...on) {
  return svg(
    "g",
    { class: `chip seat-${seat}`, transform: `translate(${x} ${y}) scale(${r / 10})` },
    svg("circle", { class: "chip-rim", r: 10 }),
    // on a tiny chip the ring would be too fine to see
    r > 9 && svg("circle", { class: "chip-face", r: 8.4 }),
    on.length ? on : svg("path", { class: "seat-mark", d: SEAT_MARKS[seat % 6], transform: "scale(0.85)" }),
  );
}

/**
 * A seat's chip as a drawing of its own, to stand before its name.
 * @param {number} seat
 */
export function badge(seat) {
  const drawn = chip(seat, 10, 10, 10);
  return svg("svg", { class: "seat-badge", viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" }, drawn);
}
