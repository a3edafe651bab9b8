// @ts-check
/** Würfel Joker 1: a tray with six slides and the jokers, the ways to push, and the combinations. */
import { list, number, t, tn } from "../../app/i18n.js";
import { gain, rollDice, rolls, stopWith, sums, turnEnded, withScore } from "../../board/default.js";
import { diceRow, groupRow, sum } from "../../board/dice.js";
import { classes, guess, has, range, total, use } from "../../board/pieces.js";
import { joker, slide, slideName, tray } from "../../board/slides.js";
import { h } from "../../vendor/preact.js";
import * as usual from "../../board/default.js";

/** @import { BoardModel, Telling } from "../../board/model.js" */

/** @typedef {{name: string, slides: number[], value: number, exact: boolean, provenance: string}} Combination */

const SLIDES = 6;

/** The box's combinations in the reader's language; others keep the name they have. @param {string} name */
function called(name) {
  const known = /** @type {Record<string, string>} */ ({
    "kleiner Schritt": t("small step"), "großer Schritt": t("big step"), "kleine Brücke": t("small bridge"), "große Brücke": t("big bridge"),
    "kleiner Sprung": t("small jump"), "großer Sprung": t("big jump"), "kleine Straße": t("small street"), "große Straße": t("big street"),
    Parade: t("parade"),
  });
  return known[name] ?? name;
}

/** The dice of a token: push:1+2 is [1, 2]. @param {string} token */
const diceOf = (token) => token.slice("push:".length).split("+").map(Number);

/** How the turn ended by what is being shown: its points, and the jokers it had; null if it continues. @param {BoardModel} model */
function ended({ roll, story, state, scores }) {
  const { event, after } = roll?.rests ? roll : story ?? {};
  if (!event || !after || event.seat !== state.seat || !(event.roll || event.next === "stop")) return null;
  const ones = event.roll && String(state.phase).startsWith("joker") ? event.roll.filter((/** @type {number} */ face) => face === 1).length : 0;
  const points = (after.scores[state.seat] ?? 0) - (scores[state.seat] ?? 0);
  return { points, jokers: points ? state.jokers + ones : state.jokers };
}

// --- drawings ----------------------------------------------------------------------------------------

/** @param {BoardModel} model */
function slides({ state, before, tokens, possible, chosen, chooser, touch }) {
  const open = chooser !== null && state.phase === "push";
  const jumps = before.seat === state.seat && before.round === state.round;
  return range(1, SLIDES).map((n) => {
    const up = has(state.slides, n - 1);
    const ways = open ? tokens.filter((token) => total(diceOf(token)) === n) : [];
    // a slide stands for the way that was chosen, else for the first that is possible
    const token = ways.find((one) => chosen.has(one)) ?? ways.find((one) => possible.has(one)) ?? ways[0] ?? `push:${n}`;
    return slide(n, { up, fresh: up && jumps && !has(before.slides ?? 0, n - 1), touch: open && !up ? touch(token, slideName(n, up)) : undefined });
  });
}

/** @param {BoardModel} model */
function jokers(model) {
  const { state, box } = model;
  const inside = String(state.phase).startsWith("joker");
  const earned = ended(model)?.jokers ?? state.jokers;
  return range(1, box.jokers).map((n) => joker(n, {
    up: inside, earned: n <= earned,
    label: n <= earned ? t("joker {n}, earned", { n }) : inside ? t("joker {n}, waiting", { n }) : t("joker {n}", { n }),
  }));
}

/** What stands, and what it is worth. @param {BoardModel} model */
function standing(model) {
  const { marks, state, box } = model;
  const end = ended(model);
  if (end && !end.points) return [t("The turn is lost:"), " ", h("b", null, number(0))];
  /** @type {Combination | undefined} */
  const found = box.combinations.find((/** @type {Combination} */ one) => one.name === marks.stands);
  if (!found) return t("No combination stands yet.");
  const doubled = end?.jokers ?? state.jokers;
  const name = h("b", null, called(found.name));
  if (doubled) return [name, ` ${number(found.value)}${" × 2".repeat(doubled)} = `, h("b", null, number(found.value * 2 ** doubled))];
  return [name, ` ${found.slides.join(" ")} `, t("stands:"), " ", h("b", null, number(found.value))];
}

/** Which slides a combination needs, and which of them are up. @param {Combination} combination @param {number} up */
const dots = ({ slides: needed, exact }, up) =>
  h("span", { class: "dots", "aria-hidden": "true" }, range(1, SLIDES).map((n) => h("i", { key: n, class: classes(needed.includes(n) ? "y" : !exact && "a", has(up, n - 1) && "up") })));

/** Each combination and how it stands with it. @param {BoardModel} model @returns {(Combination & {is: "stands" | "gone" | "", says: string})[]} */
function listed(model) {
  const { box, marks } = model;
  const lost = ended(model)?.points === 0;
  return box.combinations.map((/** @type {Combination} */ one) => {
    const stands = !lost && marks.stands === one.name;
    const gone = lost || marks.lost?.includes(one.name);
    return { ...one, is: stands ? "stands" : gone ? "gone" : "", says: stands ? t("stands") : gone ? t("out of reach") : t("still possible") };
  });
}

/** The tray, what stands, and on a phone what is still possible. @param {BoardModel} model */
export function board(model) {
  const { slides: up } = model.state;
  const still = listed(model).filter(({ is }) => is !== "gone").sort((a, b) => Number(b.is === "stands") - Number(a.is === "stands"));
  return [
    tray(slides(model), jokers(model)),
    h("p", { key: "standing", class: "standing" }, standing(model)),
    h("ul", { key: "combis", class: "combis only-phone", tabIndex: 0, "aria-label": t("Combinations still possible") },
      still.map((one) => h("li", { key: one.name, class: one.is }, dots(one, up), h("span", null, called(one.name)), h("b", null, number(one.value), guess(one.provenance))))),
  ];
}

/** The combinations. @param {BoardModel} model */
export function reference(model) {
  const sign = { stands: use("check", "ck"), gone: h("span", { "aria-hidden": "true" }, "×"), "": null };
  const rows = listed(model).map((one) => h(
    "tr", { key: one.name, class: one.is },
    h("th", { scope: "row" }, called(one.name)), h("td", null, dots(one, model.state.slides), h("span", { class: "unseen" }, one.slides.join(" "))),
    h("td", { class: "v" }, number(one.value), guess(one.provenance)), h("td", { class: "st" }, sign[one.is], h("span", { class: "unseen" }, one.says)),
  ));
  return h("section", { class: "sheet combos" }, h("h2", null, t("Combinations")), h("table", null, h("tbody", null, rows)));
}

/** Why these dice lost the turn. @param {BoardModel} model */
function lossOf({ state, roll }) {
  if (!String(state.phase).startsWith("joker")) return t("no slide fits");
  return roll?.event.roll.includes(6) ? t("does not help: a 1 is needed") : t("neither 1 nor 6");
}

/** The dice: in the cup, in the air, or on the table in the groups that push. @param {BoardModel} model */
export function zone(model) {
  const { state, roll, recent, story, chosen, choice, chooser, tokens, touch } = model;
  const end = ended(model);
  if (end && (end.jokers >= model.box.jokers)) return h("div", { class: "crow" }, h("span", { class: "cheer" }, use("jester", ""), t("Three jokers! {points}", { points: end.points })));
  if (roll || story) return diceRow(model, { dice: state.dice, note: end ? lossOf(model) : undefined });
  if (!state.rolled.length) {
    const { event, before } = recent.at(-1) ?? {};
    // what somebody else did stays on the table until they go on
    if (event?.push && before && !model.you(event.seat)) return groupRow(before.snapshot.rolled, event.push, { note: t("nothing"), spare: true });
    const ones = event?.roll && state.phase === "joker next" ? event.roll.filter((/** @type {number} */ face) => face === 1) : [];
    if (event?.roll && state.phase === "joker next") return groupRow(event.roll, ones.length ? [ones] : [], { label: (group) => tn("{n} joker", "{n} jokers", group.length), note: ones.length ? t("nothing") : t("a 6 saves you") });
    return diceRow(model, { dice: state.dice });
  }
  const groups = choice?.event.push ?? [...chosen].map(diceOf);
  const several = chooser !== null && tokens.some((token) => token.includes("+"));
  return [
    groupRow(state.rolled, groups),
    several && h("div", { key: "ways", class: "ways", role: "group", "aria-label": t("Ways to push") }, tokens.map((token) => {
      const [dice, n] = [diceOf(token), total(diceOf(token))];
      const control = touch(token, dice.length > 1 ? sum(dice) : t("slide {n}", { n }));
      return h("button", { key: token, type: "button", ...control, class: `calc ${control.class}` }, dice.length > 1 && `${dice.join(" + ")} =`, h("b", { class: "kn" }, number(n)));
    })),
  ];
}

// --- words -------------------------------------------------------------------------------------------

/** A roll, and what became of it. @param {Telling} telling */
function fate(telling) {
  const { event, before, after } = telling;
  const what = rolls(telling);
  if (!before || !after) return what;
  if (turnEnded(telling)) return gain(event.seat, before, after) ? withScore(what, telling) : t("{what}: the turn is lost", { what });
  const n = after.snapshot.jokers - before.snapshot.jokers;
  return n ? tn("{what}: {n} joker", "{what}: {n} jokers", n, { what }) : what;
}

/** @type {import("../../board/model.js").Board["sentences"]} */
export const sentences = {
  roll: fate,
  next(telling) {
    const { event, you, name } = telling;
    if (event.next === "jokers") return you ? t("You go into the jokers") : t("{name} goes into the jokers", { name });
    return usual.sentences.next?.(telling) ?? "";
  },
  push({ event, you, name }) {
    if (!event.push.length) return you ? t("You push nothing") : t("{name} pushes nothing", { name });
    const pushed = sums(event.push);
    return you ? t("You push {slides}", { slides: pushed }) : t("{name} pushes {slides}", { name, slides: pushed });
  },
};

/** @type {import("../../board/model.js").Board["labels"]} */
export const labels = {
  next({ event, position }) {
    if (event.next === "jokers") return { text: t("Into the jokers"), sub: t("×2 for each 1") };
    return event.next === "roll" ? rollDice(position.snapshot.dice) : stopWith(position.marks.worth);
  },
  push: ({ event }) => (event.push.length ? t("Push {slides}", { slides: list(event.push.map(total)) }) : t("Push nothing")),
};

/** @type {import("../../board/model.js").Board["shorts"]} */
export const shorts = { push: ({ event }) => (event.push.length ? list(event.push.map(sum)) : t("Push nothing")) };

/** @param {BoardModel} model */
export function prompts({ marks, state, moves, choice }) {
  const points = marks.worth;
  const must = moves.length === 1 && choice?.event.push?.length;
  return {
    push: must ? t("The dice leave no choice.") : choice ? t("All dice that can push do.") : t("Which slides should go up?"),
    next: marks.stands ? t("Roll for more, stop with {points}, or double it in the jokers?", { points }) : t("Nothing stands yet. Roll on, or stop with nothing?"),
    "joker roll": t("In the jokers: roll."),
    "joker next": state.jokers ? t("Roll for another joker, or stop with {points}?", { points }) : t("The 6 saves you. Roll on, or stop with {points}?", { points }),
  };
}
/** @param {BoardModel} model */
export const notes = ({ marks, options }) => ({
  "joker roll": options.first_six === "busts" ? t("Without a 1, {points} points are lost.", { points: marks.worth }) : t("Without a 1 or a 6, {points} points are lost.", { points: marks.worth }),
});
export const needs = () => ({ push: t("Touch a slide") });
/** @param {BoardModel} model */
export const chances = ({ state }) => ({ "": rollDice(state.dice) });
export { placing, scorePad, where } from "../../board/slides.js";
/** combinations of one's own may be added */
export const growing = ["combinations"];
/** A combination as on the card: its name, the slides it needs, what it is worth. @type {NonNullable<import("../../board/model.js").Board["boxPart"]>} */
export function boxPart(place, one, { cell, set }) {
  if (!place.startsWith("combinations[")) return null;
  const turn = (/** @type {number} */ n) => set(`${place}.slides`, range(1, SLIDES).filter((other) => one.slides.includes(other) !== (other === n)));
  const slides = range(1, SLIDES).map((n) => h("button", { key: n, type: "button", class: classes("sl", one.slides.includes(n) && "up"), "aria-pressed": String(one.slides.includes(n)), "aria-label": t("slide {n}", { n }), onClick: () => turn(n) }, h("span", { class: "knob" }, h("b", null, number(n)))));
  return [cell(`${place}.name`, t("Name")), tray(slides), cell(`${place}.value`, t("Value")), h("label", { key: "exact", class: "row" }, cell(`${place}.exact`, t("No other slide up")), t("No other slide up"))];
}
export const nouns = () => ({
  jokers: t("Jokers"), combinations: t("Combinations"), exact: t("No other slide up"), first_six: t("A 6 in the first joker roll"),
  "first_six=saves": t("saves the turn"), "first_six=busts": t("does not help: a 1 is needed"),
});
