// @ts-check
/** What stands around every page: the header with its tools, a banner, and the place where the page draws itself. */
import { h, render } from "../vendor/preact.js";
import { defs } from "../board/defs.js";
import { setSettings } from "./device.js";
import { icon, link, selectField } from "./frame.js";
import { currentLanguage, languageNames, t } from "./i18n.js";
import { themeButton } from "./theme.js";

/** @import { Child } from "../vendor/preact.js" */

const shown = {
  /** what stands at the top instead of the program's name, and beside it */
  title: "",
  where: "",
  /** @type {Child} */
  tools: null,
  banner: "",
  /** counts pages: each has an element of its own, so that one that was left cannot draw over another */
  page: 0,
};
/** draws everything anew in another language */
let restart = () => {};

/** Change what stands around the page. @param {Partial<Omit<typeof shown, "page">>} changed */
export function setShell(changed) {
  Object.assign(shown, changed);
  draw();
}

/** Begin a page: an empty element for it. @returns {HTMLElement} */
export function freshMain() {
  Object.assign(shown, { title: "", where: "", tools: null, banner: "", page: shown.page + 1 });
  draw();
  return /** @type {HTMLElement} */ (document.getElementById("main"));
}

/** Draw the frame, in the language that is set. @param {() => void} again */
export function drawShell(again) {
  restart = again;
  document.body.replaceChildren();
  render(null, document.body);
  draw();
}

function draw() {
  render(frame(), document.body);
}

/** Open the settings; another language draws everything anew. */
export const openSettings = () => import("../pages/settings.js").then((module) => module.openSettings(restart));

function frame() {
  const atTable = shown.tools !== null;
  return [
    h("a", { key: "skip", class: "skip button", href: "#main", onClick: skip }, t("Skip to the content")),
    defs(),
    h(
      "header",
      { key: "top", class: "top" },
      link("/", { class: "brand" }, logo(), h("span", { class: "title" }, shown.title || "Pasch"), h("span", { class: "unseen" }, t("to the games"))),
      h("span", { class: "where" }, shown.where),
      h(
        "span",
        { class: "tools", id: "tools" },
        shown.tools,
        !atTable && [
          languageChoice(),
          themeButton(draw),
          h("button", { class: "tool", type: "button", "aria-label": t("Settings"), "data-key": "settings", onClick: openSettings }, icon("settings")),
        ],
      ),
    ),
    h("div", { key: "banner", id: "banner", role: "status" }, shown.banner && h("div", { class: "banner" }, shown.banner)),
    h("main", { key: shown.page, id: "main", tabIndex: -1 }),
    h("div", { key: "live", id: "live", class: "unseen", "aria-live": "polite" }),
  ];
}

/** Go to the content; the address stays, which on a site names the page. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function logo() {
  const die = (/** @type {string} */ colour, /** @type {string} */ transform) => h("g", { class: colour, transform }, ["die", "p2"].map((part) => h("use", { key: part, href: `#${part}`, width: 64, height: 70 })));
  return h("svg", { class: "logo", viewBox: "0 0 64 64", "aria-hidden": "true" }, die("d-brand", "translate(1 1) scale(.6)"), die("d-ivory", "translate(25 22) scale(.6)"));
}

/** Not at a table, where space is short; the settings have the same. */
function languageChoice() {
  const choose = (/** @type {string} */ language) => {
    setSettings({ language });
    restart();
  };
  return selectField({ class: "language", "aria-label": t("Language"), "data-key": "language" }, languageNames(), currentLanguage(), choose);
}
