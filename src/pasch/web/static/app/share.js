// @ts-check
/** What leaves the page: links to send, to a seat or to watch (what comes after the # never reaches a server's log), and files. */
import { h } from "../vendor/preact.js";
import { toast } from "./frame.js";
import { t } from "./i18n.js";
import { homeOf } from "./addresses.js";

/** @import { Child } from "../vendor/preact.js" */

/**
 * A link with a button to copy it, and one to send it where the system can.
 * @param {string} label
 * @param {string} url
 */
export function linkRow(label, url) {
  const share = () => navigator.share({ url, title: "Pasch" }).catch(() => {});
  const canShare = "share" in navigator;
  return row(label, url, (copy) => [
    h("button", { class: canShare ? "button" : "button primary", type: "button", onClick: copy }, t("Copy")),
    canShare && h("button", { class: "button primary", type: "button", onClick: share }, t("Send")),
  ]);
}

/** Text with a button to copy it. @param {string} label @param {string} text */
export function copyRow(label, text) {
  return row(label, text, (copy) => h("button", { class: "button", type: "button", "aria-label": t("Copy: {what}", { what: label }), onClick: copy }, t("Copy")));
}

/** @param {string} label @param {string} text @param {(copy: (event: Event) => void) => Child} button */
function row(label, text, button) {
  const select = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select();
  const copy = (/** @type {Event} */ event) => {
    const input = /** @type {Element} */ (event.target).closest(".link-row")?.querySelector("input");
    if (input) copyText(text, input);
  };
  return h(
    "div",
    { class: "field", key: label },
    h("span", null, label),
    h("div", { class: "link-row" }, h("input", { type: "text", value: text, readOnly: true, "aria-label": label, onFocus: select }), button(copy)),
  );
}

/**
 * Copy what a field shows. Without a safe connection browsers have no clipboard; there the old way still works.
 * @param {string} text
 * @param {HTMLInputElement} input
 */
async function copyText(text, input) {
  const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  input.focus();
  input.select();
  toast(copied || document.execCommand("copy") ? t("Copied.") : t("Copy the selected text."));
}

/**
 * @param {string} id
 * @param {"invite" | "watch"} what
 * @param {string} token
 * @param {string} [origin] where others reach the server
 */
export function tableLink(id, what, token, origin = homeOf(id)) {
  return `${origin}/t/${id}#${what}=${token}`;
}

/** Read a link's token off the address, and take it out of there. @returns {{what: string, token: string} | null} */
export function linkToken() {
  const found = /^#(invite|watch)=([\w-]+)$/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, "", location.pathname);
  return { what: found[1] ?? "", token: found[2] ?? "" };
}

/** Let the browser save JSON to a file. @param {string} name @param {unknown} data */
export function saveFile(name, data) {
  saveBlob(name, new Blob([JSON.stringify(data)], { type: "application/json" }));
}

/** @param {string} name @param {Blob} blob */
export function saveBlob(name, blob) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  // browsers that ask where to save it read it later
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
