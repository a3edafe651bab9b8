// @ts-check
/** What all pages use: navigation, notices, dialogs, announcements for screen readers, icons. */
import { h, svg } from "./dom.js";
import { SEEN } from "../table/guard.js";
import { t } from "./i18n.js";
import { pageAddress } from "./addresses.js";

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
 * @param {import("./dom.js").Attrs | null} attrs
 * @param {...(import("./dom.js").Child | import("./dom.js").Child[])} children
 */
export function link(path, attrs, ...children) {
  return h(
    "a",
    {
      href: pageAddress(path),
      ...attrs,
      onclick: (/** @type {MouseEvent} */ event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(path);
      },
    },
    ...children,
  );
}

/** Let screen readers say something when they are done with what they are saying. @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (!live) return;
  // several things at once are read one after the other; old ones would only be read again
  if (live.childElementCount > 6) live.firstElementChild?.remove();
  live.append(h("p", null, text));
}

/** @type {number | undefined} */
let fading;

/** Say something for a few seconds. @param {string} text */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  clearTimeout(fading);
  // above whatever stands at the bottom, so that it covers no button
  const below = /** @type {HTMLElement | null} */ (document.querySelector(".bar, .go"))?.offsetHeight ?? 0;
  document.body.append(h("div", { class: "toast", "aria-hidden": "true", style: { "--below": `${below}px` } }, text));
  announce(text);
  fading = window.setTimeout(() => document.querySelector(".toast")?.remove(), 2500 + 45 * text.length);
}

/**
 * Show a dialog until it is closed.
 * @param {string} title
 * @param {(close: () => void) => import("./dom.js").Child[]} content
 */
export function dialog(title, content) {
  const box = h("dialog", { "aria-labelledby": "dialog-title" });
  const close = () => box.close();
  box.append(
    h("h2", { id: "dialog-title" }, title),
    h("button", { class: "button plain icon close", type: "button", "aria-label": t("Close"), onclick: close }, icon("close")),
  );
  for (const child of content(close)) if (child) box.append(child instanceof Node ? child : String(child));
  box.addEventListener("close", () => box.remove());
  const opened = performance.now();
  box.addEventListener("click", (event) => {
    // not by the second tap of two on what has opened it
    if (event.target === box && event.timeStamp - opened >= SEEN) close();
  });
  document.body.append(box);
  box.showModal();
  return box;
}

const ICONS = {
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 010 12",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  menu: "M5 7h14M5 12h14M5 17h14",
  share: "M12 15V4M8 8l4-4 4 4M5 13v6h14v-6",
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
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { class: "stroke", d: ICONS[name] }));
}
