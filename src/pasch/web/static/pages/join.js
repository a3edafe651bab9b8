// @ts-check
/** A dialog for a link that somebody has sent: on an installed app there is no address line to paste it into. */
import { dialog } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { h } from "../vendor/preact.js";

/** Where a link that was pasted leads; null if it is none to a table. @param {string} text */
export function tableAddress(text) {
  const found = /https?:\/\/\S+\/t\/[\w-]+(?:#(?:invite|watch)=[\w-]+)?/.exec(text)?.[0];
  return found && URL.canParse(found) ? found : null;
}

export function joinDialog() {
  let text = "";
  let wrong = false;
  dialog(t("Join with a link"), (_, redraw) => {
    const join = (/** @type {Event} */ event) => {
      event.preventDefault();
      const address = tableAddress(text);
      wrong = address === null;
      redraw();
      if (address) location.assign(address);
    };
    const typed = (/** @type {Event} */ event) => {
      text = /** @type {HTMLInputElement} */ (event.target).value;
      if (wrong) redraw();
      wrong = false;
    };
    return h(
      "form",
      { class: "stack", onSubmit: join },
      h("label", { class: "field" }, h("span", null, t("Paste the link that you were sent")), h("input", { type: "url", autocomplete: "off", value: text, "aria-invalid": wrong ? "true" : null, "aria-describedby": "join-wrong", onInput: typed })),
      h("p", { id: "join-wrong", class: "error small", role: "status" }, wrong && t("This is not a link to a table.")),
      h("button", { class: "go", type: "submit" }, t("Join")),
    );
  });
}
