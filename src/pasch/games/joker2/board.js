// @ts-check
/** Würfel Joker 2: nine slides, what stopping costs, and the sums that the two dice allow. */
import { number, t, tn } from "../../app/i18n.js";
import { rollDice, rolls, stopWith, turnEnded, withScore } from "../../board/default.js";
import { diceRow, tick } from "../../board/dice.js";
import { classes, has, range, total, use } from "../../board/pieces.js";
import { slide, slideName, tray } from "../../board/slides.js";
import { h } from "../../vendor/preact.js";

/** @import { BoardModel, Telling } from "../../board/model.js" */

/** @typedef {{push: number, how: string}} Push */

const SLIDES = 9;
const FIVE = 5;
const SIGNS = new Map([["+", " + "], ["-", " − "], ["*", " × "], ["/", " ÷ "]]);

/** A calculation as people write it: (6 + 4) ÷ 5. It comes without brackets and is read from left to right. @param {string} how */
function written(how) {
  const spelt = (/** @type {string} */ part) => [...part].map((sign) => SIGNS.get(sign) ?? sign).join("");
  const brackets = /^.[-+]..*[*/]/.test(how);
  return brackets ? `(${spelt(how.slice(0, 3))})${spelt(how.slice(3))}` : spelt(how);
}

/** A calculation and what it makes; the face of a double needs none. @param {Push} push */
const equation = ({ how, push }) => (how.length === 1 ? t("{face} alone", { face: push }) : `${written(how)} = ${push}`);

/** Whether the five is used, which comes last. @param {Push} push */
const withFive = ({ how }) => how.length > 3;

/**
 * What there is to choose: for each slide the way without the five, else the one with it; and the other ways.
 * @param {BoardModel} model
 */
function ways({ moves }) {
  const all = moves.map(({ event }) => /** @type {Push} */ (event)).filter(({ how }) => how);
  const offered = range(1, SLIDES).flatMap((n) => all.filter(({ push }) => push === n).sort((a, b) => a.how.length - b.how.length).slice(0, 1));
  return { offered, others: all.filter((one) => !offered.includes(one)) };
}

/** How the turn ended by what is being shown, and the slides that were up then; null if it continues. @param {BoardModel} model */
function ended({ roll, story, state, scores }) {
  const { event, after } = roll?.rests ? roll : story ?? {};
  const seat = state.seat;
  if (!event || !after || event.seat !== seat || (after.snapshot.seat === seat && after.snapshot.round === state.round && after.snapshot.phase !== "over")) return null;
  const points = (after.scores[seat] ?? 0) - (scores[seat] ?? 0);
  return { points, all: points > 0, dice: event.roll ? total(event.roll) : 0, up: event.push ? state.slides + 2 ** (event.push - 1) : state.slides };
}

// --- drawings ----------------------------------------------------------------------------------------

/** @param {BoardModel} model */
function slides(model) {
  const { state, before, chosen, chooser, box, touch } = model;
  const end = ended(model);
  const up = end?.up ?? state.slides;
  const { offered } = ways(model);
  const open = chooser !== null && state.phase === "push";
  const same = before.seat === state.seat && before.round === state.round;
  return range(1, SLIDES).map((n) => {
    const way = offered.find(({ push }) => push === n);
    const isUp = has(up, n - 1);
    const fresh = isUp && (end ? !has(state.slides, n - 1) : same && !has(before.slides ?? 0, n - 1));
    return slide(n, {
      up: isUp, fresh, chosen: way && chosen.has(`how:${way.how}`), tag: n === FIVE && state.fivefold ? `×${box.factor}` : "",
      touch: open && !isUp ? touch(way ? `how:${way.how}` : `slide:${n}`, slideName(n, isUp)) : undefined,
    });
  });
}

/** What stopping costs, as a sum one can follow. @param {BoardModel} model */
function till(model) {
  const { state, marks, box } = model;
  const end = ended(model);
  if (end?.all) return h("p", { key: "till", class: "till nine" }, h("span", { class: "w" }, t("All nine are up")), h("b", { class: "big" }, `+${number(end.points)}`), h("span", { class: "how" }, t("nothing to pay")));
  const down = range(1, SLIDES).filter((n) => !has(state.slides, n - 1)).map((n) => box.slides[n - 1]);
  const pips = end?.dice || state.pips;
  const word = end ? t("Lost") : state.phase === "next" ? t("Stop now") : t("Loss so far");
  const bill = down.length === SLIDES && !pips ? t("no slide is up yet") : pips ? tn("{down} down + {n} on the dice", "{down} down + {n} on the dice", pips, { down: total(down) }) : t("still down: {slides}", { slides: down.join(" + ") });
  const five = has(state.slides, FIVE - 1);
  const tag = state.fivefold ? t("counts: loss × {factor}", { factor: box.factor }) : five ? t("up, not used") : t("still down");
  return h(
    "p",
    { key: "till", class: classes("till", state.fivefold && "used", end && "bill") },
    h("span", { class: "w" }, word), h("b", { class: "big" }, number(end ? end.points : marks.worth)),
    h("span", { class: "how" }, state.fivefold ? `(${bill}) × ${number(box.factor)}` : bill),
    h("span", { class: classes("fivetag", state.fivefold ? "used" : !five && "low") }, h("b", null, FIVE), ` ${tag}`),
  );
}

/** @param {BoardModel} model @param {Push} push */
function sum({ chosen, touch, box }, push) {
  const token = `how:${push.how}`;
  const text = push.how.length === 1 ? t("the double:") : `${written(push.how)} =`;
  const label = `${text} ${push.push}`;
  const control = touch(token, withFive(push) ? t("{sum}: what you lose counts {factor} times", { sum: label, factor: box.factor }) : label);
  const tag = withFive(push) && h("em", { "aria-hidden": "true" }, `×${box.factor}`);
  return h("button", { key: token, type: "button", ...control, class: classes("calc", withFive(push) && "five", control.class) },
    h("span", null, text), h("b", { class: "kn" }, number(push.push)), tag, chosen.has(token) && tick());
}

/** @param {BoardModel} model */
export const board = (model) => [tray(slides(model), [], "nine"), till(model)];

/** The dice, and beside them the sums. @param {BoardModel} model */
export function zone(model) {
  const { state, box, chooser, recent, you } = model;
  const end = ended(model);
  if (end?.all) return h("div", { class: "crow" }, h("span", { class: "cheer" }, use("crown", ""), t("All nine! {points}", { points: `+${number(end.points)}` })));
  const { event, before } = recent.at(-1) ?? {};
  const done = event?.how && before && !you(event.seat) && !state.rolled.length ? equation(/** @type {any} */ (event)) : "";
  // what somebody else did stays on the table until they go on
  if (done && !model.roll) return diceRow({ ...model, state: { ...state, rolled: before?.snapshot.rolled } }, { note: done });
  const double = state.rolled.length > 0 && state.rolled[0] === state.rolled[1];
  const dice = diceRow(model, { dice: 2, note: end?.dice ? t("no slide fits") : double ? t("a double: use it, or roll again") : undefined });
  if (chooser === null || state.phase !== "push" || model.roll) return dice;
  const { offered, others } = ways(model);
  const [free, paid] = [offered.filter((one) => !withFive(one)), offered.filter(withFive)];
  return h("div", { class: "calcrow" }, dice, h("div", { class: "calcs", role: "group", "aria-label": t("Calculations") },
    free.length > 0 && h("div", { key: "free", class: "ways" }, free.map((one) => sum(model, one))),
    paid.length > 0 && h("div", { key: "paid", class: "ways cost" }, h("p", null, h("b", null, t("With the five:")), ` ${t("the loss counts × {factor}, unless all nine go up", { factor: box.factor })}`), paid.map((one) => sum(model, one))),
    others.length > 0 && h("details", { key: "others", class: "others" }, h("summary", null, t("Other ways")), h("div", { class: "ways" }, others.map((one) => sum(model, one))))));
}

/** What two dice can do. @param {BoardModel} model */
export function reference({ state, box, over }) {
  const rows = [[t("add"), "6 + 2 = 8"], [t("take away"), "6 − 2 = 4"], [t("times"), "4 × 2 = 8"], [t("divide, if whole"), "6 ÷ 2 = 3"], [t("double: its face"), "3 3 → 3"]];
  return [
    h("section", { key: "sums", class: "sheet sums" }, h("h2", null, t("Two dice make one slide")),
      h("table", null, h("tbody", null, rows.map(([what, how]) => h("tr", { key: how }, h("th", { scope: "row" }, what), h("td", null, how)))))),
    h("section", { key: "five", class: "sheet fivecard" }, h("h2", null, h("b", { class: "kn up" }, FIVE), t("The five helps, at a price")),
      h("p", null, t("Once it is up, + 5, − 5, × 5 or ÷ 5 may come last. Once it counts, what you lose counts {factor} times, unless all nine go up.", { factor: box.factor })),
      !over && h("p", { class: classes("st", state.fivefold && "used") },
        state.fivefold ? t("This turn: loss × {factor}", { factor: box.factor }) : t("This turn: it does not count yet"))),
  ];
}

// --- words -------------------------------------------------------------------------------------------

/** @type {import("../../board/model.js").Board["sentences"]} */
export const sentences = {
  roll(telling) {
    const { event, before, after } = telling;
    const what = rolls(telling, [...event.roll].sort().reverse().join(" "));
    if (!before || !after) return what;
    if (turnEnded(telling)) return withScore(t("{what}: no slide fits", { what }), telling);
    return after.snapshot.rolled.length ? what : t("{what}: no slide fits, so the double is rolled again", { what });
  },
  push(telling) {
    const { event, you, name } = telling;
    if (event.push === null) return you ? t("You forgo the double") : t("{name} forgoes the double", { name });
    const details = { name, n: event.push, how: equation(/** @type {any} */ (event)) };
    return withScore(you ? t("You push slide {n} ({how})", details) : t("{name} pushes slide {n} ({how})", details), telling);
  },
};

/** @type {import("../../board/model.js").Board["labels"]} */
export const labels = {
  next: ({ event, position }) => (event.next === "roll" ? rollDice(2) : stopWith(position.marks.worth)),
  push({ event, box }) {
    if (event.push === null) return t("Roll again");
    const text = t("Push slide {n}", { n: event.push });
    return withFive(/** @type {any} */ (event)) ? { text, sub: t("with the five: loss × {factor}", { factor: box.factor }) } : text;
  },
};

/** @type {import("../../board/model.js").Board["shorts"]} */
export const shorts = { push: ({ event }) => (event.push ? t("slide {n}", { n: event.push }) : t("Roll again")) };

/** @param {BoardModel} model */
export function prompts({ state, choice, moves, marks }) {
  const double = moves.some(({ tokens }) => tokens.includes("forgo"));
  const ask = double ? t("A double: push a slide, or forgo it and roll again.") : t("Which slide goes up? Touch a sum or a slide.");
  const picked = choice?.event.push ? t("{sum} pushes slide {n}.", { sum: written(choice.event.how), n: choice.event.push }) : "";
  const only = moves.length === 1 && picked ? t("Only one sum fits: {sum}.", { sum: equation(/** @type {any} */ (choice?.event)) }) : picked;
  return { push: only || ask, next: state.fivefold ? t("From now on: all nine, or {minus}.", { minus: marks.worth }) : t("Roll on, or stop?") };
}
/** @param {BoardModel} model */
export function notes({ marks, choice }) {
  const then = marks.then?.[choice?.event.how];
  return { push: then === undefined ? "" : then > 0 ? t("All nine: {points} points.", { points: then }) : t("Stopping then costs {points}.", { points: -then }), next: t("A roll that fits nothing adds its dice.") };
}
export const needs = () => ({ push: t("Touch a sum") });
export const chances = () => ({ "": rollDice(2) });
export { placing, scorePad, where } from "../../board/slides.js";
/** All nine are worth a moment. @param {Telling} telling */
export const beats = (telling) => (telling.event.push && turnEnded(telling) ? [2500] : []);
/** The slides with what each costs that stays down. @type {NonNullable<import("../../board/model.js").Board["boxPart"]>} */
export const boxPart = (place, slides, { cell }) =>
  place === "slides" && tray(slides.map((/** @type {number} */ _, /** @type {number} */ at) => h("span", { key: at, class: "sl" }, h("span", { class: "knob" }, cell(`slides[${at}]`, t("slide {n}", { n: at + 1 }))))), [], "nine");
export const nouns = () => ({
  five_penalty: t("Price of the five"), five_dice: t("Last dice with the five"), factor: t("Factor of the five"),
  "five_penalty=used": t("the 5 was used to calculate"), "five_penalty=pushed": t("slide 5 is up"),
  "five_dice=bust": t("count after a bust only"), "five_dice=always": t("count on stopping too"),
});
