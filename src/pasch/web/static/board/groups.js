// @ts-check
/** Dice in the groups in which they are used, each with what it makes; the others lie beside them. */
import { t } from "../app/i18n.js";
import { h } from "../vendor/preact.js";
import { total } from "./default.js";
import { die } from "./dice.js";
import { classes } from "./pieces.js";

/** @typedef {import("./model.js").Child} Child */

/** A group as people write it: 2 + 1 = 3. @param {readonly number[]} group */
export const sum = (group) => (group.length > 1 ? `${group.join(" + ")} = ${total(group)}` : String(group[0]));

/**
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
