// @ts-check
/** Würfel Joker 2: nine slides, and the calculations that the two dice allow. */

import * as usual from "../../board/default.js";
import { h } from "../../app/dom.js";
import { list, t, tn } from "../../app/i18n.js";
import {
  choosing,
  diceRow,
  labelNext,
  rolls,
  scoreBar,
  shared,
  tellNext,
  turnEnded,
  withScore,
} from "../../board/pieces.js";
import { layout, numbers, slide, tray } from "../../board/slides.js";
import { touchable } from "../../table/touch.js";

/** @typedef {import("../../table/touch.js").Ctx} Ctx */
/** @typedef {import("../../app/types.js").Position} Position */

const SLIDES = 9;
/** so many lie side by side on a phone: all nine would be too narrow for a finger */
const ROW = 5;

const SIGNS = new Map([["+", " + "], ["-", " − "], ["*", " × "], ["/", " ÷ "]]);

/**
 * A calculation as people write it: (6 + 4) ÷ 5. It comes without brackets and is read from left to right.
 * @param {string} how
 */
function written(how) {
  const spelt = (/** @type {string} */ part) => [...part].map((sign) => SIGNS.get(sign) ?? sign).join("");
  const brackets = /^.[-+]..*[*/]/.test(how);
  return brackets ? `(${spelt(how.slice(0, 3))})${spelt(how.slice(3))}` : spelt(how);
}

/**
 * A calculation and what it makes; the face of a double needs none.
 * @param {string} how
 * @param {number} slide
 */
function equation(how, slide) {
  return how.length === 1 ? t("{face} alone", { face: slide }) : `${written(how)} = ${slide}`;
}

/** @param {Ctx} ctx */
function slidesOf(ctx) {
  const { phase, seat } = ctx.position.snapshot;
  const open = phase === "push" && choosing(ctx, seat);
  const places = layout(ctx, SLIDES, ctx.small ? ROW : SLIDES);
  const drawn = numbers(SLIDES).map((n) => {
    const token = `slide:${n}`;
    const one = slide(places, n, open && ctx.chosen.has(token));
    return open ? touchable(ctx, token, t("slide {n}", { n }), one) : one;
  });
  return tray(ctx, SLIDES, places.bottom + 10, open, drawn);
}

/**
 * The calculations to choose from: those of the slide touched, or all of them.
 * @param {Ctx} ctx
 */
function calculations(ctx) {
  const { phase, seat } = ctx.position.snapshot;
  if (phase !== "push" || !choosing(ctx, seat)) return null;
  const pushes = ctx.position.moves.map((move) => move.event).filter((event) => event.how);
  const buttons = pushes
    .map((event) => ({ token: `how:${event.how}`, text: equation(event.how, event.push) }))
    .filter(({ token }) => ctx.possible.has(token) || ctx.chosen.has(token))
    .map(({ token, text }) => touchable(ctx, token, text, h("button", { type: "button", class: "token" }, text)));
  return h("div", { class: "tokens", role: "group", "aria-label": t("Calculations") }, buttons);
}

/** @param {Ctx} ctx */
function account(ctx) {
  const { fivefold, pips } = ctx.position.snapshot;
  const { worth } = ctx.position.marks;
  const said = tn("Stopping now scores {n} point", "Stopping now scores {n} points", worth);
  const five = t("the 5 makes it {factor} times as much", { factor: ctx.info.components.factor });
  const why = pips ? [five, t("the last dice count too")] : [five];
  return h("p", { class: "caption" }, fivefold ? `${said} (${list(why)})` : said);
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
  if (ctx.position.snapshot.phase === "over") return null;
  return shared(
    t("The tray"),
    "tray-table",
    ...diceRow(ctx, 2, tell),
    slidesOf(ctx),
    calculations(ctx),
    account(ctx),
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
  if (event.roll) {
    const what = fate(rolls(ctx, event.seat, [...event.roll].sort().reverse().join(" ")), before, after);
    return withScore(what, event.seat, before, after);
  }
  if (event.next) return tellNext(ctx, /** @type {any} */ (event), before);
  const you = ctx.you(event.seat);
  if (event.push === null) return you ? t("You forgo the double") : t("{name} forgoes the double", { name });
  const details = { name, n: event.push, how: equation(event.how, event.push) };
  const what = you ? t("You push slide {n} ({how})", details) : t("{name} pushes slide {n} ({how})", details);
  return withScore(what, event.seat, before, after);
}

/**
 * A roll, and what became of it.
 * @param {string} what
 * @param {Position | null} before
 * @param {Position | null} after
 */
function fate(what, before, after) {
  if (!before || !after) return what;
  if (turnEnded(before, after)) return t("{what}: no slide fits", { what });
  if (after.snapshot.rolled.length) return what;
  return t("{what}: no slide fits, so the double is rolled again", { what });
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 */
export function label(ctx, event) {
  if (event.next) return labelNext(ctx, /** @type {any} */ (event));
  if (event.push === null) return t("Forgo the double");
  return t("Push slide {n} ({how})", { n: event.push, how: equation(event.how, event.push) });
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 */
export function short(ctx, event) {
  return event.push ? t("slide {n}", { n: event.push }) : label(ctx, event);
}

/**
 * @param {string} phase
 * @param {boolean} roll
 */
export function prompt(phase, roll) {
  return phase === "push" ? t("Which slide shall go up?") : usual.prompt(phase, roll);
}

/** @param {string} name */
export function word(name) {
  switch (name) {
    case "five_penalty": return t("Price of the five");
    case "five_dice": return t("Last dice with the five");
    case "factor": return t("Factor of the five");
    default: return usual.word(name);
  }
}

/**
 * @param {string} option
 * @param {string | number} value
 */
export function valueName(option, value) {
  switch (value) {
    case "used": return t("the 5 was used to calculate");
    case "pushed": return t("slide 5 is up");
    case "bust": return t("count after a bust only");
    case "always": return t("count on stopping too");
    default: return usual.valueName(option, value);
  }
}
