// @ts-check
/** Shut the Lines: one plan for all, on which each seat has its own corner of every number; or the plans to choose from. */
import { list, number, t, tn } from "../../app/i18n.js";
import { gain, rollDice, rolls, sums } from "../../board/default.js";
import { diceRow, groupRow } from "../../board/dice.js";
import { chip, classes, guess, has, range, total } from "../../board/pieces.js";
import { remaining } from "../../table/choose.js";
import { h } from "../../vendor/preact.js";

/** @import { BoardModel, Child, Telling } from "../../board/model.js" */

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

const CENTRE = { x: 280, y: 256 };
const RADIUS = 208;
/** how wide a square is at most between its first and last column, and how far apart numbers are that need not be smaller */
const WIDE = 400;
const APART = 76;
/** a number's corners, one for each seat */
const CORNERS = [[-23, -23], [23, -23], [23, 23], [-23, 23]];

// --- where everything lies ---------------------------------------------------------------------------

/** Where every number of a plan lies; its place 0 is empty. @param {Plan} plan @returns {Point[]} */
export function places({ square, tips, inner, step }) {
  /** @type {Point[]} */
  const found = [];
  const lay = (/** @type {number} */ n, /** @type {number} */ x, /** @type {number} */ y) => void (found[n] = { x: CENTRE.x + x, y: CENTRE.y + y });
  const gap = Math.min(118, WIDE / Math.max(1, square.length - 1));
  const middle = (square.length - 1) / 2;
  square.forEach((row, down) => row.forEach((n, across) => lay(n, gap * (across - middle), gap * (down - middle))));
  const turn = 1 / tips.length;
  // two neighbouring lines cross half-way between their middles
  const nearer = Math.cos(Math.PI * step * turn) / Math.cos(Math.PI * turn);
  const ring = (/** @type {number[]} */ numbers, /** @type {number} */ radius, /** @type {number} */ shift) =>
    numbers.forEach((n, at) => lay(n, radius * Math.sin(2 * Math.PI * turn * (at + shift)), -radius * Math.cos(2 * Math.PI * turn * (at + shift))));
  ring(tips, RADIUS, 0);
  ring(inner, RADIUS * nearer, (step - 1) / 2);
  return found;
}

/** How large numbers are drawn, so that neighbours do not touch. @param {Point[]} at */
function scale(at) {
  const points = at.filter(Boolean);
  const apart = points.flatMap((one, place) => points.slice(0, place).map((other) => Math.hypot(one.x - other.x, one.y - other.y)));
  return Math.min(1, Math.min(...apart) / APART);
}

/** A line, moved sideways. @param {number[]} line @param {Point[]} at @param {number} [shift] */
function ends(line, at, shift = 0) {
  const [from, to] = [at[line[0] ?? 0] ?? CENTRE, at[line.at(-1) ?? 0] ?? CENTRE];
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [x, y] = [(-(to.y - from.y) / length) * shift, ((to.x - from.x) / length) * shift];
  return { x1: (from.x + x).toFixed(1), y1: (from.y + y).toFixed(1), x2: (to.x + x).toFixed(1), y2: (to.y + y).toFixed(1) };
}

/** What each seat has covered, with what is being shown. @param {BoardModel} model @returns {number[]} */
function coveredBy({ state, story }) {
  /** @type {number[][]} */
  const groups = story?.event.cover ?? [];
  return state.covered.map((/** @type {number} */ mask, /** @type {number} */ seat) => (seat === story?.event.seat ? groups.reduce((sum, group) => sum + 2 ** (total(group) - 1), mask) : mask));
}

/** The complete lines of a seat, by their place in the plan. @param {Plan} plan @param {number} covered */
const completeLines = ({ lines }, covered) => lines.flatMap((line, place) => (line.every((n) => has(covered, n - 1)) ? [place] : []));

/** @param {BoardModel} model @returns {Plan | null} */
const planOf = ({ marks, box }) => (marks.plan ? box.plans[marks.plan - 1] : null);

// --- drawings ----------------------------------------------------------------------------------------

/** @param {BoardModel} model @param {Plan} plan */
function drawPlan(model, plan) {
  const { seats, state, before, turn, chooser, chosen, story, who, touch } = model;
  const at = places(plan);
  const size = scale(at);
  const covered = coveredBy(model);
  const open = chooser !== null && state.phase === "cover";
  const owners = range(0, seats - 1).map((seat) => completeLines(plan, covered[seat] ?? 0));
  const bands = owners.flatMap((lines, seat) => lines.map((line, at) => ({ seat, line, at })));
  const same = before.round === state.round;
  const draw = (/** @type {number} */ n) => {
    const owns = range(0, seats - 1).filter((seat) => has(covered[seat] ?? 0, n - 1));
    const mine = !story && turn >= 0 && owns.includes(turn);
    const ghost = open && chosen.has(`number:${n}`);
    const label = owns.length ? t("{n}, covered by {names}", { n, names: list(owns.map(who)) }) : t("{n}, not covered", { n });
    const control = open && !mine ? touch(`number:${n}`, label) : { role: "img", "aria-label": label };
    const chips = [...owns, ...(ghost ? [chooser] : [])].map((seat) => {
      const [x, y] = CORNERS[seat % 4] ?? [0, 0];
      const fresh = !ghost && (seat === story?.event.seat ? !has(state.covered[seat], n - 1) : same && !has(before.covered?.[seat] ?? 0, n - 1));
      return h("g", { key: seat, class: classes(`pc s${seat}`, ghost && seat === chooser && "gh", fresh && "fresh landing"), transform: `translate(${x} ${y}) scale(.62)` }, h("use", { href: "#chip", x: -22, y: -22, width: 44, height: 48 }), h("use", { class: "c-mark", href: `#seat${seat}`, x: -13, y: -13, width: 26, height: 26 }));
    });
    const { x, y } = at[n] ?? CENTRE;
    return h("g", { key: n, ...control, class: classes("num", mine && `mine s${turn}`, /** @type {any} */ (control).class), transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size.toFixed(2)})` },
      h("circle", { class: "dside", cy: 3.5, r: 27 }), h("circle", { class: "disc", r: 27 }), h("circle", { class: "ring", r: 33 }), h("text", { y: 8.5 }, number(n)), chips);
  };
  return h("svg", { viewBox: "24 4 512 504", role: "group", "aria-label": t("Plan {n}", { n: model.marks.plan }) },
    plan.lines.map((line, place) => h("line", { key: `groove ${place}`, class: "groove", ...ends(line, at) })),
    bands.map(({ seat, line, at: place }) => {
      const shared = range(0, seats - 1).filter((one) => owners[one]?.includes(line));
      const shift = (shared.indexOf(seat) - (shared.length - 1) / 2) * 11;
      return h("line", { key: `${seat} ${line}`, class: `band s${seat} b${seat}`, style: story ? { "--k": place } : undefined, ...ends(plan.lines[line] ?? [], at, shift) });
    }),
    range(1, plan.numbers).map(draw));
}

/** @param {Plan} plan @param {boolean} numbers whether they are written on it */
function planPicture(plan, numbers) {
  const at = places(plan);
  const draw = (/** @type {number} */ n) => h("g", { key: n, class: "num", transform: `translate(${at[n]?.x.toFixed(1)} ${at[n]?.y.toFixed(1)}) scale(${scale(at).toFixed(2)})` }, h("circle", { class: "disc", r: 27 }), numbers && h("text", { y: 8.5 }, number(n)));
  return h("svg", { class: "plan-picture", viewBox: "24 4 512 504", "aria-hidden": "true" }, plan.lines.map((line, place) => h("line", { key: `line ${place}`, class: "groove", ...ends(line, at) })), range(1, plan.numbers).map(draw));
}

/** A plan that may be chosen: its picture, and what it is like. @param {BoardModel} model @param {number} n */
function planCard({ box, chooser, touch }, n) {
  /** @type {Plan} */
  const plan = box.plans[n - 1];
  const about = t("Plan {n}: 1 to {numbers}, {lines} lines, {dice} dice", { n, numbers: plan.numbers, lines: plan.lines.length, dice: plan.dice });
  const { class: state = "", ...control } = chooser === null ? {} : touch(`plan:${n}`, about);
  // the picture can be touched, too
  return h("div", { key: n, class: classes("plan-card cardboard", state) }, h("span", { onClick: control.onClick }, planPicture(plan, true)),
    chooser === null ? h("span", null, about) : h("button", { type: "button", ...control, class: "touchable" }, about));
}

/** A plan small, where one can be agreed on. @param {string} option @param {number} n @param {Record<string, any>} box */
export const picture = (option, n, box) => option === "plans" && planPicture(box.plans[n - 1], false);

/** @param {BoardModel} model @returns {Child} */
export function board(model) {
  const plan = planOf(model);
  if (!plan) return h("div", { class: "plan-cards", role: "group", "aria-label": t("The plans") }, model.marks.choices.map((/** @type {number} */ n) => planCard(model, n)));
  return h("div", { class: "plan cardboard" }, drawPlan(model, plan), h("span", { class: "sumtag" }, t("each line"), " ", h("b", null, number(plan.sum)), guess(plan.arrangement)));
}

/** Which dice make the numbers that were touched. @param {BoardModel} model @returns {number[][]} */
function groupsChosen({ moves, chosen, choice }) {
  const [first] = choice ? [choice] : remaining(moves, chosen);
  return (first?.event.cover ?? []).filter((/** @type {number[]} */ group) => chosen.has(`number:${total(group)}`));
}

/** The dice, in the groups that cover numbers; or what the round brought. @param {BoardModel} model @returns {Child} */
export function zone(model) {
  const { state, recent, story, seats, who, roll, chooser } = model;
  const plan = planOf(model);
  if (!plan) return null;
  if (story) {
    const gains = coveredBy(model).map((covered) => completeLines(plan, covered).length);
    return h("div", { class: "crow" }, h("ol", { class: "gains" }, range(0, seats - 1).map((seat) => h("li", { key: seat, class: `s${seat}` }, chip(seat), h("b", null, who(seat)), h("span", null, tn("{n} line", "{n} lines", gains[seat] ?? 0))))));
  }
  const { event, before } = recent.at(-1) ?? {};
  if (!roll && !state.rolled.length && event?.cover?.length && before && !model.you(event.seat)) return groupRow(before.snapshot.rolled, event.cover, { note: t("left over"), spare: true });
  if (chooser !== null && state.rolled.length && !roll) return groupRow(state.rolled, groupsChosen(model));
  return diceRow(model, { dice: plan.dice, note: roll?.rests && roll.after ? t("nothing fits") : undefined });
}

// --- words -------------------------------------------------------------------------------------------

/** Whether an event ended the round. @param {Telling} telling */
const roundEnded = ({ before, after }) => Boolean(before && after && (after.snapshot.phase === "over" || after.snapshot.round !== before.snapshot.round));

/** The sentence, and what the round brings if it has ended with it. @param {string} what @param {Telling} telling */
function settled(what, telling) {
  const { before, after, who } = telling;
  if (!before || !after || !roundEnded(telling)) return what;
  const points = after.scores.map((_, seat) => `${who(seat)} ${number(gain(seat, before, after))}`);
  return t("{what}. Points of the round: {points}", { what, points: list(points) });
}

/** @type {import("../../board/model.js").Board["sentences"]} */
export const sentences = {
  plan({ event: { plan, seat }, you, name }) {
    if (seat === undefined) return t("A round on plan {plan} begins", { plan });
    return you ? t("You choose plan {plan}", { plan }) : t("{name} chooses plan {plan}", { name, plan });
  },
  roll(telling) {
    const what = rolls(telling);
    return settled(telling.after && telling.after.snapshot.phase !== "cover" ? t("{what}: nothing fits, out of the round", { what }) : what, telling);
  },
  cover(telling) {
    const { event, you, name, after } = telling;
    const numbers = sums(event.cover);
    const what = numbers ? (you ? t("You cover {numbers}", { numbers }) : t("{name} covers {numbers}", { name, numbers }))
      : you ? t("You cover nothing") : t("{name} covers nothing", { name });
    return settled(after && (roundEnded(telling) || after.snapshot.out[event.seat]) ? t("{what}: out of the round", { what }) : what, telling);
  },
};

const numbersOf = (/** @type {number[][]} */ groups) => list(groups.map(total).sort((a, b) => a - b));
/** @type {import("../../board/model.js").Board["labels"]} */
export const labels = {
  plan: ({ event }) => t("Choose plan {n}", { n: event.plan }),
  cover: ({ event }) => (event.cover.length ? t("Cover {numbers}", { numbers: numbersOf(event.cover) }) : t("Cover nothing")),
};
/** @type {import("../../board/model.js").Board["shorts"]} */
export const shorts = { cover: ({ event }) => (event.cover.length ? numbersOf(event.cover) : t("Cover nothing")) };

/** The dice that no touched number uses yet. @param {BoardModel} model */
function unused(model) {
  const used = groupsChosen(model).flat();
  return model.state.rolled.filter((/** @type {number} */ face) => !(used.includes(face) && used.splice(used.indexOf(face), 1)));
}
/** @param {BoardModel} model */
export function prompts(model) {
  const { choice, moves, chooser, state, name } = model;
  const left = choice ? unused(model) : [];
  const all = !left.length ? t("All dice are used.") : t("The {dice} cannot be used: you are out of the round then.", { dice: list(left) });
  return {
    plan: chooser === null && moves.length === 0 ? t("{name} chooses the plan", { name: name(state.seat) }) : t("Which plan shall this round be played on?"),
    cover: choice ? all : t("Touch a marked number: one die or several together."),
  };
}
/** @param {BoardModel} model */
export const needs = (model) => ({ cover: model.chosen.size ? t("Still to be used: {dice}", { dice: list(unused(model)) }) : t("Touch a number"), plan: t("Touch a plan") });
/** @param {BoardModel} model */
export const chances = (model) => ({ plan: t("Lay out the plan"), "": rollDice(planOf(model)?.dice ?? 0) });
/** @param {BoardModel} model */
export const where = ({ state, marks }) => (marks.plan ? t("Round {n} · plan {plan}", { n: state.round + 1, plan: marks.plan }) : t("Round {n}", { n: state.round + 1 }));
/** @param {BoardModel} model @param {number} seat */
export function seatNote(model, seat) {
  const plan = planOf(model);
  if (!plan) return "";
  const lines = tn("{n} line", "{n} lines", completeLines(plan, coveredBy(model)[seat] ?? 0).length);
  return `${model.state.out[seat] || model.story ? t("out of the round") : t("still in")} · ${lines}`;
}
/** The end of a round stays until it is touched. @param {Telling} telling */
export const beats = (telling) => (roundEnded(telling) ? [Infinity] : []);
/** @param {BoardModel} model */
export const storyButton = ({ story }) => (story?.after.snapshot.phase === "over" ? t("See the result") : t("Next round"));
/** The lines of a plan as it is drawn: from tip to tip of a star, or rows, columns and diagonals. @param {Plan} plan */
function drawnLines({ tips, inner, step, square }) {
  const star = tips.map((tip, at) => [tip, inner[at] ?? 0, inner[(at + 1) % inner.length] ?? 0, tips[(at + step) % tips.length] ?? 0]);
  const along = (/** @type {(row: number[], at: number) => number | undefined} */ pick) => square.map((row, at) => pick(row, at) ?? 0);
  return square.length ? [...square, ...square.map((_, column) => along((row) => row[column])), along((row, at) => row[at]), along((row, at) => row.at(-1 - at))] : star;
}
/** @param {Record<string, any>} box */
export const boxChanged = (box) => box.plans.forEach((/** @type {Plan} */ plan) => (plan.lines = drawnLines(plan)));
/** A plan with a field at each of its places. @type {NonNullable<import("../../board/model.js").Board["boxPart"]>} */
export function boxPart(place, plan, { cell }) {
  if (!/^plans\[\d+\]$/.test(place)) return null;
  // where each place lies, whatever numbers were typed there
  const named = [...plan.tips.map((/** @type {number} */ _, /** @type {number} */ at) => `tips[${at}]`), ...plan.inner.map((/** @type {number} */ _, /** @type {number} */ at) => `inner[${at}]`), ...plan.square.flatMap((/** @type {number[]} */ row, /** @type {number} */ down) => row.map((_, across) => `square[${down}][${across}]`))];
  let n = 0;
  /** @type {(one: any) => any} */
  const numbered = (one) => (Array.isArray(one) ? one.map(numbered) : ++n);
  const blank = { ...plan, tips: numbered(plan.tips), inner: numbered(plan.inner), square: numbered(plan.square) };
  const at = places(blank);
  const figures = ["numbers", "dice", "sum"].map((key) => h("label", { key, class: "row" }, nouns()[/** @type {"sum"} */ (key)] ?? t("Dice"), cell(`${place}.${key}`, key)));
  const spots = named.map((spot, number) => h("span", { key: spot, class: "spot", style: { left: `${((at[number + 1] ?? CENTRE).x - 24) / 5.12}%`, top: `${((at[number + 1] ?? CENTRE).y - 4) / 5.04}%` } }, cell(`${place}.${spot}`, t("number at place {n}", { n: number + 1 }))));
  return [h("div", { key: "plan", class: "plan cardboard box-plan" }, planPicture({ ...blank, lines: drawnLines(blank), numbers: named.length }, false), spots), h("div", { key: "figures", class: "box-cells" }, figures)];
}
export const nouns = () => ({
  plan: t("plan"), plans: t("Plans"), plan_choice: t("Plan of a round"), target: t("Points to reach"), numbers: t("Numbers"), sum: t("Sum of a line"),
  line_count: t("Lines"), line_length: t("Numbers on a line"), tips: t("Tips"), inner: t("Inner points"), step: t("Step"), square: t("Square"),
  lines: t("Lines with their numbers"), "plan_choice=listed": t("as listed"), "plan_choice=chosen": t("chosen by whoever begins"),
  ...Object.fromEntries(range(1, 4).map((n) => [`plans=${n}`, t("Plan {n}", { n })])),
});
