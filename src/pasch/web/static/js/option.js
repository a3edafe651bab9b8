// @ts-check
/** A control for an option of a game, whichever it is. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { optionName, optionValue } from "./words.js";

/**
 * @param {import("./api.js").OptionSpec} spec
 * @param {(value: any) => void} set
 */
export function optionControl(spec, set) {
  const explanation = h("span", { class: "muted small", id: `about-${spec.name}` }, t(spec.explanation));
  const described = { "aria-describedby": `about-${spec.name}` };
  if (spec.kind === "switch") {
    const onchange = (/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).checked);
    return h(
      "label",
      { class: "switch" },
      h("input", { type: "checkbox", name: spec.name, checked: spec.default, onchange, ...described }),
      h("strong", null, optionName(spec.name)),
      h("span"),
      explanation,
    );
  }
  if (spec.kind === "list") return listControl(spec, set, explanation);
  if (spec.kind === "choice") {
    const onchange = (/** @type {Event} */ event) =>
      set(spec.choices[/** @type {HTMLSelectElement} */ (event.target).selectedIndex]);
    return h(
      "label",
      { class: "field" },
      h("span", null, optionName(spec.name)),
      h("select", { name: spec.name, onchange, ...described }, spec.choices.map((value) => h("option", { selected: value === spec.default }, optionValue(value)))),
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
    h("span", null, optionName(spec.name)),
    h("input", { type: "number", name: spec.name, value: spec.default, min: spec.least, max: spec.most, required: true, inputmode: "numeric", oninput, ...described }),
    explanation,
  );
}

/**
 * A list of plans, in their order, put together by touching them.
 * @param {import("./api.js").OptionSpec} spec
 * @param {(value: any) => void} set
 * @param {HTMLElement} explanation
 */
function listControl(spec, set, explanation) {
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
          { class: "button", type: "button", disabled: chosen.length <= (spec.least ?? 0), "aria-label": t("Remove plan {n}", { n: value }), onclick: () => change(chosen.filter((_, other) => other !== place)) },
          t("Plan {n}", { n: value }), h("span", { "aria-hidden": "true" }, "×"),
        ),
      )),
      h("div", { class: "row" }, spec.choices.map((value) =>
        h("button", { class: "button plain", type: "button", disabled: chosen.length >= (spec.most ?? Infinity), "aria-label": t("Add plan {n}", { n: value }), onclick: () => change([...chosen, value]) }, h("span", { "aria-hidden": "true" }, "+"), t("Plan {n}", { n: value })),
      )),
    );
  };
  draw();
  return h("fieldset", { class: "field" }, h("legend", null, optionName(spec.name)), shown, explanation);
}
