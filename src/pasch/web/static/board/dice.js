// @ts-check
/**
 * Dice with bodies, in the air and at rest, and the cup. All return vnodes.
 *
 * `die(face, {colour, rolling, at, ...})`  one die; see `Look`. In the air it is a cube, and neither the tree nor a label
 *                                          says what it will show
 * `inAir(roll, at)`          whether the die at this place of a roll is still in the air: pass it as `rolling`
 * `facesOf(model)`           the faces to be drawn: of the roll in the air, or of those that lie there
 * `diceRow(model, {...})`    the usual row: the cup before a roll, dice in the air, dice at rest
 * `ready({colours, label, last, who})`  the cup before a roll, with the roll before beside it
 * `groupRow(faces, groups)`  the dice in the groups in which they are used
 * `COLOURS`, `colourName(colour)`, `isColour(name)`
 */
import { t, tn } from "../app/i18n.js";
import { h } from "../vendor/preact.js";
import { classes, range, total, use } from "./pieces.js";

/** @import { BoardModel, Child, Roll } from "./model.js" */

/**
 * @typedef {object} Look
 * @property {string} [colour] ivory unless given
 * @property {boolean} [rolling] whether it is in the air
 * @property {boolean} [landed] whether it has just come down
 * @property {number} [at] its place in the roll, from 0: where it comes from, how it lies, when it lands
 * @property {number} [count] how many are rolled
 * @property {number} [as] what it is used as, if that is not what it shows
 * @property {string} [name] more classes: small, tinydie, up (lifted), used, picked
 * @property {string} [label]
 * @property {Child} [more] what lies on it: a tick, a tag
 * @property {Record<string, any>} [touch] makes it a control
 */

export const COLOURS = ["red", "blue", "yellow", "black", "white", "green"];
export const isColour = (/** @type {string} */ name) => COLOURS.includes(name);

/** A colour's name, as in "red". @param {string} colour */
export const colourName = (colour) => /** @type {Record<string, string>} */ ({ red: t("red"), blue: t("blue"), yellow: t("yellow"), black: t("black"), white: t("white"), green: t("green") })[colour] ?? colour;

/** how dice lie */
const TILTS = [-4, 3, -2, 5, -3, 2];

/** Whether a die is in the air: they land in the order in which they are drawn. @param {Roll | null} roll @param {number} at its place among those rolled, from 0 */
export const inAir = (roll, at) => roll !== null && !roll.rests && roll.landed <= at;

/** What a die says. @param {number} face @param {Look} look */
function dieName(face, { colour = "ivory", rolling, as }) {
  const details = { colour: colourName(colour), face };
  if (rolling) return t("die in the air");
  const name = !face ? t("die, not rolled yet") : isColour(colour) ? t("{colour} die showing {face}", details) : t("die showing {face}", details);
  return as && as !== face ? t("{die}, used as {face}", { die: name, face: as }) : name;
}

/** A die; face 0 has still to be rolled. @param {number} face @param {Look} [look] */
export function die(face, look = {}) {
  const { colour = "ivory", rolling = false, landed = false, at = 0, count = 6, as = 0, name = "", more, touch } = look;
  const label = look.label ?? dieName(face, look);
  return h(
    // the same element whether it can be touched or not, so that it stays where it is
    "span",
    {
      key: at,
      ...(touch ?? { role: "img", "aria-label": label }),
      class: classes("die", `d-${colour}`, name, rolling && "rolls", landed && "lands", !face && !rolling && "blank", as > 0 && as !== face && "turned", touch?.class),
      style: { "--tilt": `${TILTS[at % 6]}deg`, ...(rolling ? { "--i": at, "--dx": `${Math.round((count / 2 - 0.5 - at) * 64)}px`, "--rz": `${280 + 55 * at}deg` } : {}) },
    },
    h(
      "span",
      { class: "hop" },
      rolling
        ? h("span", { key: "cube", class: "cube" }, range(1, 6).map((side) => h("i", { class: `f f${side}` })))
        : h("svg", { key: "rest", class: "rest", viewBox: "0 0 64 70", "aria-hidden": "true" }, h("use", { href: "#die" }), h("use", { href: `#p${as || face}` }), isColour(colour) && h("use", { class: "d-mark", href: `#mark-${colour}`, x: 24.5, y: 4.5, width: 15, height: 15 })),
    ),
    more,
  );
}

/** A tick on a die that was chosen. */
export const tick = () => h("span", { class: "badge" }, use("check"));

/** The faces on the table. @param {BoardModel} model @returns {number[]} */
export const facesOf = ({ roll, state }) => [roll?.event.roll ?? state.rolled ?? []].flat();

const SPOTS = [[34, 24, -18], [60, 18, 10], [84, 25, 24], [47, 15, 30], [73, 14, -24], [60, 27, 48]];

/** The dice before a roll, no face to be seen. @param {readonly string[]} colours @param {string} [label] */
const cup = (colours, label = tn("{n} die in the cup", "{n} dice in the cup", colours.length)) =>
  h(
    "svg",
    { class: "cup", viewBox: "0 0 120 112", role: "img", "aria-label": label },
    h("ellipse", { class: "cup-shadow", cx: 64, cy: 103, rx: 44, ry: 8 }),
    h("ellipse", { cx: 60, cy: 32, rx: 41, ry: 12, fill: "#2b180c" }),
    colours.slice(0, 6).map((colour, at) => {
      const [x, y, turn] = SPOTS[at] ?? [];
      const body = { x: -29, width: 58, height: 58, rx: 14 };
      return h("g", { class: `d-${colour}`, transform: `translate(${x} ${y}) rotate(${turn}) scale(.42)` }, h("rect", { ...body, class: "d-side", y: -23 }), h("rect", { ...body, class: "d-top", y: -29 }), h("rect", { ...body, y: -29, fill: "url(#light)" }));
    }),
    h("path", { d: "M19 32c0 8 18 13 41 13s41-5 41-13l-10 64c-1 7-15 11-31 11s-30-4-31-11Z", fill: "url(#leather)" }),
    h("path", { class: "cup-rim", d: "M19 32c0 8 18 13 41 13s41-5 41-13" }),
    h("path", { class: "cup-seam", d: "M23 52c8 5 22 8 37 8s29-3 37-8M27 82c8 4 20 6.5 33 6.5S85 86 93 82" }),
  );

/** The cup, and the roll before small beside it. @param {{colours: readonly string[], label?: string, who?: string, last?: readonly (readonly [number, string])[]}} what */
export const ready = ({ colours, label, who = "", last = [] }) =>
  h("span", { class: "ready" }, last.length > 0 && h("span", { class: "last" }, who, h("span", null, last.map(([face, colour], at) => die(face, { colour, at, name: "tinydie" })))), cup(colours, label));

/** The roll made last, which may have left the table. @param {BoardModel} model */
export const lastRoll = ({ recent }) => recent.filter(({ event }) => event.roll).at(-1)?.event ?? null;

/** Whose roll lies beside the cup. @param {BoardModel} model @param {Record<string, any> | null} last */
export const whoseRoll = ({ name, you }, last) => (last?.seat === undefined ? "" : you(last.seat) ? t("Your last roll") : t("{name}’s last roll", { name: name(last.seat) }));

/**
 * Ivory dice on the table: the cup before a roll, then the dice in the air, then at rest.
 * @param {BoardModel} model
 * @param {{dice?: number, note?: Child, each?: (face: number, at: number) => Partial<Look>}} [what] how many are in the
 *   cup; a line below; how each lies
 */
export function diceRow(model, { dice = 6, note = "\u00a0", each = () => ({}) } = {}) {
  const { roll } = model;
  const faces = facesOf(model);
  if (!faces.length) {
    const last = lastRoll(model);
    const lies = [last?.roll ?? []].flat().map((/** @type {number} */ face) => /** @type {[number, string]} */ ([face, "ivory"]));
    return h("div", { key: "dice", class: "crow" }, ready({ colours: Array(dice).fill("ivory"), who: whoseRoll(model, last), last: lies }));
  }
  const lies = (/** @type {number} */ face, /** @type {number} */ at) => {
    const rolling = inAir(roll, at);
    return die(rolling ? 0 : face, { at, count: faces.length, rolling, landed: roll?.rests === false && !rolling, ...(roll?.rests === false ? {} : each(face, at)) });
  };
  return h("div", { key: "dice", class: "crow", role: "group", "aria-label": t("Dice on the table") }, h("span", { class: "grp loose" }, h("span", { class: "gd" }, faces.map(lies)), h("span", { class: "gl" }, roll?.rests === false ? "\u00a0" : note)));
}

/** A group as people write it: 2 + 1 = 3. @param {readonly number[]} group */
export const sum = (group) => (group.length > 1 ? `${group.join(" + ")} = ${total(group)}` : String(group[0]));

/**
 * Dice in the groups in which they are used, each with what it makes; the others lie beside them.
 * @param {readonly number[]} faces the dice on the table
 * @param {readonly (readonly number[])[]} groups of these faces
 * @param {{label?: (group: readonly number[]) => Child, note?: Child, spare?: boolean}} [look] what stands below a group and
 *   below the others; whether those are left over
 */
export function groupRow(faces, groups, { label = sum, note = "\u00a0", spare = false } = {}) {
  const left = faces.map((face, at) => ({ face, at }));
  const taken = groups.map((group) => group.flatMap((face) => left.splice(left.findIndex((one) => one.face === face), 1)));
  const lie = (/** @type {{face: number, at: number}[]} */ dice) => h("span", { class: "gd" }, dice.map(({ face, at }) => die(face, { at, count: faces.length })));
  return h(
    "div",
    { key: "dice", class: "crow", role: "group", "aria-label": t("Dice on the table") },
    taken.map((dice, at) => h("span", { key: dice.map((one) => one.at).join(), class: "grp" }, lie(dice), h("span", { class: "gl" }, label(groups[at] ?? [])))),
    left.length > 0 && h("span", { key: "left", class: classes("grp", spare ? "spare" : "loose") }, lie(left), h("span", { class: "gl" }, note)),
  );
}
