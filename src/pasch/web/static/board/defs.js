// @ts-check
/** The shapes that pieces `use`: drawn once on a page. */
import { h } from "../vendor/preact.js";

/** @import { Child } from "./model.js" */

const PIPS = [
  [],
  [[32, 31]],
  [[46, 17], [18, 45]],
  [[46, 17], [32, 31], [18, 45]],
  [[18, 17], [46, 17], [18, 45], [46, 45]],
  [[18, 17], [46, 17], [32, 31], [18, 45], [46, 45]],
  [[18, 16], [46, 16], [18, 31], [46, 31], [18, 46], [46, 46]],
];
/** a mark for each seat and each colour, so that colour is not the only difference */
const SEAT_MARKS = [
  "M0-5.5A5.5 5.5 0 1 1 0 5.5 5.5 5.5 0 1 1 0-5.5Z",
  "M0-6.6 6.2 4.4H-6.2Z",
  "M-5-5H5V5H-5Z",
  "M0-7.2 6.2 0 0 7.2-6.2 0Z",
  "M-2-6.5h4v4.5h4.5v4H2v4.5h-4V2h-4.5v-4H-2Z",
  "M0-7.2 2-2.2 7.2-2 3.1 1.3 4.5 6.3 0 3.4-4.5 6.3-3.1 1.3-7.2-2-2-2.2Z",
];
const COLOUR_MARKS = {
  red: "M0-6 6 5H-6Z",
  blue: "M-7-2.6H7V2.6H-7Z",
  yellow: "M0-7 1.9-2.1 7-1.9 3 1.3 4.4 6.2 0 3.3-4.4 6.2-3 1.3-7-1.9-1.9-2.1Z",
  black: "M-2-6h4v4h4v4H2v4h-4V2h-4v-4h4Z",
  white: "M0-6A6 6 0 1 1 0 6 6 6 0 1 1 0-6ZM0-2.6A2.6 2.6 0 1 0 0 2.6 2.6 2.6 0 1 0 0-2.6Z",
  green: "M0-7 6 0 0 7-6 0Z",
};
const CROWN = "M2 6.5 7 11l5-8.5L17 11l5-4.5-2 11.5H4Z";
const JESTER = "M4.5 20C4 14.5 5.5 9.5 2.6 9.5 1.6 9.5 1.3 10.3 1.4 11.5-.5 6.5 3.5 2.5 7.2 6 8.3 3.3 10 2.5 12 2.5s3.7.8 4.8 3.5C20.5 2.5 24.5 6.5 22.6 11.5 22.7 10.3 22.4 9.5 21.4 9.5 18.5 9.5 20 14.5 19.5 20Z";
/** @param {string} id @param {string} viewBox @param {...Child} children */
const symbol = (id, viewBox, ...children) => h("symbol", { id, viewBox }, ...children);
/** @param {string} id @param {[number, number]} to @param {...[number, string, number]} stops */
const gradient = (id, [x2, y2], ...stops) => h("linearGradient", { id, x1: 0, y1: 0, x2, y2 }, stops.map(([offset, colour, opacity]) => h("stop", { offset, "stop-color": colour, "stop-opacity": opacity })));
const body = { x: 3, y: 2, width: 58, height: 58, rx: 15 };

export const defs = () =>
  h(
    "svg",
    { class: "defs", width: 0, height: 0, "aria-hidden": "true" },
    gradient("light", [0.75, 1], [0, "#fff", 0.5], [0.45, "#fff", 0], [1, "#000", 0.16]),
    gradient("pit", [0, 1], [0, "#000", 0.35], [0.6, "#fff", 0], [1, "#fff", 0.3]),
    gradient("sheen", [0.6, 1], [0, "#fff", 0.38], [0.5, "#fff", 0], [1, "#000", 0.2]),
    gradient("leather", [1, 0], [0, "#6f4226", 1], [0.3, "#a2673c", 1], [0.62, "#8a5230", 1], [1, "#54301a", 1]),
    symbol(
      "die",
      "0 0 64 70",
      h("rect", { ...body, class: "d-side", y: 9 }),
      h("rect", { ...body, class: "d-top" }),
      h("rect", { ...body, fill: "url(#light)" }),
      h("rect", { class: "d-bevel", x: 5.3, y: 4.3, width: 53.4, height: 53.4, rx: 12.8 }),
      h("rect", { ...body, class: "d-rim", height: 65 }),
    ),
    PIPS.map((places, n) => symbol(`p${n}`, "0 0 64 70", places.flatMap(([cx, cy]) => [h("circle", { class: "pip", cx, cy, r: 5.7 }), h("circle", { cx, cy, r: 5.7, fill: "url(#pit)" })]))),
    SEAT_MARKS.map((d, n) => symbol(`seat${n}`, "-10 -10 20 20", h("path", { d }))),
    Object.entries(COLOUR_MARKS).map(([colour, d]) => symbol(`mark-${colour}`, "-9 -9 18 18", h("path", { d, "fill-rule": "evenodd" }))),
    symbol("chip", "-22 -22 44 48", h("circle", { class: "c-side", cy: 4, r: 20 }), h("circle", { class: "c-top", r: 20 }), h("circle", { class: "c-notch", r: 17.2 }), h("circle", { class: "c-face", r: 13.6 }), h("circle", { r: 20, fill: "url(#sheen)" })),
    symbol("crown", "0 0 24 20", h("path", { d: CROWN })),
    symbol("jester", "0 0 24 22", h("path", { d: JESTER }), [[1.9, 12.8], [12, 2], [22.1, 12.8]].map(([cx, cy]) => h("circle", { cx, cy, r: 1.9 }))),
    symbol("check", "0 0 16 16", h("path", { class: "stroke bold", d: "M3 8.5 6.5 12 13 4.5" })),
  );
