// @ts-check
/** Pasch in the browser: picks the language, draws the frame, and shows the page that the address names. */
import { Refusal } from "./api.js";
import { setSettings, settings } from "./device.js";
import { h, svg } from "./dom.js";
import { icon, link } from "./frame.js";
import { allTexts, currentLanguage, languageNames, setLanguage, setLoader, t } from "./i18n.js";
import { catalogueAddress, currentPath, elsewhere, engineHere } from "./addresses.js";
import { fetchPatiently } from "./retry.js";
import { applyTheme, themeButton } from "./theme.js";

/**
 * A page fills the main element and may return what has to happen when one leaves it.
 * @typedef {(main: HTMLElement, id: string) => Promise<(() => void) | void>} Page
 */

/** @type {[RegExp, () => Promise<Page>][]} */
const PAGES = [
  [/^\/$/, () => import("../pages/home.js").then((page) => page.homePage)],
  [/^\/new\/([a-z0-9]+)$/, () => import("../pages/setup.js").then((page) => page.setupPage)],
  [/^\/t\/([\w-]+)$/, () => import("../table/table.js").then((page) => page.tablePage)],
  [/^\/learn\/([a-z0-9]+)$/, () => import("../pages/lesson.js").then((page) => page.lessonPage)],
  [/^\/rules\/([a-z0-9]+)$/, () => import("../pages/rules.js").then((page) => page.rulesPage)],
  [/^\/puzzle(?:\/([a-z0-9]+))?$/, () => import("../pages/puzzle.js").then((page) => page.puzzlePage)],
  [/^\/progress$/, () => import("../pages/progress.js").then((page) => page.progressPage)],
  [/^\/report\/([\w-]+)$/, () => import("../pages/report.js").then((page) => page.reportPage)],
];

/** after how many milliseconds people are told that something takes long */
const SOON = 400;

/** @type {(() => void) | void} */
let leave;
let visit = 0;
/** the path of the page that is shown */
let shown = "";
/** the languages that the reader would like, the best first @type {readonly string[]} */
let wanted = ["en"];
/** whether the whole catalogue is loaded, not only the texts of the first page */
let complete = false;

async function show() {
  const mine = ++visit;
  shown = currentPath();
  leave?.();
  leave = undefined;
  document.body.classList.remove("at-table");
  for (const open of document.querySelectorAll("dialog")) open.close();
  const main = h("main", { id: "main", tabindex: "-1" });
  document.getElementById("main")?.replaceWith(main);
  window.setTimeout(() => {
    if (!main.childElementCount) main.append(h("p", { class: "muted loading" }, t("One moment …")));
  }, SOON);
  const other = elsewhere();
  if (other) return location.replace(other);
  const path = currentPath();
  const found = PAGES.find(([pattern]) => pattern.test(path));
  try {
    if (path !== "/") await allTexts();
    if (!found) throw new Refusal(t("There is no such page."), 404);
    const page = await found[1]().catch(notLoaded);
    if (mine !== visit) return;
    const after = await page(main, found[0].exec(path)?.[1] ?? "");
    if (mine === visit) leave = after;
    else after?.();
    window.dispatchEvent(new Event("pasch-loaded"));
  } catch (error) {
    if (mine === visit) showFailure(main, error);
  }
  if (mine !== visit) return;
  const heading = main.querySelector("h1")?.textContent;
  document.title = heading && path !== "/" ? `${heading} · Pasch` : "Pasch";
  if (mine > 1) main.focus({ preventScroll: true });
  const section = document.getElementById(location.hash.slice(1));
  if (section) section.scrollIntoView();
  else window.scrollTo(0, 0);
}

/**
 * A module is missing; browsers do not ask for it twice, so `boot.js` loads everything again.
 * @param {unknown} error
 * @returns {never}
 */
function notLoaded(error) {
  window.dispatchEvent(new Event("pasch-not-loaded"));
  console.error(error);
  throw new Refusal(t("The server is busy. Pasch keeps trying …"), 503);
}

/**
 * @param {HTMLElement} main
 * @param {unknown} error
 */
function showFailure(main, error) {
  if (!(error instanceof Refusal)) console.error(error);
  const refusal = error instanceof Refusal ? error : null;
  const [title, why] =
    refusal?.status === 404
      ? [t("There is nothing here"), t("Perhaps the address is not complete.")]
      : refusal?.status === 0
        ? [refusal.message, t("Pasch may have been stopped, or there is no network. Your games are kept; nothing is lost.")]
        : [refusal?.message ?? t("Something went wrong."), ""];
  main.replaceChildren(
    h(
      "section",
      { class: "card narrow stack" },
      h("h1", null, title),
      why && h("p", null, why),
      h(
        "div",
        { class: "row" },
        refusal?.status !== 404 && h("button", { class: "button primary", type: "button", onclick: () => location.reload() }, t("Try again")),
        link("/", { class: refusal?.status === 404 ? "button primary" : "button" }, t("To the games")),
      ),
    ),
  );
}

function logo() {
  return svg(
    "svg",
    { viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("rect", { class: "die-a", x: 1, y: 1, width: 19, height: 19, rx: 5 }),
    svg("circle", { class: "pip-a", cx: 6.5, cy: 6.5, r: 2 }),
    svg("rect", { class: "die-b", x: 12, y: 12, width: 19, height: 19, rx: 5 }),
    svg("circle", { class: "pip-b", cx: 17.5, cy: 17.5, r: 2 }),
    svg("circle", { class: "pip-b", cx: 25.5, cy: 25.5, r: 2 }),
  );
}

/** At a table there is no room for it; the settings have the same. */
function languageChoice() {
  const choose = (/** @type {Event} */ event) => {
    setSettings({ language: /** @type {HTMLSelectElement} */ (event.target).value });
    start();
  };
  return h(
    "select",
    { class: "language", "aria-label": t("Language"), "data-key": "language", onchange: choose },
    languageNames().map(([tag, name]) => h("option", { value: tag, lang: tag, selected: tag === currentLanguage() }, name)),
  );
}

/** Go to the content; the address stays, which on a site names the page. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function frame() {
  const openSettings = () => import("../pages/settings.js").then((module) => module.openSettings(start));
  document.body.replaceChildren(
    h("a", { class: "skip button", href: "#main", onclick: skip }, t("Skip to the content")),
    h(
      "header",
      { class: "top" },
      link("/", { class: "brand" }, logo(), h("span", null, "Pasch"), h("span", { class: "unseen" }, t("to the games"))),
      h("div", { class: "row", id: "tools" }),
      languageChoice(),
      themeButton(),
      h(
        "button",
        { class: "button plain icon", type: "button", "aria-label": t("Settings"), "data-key": "settings", onclick: openSettings },
        icon("settings"),
      ),
    ),
    h("div", { id: "banner", role: "status" }),
    h("main", { id: "main", tabindex: "-1" }),
    h("div", { id: "live", class: "unseen", "aria-live": "polite" }),
  );
}

/**
 * Load the texts in the best language; those of the first page alone are fewer, so that it shows quickly.
 * @param {boolean} [first]
 */
async function loadCatalogue(first = false) {
  const answer = await fetchPatiently(catalogueAddress(wanted, first));
  if (!answer.ok) throw new Refusal("", answer.status);
  setLanguage(await answer.json());
  complete = !first;
}

/** Draw everything, in the language that is set. */
async function start() {
  const { language, still } = settings();
  wanted = language ? [language] : [...navigator.languages, "en"];
  try {
    await loadCatalogue(currentPath() === "/");
  } catch {
    setLanguage({ language: "en", languages: ["en"], forms: { one: 0, other: 1 }, templates: {} });
  }
  document.documentElement.lang = currentLanguage();
  document.documentElement.classList.toggle("still", still);
  applyTheme();
  frame();
  await show();
}

window.addEventListener("popstate", (event) => {
  // browsers say so of a section of the same page, too
  if (!event.isTrusted || currentPath() !== shown) show();
});
setLoader(async () => {
  // without the rest, the texts of the first page are better than none
  if (!complete) await loadCatalogue().catch(() => {});
});
await start();
import("../offline/install.js").then((offline) => (engineHere() ? offline.begin() : offline.prepareServer()));
