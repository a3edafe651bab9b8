// @ts-check
/** Crowns: a field for every value and count, with its crowns; the dark edge; chips; lines and what they score. */
import { rollDice, withGain } from "../../board/default.js";
import { die, diceRow, facesOf } from "../../board/dice.js";
import { bits, chip, classes, guess, has, range, source, total, use } from "../../board/pieces.js";
import { capital, list, number, t, tn } from "../../app/i18n.js";
import { h } from "../../vendor/preact.js";

/** @import { BoardModel, Telling } from "../../board/model.js" */

/** One to six crowns on a field. @param {number} n */
function crowns(n) {
  const rows = [[], [1], [2], [1, 2], [2, 2], [3, 2], [3, 3]][n] ?? [];
  const top = 28 - rows.length * 7.25 - (rows.length - 1) * 1.5;
  const at = rows.flatMap((many, row) => range(0, many - 1).map((k) => ({ x: 28 - many * 8.5 + k * 17, y: top + row * 17.5 })));
  return h("svg", { class: "crowns", viewBox: "0 0 56 56", "aria-hidden": "true" }, at.map((spot) => h("use", { href: "#crown", ...spot, width: 17, height: 14.5 })));
}

/** @typedef {[fields: number[], crowns: number]} Line */

const pair = (/** @type {number} */ field) => ({ value: Math.floor(field / 6) + 1, count: (field % 6) + 1 });
/** A field as players say it: 4×5 are four dice of value 5. @param {number} value @param {number} count */
const said = (value, count) => `${count}×${value}`;
const saidField = (/** @type {number} */ field) => said(pair(field).value, pair(field).count);
const places = (/** @type {[number, number][]} */ place) => list(place.map(([value, count]) => said(value, count)));
/** The fields as they are read: the sixes on top. */
const FIELDS = range(0, 35).sort((a, b) => Math.floor(b / 6) - Math.floor(a / 6) || a - b);
const rowsOf = (/** @type {BoardModel} */ { box }) => [...box.rows].sort((a, b) => a.value - b.value);

/** What a seat has covered: what lies there, and what was touched. @param {BoardModel} model @param {number} seat */
function chipsOf({ state, before, chooser, chosen, roll }, seat) {
  const lies = bits(state.boards[seat], 36);
  const ghosts = chooser === seat ? range(0, 35).filter((field) => chosen.has(`field:${pair(field).value}:${pair(field).count}`)) : [];
  const fresh = roll ? [] : lies.filter((field) => !has(before.boards[seat], field));
  return { lies: new Set(lies), ghosts: new Set(ghosts), fresh: new Set(fresh), all: new Set([...lies, ...ghosts]) };
}
const complete = (/** @type {Line} */ [fields], /** @type {Set<number>} */ chips) => fields.every((field) => chips.has(field));

/** A line in words, where its total stands, and the arrow that points along it. @param {Line} line */
function lineOf([[first = 0, second = 0], n]) {
  const { value, count } = pair(first);
  switch (second - first) {
    case 1: return { label: tn("row of {value}: {n} crown", "row of {value}: {n} crowns", n, { value }), area: `${8 - value} / 2`, arrow: "M1 6h8M6 2.5 9.8 6 6 9.5" };
    case 6: return { label: tn("column {count}×: {n} crown", "column {count}×: {n} crowns", n, { count }), area: `8 / ${count + 2}`, arrow: "M6 11V3M2.5 6 6 2.2 9.5 6" };
    case 7: return { label: tn("diagonal 1×1 to 5×5: {n} crown", "diagonal 1×1 to 5×5: {n} crowns", n), area: "8 / 2", arrow: "M2 10 9 3M4 2.5h5.5V8" };
    default: return { label: tn("diagonal 5×1 to 1×5: {n} crown", "diagonal 5×1 to 1×5: {n} crowns", n), area: "8 / 8", arrow: "M10 10 3 3M8 2.5H2.5V8" };
  }
}

/** The dark edge, and what stands above the columns and beside the rows. */
const frame = () => [
  h("i", { class: "edge-top" }),
  h("i", { class: "edge-right" }),
  range(1, 6).map((count) => h("span", { key: `head ${count}`, class: "ch", style: { gridArea: `1 / ${count + 2}` } }, `${count}×`)),
  range(1, 6).map((value) => h("span", { key: `row ${value}`, class: "rh", style: { gridArea: `${8 - value} / 1` }, "aria-hidden": "true" }, die(value, { name: "tinydie" }))),
];

/** What a line scores, where it ends. @param {Line} line @param {boolean} [full] @param {boolean} [fresh] full just now */
function totalOf(line, full = false, fresh = false) {
  const { label, area, arrow } = lineOf(line);
  const look = {
    class: classes("tot", full && "full", fresh && "new"), style: { gridArea: area },
    role: "img", "aria-label": full ? t("{line}, complete", { line: label }) : label,
  };
  const drawing = h("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, h("path", { d: arrow }));
  return h("span", { key: area, ...look }, h("b", null, number(line[1])), drawing);
}

/** One seat's board, as printed. @param {BoardModel} model @param {number} seat */
export function seatBoard(model, seat) {
  const { state, marks, over, chooser, touch, who, role, you, portrait, turn } = model;
  const chips = chipsOf(model, seat);
  const open = chooser === seat;
  const rows = rowsOf(model);
  const worth = rows.flatMap((row) => row.crowns);
  const field = (/** @type {number} */ number_) => {
    const { value, count } = pair(number_);
    const n = worth[number_] ?? 0;
    const [taken, ghost] = [chips.lies.has(number_), chips.ghosts.has(number_)];
    const label = taken ? t("{field}, covered", { field: said(value, count) }) : tn("{field}, {n} crown", "{field}, {n} crowns", n, { field: said(value, count) });
    const control = open ? touch(`field:${value}:${count}`, label) : { role: "img", "aria-label": label };
    return h(
      "span",
      { key: number_, ...control, class: classes("fd", (value === 6 || count === 6) && "royal", taken && "taken", control.class), style: { gridArea: `${8 - value} / ${count + 2}` } },
      taken || ghost ? chip(seat, { key: "chip", text: number(n), crown: n > 0, name: taken ? (chips.fresh.has(number_) ? "lies fresh" : "lies") : "ghost" }) : n > 6 ? h("span", { key: "many", class: "zero" }, use("crown"), number(n)) : n ? crowns(n) : h("span", { key: "zero", class: "zero" }, number(0)),
      !taken && !ghost && guess(source(rows[value - 1]?.provenance, count - 1)),
    );
  };
  const total = (/** @type {Line} */ line) => {
    const full = complete(line, chips.all);
    return totalOf(line, full, full && line[0].some((one) => chips.fresh.has(one) || chips.ghosts.has(one)));
  };
  const left = state.left[seat] - chips.ghosts.size;
  return h(
    "div",
    { class: classes("cb cardboard", `s${seat}`, seat === turn && !over && "on"), role: "group", "aria-label": summary(model, seat) },
    h(
      "header",
      null,
      portrait(seat),
      h("span", { class: "who" }, h("b", null, who(seat)), h("small", null, role(seat) || (seat !== turn || over ? "" : you(seat) ? t("your turn") : t("to move")))),
      h("span", { class: "stack", role: "img", "aria-label": tn("{n} chip left", "{n} chips left", left) }, range(1, Math.min(left, 18)).map((n) => chip(seat, { key: n })), h("small", null, tn("{n} left", "{n} left", left))),
      h("span", { class: "pts" }, use("crown"), h("b", null, number(model.scores[seat] ?? 0)), h("span", { class: "unseen" }, tn("crown", "crowns", model.scores[seat] ?? 0))),
    ),
    h(
      "div",
      { class: "cgrid" },
      frame(),
      FIELDS.map(field),
      marks.totals.map(total),
      h("svg", { class: "bands", viewBox: "0 0 6 6", preserveAspectRatio: "none", "aria-hidden": "true" }, marks.totals.filter((/** @type {Line} */ line) => complete(line, chips.all)).map(band(1, 0.5))),
    ),
  );
}

/** The band of a complete line. @param {number} size of a field @param {number} middle of a field */
const band = (size, middle) => (/** @type {Line} */ [fields]) => {
  const [from, to] = [pair(fields[0] ?? 0), pair(fields.at(-1) ?? 0)];
  return h("line", { key: fields.join(), x1: size * (from.count - 1) + middle, y1: size * (6 - from.value) + middle, x2: size * (to.count - 1) + middle, y2: size * (6 - to.value) + middle });
};

/** What lies on a seat's board, in words. @param {BoardModel} model @param {number} seat */
function summary({ state, marks, name }, seat) {
  const covered = bits(state.boards[seat], 36).map(saidField);
  const parts = [covered.length ? t("covered: {fields}", { fields: list(covered) }) : t("nothing covered"), tn("{n} complete line", "{n} complete lines", marks.lines[seat].length), tn("{n} chip left", "{n} chips left", state.left[seat])];
  return `${t("Board of {name}", { name: name(seat) })}: ${parts.join("; ")}`;
}

/** The same in the rail: chips, complete lines, the dark edge, no crowns. @param {BoardModel} model @param {number} seat */
export function smallBoard(model, seat) {
  const { state, marks } = model;
  const chips = chipsOf(model, seat);
  const lines = marks.totals.filter((/** @type {Line} */ line) => complete(line, chips.all));
  return [
    h(
      "svg",
      { class: `mini-b s${seat}`, viewBox: "0 0 120 120", "aria-hidden": "true" },
      h("path", { class: "me", d: "M0 3a3 3 0 0 1 3-3h114a3 3 0 0 1 3 3v114a3 3 0 0 1-3 3h-17V20H0Z" }),
      h("path", { class: "mr", d: range(0, 10).map((at) => (at < 6 ? `M${at * 20 + 1} 1h18v18h-18Z` : `M101 ${(at - 5) * 20 + 1}h18v18h-18Z`)).join("") }),
      h("path", { class: "mf", d: range(0, 24).map((at) => `M${(at % 5) * 20 + 1} ${Math.floor(at / 5) * 20 + 21}h18v18h-18Z`).join("") }),
      h("g", { class: "mbands" }, lines.map(band(20, 10))),
      h("g", { class: "mdots" }, [...chips.all].map((field) => h("circle", { key: field, class: classes(!chips.lies.has(field) || chips.fresh.has(field) ? "new" : ""), cx: pair(field).count * 20 - 10, cy: 130 - pair(field).value * 20, r: 7.6 }))),
    ),
    h("span", { class: "mm" }, h("span", null, tn("{n} left", "{n} left", state.left[seat] - chips.ghosts.size)), h("span", { class: "ln" }, tn("{n} line", "{n} lines", lines.length))),
  ];
}

/** Dice that make one field together, with what each of them was. @param {number[]} dice their places @param {readonly number[]} faces @param {readonly number[]} uses @param {string} label */
const group = (dice, faces, uses, label) =>
  h("span", { key: label, class: classes("grp", !uses[dice[0] ?? 0] && "spare") }, h("span", { class: "gd" }, dice.map((at) => {
    const [face, as] = [faces[at] ?? 0, uses[at] ?? 0];
    const was = as > 0 && as !== face && h("span", { class: "was", "aria-hidden": "true" }, number(face), h("svg", { viewBox: "0 0 8 10" }, h("path", { d: "M4 0v8M1 5l3 3.5L7 5" })));
    return die(face, { at, as, more: was });
  })), h("span", { class: "gl" }, label));

/** The dice, grouped by what they are used for. @param {readonly number[]} faces @param {readonly number[]} uses @param {readonly [number, number][]} place */
function grouped(faces, uses, place) {
  const free = range(0, faces.length - 1);
  const take = (/** @type {(at: number) => boolean} */ wanted, /** @type {number} */ most) => free.filter(wanted).slice(0, most).map((at) => free.splice(free.indexOf(at), 1)[0] ?? 0);
  const used = place.map(([value, count]) => group(take((at) => uses[at] === value, count), faces, uses, `${count} × ${value}`));
  return h("div", { key: "used", class: "crow", role: "group", "aria-label": t("Dice on the table") }, used, free.length > 0 && group(free, faces, uses.map(() => 0), t("left over")));
}

/** What somebody else has just done with the dice: it stays in sight until the next roll. @param {BoardModel} model */
function theirMove({ recent, chooser, awaits, roll, state, you }) {
  const { event, before } = recent.at(-1) ?? {};
  if (!event?.place?.length || !before || chooser !== null || awaits || roll || you(event.seat) || state.rolled.length) return null;
  return { faces: before.snapshot.rolled, place: event.place };
}

/** The dice on the table. @param {BoardModel} model */
export function zone(model) {
  const { uses, chosen, over, roll, chooser } = model;
  if (over) return null;
  const theirs = theirMove(model);
  if (theirs) return grouped(theirs.faces, usesOf(theirs.faces, theirs.place), theirs.place);
  const place = /** @type {[number, number][]} */ ([...chosen].filter((token) => token.startsWith("field:")).map((token) => token.split(":").slice(1).map(Number)));
  if (uses && place.length && !roll) return grouped(facesOf(model), uses, place.sort(([a], [b]) => b - a));
  return diceRow(model, { note: chooser !== null ? t("a high die may become any lower number that was rolled") : "\u00a0" });
}

/** Which dice make these fields: those that show the value, then the nearest higher ones. @param {readonly number[]} faces @param {readonly [number, number][]} place */
function usesOf(faces, place) {
  const uses = faces.map(() => 0);
  for (const [value, count] of place) {
    const free = range(0, faces.length - 1).filter((at) => !uses[at] && (faces[at] ?? 0) >= value).sort((a, b) => (faces[a] ?? 0) - (faces[b] ?? 0) || a - b);
    for (const at of free.slice(0, count)) uses[at] = value;
  }
  return uses;
}

export const sentences = {
  discard: (/** @type {Telling} */ { you, name }) => (you ? t("You can place nothing and lose a chip") : t("{name} can place nothing and loses a chip", { name })),
  place(/** @type {Telling} */ telling) {
    const { event, you, name } = telling;
    if (!event.place.length) return you ? t("You place nothing") : t("{name} places nothing", { name });
    const fields = places(event.place);
    return withGain(you ? t("You cover {fields}", { fields }) : t("{name} covers {fields}", { name, fields }), telling);
  },
};
export const labels = {
  discard: () => t("Lose a chip"),
  place: (/** @type {Telling} */ { event }) => (event.place.length ? t("Cover {fields}", { fields: places(event.place) }) : t("Place nothing")),
};
export const shorts = { place: (/** @type {Telling} */ { event }) => (event.place.length ? places(event.place) : t("Place nothing")) };

/** @param {BoardModel} model */
export function prompts(model) {
  const { chooser, chosen, marks, uses } = model;
  const chips = chooser === null ? null : chipsOf(model, chooser);
  const line = marks.totals.find((/** @type {Line} */ one) => chips && complete(one, chips.all) && !complete(one, chips.lies));
  const done = line && t("{line}, complete", { line: lineOf(line).label });
  return { roll: t("Your turn. One roll, then place chips."), place: done ? `${capital(done)}.` : chosen.size && uses && !uses.includes(0) ? t("All dice are used.") : t("Put chips on marked fields.") };
}
export const needs = () => ({ place: t("Touch a field") });
export const chances = () => ({ roll: rollDice(6) });
/** @param {BoardModel} model */
export const where = ({ state, over }) => (over ? "" : t("Round {n}", { n: state.rounds + 1 }));
/** Two boards side by side; of more, one is large. @param {BoardModel} model */
export const wide = ({ seats }) => seats <= 2;
export const board = () => null;

/** What the score of a game for one says of its player. @param {BoardModel} model */
export function earned({ marks: { title, below } }) {
  if (!title) return "";
  const words = /** @type {Record<string, string>} */ (nouns())[title] ?? "";
  return below === undefined ? words : `${words} ${t("Better than {n} of 100 typical games.", { n: Math.round(100 * below) })}`;
}
export const nouns = () => ({
  solo_minimum: t("Chips for each roll when alone"), split: t("Split dice of one number"), rows: t("Rows of the board"), crowns: t("Crowns on 1× to 6×"), edge: t("edge"), line: t("line"),
  genius: t("You are a genius!"), professional: t("You are a professional!"), expert: t("You are an expert."), advanced: t("You are an advanced player."), good_beginner: t("Very good for a beginner."), try_again: t("Better luck next time."),
});

/** The fields of the twelve lines: rows, columns, diagonals. */
const LINES = [
  ...range(0, 4).map((row) => range(0, 4).map((at) => 6 * row + at)),
  ...range(0, 4).map((column) => range(0, 4).map((at) => 6 * at + column)),
  range(0, 4).map((at) => 7 * at),
  range(0, 4).map((at) => 5 * at + 4),
];

/**
 * The board with a field for the crowns of each of its fields, and what the lines score with them.
 * @type {NonNullable<import("../../board/model.js").Board["boxPart"]>}
 */
export function boxPart(place, rows, { cell }) {
  if (place !== "rows") return null;
  /** @type {number[]} */
  const values = rows.map((/** @type {{value: number}} */ row) => row.value);
  const worth = (/** @type {number} */ field) => rows[values.indexOf(pair(field).value)]?.crowns[pair(field).count - 1] ?? 0;
  const entry = (/** @type {number} */ field) => {
    const { value, count } = pair(field);
    const look = classes("fd", (value === 6 || count === 6) && "royal");
    const number = cell(`rows[${values.indexOf(value)}].crowns[${count - 1}]`, t("crowns on {field}", { field: saidField(field) }));
    return h("span", { key: field, class: look, style: { gridArea: `${8 - value} / ${count + 2}` } }, use("crown"), number);
  };
  const totals = LINES.map((line) => totalOf([line, total(line.map(worth))]));
  return h("div", { class: "cgrid" }, frame(), FIELDS.map(entry), totals);
}
