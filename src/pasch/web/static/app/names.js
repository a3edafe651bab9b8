// @ts-check
/** A field for a person's name, which says so when a name is too long. */
import { h } from "./dom.js";
import { t } from "./i18n.js";

/** the most characters of a name */
const MOST = 24;

/**
 * @param {import("./dom.js").Attrs} attrs
 * @param {(name: string) => void} [changed]
 * @returns {{input: HTMLInputElement, field: HTMLElement}}
 */
export function nameField(attrs, changed = () => {}) {
  const hint = h("span", { class: "error small", role: "status" });
  const input = h("input", { type: "text", autocomplete: "off", ...attrs, oninput: () => { check(); changed(input.value); } });
  function check() {
    const why = [...input.value.trim()].length > MOST ? t("A name has at most {most} characters.", { most: MOST }) : "";
    input.setCustomValidity(why);
    input.setAttribute("aria-invalid", String(why !== ""));
    hint.textContent = why;
  }
  check();
  return { input, field: h("div", { class: "name-field" }, input, hint) };
}
