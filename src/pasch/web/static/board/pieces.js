// @ts-check
/**
 * The pieces that boards are drawn with, besides dice (dice.js) and slides (slides.js). All return vnodes.
 *
 * `use(name, class, label)` one of the shapes of defs.js: crown jester check, seat0 … seat5, mark-red … mark-green
 * `chip(seat, {text, crown, name})`  a seat's chip, with its mark or with a number on it
 * `badge(seat)`            a tiny chip beside a name; `portrait(seat, pips)`: a chip or a computer's face
 * `face(pips)`             a computer player, 1 to 5 pips on its forehead
 * `card(n, {...})`         a playing card (class pcard) with a number
 * `pad({...})`             the score pad on rings; rows instead of columns on a phone
 * `drawing`, `words`       a drawing as SVG, text in it
 * `range(1, 6)`, `has(mask, bit)`, `bits(mask, size)`, `total(numbers)`, `classes("a", on && "b")`
 * `source(provenance, at)` where a value of the box comes from; `guess(source)`: its ° if we guess it
 */
import { GUESS, guessNote } from "../app/words.js";
import { number, t } from "../app/i18n.js";
import { h } from "../vendor/preact.js";

/** @import { Child } from "./model.js" */

export const range = (/** @type {number} */ from, /** @type {number} */ to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
/** @param {readonly number[]} numbers */
export const total = (numbers) => numbers.reduce((sum, each) => sum + each, 0);
/** Some boards have more bits than the bit operators know. @param {number} mask @param {number} bit */
export const has = (mask, bit) => Math.floor(mask / 2 ** bit) % 2 === 1;
/** The bits that are set. @param {number} mask @param {number} size */
export const bits = (mask, size) => range(0, size - 1).filter((bit) => has(mask, bit));
/** @param {...(string | false | null | undefined)} names */
export const classes = (...names) => names.filter(Boolean).join(" ");

/** @param {string} name @param {string} [style] its class @param {string} [label] what it says; without it, it is decoration */
export const use = (name, style = "", label = "") =>
  h("svg", { class: style, ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) }, h("use", { href: `#${name}` }));

// --- drawings --------------------------------------------------------------------------------------

/** A drawing of its own; where somebody chooses on it, its parts have names. @param {{name: string, label: string, width: number, height: number, controls?: boolean}} look @param {...Child} children */
export const drawing = ({ name, label, width, height, controls = false }, ...children) =>
  h("svg", { class: `drawing ${name}`, viewBox: `0 0 ${width} ${height}`, role: controls ? "group" : "img", "aria-label": label }, ...children);

/** Text in a drawing, centred on a point. @param {number} x @param {number} y @param {string | number} text @param {string} [name] */
export const words = (x, y, text, name = "") => h("text", { class: classes("words", name), x, y, "text-anchor": "middle" }, text);

// --- chips, faces, cards ----------------------------------------------------------------------------

/** @param {number} seat @param {{text?: string | number, crown?: boolean, name?: string, key?: string | number}} [look] */
export const chip = (seat, { text = "", crown = false, name = "", key } = {}) =>
  h(
    "svg",
    { key, class: classes("chip", `s${seat % 6}`, name), viewBox: "-22 -22 44 48", "aria-hidden": "true" },
    h("use", { href: "#chip", x: -22, y: -22, width: 44, height: 48 }),
    text === "" && h("use", { class: "c-mark", href: `#seat${seat % 6}`, x: -12, y: -12, width: 24, height: 24 }),
    crown && h("use", { class: "c-mark", href: "#crown", x: -7, y: -15, width: 14, height: 11.5 }),
    text !== "" && h("text", { class: "c-text", y: crown ? 11 : 7 }, text),
  );

/** @param {number} seat */
export const badge = (seat) => chip(seat, { name: "tiny" });

const FOREHEADS = [[], [32], [26, 38], [20, 32, 44], [16, 27, 37, 48], [13, 22.5, 32, 41.5, 51]];
const MOUTHS = ["M25 45h14", "M25 45q7 6 14 0", "M24 45h16", "M24 44q8 7 16 0", "M26 45q7 4 13-1", "M26 46q6-3 12 0"];

/** A computer player: a die with eyes. @param {number} pips its strength, 0 if that is not known @param {string} [name] */
export const face = (pips, name = "") =>
  h(
    "svg",
    { class: classes("face", name), viewBox: "0 0 64 70", "aria-hidden": "true" },
    h("use", { href: "#die" }),
    (FOREHEADS[pips] ?? []).map((cx) => h("circle", { class: "f-pip", cx, cy: 14, r: 3.6 })),
    [22, 42].map((cx) => [h("ellipse", { class: "f-eye", cx, cy: 32, rx: 4.2, ry: 5.5 }), h("circle", { class: "f-glint", cx: cx + 1.5, cy: 30, r: 1.5 })]),
    pips > 2 && h("path", { class: "f-line", d: "M17 23l9 2M47 23l-9 2" }),
    h("path", { class: "f-line", d: MOUTHS[pips] }),
  );

/** A seat's picture. @param {number} seat @param {number | null} [pips] of a computer, its strength; null: a person */
export const portrait = (seat, pips = null) => h("span", { class: "pic" }, pips === null ? chip(seat) : [face(pips), badge(seat)]);

/** A card; with `touch` it is a control. @param {number | null} n null: its back @param {{label?: string, name?: string, key?: string | number, style?: object, touch?: Record<string, any>}} [look] */
export const card = (n, { label = n === null ? t("a card, face down") : t("card {n}", { n }), name = "", key, style, touch } = {}) =>
  h("span", { key, style, ...(touch ?? { role: "img", "aria-label": label }), class: classes("pcard", n === null && "back", name, touch?.class), "data-n": n ?? "" }, n !== null && h("b", null, number(n)));

// --- where values come from --------------------------------------------------------------------------

/** Where a value of the box comes from. @param {string | string[] | undefined} provenance of all of a row, or of each entry @param {number} at */
export const source = (provenance, at) => (Array.isArray(provenance) ? provenance[at] : provenance);
/** The sign behind a value that we guess. @param {string | undefined} from */
export const guess = (from) => from === "reconstructed" && h("sup", { class: "guess", title: guessNote() }, GUESS);

// --- the pad -----------------------------------------------------------------------------------------

/**
 * The score pad twice: a column for each seat (in the rail), a row for each seat (on a phone).
 * @param {{names: string[], pictures: Child[], rounds: (number | string)[][], rows: number, now: number, turn: number, totals: (number | string)[]}} what
 *   `rounds`: by seat what each round scored; `now`: the round being played, from 0; `turn`: the seat to move
 */
export function pad({ names, pictures, rounds, rows, now, turn, totals }) {
  const seats = range(0, names.length - 1);
  const all = range(0, rows - 1);
  const cell = (/** @type {number} */ seat, /** @type {number} */ row) => h("td", { key: `${seat} ${row}`, class: classes(row === now && (seat === turn ? "here" : "due")) }, written(rounds[seat]?.[row] ?? ""));
  const title = t("Score pad");
  return h(
    "div",
    { class: classes("padbox", rows > 10 && "long") },
    h("i", { class: "rings", "aria-hidden": "true" }),
    h(
      "table",
      { class: "pad tall" },
      h("caption", null, title),
      h("thead", null, h("tr", null, h("th", { scope: "col" }, h("span", { class: "unseen" }, t("Round"))), seats.map((seat) => h("th", { key: seat, scope: "col", class: classes(seat === turn && "on") }, pictures[seat], h("span", { class: "nm" }, names[seat]))))),
      h("tbody", null, all.map((row) => h("tr", { key: row, class: classes(row === now && "now") }, h("th", { scope: "row" }, number(row + 1)), seats.map((seat) => cell(seat, row))))),
      h("tfoot", null, h("tr", null, h("th", { scope: "row" }, t("Total")), seats.map((seat) => h("td", { key: seat }, written(totals[seat] ?? ""))))),
    ),
    h(
      "table",
      { class: "pad wide" },
      h("caption", { class: "unseen" }, title),
      h("thead", null, h("tr", null, h("th", { scope: "col" }, h("span", { class: "unseen" }, t("Seat"))), all.map((row) => h("th", { key: row, scope: "col", class: classes(row === now && "now") }, number(row + 1))), h("th", { scope: "col" }, t("Total")))),
      h("tbody", null, seats.map((seat) => h("tr", { key: seat, class: classes(seat === turn && "on") }, h("th", { scope: "row" }, pictures[seat], h("span", null, names[seat])), all.map((row) => cell(seat, row)), h("td", { class: "sum" }, written(totals[seat] ?? ""))))),
    ),
  );
}

/** @param {number | string} value */
const written = (value) => (typeof value === "number" ? number(value) : value);
