// @ts-check
/** Crowns: a field for every value and count, with its crowns; the dark edge; chips; lines and what they score. */

import * as usual from "../../board/default.js";
import { die, diceOf } from "../../board/dice.js";
import { h, svg } from "../../app/dom.js";
import { list, number, t, tn } from "../../app/i18n.js";
import {
  bits,
  chip,
  choosing,
  frame,
  gain,
  has,
  justRolled,
  motion,
  news,
  range,
  shared,
  tellRoll,
  words,
} from "../../board/pieces.js";
import { touchable } from "../../table/touch.js";
import { marked } from "../../app/words.js";

/** @typedef {import("../../table/touch.js").Ctx} Ctx */
/** @typedef {import("../../app/types.js").Position} Position */

const CELL = 51;
const LEFT = 38;
const TOP = 24;
const WIDTH = LEFT + 6 * CELL + 5;
/** below the fields are the totals of columns and diagonals, then the chips */
const BOTTOM = TOP + 6 * CELL + 13;
const HEIGHT = BOTTOM + 33;

/** where one to six crowns lie on a field, around its middle */
const PLACES = [
  [],
  [[0, 0]],
  [[-9, 0], [9, 0]],
  [[0, -8], [-9, 8], [9, 8]],
  [[-9, -8], [9, -8], [-9, 8], [9, 8]],
  [[-14.5, -8], [0, -8], [14.5, -8], [-8, 8], [8, 8]],
  [[-14.5, -8], [0, -8], [14.5, -8], [-14.5, 8], [0, 8], [14.5, 8]],
];

/**
 * @param {number} x
 * @param {number} y
 * @param {number} [scale]
 */
function crown(x, y, scale = 1) {
  const d = "M-6.5 4.5-7-3.5-3.2-.5 0-5.5 3.2-.5 7-3.5 6.5 4.5Z";
  return svg("path", { class: "crown", d, transform: `translate(${x} ${y}) scale(${scale})` });
}

/**
 * The crowns of a field, or a 0; more than six are one crown and a number.
 * @param {number} crowns
 */
function crownsOn(crowns) {
  if (!crowns) return [words(0, 6, number(0), "crown-count")];
  const places = PLACES[crowns];
  if (places) return places.map(([x = 0, y = 0]) => crown(x, y, crowns > 4 ? 0.86 : 1));
  return [crown(0, -8, 1.2), words(0, 14, number(crowns), "crown-count")];
}

/**
 * The rows of the board as the box has them, in the order of the fields' numbers.
 * @param {Ctx} ctx
 * @returns {{value: number, crowns: number[], provenance: string | string[]}[]}
 */
function rowsOf(ctx) {
  return [...ctx.info.components.rows].sort((a, b) => a.value - b.value);
}

/** Where a field lies: the sixes on top. @param {number} field */
function middle(field) {
  return { x: LEFT + CELL * ((field % 6) + 0.5), y: TOP + CELL * (5.5 - Math.floor(field / 6)) };
}

/** @param {number} field */
function pair(field) {
  return { value: Math.floor(field / 6) + 1, count: (field % 6) + 1 };
}

/**
 * A field as players say it: 4×5 are four dice of value 5.
 * @param {number} value
 * @param {number} count
 */
function said(value, count) {
  return `${count}×${value}`;
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 * @param {number} field
 * @param {number} crowns
 */
function drawField(ctx, seat, field, crowns) {
  const { x, y } = middle(field);
  const { value, count } = pair(field);
  const edge = value === 6 || count === 6;
  const token = `field:${value}:${count}`;
  const open = choosing(ctx, seat);
  const covered = has(ctx.position.snapshot.boards[seat], field);
  const ghost = open && ctx.chosen.has(token);
  const { provenance } = rowsOf(ctx)[value - 1] ?? {};
  const source = Array.isArray(provenance) ? provenance[count - 1] : provenance;
  const drawn = svg(
    "g",
    { class: `crown-field${edge ? " edge" : ""}${covered ? " covered" : ""}`, transform: `translate(${x} ${y})` },
    svg("rect", { class: "field-face", x: -24, y: -24, width: 48, height: 48, rx: 6 }),
    !covered && !ghost && svg("g", { class: "crowns-on" }, crownsOn(crowns), words(20, -9, marked("", source), "small")),
    ghost && svg("g", { class: "ghost" }, crownChip(seat, crowns)),
    open && svg("rect", { class: "around", x: -CELL / 2, y: -CELL / 2, width: CELL, height: CELL }),
    open && svg("rect", { class: "hit", x: -24, y: -24, width: 48, height: 48, rx: 6 }),
  );
  if (!open) return drawn;
  const details = { field: said(value, count), n: crowns };
  const label = covered
    ? t("{field}, covered", details)
    : tn("{field}, {n} crown", "{field}, {n} crowns", crowns, details);
  return touchable(ctx, token, label, drawn);
}

/**
 * A chip on which the crowns that it covers can still be read.
 * @param {number} seat
 * @param {number} crowns
 */
function crownChip(seat, crowns) {
  return chip(seat, 0, 0, 19, crown(0, -4.6, 0.44), words(0, 5.9, number(crowns), "chip-count"));
}

/**
 * @param {number} seat
 * @param {number} left
 * @param {number} all
 */
function chipsLeft(seat, left, all) {
  const step = Math.min(11, 170 / Math.max(1, all - 1));
  const y = BOTTOM + 21;
  const piles = range(1, left).map((n) => chip(seat, LEFT + 8 + (left - n) * step, y, 8));
  const text = tn("{n} chip left", "{n} chips left", left);
  return [
    ...piles,
    svg("text", { class: "words small", x: WIDTH - 6, y: y + 4, "text-anchor": "end" }, text),
  ];
}

/**
 * What a line scores in words, where its total stands, and the arrow that points along it.
 * @param {number[]} fields its fields, in ascending order
 * @param {number} n its crowns
 */
function lineOf([first = 0, second = 0], n) {
  const { value, count } = pair(first);
  const { x, y } = middle(first);
  switch (second - first) {
    case 1: return { label: tn("row of {value}: {n} crown", "row of {value}: {n} crowns", n, { value }), x: LEFT / 2, y: y + 12, arrow: "→" };
    case 6: return { label: tn("column {count}×: {n} crown", "column {count}×: {n} crowns", n, { count }), x, y: BOTTOM, arrow: "↑" };
    case 7: return { label: tn("diagonal 1×1 to 5×5: {n} crown", "diagonal 1×1 to 5×5: {n} crowns", n), x: LEFT / 2, y: BOTTOM, arrow: "↗" };
    default: return { label: tn("diagonal 5×1 to 1×5: {n} crown", "diagonal 5×1 to 1×5: {n} crowns", n), x: x + CELL, y: BOTTOM, arrow: "↖" };
  }
}

/**
 * The total of a line, as printed at its end; it lights up when the line is complete.
 * @param {[number[], number]} line its fields and their crowns
 * @param {number} board
 */
function lineTotal([fields, crowns], board) {
  const complete = fields.every((field) => has(board, field));
  const { label, x, y, arrow } = lineOf(fields, crowns);
  return svg(
    "g",
    { class: `line-total${complete ? " complete" : ""}`, role: "img", "aria-label": complete ? t("{line}, complete", { line: label }) : label },
    svg("rect", { x: x - 17.5, y: y - 10, width: 35, height: 20, rx: 5 }),
    words(x, y + 5, `${number(crowns)}${arrow}`),
  );
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 */
function summary(ctx, seat) {
  const { boards, left } = ctx.position.snapshot;
  const covered = bits(boards[seat], 36).map((field) => said(pair(field).value, pair(field).count));
  const lines = ctx.position.marks.lines[seat].length;
  const parts = [
    covered.length ? t("covered: {fields}", { fields: list(covered) }) : t("nothing covered"),
    tn("{n} complete line", "{n} complete lines", lines),
    tn("{n} chip left", "{n} chips left", left[seat]),
  ];
  return `${t("Board of {name}", { name: ctx.name(seat) })}: ${parts.join("; ")}`;
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 */
export function seatBoard(ctx, seat) {
  const { boards, left } = ctx.position.snapshot;
  const crowns = rowsOf(ctx).flatMap((row) => row.crowns);
  // as they are read: from the top
  const fields = range(0, 35).sort((a, b) => middle(a).y - middle(b).y || a - b);
  const covered = bits(boards[seat], 36);
  const recent = news(ctx, `board ${seat}`, boards[seat]);
  const landing = (/** @type {number} */ field) => (recent && !has(recent.before, field) ? recent.since : null);
  const lines = ctx.position.marks.lines[seat].map((/** @type {number[]} */ line) => {
    const from = middle(line[0] ?? 0);
    const to = middle(line.at(-1) ?? 0);
    return svg("path", { class: "complete-line", d: `M${from.x} ${from.y}L${to.x} ${to.y}` });
  });
  return frame(
    {
      name: `crowns seat-${seat}`,
      label: choosing(ctx, seat) ? t("Board of {name}", { name: ctx.name(seat) }) : summary(ctx, seat),
      width: WIDTH,
      height: HEIGHT,
      controls: choosing(ctx, seat),
    },
    svg("rect", { class: "plate", x: 1, y: 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 12 }),
    svg("path", {
      class: "dark-edge",
      d: `M${LEFT - 2} ${TOP - 2}h${6 * CELL + 4}v${6 * CELL + 4}h-${CELL + 2}v-${5 * CELL + 2}h-${5 * CELL + 2}Z`,
    }),
    range(1, 6).map((count) => words(LEFT + CELL * (count - 0.5), 17, `${count}×`, "head")),
    svg(
      "g",
      { "aria-hidden": "true" },
      range(1, 6).map((value) => die(value, { x: LEFT / 2 - 10, y: TOP + CELL * (6.5 - value) - (value < 6 ? 20 : 10), size: 20 })),
    ),
    ctx.position.marks.totals.map((/** @type {[number[], number]} */ line) => lineTotal(line, boards[seat])),
    fields.map((field) => drawField(ctx, seat, field, crowns[field] ?? 0)),
    svg("g", { class: "complete-lines", "aria-hidden": "true" }, lines),
    svg(
      "g",
      { class: "chips", "aria-hidden": "true" },
      covered.map((field) => {
        const { x, y } = middle(field);
        return svg(
          "g",
          { transform: `translate(${x} ${y})` },
          svg("g", motion("landing", landing(field)), crownChip(seat, crowns[field] ?? 0)),
        );
      }),
    ),
    chipsLeft(seat, left[seat], ctx.info.components.chips.number),
  );
}

/**
 * What the fields touched so far use each die as, as the server says; null if nothing is touched.
 * @param {Ctx} ctx
 */
function usesOf({ position, chosen }) {
  if (!chosen.size) return null;
  return position.moves.find(({ tokens }) => tokens.length === chosen.size && tokens.every((token) => chosen.has(token)))?.uses ?? null;
}

/** @param {Ctx} ctx */
export function common(ctx) {
  const { rolled, phase } = ctx.position.snapshot;
  if (phase === "over") {
    const { title, below } = ctx.position.marks;
    if (!title) return null;
    return shared(t("Result"), "dice-row", h("p", null, earned(title), " ", below !== undefined && t("Better than {n} of 100 typical games.", { n: Math.round(100 * below) })));
  }
  const rolling = justRolled(ctx, rolled);
  const uses = usesOf(ctx);
  if (!uses) return shared(t("Dice on the table"), "dice-row", diceOf(rolled, rolling, 6));
  // dice that are used turn to the number that they are used as, and lie back
  const dice = rolled.map((/** @type {number} */ face, /** @type {number} */ at) => die(face, { rolling, as: uses[at] }));
  return shared(t("Dice on the table"), "dice-row", dice);
}

/**
 * What the score of a game for one says of its player.
 * @param {string} title
 */
export function earned(title) {
  switch (title) {
    case "genius":
      return t("You are a genius!");
    case "professional":
      return t("You are a professional!");
    case "expert":
      return t("You are an expert.");
    case "advanced":
      return t("You are an advanced player.");
    case "good_beginner":
      return t("Very good for a beginner.");
    default:
      return t("Better luck next time.");
  }
}

/** @param {[number, number][]} place */
function fieldsOf(place) {
  return list(place.map(([value, count]) => said(value, count)));
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 * @param {Position | null} before
 * @param {Position | null} after
 */
export function tell(ctx, event, before, after) {
  const name = ctx.name(event.seat);
  const you = ctx.you(event.seat);
  if (event.roll) return tellRoll(ctx, /** @type {any} */ (event));
  if (event.discard) return you ? t("You can place nothing and lose a chip") : t("{name} can place nothing and loses a chip", { name });
  if (!event.place.length) return you ? t("You place nothing") : t("{name} places nothing", { name });
  const fields = fieldsOf(event.place);
  const what = you ? t("You cover {fields}", { fields }) : t("{name} covers {fields}", { name, fields });
  const n = before && after ? gain(event.seat, before, after) : 0;
  return n ? tn("{what}: {n} point", "{what}: {n} points", n, { what }) : what;
}

/**
 * @param {Ctx} _ctx
 * @param {Record<string, any>} event
 */
export function label(_ctx, event) {
  if (event.discard) return t("Lose a chip");
  if (!event.place.length) return t("Place nothing");
  return t("Cover {fields}", { fields: fieldsOf(event.place) });
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 */
export function short(ctx, event) {
  return event.place?.length ? fieldsOf(event.place) : label(ctx, event);
}

/** @param {string} kind */
export function partName(kind) {
  return kind === "edge" ? t("edge") : t("line");
}

/**
 * @param {string} phase
 * @param {boolean} roll
 */
export function prompt(phase, roll) {
  return phase === "place" ? t("Put chips on marked fields.") : usual.prompt(phase, roll);
}

/** @param {string} name */
export function word(name) {
  switch (name) {
    case "solo_minimum": return t("Chips for each roll when alone");
    case "split": return t("Split dice of one number");
    case "rows": return t("Rows of the board");
    case "crowns": return t("Crowns on 1× to 6×");
    default: return usual.word(name);
  }
}

/** every seat has a board of its own, which is what the rules show */
export const ownBoards = true;
