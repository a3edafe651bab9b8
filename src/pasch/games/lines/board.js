// @ts-check
/** Shut the Lines: magic stars and squares with their lines; a number that is covered lies under a chip. A plan that is
 * to be chosen is a picture to touch. */

import * as usual from "../../board/default.js";
import { h, svg } from "../../app/dom.js";
import { list, number, t, tn } from "../../app/i18n.js";
import {
  bits,
  chip,
  choosing,
  diceRow,
  frame,
  gain,
  happened,
  has,
  motion,
  news,
  range,
  scoreBar,
  shared,
  sums,
  tellRoll,
  total,
  words,
} from "../../board/pieces.js";
import { touchable } from "../../table/touch.js";
import { marked } from "../../app/words.js";

/** @typedef {import("../../table/touch.js").Ctx} Ctx */
/** @typedef {import("../../app/types.js").Position} Position */
/** @typedef {{x: number, y: number}} Point */
/**
 * @typedef {object} Plan
 * @property {number} numbers
 * @property {number} dice
 * @property {number} sum
 * @property {number[][]} lines
 * @property {string} arrangement
 * @property {number[]} tips
 * @property {number[]} inner
 * @property {number} step
 * @property {number[][]} square
 */

const WIDTH = 336;
const DISC = 21;

/**
 * Where every number of a plan lies; its place 0 is empty.
 * @param {Plan} plan
 * @returns {Point[]}
 */
export function places(plan) {
  return plan.square.length ? squarePlaces(plan.square) : starPlaces(plan);
}

/** @param {number[][]} square */
function squarePlaces(square) {
  /** @type {Point[]} */
  const found = [];
  const gap = Math.min(76, 300 / square.length);
  const first = WIDTH / 2 - (gap * (square.length - 1)) / 2;
  square.forEach((row, down) =>
    row.forEach((n, across) => {
      found[n] = { x: first + gap * across, y: first + gap * down };
    }),
  );
  return found;
}

/** @param {Plan} plan */
function starPlaces({ tips, inner, step }) {
  /** @type {Point[]} */
  const found = [];
  const turn = 1 / tips.length;
  // two neighbouring lines cross half-way between their middles
  const nearer = Math.cos(Math.PI * step * turn) / Math.cos(Math.PI * turn);
  /** @param {number[]} ring @param {number} radius @param {number} shift */
  const lay = (ring, radius, shift) =>
    ring.forEach((n, at) => {
      const angle = 2 * Math.PI * turn * (at + shift);
      found[n] = { x: WIDTH / 2 + radius * Math.sin(angle), y: WIDTH / 2 - radius * Math.cos(angle) };
    });
  lay(tips, 142, 0);
  lay(inner, 142 * nearer, (step - 1) / 2);
  return found;
}

/**
 * How far around its middle a number can be touched: further than it is drawn, as far as its neighbours allow.
 * @param {Point[]} at
 */
function reach(at) {
  const points = at.filter(Boolean);
  const apart = points.flatMap((one, place) => points.slice(0, place).map((other) => Math.hypot(one.x - other.x, one.y - other.y)));
  return Math.min(30, Math.max(DISC, Math.min(...apart) / 2));
}

/**
 * @param {Ctx} ctx
 * @returns {{number: number, plan: Plan}}
 */
function planOf(ctx) {
  const at = ctx.position.marks.plan;
  return { number: at, plan: ctx.info.components.plans[at - 1] };
}

/**
 * A plan that may be chosen: its picture, and what it is like.
 * @param {Ctx} ctx
 * @param {number} number
 */
function planCard(ctx, number) {
  /** @type {Plan} */
  const plan = ctx.info.components.plans[number - 1];
  const at = places(plan);
  const token = `plan:${number}`;
  const about = t("Plan {n}: 1 to {numbers}, {lines} lines, {dice} dice", { n: number, numbers: plan.numbers, lines: plan.lines.length, dice: plan.dice });
  const open = choosing(ctx, ctx.position.snapshot.seat);
  const picture = svg(
    "svg",
    { class: "plan-picture", viewBox: `0 0 ${WIDTH} ${WIDTH}`, "aria-hidden": "true" },
    plan.lines.map((line) => svg("path", { class: "plan-line", d: lineThrough(line, at) })),
    range(1, plan.numbers).map((n) => {
      const { x, y } = at[n] ?? { x: 0, y: 0 };
      const place = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
      return svg("g", { transform: place }, svg("circle", { class: "number-disc", r: DISC }), words(0, 6.5, String(n), "disc-number"));
    }),
  );
  // the picture can be touched, too
  if (open) picture.addEventListener("click", () => ctx.touch(token));
  const named = open ? touchable(ctx, token, about, h("button", { type: "button", class: "token" }, about)) : h("p", { class: "small" }, about);
  return h("div", { class: `plan-card${open ? " open" : ""}${ctx.chosen.has(token) ? " taken" : ""}` }, picture, named);
}

/**
 * The plans from which somebody chooses the one of the round.
 * @param {Ctx} ctx
 */
function planChoice(ctx) {
  const { seat } = ctx.position.snapshot;
  /** @type {number[]} */
  const choices = ctx.position.marks.choices;
  return shared(
    t("The plans"),
    "plan-choice",
    happened(ctx, tell),
    !choosing(ctx, seat) && h("p", { class: "caption" }, t("{name} chooses the plan", { name: ctx.name(seat) })),
    h("div", { class: "plan-cards" }, choices.map((number) => planCard(ctx, number))),
  );
}

/**
 * @param {number[]} line
 * @param {Point[]} at
 */
function lineThrough(line, at) {
  const points = line.map((n) => at[n] ?? { x: 0, y: 0 });
  const { x, y } = points[0] ?? { x: 0, y: 0 };
  const { x: toX, y: toY } = points.at(-1) ?? { x: 0, y: 0 };
  return `M${x.toFixed(1)} ${y.toFixed(1)}L${toX.toFixed(1)} ${toY.toFixed(1)}`;
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 * @param {number} n
 * @param {Point} at
 * @param {number} hit how far around it can be touched
 * @param {number | null} landing for how long its chip has been moving
 */
function drawNumber(ctx, seat, n, at, hit, landing) {
  const token = `number:${n}`;
  const open = choosing(ctx, seat);
  const covered = has(ctx.position.snapshot.covered[seat], n - 1);
  const ghost = open && ctx.chosen.has(token);
  const drawn = svg(
    "g",
    {
      class: `plan-number${covered ? " covered" : ""}`,
      transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`,
    },
    svg("circle", { class: "number-disc", r: DISC }),
    !covered && !ghost && words(0, 6.5, number(n), "disc-number"),
    (covered || ghost) &&
      svg(
        "g",
        ghost ? { class: "ghost" } : motion("landing", landing),
        chip(seat, 0, 0, DISC, words(0, 3.1, number(n), "chip-number")),
      ),
    open && svg("circle", { class: "around", r: hit }),
    open && svg("circle", { class: "hit", r: DISC }),
  );
  if (!open) return drawn;
  return touchable(ctx, token, covered ? t("{n}, covered", { n }) : number(n), drawn);
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 */
export function seatBoard(ctx, seat) {
  const { covered, out, totals } = ctx.position.snapshot;
  if (ctx.position.marks.plan === null) return scoreBar(ctx, seat, totals[seat], totals);
  const { plan } = planOf(ctx);
  const at = places(plan);
  const hit = reach(at);
  /** @type {number[]} */
  const complete = ctx.position.marks.lines[seat];
  const recent = news(ctx, `board ${seat}`, covered[seat]);
  const name = ctx.name(seat);
  const mine = bits(covered[seat], plan.numbers).map((bit) => bit + 1);
  const parts = [
    mine.length ? t("covered: {numbers}", { numbers: list(mine) }) : t("no number covered"),
    tn("{n} complete line", "{n} complete lines", complete.length),
    ...(out[seat] ? [t("out of the round")] : []),
  ];
  const open = choosing(ctx, seat);
  const title = t("Board of {name}", { name });
  const lines = plan.lines.map((line, place) => ({ d: lineThrough(line, at), full: complete.includes(place) }));
  return frame(
    {
      name: `lines seat-${seat}${out[seat] ? " out" : ""}`,
      label: open ? title : `${title}: ${parts.join("; ")}`,
      width: WIDTH,
      height: WIDTH + 26,
      controls: open,
    },
    svg("rect", { class: "plate", x: 1, y: 1, width: WIDTH - 2, height: WIDTH + 24, rx: 12 }),
    lines.filter(({ full }) => !full).map(({ d }) => svg("path", { class: "plan-line", d })),
    lines.filter(({ full }) => full).map(({ d }) => svg("path", { class: "complete-line", d })),
    range(1, plan.numbers).map((n) => {
      const landing = recent && !has(recent.before, n - 1) ? recent.since : null;
      return drawNumber(ctx, seat, n, at[n] ?? { x: 0, y: 0 }, hit, landing);
    }),
    svg(
      "text",
      { class: "words small", x: 16, y: WIDTH + 14 },
      tn("{n} complete line", "{n} complete lines", complete.length),
    ),
    out[seat] &&
      svg(
        "text",
        { class: "words small strong", x: WIDTH - 16, y: WIDTH + 14, "text-anchor": "end" },
        t("out of the round"),
      ),
  );
}

/** @param {Ctx} ctx */
export function common(ctx) {
  if (ctx.position.marks.plan === null) return planChoice(ctx);
  const { plan, number: at } = planOf(ctx);
  if (ctx.position.snapshot.phase === "over") return null;
  const about = t("Plan {plan}: every line adds up to {sum}", { plan: marked(at, plan.arrangement), sum: plan.sum });
  return shared(
    t("Dice on the table"),
    "lines-table",
    ...diceRow(ctx, plan.dice, tell),
    h("p", { class: "caption" }, about),
  );
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 * @param {Position | null} before
 * @param {Position | null} after
 */
export function tell(ctx, event, before, after) {
  if (event.plan && event.seat === undefined) return t("A round on plan {plan} begins", { plan: event.plan });
  const name = ctx.name(event.seat);
  const you = ctx.you(event.seat);
  if (event.plan) return you ? t("You choose plan {plan}", { plan: event.plan }) : t("{name} chooses plan {plan}", { name, plan: event.plan });
  if (event.roll) {
    const what = tellRoll(ctx, /** @type {any} */ (event));
    const missed = after !== null && after.snapshot.phase !== "cover";
    return settled(ctx, missed ? t("{what}: nothing fits, out of the round", { what }) : what, before, after);
  }
  const numbers = sums(event.cover);
  const what = numbers
    ? you ? t("You cover {numbers}", { numbers }) : t("{name} covers {numbers}", { name, numbers })
    : you ? t("You cover nothing") : t("{name} covers nothing", { name });
  const out = after !== null && (roundEnded(before, after) || after.snapshot.out[event.seat]);
  return settled(ctx, out ? t("{what}: out of the round", { what }) : what, before, after);
}

/**
 * @param {Position | null} before
 * @param {Position} after
 */
function roundEnded(before, after) {
  return after.snapshot.phase === "over" || (before !== null && after.snapshot.round !== before.snapshot.round);
}

/**
 * What was told, and what the round brings if it has ended by it.
 * @param {Ctx} ctx
 * @param {string} what
 * @param {Position | null} before
 * @param {Position | null} after
 */
function settled(ctx, what, before, after) {
  if (!before || !after || !roundEnded(before, after)) return what;
  const points = after.scores.map((_, seat) => `${ctx.who(seat)} ${number(gain(seat, before, after))}`);
  return t("{what}. Points of the round: {points}", { what, points: list(points) });
}

/**
 * @param {Ctx} _ctx
 * @param {Record<string, any>} event
 */
export function label(_ctx, event) {
  if (event.plan) return t("Choose plan {n}", { n: event.plan });
  if (!event.cover.length) return t("Cover nothing");
  const covered = event.cover.map(total).sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
  return t("Cover {numbers}", { numbers: list(covered) });
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 */
export function short(ctx, event) {
  return event.cover?.length ? list(event.cover.map(total)) : label(ctx, event);
}

/**
 * @param {string} phase
 * @param {boolean} roll
 */
export function prompt(phase, roll) {
  if (phase === "plan" && !roll) return t("Which plan shall this round be played on?");
  return phase === "cover" ? t("Cover sums of your dice.") : usual.prompt(phase, roll);
}

/** @param {string} part */
export function partLabel(part) {
  return part === "plan" ? t("plan") : usual.partLabel(part);
}

/** @param {string} phase */
export function chanceButton(phase) {
  return phase === "plan" ? t("Lay out the plan") : usual.chanceButton(phase);
}

/** @param {string} name */
export function word(name) {
  switch (name) {
    case "plans": return t("Plans");
    case "plan_choice": return t("Plan of a round");
    case "target": return t("Points to reach");
    case "numbers": return t("Numbers");
    case "sum": return t("Sum of a line");
    case "line_count": return t("Lines");
    case "line_length": return t("Numbers on a line");
    case "tips": return t("Tips");
    case "inner": return t("Inner points");
    case "step": return t("Step");
    case "square": return t("Square");
    case "lines": return t("Lines with their numbers");
    default: return usual.word(name);
  }
}

/**
 * @param {string} option
 * @param {string | number} value
 */
export function valueName(option, value) {
  switch (value) {
    case "listed": return t("as listed");
    case "chosen": return t("chosen by whoever begins");
    default: return option === "plans" ? t("Plan {n}", { n: value }) : usual.valueName(option, value);
  }
}

/** every seat has a board of its own, which is what the rules show */
export const ownBoards = true;
