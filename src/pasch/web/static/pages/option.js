// @ts-check
/** A control for an option of a game, whichever it is. */
import { h } from "../app/dom.js";
import { t } from "../app/i18n.js";

/** @typedef {import("../board/load.js").Board} Board */

/**
 * @param {import("../app/api.js").OptionSpec} spec
 * @param {Board} board
 * @param {(value: any) => void} set
 */
export function optionControl(spec, board, set) {
  const name = board.word(spec.name);
  const explanation = h("span", { class: "muted small", id: `about-${spec.name}` }, spec.explanation);
  const described = { "aria-describedby": `about-${spec.name}` };
  if (spec.kind === "switch") {
    const onchange = (/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).checked);
    return h(
      "label",
      { class: "switch" },
      h("input", { type: "checkbox", name: spec.name, checked: spec.default, onchange, ...described }),
      h("strong", null, name),
      h("span"),
      explanation,
    );
  }
  if (spec.kind === "list") return listControl(spec, board, set, explanation);
  if (spec.kind === "choice") {
    const onchange = (/** @type {Event} */ event) =>
      set(spec.choices[/** @type {HTMLSelectElement} */ (event.target).selectedIndex]);
    return h(
      "label",
      { class: "field" },
      h("span", null, name),
      h("select", { name: spec.name, onchange, ...described }, spec.choices.map((value) => h("option", { selected: value === spec.default }, board.valueName(spec.name, value)))),
      explanation,
    );
  }
  const oninput = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.validity.valid) set(input.valueAsNumber);
  };
  return h(
    "label",
    { class: "field" },
    h("span", null, name),
    h("input", { type: "number", name: spec.name, value: spec.default, min: spec.least, max: spec.most, required: true, inputmode: "numeric", oninput, ...described }),
    explanation,
  );
}

/**
 * A list of values, in their order, put together by touching them.
 * @param {import("../app/api.js").OptionSpec} spec
 * @param {Board} board
 * @param {(value: any) => void} set
 * @param {HTMLElement} explanation
 */
function listControl(spec, board, set, explanation) {
  const named = (/** @type {any} */ value) => board.valueName(spec.name, value);
  /** @type {any[]} */
  let chosen = [...spec.default];
  const shown = h("div", { class: "stack" });
  const change = (/** @type {any[]} */ next) => {
    chosen = next;
    set(chosen);
    draw();
  };
  const draw = () => {
    shown.replaceChildren(
      h("div", { class: "row" }, chosen.map((value, place) =>
        h(
          "button",
          { class: "button", type: "button", disabled: chosen.length <= (spec.least ?? 0), "aria-label": t("Remove {what}", { what: named(value) }), onclick: () => change(chosen.filter((_, other) => other !== place)) },
          named(value), h("span", { "aria-hidden": "true" }, "×"),
        ),
      )),
      h("div", { class: "row" }, spec.choices.map((value) =>
        h("button", { class: "button plain", type: "button", disabled: chosen.length >= (spec.most ?? Infinity), "aria-label": t("Add {what}", { what: named(value) }), onclick: () => change([...chosen, value]) }, h("span", { "aria-hidden": "true" }, "+"), named(value)),
      )),
    );
  };
  draw();
  return h("fieldset", { class: "field" }, h("legend", null, board.word(spec.name)), shown, explanation);
}
