// @ts-check
/** Fiese 15: a strip of coloured targets; dice that were set aside lie on it, the others below, each under its target. */
import { gain, rollDice, rolls, stopWith } from "../../board/default.js";
import { COLOURS, colourName, die, inAir, lastRoll, ready, tick, whoseRoll } from "../../board/dice.js";
import { chip, classes, drawing, guess, source, total, use, words } from "../../board/pieces.js";
import { capital, list, number, t, tn } from "../../app/i18n.js";
import { h } from "../../vendor/preact.js";

/** @import { BoardModel, Telling } from "../../board/model.js" */

/** Dice in words, with their faces where these are known. @param {readonly string[]} colours @param {readonly number[]} [faces] */
const named = (colours, faces = []) => list(colours.map((colour) => `${colourName(colour)} ${faces[COLOURS.indexOf(colour)] || ""}`.trim()));
/** Targets in words. @param {readonly number[]} printed */
const targetsOf = (printed) => named(COLOURS.filter((_, at) => printed[at]), printed);
/** The side of a strip that is played, by colour. @param {Record<string, any>} box @param {Record<string, any>} options @param {number} strip @returns {number[]} */
const side = (box, options, strip) => COLOURS.map((colour) => box.strips[strip][options.handicap ? "back" : "front"][colour] ?? 0);
/** How many dice are still to be rolled. @param {readonly number[]} kept */
const missing = (kept) => kept.filter((face) => !face).length;

/** Where the target of a colour comes from. @param {BoardModel} model @param {number} at */
function sourceOf({ box, options, state }, at) {
  const { provenance, back_provenance } = box.strips[state.strips.at(-1)] ?? {};
  return options.handicap ? (COLOURS[at] === "white" ? undefined : back_provenance) : source(provenance, at);
}

/** The dice that somebody else has just set aside, and what they were chosen from: they stay in sight until the next roll. @param {BoardModel} model */
function setAside({ recent, chooser, awaits, you, roll }) {
  const { event, before } = recent.at(-1) ?? {};
  if (!event?.keep || !before || roll) return null;
  const { kept, rolled, targets } = before.snapshot;
  const lies = COLOURS.map((colour, at) => (event.keep.includes(colour) ? rolled[at] : kept[at]));
  if (missing(lies) === 0) return chooser === null && !awaits ? { kept: lies, targets, rolled, keep: event.keep, all: true } : null;
  return you(event.seat) || chooser !== null || awaits ? null : { kept, rolled, targets, keep: event.keep, all: false };
}

/** The strip. @param {BoardModel} model */
export function board(model) {
  const { state, before, over, seats } = model;
  if (over) return null;
  const full = setAside(model);
  const { kept, targets } = full?.all ? full : state;
  const cell = (/** @type {string} */ colour, /** @type {number} */ at) => {
    const fresh = kept[at] > 0 && !before.kept[at];
    return h(
      "div",
      { key: colour, class: classes("cell", `d-${colour}`, state.tiles.length > 0 && colour === "white" && "tile") },
      h("span", { class: "target" }, use(`mark-${colour}`, "cm"), h("span", { class: "upto" }, t("up to")), h("b", null, targets[at] ? [number(targets[at]), guess(sourceOf(model, at))] : "–")),
      h("span", { class: "slot" }, kept[at] ? die(kept[at], { colour, name: fresh ? "in fresh" : "in" }) : h("span", { key: "hole", class: "hole" }, use(`mark-${colour}`))),
      h("span", { class: "cn" }, colourName(colour)),
    );
  };
  const aside = COLOURS.filter((_, at) => kept[at]);
  const label = !total(targets) ? t("A strip is drawn next") : aside.length ? t("Targets: {targets}; set aside: {dice}", { targets: targetsOf(targets), dice: named(aside, kept) }) : t("Targets: {targets}; nothing set aside", { targets: targetsOf(targets) });
  const bonus = (/** @type {number} */ dice, /** @type {string} */ worth, /** @type {string} */ what) => h("li", { class: classes(aside.length === dice && "on") }, h("b", null, worth), h("span", null, what));
  return h(
    "div",
    { key: "strip", class: "strip cardboard" },
    h("div", { class: "cells", role: "img", "aria-label": label }, COLOURS.map(cell)),
    h("div", { class: "tally" }, h("span", { class: "sumup" }, h("b", null, number(total(kept))), t("on the strip")), h("ol", { class: "bonus" }, bonus(5, "+5", t("five dice")), bonus(6, "×2", t("all six")))),
    state.tiles.length > 0 && h("ol", { class: "tiles", "aria-label": t("Tiles for white") }, Array.from({ length: seats }, (_, seat) => h("li", { key: seat, class: classes(seat === state.seat && "on"), "aria-label": `${model.who(seat)}: ${t("tile {n} for white", { n: state.tiles[seat] })}` }, chip(seat), h("b", null, number(state.tiles[seat]))))),
  );
}

/** The dice that are not on the strip: in the cup, in the air, or each under its target. @param {BoardModel} model */
export function zone(model) {
  const { state, roll, over } = model;
  if (over) return null;
  const theirs = setAside(model);
  if (theirs?.all) return h("div", { key: "all", class: "tray" }, h("span", { class: "wait" }, h("span", { class: "cheer after-rest" }, use("crown"), t("All six! {sum} × 2 = {n}", { sum: total(theirs.kept), n: 2 * total(theirs.kept) }))));
  /** @type {number[]} */
  const faces = roll ? COLOURS.map((colour) => roll.event.roll[colour] ?? 0) : theirs?.rolled ?? state.rolled;
  if (!faces.some(Boolean)) return h("div", { key: "cup", class: "tray" }, h("span", { class: "wait" }, cupOf(model)));
  const rolled = COLOURS.filter((_, at) => faces[at]);
  return h(
    "div",
    { key: "dice", class: classes("tray", model.chooser === null && "theirs"), role: "group", "aria-label": t("Dice on the table") },
    COLOURS.map((colour, at) => h("span", { key: colour, class: "lane" }, faces[at] ? lane(model, colour, faces[at] ?? 0, rolled, theirs) : null)),
  );
}

/** One die and the words below it. @param {BoardModel} model @param {string} colour @param {number} face @param {string[]} rolled @param {ReturnType<typeof setAside>} theirs */
function lane({ state, roll, chooser, chosen, touch }, colour, face, rolled, theirs) {
  const [at, place] = [COLOURS.indexOf(colour), rolled.indexOf(colour)];
  const target = (theirs ?? state).targets[at];
  const rolling = inAir(roll, place);
  const look = { colour, at: place, count: rolled.length, rolling, landed: roll?.rests === false && !rolling };
  // nothing is said of any die before the last one rests
  if (roll?.rests === false) return [die(rolling ? 0 : face, look), h("span", { class: "tell" }, "\u00a0")];
  const fits = face <= target;
  const picked = theirs ? theirs.keep.includes(colour) : chosen.has(`keep:${colour}`);
  const label = capital(t("{colour} shows {face}, target {target}", { colour: colourName(colour), face, target }));
  const control = chooser !== null && !roll && state.phase === "keep" ? touch(`keep:${colour}`, label) : undefined;
  return [
    die(face, { ...look, name: classes(fits ? "fits" : "over", picked && "up picked"), label, touch: control, more: picked && tick() }),
    h("span", { class: classes("tell after-rest", fits && "fits", picked && "picked") }, picked ? t("taken") : fits ? t("valid") : t("over {n}", { n: target })),
  ];
}

/** @param {BoardModel} model */
function cupOf(model) {
  const colours = COLOURS.filter((_, at) => !model.state.kept[at]);
  const last = colours.length === 6 ? lastRoll(model) : null;
  const lies = COLOURS.flatMap((colour) => (last?.roll[colour] ? [/** @type {[number, string]} */ ([last.roll[colour], colour])] : []));
  return ready({ colours, who: whoseRoll(model, last), last: lies });
}

/** A strip as it lies on the real table, small; dice as everywhere. @param {BoardModel} model @param {string} part @param {number} value */
export function face({ box, options }, part, value) {
  if (part !== "strip") return null;
  const printed = side(box, options, value);
  return drawing(
    { name: "strips", label: targetsOf(printed), width: 132, height: 26 },
    COLOURS.map((colour, at) => h("g", { class: `d-${colour}`, transform: `translate(${1 + 22 * at} 1)` }, h("rect", { class: "d-top d-edge", width: 20, height: 24, rx: 4 }), words(10, 17.5, printed[at] ? number(printed[at] ?? 0) : "–", "strip-number"))),
  );
}

/** Strips are counted from one on the table. @param {string} part @param {number} value */
export const faceName = (part, value) => number(part === "strip" ? value + 1 : value);

/** The sentence, and what the turn scores if it has ended with it. @param {string} what @param {Telling} telling */
function withScore(what, { event, before, after }) {
  if (!before || !after || ["keep", "next"].includes(after.snapshot.phase)) return what;
  return tn("{what}. The turn scores {n} point", "{what}. The turn scores {n} points", gain(event.seat, before, after), { what });
}

export const sentences = {
  strip: (/** @type {Telling} */ { event, box, options }) => t("New strip: {targets}", { targets: targetsOf(side(box, options, event.strip)) }),
  roll(/** @type {Telling} */ telling) {
    const { event, before, after } = telling;
    const faces = COLOURS.map((colour) => event.roll[colour] ?? 0);
    const what = rolls(telling, named(COLOURS.filter((_, at) => faces[at]), faces));
    return !before || !after || after.snapshot.phase === "keep" ? what : withScore(t("{what}: no die is valid", { what }), telling);
  },
  keep(/** @type {Telling} */ telling) {
    const { event, before, you, name } = telling;
    const dice = named(event.keep, before?.snapshot.rolled);
    return withScore(you ? t("You set aside {dice}", { dice }) : t("{name} sets aside {dice}", { name, dice }), telling);
  },
};
export const labels = {
  keep: (/** @type {Telling} */ { event, position }) => (event.keep.length > 3 ? tn("Set aside {n} die", "Set aside {n} dice", event.keep.length) : t("Set aside {dice}", { dice: named(event.keep, position.snapshot.rolled) })),
  next: (/** @type {Telling} */ { event, position }) => (event.next === "roll" ? rollDice(missing(position.snapshot.kept)) : stopWith(position.marks.worth)),
};
export const shorts = { keep: (/** @type {Telling} */ { event, position }) => named(event.keep, position.snapshot.rolled) };

/** @param {BoardModel} model */
export function prompts({ state, chosen, possible }) {
  const taken = COLOURS.filter((colour) => chosen.has(`keep:${colour}`));
  const points = taken.reduce((sum, colour) => sum + state.rolled[COLOURS.indexOf(colour)], 0);
  return {
    strip: t("A new round: draw a strip."),
    roll: missing(state.kept) === 6 ? t("Your turn. Roll the dice and set valid ones aside.") : t("Your turn: roll."),
    keep: taken.length ? tn("{dice}: {n} point onto the strip.", "{dice}: {n} points onto the strip.", points, { dice: capital(named(taken, state.rolled)) }) : tn("One die is valid: set it aside.", "{n} dice are valid. Set aside at least one.", possible.size),
    next: t("Roll on, or stop here?"),
  };
}
/** @param {BoardModel} model */
export const notes = ({ marks }) => ({ next: marks.missed ? tn("If none of them is valid, the turn scores {n} point all the same.", "If none of them is valid, the turn scores {n} points all the same.", marks.missed) : t("If none of them is valid, the turn scores nothing.") });
export const needs = () => ({ keep: t("Touch a valid die") });
/** @param {BoardModel} model */
export const chances = ({ state }) => ({ strip: t("Draw a strip"), roll: rollDice(missing(state.kept)) });
/** @param {BoardModel} model */
export const where = ({ state, box }) => t("Round {n} of {all}", { n: Math.min(box.rounds, state.strips.length + (state.phase === "strip" ? 1 : 0)), all: box.rounds });
export const placing = "die";
export const nouns = () => ({
  handicap: t("Handicap"), gambler: t("Gambler"), strips: t("Strips"), front: t("Front side"), back: t("Back side"), tiles: t("Tiles for white"), strip: t("strip"),
  red: t("red die"), blue: t("blue die"), yellow: t("yellow die"), black: t("black die"), white: t("white die"), green: t("green die"),
});
export const growing = ["strips"];
/** Both sides of a strip, with a field on each colour. @type {NonNullable<import("../../board/model.js").Board["boxPart"]>} */
export const boxPart = (place, strip, { cell }) =>
  place.startsWith("strips[") && ["front", "back"].map((face) => h("div", { key: face, class: "strip cardboard" }, h("small", null, nouns()[/** @type {"front"} */ (face)]), h("div", { class: "cells" }, COLOURS.map((colour) =>
    h("div", { key: colour, class: classes("cell", `d-${colour}`) }, h("span", { class: "target" }, use(`mark-${colour}`, "cm")), colour in strip[face] ? cell(`${place}.${face}.${colour}`, `${nouns()[/** @type {"front"} */ (face)]}: ${colourName(colour)}`) : h("b", null, "–"))))));
/** The round being played, from 0. @param {Record<string, any>} state */
export const scorePad = ({ strips, phase }) => strips.length - (phase === "strip" ? 0 : 1);
