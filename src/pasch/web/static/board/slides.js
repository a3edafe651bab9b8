// @ts-check
/**
 * A wooden tray with slides that are pushed up, for both Jokers.
 *
 * `slide(n, {up, chosen, fresh, tag, touch, label})`  one slide in its groove; with `touch` a control
 * `joker(n, {up, earned, label})`                     a joker: up while it waits, down and gold when earned
 * `tray(slides, jokers, name)`                        the tray they lie in
 */
import { number, t } from "../app/i18n.js";
import { h } from "../vendor/preact.js";
import { classes, use } from "./pieces.js";

/** @import { Child } from "./model.js" */

/** @param {number} n @param {{up: boolean, chosen?: boolean, fresh?: boolean, tag?: string, label?: string, touch?: Record<string, any>}} look */
export function slide(n, { up, chosen = false, fresh = false, tag = "", touch, label = slideName(n, up) }) {
  return h(
    "span",
    { key: n, ...(touch ?? { role: "img", "aria-label": label }), class: classes("sl", up && "up", chosen && "picked", fresh && "fresh", touch?.class) },
    h("span", { class: "knob" }, h("i", null), h("b", null, number(n)), h("i", null), tag && h("em", { "aria-hidden": "true" }, tag)),
  );
}

/** @param {number} n @param {boolean} up */
export const slideName = (n, up) => (up ? t("slide {n}, up", { n }) : t("slide {n}, down", { n }));

/** @param {number} n @param {{up: boolean, earned?: boolean, label: string}} look */
export const joker = (n, { up, earned = false, label }) =>
  h("span", { key: `joker ${n}`, class: classes("sl jk", earned ? "earned" : up && "up"), role: "img", "aria-label": label }, h("span", { class: "knob" }, use("jester"), h("b", null, earned && "×2")));

/** @param {Child[]} slides @param {Child[]} [jokers] @param {string} [name] */
export const tray = (slides, jokers = [], name = "") =>
  h("div", { key: "tray", class: classes("wood", name) }, h("div", { class: "bay", role: "group", "aria-label": t("Slides") }, slides), jokers.length > 0 && h("div", { class: "bay jokers", role: "group", "aria-label": t("Jokers") }, jokers));

/** How far the game is. @param {import("./model.js").BoardModel} model */
export const where = ({ state, options }) => t("Round {n} of {all}", { n: Math.min(state.round + 1, options.rounds), all: options.rounds });
/** @param {Record<string, any>} state */
export const scorePad = (state) => state.round;
export const placing = "slide";
