// @ts-check
/** Würfel Joker 1: six slides, the ways to push them, the jokers, and the table of combinations. */

import * as usual from "../../board/default.js";
import { h, svg } from "../../app/dom.js";
import { number, t, tn } from "../../app/i18n.js";
import {
  choosing,
  diceRow,
  gain,
  labelNext,
  range,
  scoreBar,
  shared,
  sums,
  tellNext,
  tellRoll,
  total,
  turnEnded,
  withScore,
  words,
} from "../../board/pieces.js";
import { layout, numbers, slide, tray, TRAY_BOTTOM } from "../../board/slides.js";
import { touchable } from "../../table/touch.js";
import { marked } from "../../app/words.js";

/** @typedef {import("../../table/touch.js").Ctx} Ctx */
/** @typedef {import("../../app/types.js").Position} Position */
/** @typedef {{name: string, slides: number[], value: number, exact: boolean, provenance: string}} Combination */

const SLIDES = 6;
const WAY = 52;

/**
 * What the box's combinations are called in the reader's language; others keep the name they have.
 * @param {string} name
 */
function called(name) {
  switch (name) {
    case "kleiner Schritt":
      return t("small step");
    case "großer Schritt":
      return t("big step");
    case "kleine Brücke":
      return t("small bridge");
    case "große Brücke":
      return t("big bridge");
    case "kleiner Sprung":
      return t("small jump");
    case "großer Sprung":
      return t("big jump");
    case "kleine Straße":
      return t("small street");
    case "große Straße":
      return t("big street");
    case "Parade":
      return t("parade");
    default:
      return name;
  }
}

/**
 * The ways to push each slide that some legal move has, by slide: [[], ["push:1"], ["push:2", "push:1+1"] ...]
 * @param {Ctx} ctx
 */
function waysOf(ctx) {
  /** @type {string[][]} */
  const ways = range(0, SLIDES).map(() => []);
  for (const token of new Set(ctx.position.moves.flatMap((move) => move.tokens))) {
    const dice = token.slice("push:".length).split("+").map(Number);
    if (token.startsWith("push:")) ways[total(dice)]?.push(token);
  }
  return ways;
}

/** @param {string} token */
function dice(token) {
  return token.slice("push:".length);
}

/**
 * One way to push a slide, drawn below it.
 * @param {ReturnType<typeof layout>} places
 * @param {number} n
 * @param {string} token
 * @param {number} row
 */
function way(places, n, token, row) {
  const width = places.width - 4;
  return svg(
    "g",
    { class: "way", transform: `translate(${places.left(n) + 2} ${TRAY_BOTTOM + 4 + WAY * row})` },
    svg("rect", { class: "way-face", width, height: WAY - 4, rx: 8 }),
    words(width / 2, WAY / 2 + 4, dice(token), dice(token).length > 3 ? "way-dice long" : "way-dice"),
    svg("rect", { class: "hit", width, height: WAY - 4, rx: 8 }),
  );
}

/**
 * @param {Ctx} ctx
 * @param {ReturnType<typeof layout>} places
 * @param {number} n
 * @param {string[]} ways
 */
function column(ctx, places, n, ways) {
  const chosen = ways.some((token) => ctx.chosen.has(token));
  const drawn = slide(places, n, chosen);
  const [only] = ways;
  if (only === undefined) return touchable(ctx, `push:${n}`, t("slide {n}", { n }), drawn);
  const named = (/** @type {string} */ token) => t("slide {n} with {dice}", { n, dice: dice(token) });
  // with one way only, the slide itself can be touched too
  if (ways.length === 1) drawn.addEventListener("click", () => ctx.touch(only));
  return svg(
    "g",
    null,
    drawn,
    ways.map((token, row) => touchable(ctx, token, named(token), way(places, n, token, row))),
  );
}

/** @param {Ctx} ctx */
function slidesOf(ctx) {
  const { phase, seat } = ctx.position.snapshot;
  const open = phase === "push" && choosing(ctx, seat);
  const places = layout(ctx, SLIDES);
  const ways = open ? waysOf(ctx) : [];
  const rows = Math.max(0, ...ways.map((each) => each.length));
  const drawn = numbers(SLIDES).map((n) =>
    open ? column(ctx, places, n, ways[n] ?? []) : slide(places, n, false),
  );
  return tray(ctx, SLIDES, TRAY_BOTTOM + 10 + WAY * rows, open, drawn);
}

const CAP = "M8 34C10 22 6 14 3 12c9-3 14 2 16 9 0-9 2-15 5-19 3 4 5 10 5 19 2-7 7-12 16-9-3 2-7 10-5 22Z";
const BELLS = [[4, 13], [24, 4], [44, 13]];

/**
 * A joker: a fool's cap, lit when it has been earned.
 * @param {boolean} earned
 */
function joker(earned) {
  return svg(
    "svg",
    { class: `joker${earned ? " earned" : ""}`, viewBox: "0 0 48 44", width: 48, height: 44, "aria-hidden": "true" },
    svg("path", { class: "cap", d: CAP }),
    svg("rect", { class: "brim", x: 7, y: 33, width: 34, height: 7, rx: 3.5 }),
    BELLS.map(([cx, cy]) => svg("circle", { class: "bell", cx, cy, r: 3.4 })),
  );
}

/** @param {Ctx} ctx */
function jokersOf(ctx) {
  const { jokers, phase } = ctx.position.snapshot;
  const all = ctx.info.components.jokers;
  const inside = String(phase).startsWith("joker");
  const { stands, worth } = ctx.position.marks;
  const said = stands
    ? tn("{combination} stands: {n} point", "{combination} stands: {n} points", worth, {
        combination: called(stands),
      })
    : t("no combination stands");
  return h(
    "div",
    { class: `jokers${inside ? " inside" : ""}` },
    h(
      "span",
      { class: "joker-row", role: "img", "aria-label": t("jokers earned: {n} of {all}", { n: jokers, all }) },
      range(1, all).map((n) => joker(n <= jokers)),
    ),
    h("span", { class: "stands" }, said),
  );
}

/**
 * The pattern of a combination: which slides it needs.
 * @param {Combination} combination
 */
function pattern({ slides, exact }) {
  return svg(
    "svg",
    { class: "pattern", viewBox: "0 0 76 20", width: 76, height: 20, role: "img", "aria-label": slides.join(" ") },
    numbers(SLIDES).map((n) => {
      const needed = slides.includes(n);
      const kind = needed ? "needed" : exact ? "down" : "free";
      return svg("rect", { class: kind, x: 1 + 12.5 * (n - 1), y: needed ? 1 : 9, width: 10, height: 10, rx: 2.5 });
    }),
  );
}

/** @param {Ctx} ctx */
function combinations(ctx) {
  const { marks } = ctx.position;
  /** @type {Combination[]} */
  const all = ctx.info.components.combinations;
  const rows = all.map((combination) => {
    const stands = marks.stands === combination.name;
    const lost = marks.lost.includes(combination.name);
    const state = stands ? t("stands") : lost ? t("out of reach") : "";
    return h(
      "tr",
      { class: stands ? "stands" : lost ? "lost" : null },
      h("th", { scope: "row" }, called(combination.name)),
      h("td", null, pattern(combination)),
      h("td", { class: "value" }, marked(number(combination.value), combination.provenance)),
      h("td", { class: "state" }, stands ? "★" : lost ? "✕" : "", h("span", { class: "unseen" }, state)),
    );
  });
  return h(
    "table",
    { class: "combinations" },
    h("caption", null, t("Combinations")),
    h("tbody", null, rows),
  );
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 */
export function seatBoard(ctx, seat) {
  const { totals } = ctx.position.snapshot;
  return scoreBar(ctx, seat, totals[seat], totals);
}

/** @param {Ctx} ctx */
export function common(ctx) {
  const { phase, dice: inPlay } = ctx.position.snapshot;
  if (phase === "over") return null;
  return shared(
    t("The tray"),
    "tray-table",
    ...diceRow(ctx, inPlay, tell),
    slidesOf(ctx),
    jokersOf(ctx),
    combinations(ctx),
  );
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 * @param {Position | null} before
 * @param {Position | null} after
 */
export function tell(ctx, event, before, after) {
  const name = ctx.name(event.seat);
  if (event.roll) return fate(tellRoll(ctx, /** @type {any} */ (event)), before, after);
  const you = ctx.you(event.seat);
  if (event.next === "jokers") return you ? t("You go into the jokers") : t("{name} goes into the jokers", { name });
  if (event.next) return tellNext(ctx, /** @type {any} */ (event), before);
  if (!event.push.length) return you ? t("You push nothing") : t("{name} pushes nothing", { name });
  const slides = sums(event.push);
  return you ? t("You push {slides}", { slides }) : t("{name} pushes {slides}", { name, slides });
}

/**
 * A roll, and what became of it.
 * @param {string} what
 * @param {Position | null} before
 * @param {Position | null} after
 */
function fate(what, before, after) {
  if (!before || !after) return what;
  const { seat, jokers } = before.snapshot;
  if (turnEnded(before, after)) {
    return gain(seat, before, after) ? withScore(what, seat, before, after) : t("{what}: the turn is lost", { what });
  }
  const n = after.snapshot.jokers - jokers;
  return n ? tn("{what}: {n} joker", "{what}: {n} jokers", n, { what }) : what;
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 */
export function label(ctx, event) {
  if (event.next === "jokers") return t("Into the jokers");
  if (event.next) return labelNext(ctx, /** @type {any} */ (event));
  return event.push.length ? t("Push {slides}", { slides: sums(event.push) }) : t("Push nothing");
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 */
export function short(ctx, event) {
  return event.push?.length ? sums(event.push) : label(ctx, event);
}

/**
 * @param {string} phase
 * @param {boolean} roll
 */
export function prompt(phase, roll) {
  switch (phase) {
    case "push": return t("Which slides shall go up?");
    case "next": return t("Roll on, stop, or go into the jokers?");
    case "joker roll": return t("In the jokers: roll.");
    default: return usual.prompt(phase, roll);
  }
}

/** combinations of one's own may be added, with as many slides as they have */
export const growing = ["combinations", "slides"];

/** @param {string} name */
export function word(name) {
  switch (name) {
    case "jokers": return t("Jokers");
    case "combinations": return t("Combinations");
    case "exact": return t("No other slide up");
    case "first_six": return t("A 6 in the first joker roll");
    default: return usual.word(name);
  }
}

/**
 * @param {string} option
 * @param {string | number} value
 */
export function valueName(option, value) {
  switch (value) {
    case "saves": return t("saves the turn");
    case "busts": return t("does not help: a 1 is needed");
    default: return usual.valueName(option, value);
  }
}
