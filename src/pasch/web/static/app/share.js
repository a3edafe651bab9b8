// @ts-check
/** Links to send: to a seat, or to watch. What comes after the # never reaches a server's log. */
import { h } from "./dom.js";
import { toast } from "./frame.js";
import { t } from "./i18n.js";
import { homeOf } from "./addresses.js";

/**
 * A link with a button to copy it, and one to send it where the system can.
 * @param {string} label
 * @param {string} url
 */
export function linkRow(label, url) {
  const share = () => navigator.share({ url, title: "Pasch" }).catch(() => {});
  const canShare = "share" in navigator;
  return row(label, url, (copy) => [
    h("button", { class: canShare ? "button" : "button primary", type: "button", onclick: copy }, t("Copy")),
    canShare && h("button", { class: "button primary", type: "button", onclick: share }, t("Send")),
  ]);
}

/**
 * Text with a button to copy it.
 * @param {string} label
 * @param {string} text
 */
export function copyRow(label, text) {
  return row(label, text, (copy) => h("button", { class: "button", type: "button", "aria-label": t("Copy: {what}", { what: label }), onclick: copy }, t("Copy")));
}

/**
 * @param {string} label
 * @param {string} text
 * @param {(copy: () => void) => import("./dom.js").Child | import("./dom.js").Child[]} button
 */
function row(label, text, button) {
  const input = h("input", { type: "text", value: text, readonly: true, "aria-label": label, onfocus: () => input.select() });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(t("Copied."));
    } catch {
      input.focus();
      toast(t("Copy what is marked."));
    }
  };
  return h("div", { class: "field" }, h("span", null, label), h("div", { class: "link-row" }, input, button(copy)));
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

/**
 * Read a link's token off the address, and take it out of there.
 * @returns {{what: string, token: string} | null}
 */
export function linkToken() {
  const found = /^#(invite|watch)=([\w-]+)$/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, "", location.pathname);
  return { what: found[1] ?? "", token: found[2] ?? "" };
}
