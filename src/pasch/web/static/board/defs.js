// @ts-check
/** The shapes that pieces `use`: drawn once on a page. */
import { h } from "../vendor/preact.js";

/** @typedef {import("./model.js").Child} Child */

const PIPS = [
  [],
  [[32, 31]],
  [[46, 17], [18, 45]],
  [[46, 17], [32, 31], [18, 45]],
  [[18, 17], [46, 17], [18, 45], [46, 45]],
  [[18, 17], [46, 17], [32, 31], [18, 45], [46, 45]],
  [[18, 16], [46, 16], [18, 31], [46, 31], [18, 46], [46, 46]],
];
/** a mark for each seat and each colour, so that colours are not all that tells them apart */
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
/** drawn with a stroke on 24 by 24 */
const ICONS = {
  undo: "M9 6 4 11l5 5M4.5 11H15a5 5 0 0 1 0 10h-2",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM16 9.5l5 5M21 9.5l-5 5",
  help: "M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.8v.2",
  menu: "M4 7h16M4 12h16M4 17h16",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.1M4.5 12h.1M4.5 18h.1",
  pad: "M6 4h12v16H6ZM6 9h12M12 9v11M9 4V2.5M15 4V2.5",
  cog: "M4 8h9M17 8h3M4 16h3M11 16h9M13 8a2 2 0 1 0 4 0 2 2 0 1 0-4 0M7 16a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  next: "M5 12h13M13 6.5 18.5 12 13 17.5",
  back: "M15 5.5 8.5 12 15 18.5",
  fore: "M9 5.5 15.5 12 9 18.5",
  first: "M17 5.5 10.5 12 17 18.5M6.5 5.5v13",
  final: "M7 5.5 13.5 12 7 18.5M17.5 5.5v13",
  grid: "M4 4h6.5v6.5H4ZM13.5 4H20v6.5h-6.5ZM4 13.5h6.5V20H4ZM13.5 13.5H20V20h-6.5Z",
  rub: "M9 6h11v12H9L3.5 12ZM12 9.5l5 5M17 9.5l-5 5",
  pause: "M8.5 5.5v13M15.5 5.5v13",
  close: "M6 6l12 12M18 6 6 18",
  print: "M7 9V4h10v5M7 17H4v-8h16v8h-3M7 14h10v6H7Z",
};

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
    symbol("play", "0 0 24 24", h("path", { d: "M7 4.5v15L20 12Z", fill: "currentColor" })),
    symbol("moon", "0 0 24 24", h("circle", { class: "stroke", cx: 12, cy: 12, r: 8 }), h("path", { d: "M12 4a8 8 0 0 1 0 16Z", fill: "currentColor" })),
    Object.entries(ICONS).map(([id, d]) => symbol(id, "0 0 24 24", h("path", { class: "stroke", d }))),
  );
