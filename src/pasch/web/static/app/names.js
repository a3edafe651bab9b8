// @ts-check
/** A field for a person's name, which says at once what a name cannot have. */
import { h } from "../vendor/preact.js";
import { t } from "./i18n.js";

/** the most characters of a name, as people count them */
const MAX_LENGTH = 24;

/** What is wrong with a name; empty if nothing is. @param {string} name */
export function nameProblem(name) {
  const shown = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name.trim())].length;
  // the server counts code points, of which a joined emoji has several
  if (shown > MAX_LENGTH || [...name.trim()].length > MAX_LENGTH) return t("A name has at most {most} characters.", { most: MAX_LENGTH });
  return "";
}

/**
 * @param {import("../vendor/preact.js").Attributes} attrs those of the input; `value` is what it shows at first
 * @param {(name: string) => void} [changed]
 */
export function nameField(attrs, changed = () => {}) {
  const check = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const why = nameProblem(input.value);
    input.setCustomValidity(why);
    input.setAttribute("aria-invalid", String(why !== ""));
    const hint = input.parentElement?.querySelector(".error");
    if (hint) hint.textContent = why;
    changed(input.value);
  };
  return h("div", { class: "name-field" }, h("input", { type: "text", autocomplete: "off", ...attrs, onInput: check }), h("span", { class: "error small", role: "status" }));
}
