// @ts-check
/** What all pages use: navigation, notices, dialogs, announcements for screen readers, icons. */
import { h } from "../vendor/preact.js";
import { t } from "./i18n.js";
import { mount } from "./mount.js";
import { pageAddress } from "./addresses.js";

/** @import { Attributes, Child } from "../vendor/preact.js" */

/** how long something has to be seen before a touch of it counts, in milliseconds */
export const GUARD_MS = 600;

/**
 * Go to a page without loading everything again.
 * @param {string} path
 * @param {boolean} [instead] whether it takes the place of this page, so that one does not come back to it
 */
export function go(path, instead = false) {
  const address = pageAddress(path);
  if (instead) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  window.dispatchEvent(new PopStateEvent("popstate"));
}

/**
 * A link within Pasch.
 * @param {string} path
 * @param {Attributes | null} attrs
 * @param {...Child} children
 */
export function link(path, attrs, ...children) {
  const onClick = (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    /** @type {((event: Event) => void) | undefined} */ (attrs?.onClick)?.(event);
    go(path);
  };
  return h("a", { href: pageAddress(path), ...attrs, onClick }, ...children);
}

/** Let screen readers say something when they are done with what they are saying. @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (!live || !text) return;
  // several things at once are read one after the other; old ones would only be read again
  if (live.childElementCount > 6) live.firstElementChild?.remove();
  live.append(Object.assign(document.createElement("p"), { textContent: text }));
}

/** @type {number | undefined} */
let fading;

/** Say something for a few seconds. @param {string} text */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  clearTimeout(fading);
  const box = Object.assign(document.createElement("div"), { className: "toast", textContent: text, ariaHidden: "true" });
  // above whatever stands at the bottom, so that it covers no button
  const below = /** @type {HTMLElement | null} */ (document.querySelector(".acts, .go-bar"))?.offsetHeight ?? 0;
  box.style.setProperty("--below", `${below}px`);
  document.body.append(box);
  announce(text);
  fading = window.setTimeout(() => box.remove(), 2500 + 45 * text.length);
}

/** A checkbox with its words. @param {string} key @param {string} text @param {boolean} checked @param {(checked: boolean, box: HTMLInputElement) => void} change @param {Child} [note] */
export function switchField(key, text, checked, change, note) {
  return h("label", { class: "switch", key }, h("input", { type: "checkbox", checked, "data-key": key, onChange: ({ target }) => change(target.checked, target) }), h("span", null, text), note);
}

/**
 * One of several in a list.
 * @param {Attributes} attrs
 * @param {readonly (readonly [value: string, text: string])[]} choices
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export function selectField(attrs, choices, chosen, choose) {
  return h("select", { ...attrs, onChange: ({ target }) => choose(target.value) }, choices.map(([value, text]) => h("option", { key: value, value, selected: value === chosen }, text)));
}

/** A part of a page under its heading. @param {Child} title @param {Attributes} attrs @param {...Child} content */
export function sheet(title, { class: look = "", ...attrs }, ...content) {
  return h("section", { ...attrs, class: `sheet ${look}` }, h("h2", null, title), ...content);
}

/** A page, or a part of one, that only says something, and where to go from here. @param {string} title @param {Child[]} texts @param {...Child} ways */
export function messageCard(title, texts, ...ways) {
  return h("section", { class: "card narrow stack" }, h("h1", null, title), texts.map((text) => text && h("p", null, text)), h("div", { class: "row" }, ways));
}

/** what draws the dialogs that are open @type {Set<() => void>} */
const dialogs = new Set();

/** What the dialogs show may have changed. */
export function redrawDialogs() {
  for (const redraw of dialogs) redraw();
}

/**
 * Show a dialog until it is closed.
 * @param {string} title
 * @param {(close: () => void, redraw: () => void) => Child} content
 */
export function dialog(title, content) {
  const box = document.createElement("dialog");
  box.setAttribute("aria-labelledby", "dialog-title");
  const close = () => box.close();
  document.body.append(box);
  let redraw = () => {};
  const view = () => [
    h("h2", { id: "dialog-title" }, title),
    h("button", { class: "tool close", type: "button", "aria-label": t("Close"), onClick: close }, icon("close")),
    content(close, () => redraw()),
  ];
  const drawn = mount(box, view);
  redraw = drawn.redraw;
  dialogs.add(redraw);
  box.addEventListener("close", () => {
    dialogs.delete(redraw);
    drawn.stop();
    box.remove();
  });
  const opened = performance.now();
  box.addEventListener("click", (event) => {
    // not by the second tap of two on what has opened it
    if (event.target === box && performance.now() - opened >= GUARD_MS) close();
  });
  box.showModal();
}

const ICONS = {
  close: "M6 6l12 12M18 6L6 18",
  undo: "M9 6 4 11l5 5M4.5 11H15a5 5 0 0 1 0 10h-2",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  menu: "M5 7h14M5 12h14M5 17h14",
  help: "M9 9a3 3 0 115.2 2c-1.4 1.2-2.2 1.6-2.2 3.2M12 17.8v.2M12 21.5a9.5 9.5 0 100-19 9.5 9.5 0 000 19",
  first: "M7 5v14M18 5l-8 7 8 7",
  before: "M15 5l-8 7 8 7",
  after: "M9 5l8 7-8 7",
  last: "M17 5v14M6 5l8 7-8 7",
  system: "M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17v17M12 8h4.5M12 12h7.5M12 16h4.5",
  light: "M12 8a4 4 0 100 8 4 4 0 000-8M12 2.5V4.5M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  dark: "M19.5 14.5A8 8 0 019.5 4.5a8 8 0 1010 10Z",
  sound: "M4 9.5v5h3.5L12 19V5L7.5 9.5ZM15.5 9a4 4 0 010 6M18 6.5a8 8 0 010 11",
  silent: "M4 9.5v5h3.5L12 19V5L7.5 9.5ZM16 9.5l5 5M21 9.5l-5 5",
  smile: "M8.5 14.5a4.5 4.5 0 007 0M9 9.5v.2M15 9.5v.2M12 21a9 9 0 100-18 9 9 0 000 18",
  bin: "M5 7h14M10 4h4M7 7l1 13h8l1-13",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.1M4.5 12h.1M4.5 18h.1",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.5v15L20 12Z",
  next: "M5 12h13M13 6.5 18.5 12 13 17.5",
  grid: "M4 4h6v6H4ZM14 4h6v6h-6ZM4 14h6v6H4ZM14 14h6v6h-6Z",
  rub: "M9 6h11v12H9L3.5 12ZM12 9.5l5 5M17 9.5l-5 5",
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  return h("svg", { class: "ico", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { class: name === "play" ? "filled" : "stroke", d: ICONS[name] }));
}
