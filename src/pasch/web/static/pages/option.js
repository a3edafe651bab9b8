// @ts-check
/** A control for an option of a game, whichever it is. */
import { capital, number, t } from "../app/i18n.js";
import { noun as usualNoun } from "../board/default.js";
import { h } from "../vendor/preact.js";

/** @import { OptionSpec } from "../app/api.js" */
/** @import { Board } from "../board/model.js" */
/** @import { Child } from "../vendor/preact.js" */

/** What an option or a part of a box is called. @param {Board} board @param {string} name */
export function noun(board, name) {
  return board.nouns()[name] ?? capital(usualNoun(name));
}

/** What one of an option's values is called. @param {Board} board @param {string} option @param {any} value */
export const valueName = (board, option, value) => board.nouns()[`${option}=${value}`] ?? (typeof value === "number" ? number(value) : String(value));

/** An option and its value in few words; empty where it says nothing. @param {OptionSpec} spec @param {Board} board @param {any} value */
export function optionWords(spec, board, value) {
  if (spec.kind === "switch") return value === spec.default ? "" : t("{name}: {value}", { name: noun(board, spec.name), value: value ? t("on") : t("off") });
  if (spec.house && JSON.stringify(value) === JSON.stringify(spec.default)) return "";
  return t("{name}: {value}", { name: noun(board, spec.name), value: [value].flat().map((one) => valueName(board, spec.name, one)).join(", ") });
}

/**
 * @param {OptionSpec} spec
 * @param {Board} board
 * @param {any} value
 * @param {(value: any) => void} set
 * @param {Record<string, any>} box for pictures of what is in it
 */
export function optionControl(spec, board, value, set, box) {
  const name = noun(board, spec.name);
  const about = `about-${spec.name}`;
  const explanation = h("small", { class: "muted", id: about }, spec.explanation);
  if (spec.kind === "switch") {
    return h("label", { key: spec.name, class: "switch" }, h("input", { type: "checkbox", name: spec.name, checked: value, "aria-describedby": about, onChange: ({ target }) => set(target.checked) }), h("span", null, name), explanation);
  }
  if (spec.kind === "list") return listControl(spec, board, value, set, explanation, box);
  const control =
    spec.kind === "choice"
      ? h("select", { name: spec.name, "aria-describedby": about, onChange: ({ target }) => set(spec.choices[target.selectedIndex]) }, spec.choices.map((one) => h("option", { key: one, selected: one === value }, valueName(board, spec.name, one))))
      : h("input", { type: "number", name: spec.name, value, min: spec.least, max: spec.most, required: true, inputMode: "numeric", "aria-describedby": about, onInput: ({ target }) => target.validity.valid && set(target.valueAsNumber) });
  return h("label", { key: spec.name, class: "field" }, h("span", null, name), control, explanation);
}

/**
 * A list of values, in their order, put together by touching them; each a picture where the board draws one.
 * @param {OptionSpec} spec
 * @param {Board} board
 * @param {any[]} chosen
 * @param {(value: any[]) => void} set
 * @param {Child} explanation
 * @param {Record<string, any>} box
 */
function listControl(spec, board, chosen, set, explanation, box) {
  const named = (/** @type {any} */ value) => valueName(board, spec.name, value);
  const picture = (/** @type {any} */ value) => board.picture?.(spec.name, value, box) ?? named(value);
  const full = chosen.length >= (spec.most ?? Infinity);
  return h(
    "fieldset",
    { key: spec.name, class: "field list-option" },
    h("legend", null, noun(board, spec.name)),
    h("div", { class: "pictures" }, spec.choices.map((value) => {
      const times = chosen.filter((one) => one === value).length;
      return h("button", { key: value, class: times ? "picture-choice on" : "picture-choice", type: "button", disabled: full, "aria-label": t("Add {what}", { what: named(value) }), onClick: () => set([...chosen, value]) }, picture(value), h("b", null, named(value)));
    })),
    h("ol", { class: "row in-order", "aria-label": noun(board, spec.name) }, chosen.map((value, place) =>
      h("li", { key: `${place} ${value}` }, h("button", { class: "button", type: "button", disabled: chosen.length <= (spec.least ?? 0), "aria-label": t("Remove {what}", { what: named(value) }), onClick: () => set(chosen.filter((_, other) => other !== place)) }, named(value), " ", h("span", { "aria-hidden": "true" }, "×"))),
    )),
    explanation,
  );
}

/** One of several in a row. @param {string} legend @param {string} name @param {string[][]} values pairs of value and text @param {string} chosen @param {(value: string) => void} choose */
export function pills(legend, name, values, chosen, choose) {
  return h(
    "fieldset",
    { class: "pills", key: name },
    h("legend", null, legend),
    values.map(([value = "", text]) => h("label", { key: value }, h("input", { type: "radio", name, value, checked: value === chosen, onChange: () => choose(value) }), h("span", null, text))),
  );
}
