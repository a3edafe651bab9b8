// @ts-check
/** Pasch in the browser: picks the language, draws the frame, and shows the page that the address names. */
import { Refusal } from "./api.js";
import { settings } from "./device.js";
import { link, messageCard } from "./frame.js";
import { allTexts, currentLanguage, setLanguage, setLoader, t } from "./i18n.js";
import { catalogueAddress, currentPath, elsewhere, engineHere } from "./addresses.js";
import { fetchWithRetries } from "./retry.js";
import { drawShell, freshMain } from "./shell.js";
import { applySettings } from "./theme.js";
import { h, render } from "../vendor/preact.js";

/**
 * A page fills the main element and may return what has to happen when one leaves it.
 * @typedef {(main: HTMLElement, id: string) => Promise<(() => void) | void>} Page
 */

/** @type {[RegExp, () => Promise<Page>][]} */
const PAGES = [
  [/^\/$/, () => import("../pages/home.js").then((page) => page.homePage)],
  [/^\/new\/([a-z0-9]+)$/, () => import("../pages/setup.js").then((page) => page.setupPage)],
  [/^\/t\/([\w-]+)$/, () => import("../table/page.js").then((page) => page.tablePage)],
  [/^\/learn\/([a-z0-9]+)$/, () => import("../pages/lesson.js").then((page) => page.lessonPage)],
  [/^\/rules\/([a-z0-9]+)$/, () => import("../pages/rules.js").then((page) => page.rulesPage)],
  [/^\/puzzle(?:\/([a-z0-9]+))?$/, () => import("../pages/puzzle.js").then((page) => page.puzzlePage)],
  [/^\/progress$/, () => import("../pages/progress.js").then((page) => page.progressPage)],
  [/^\/report\/([\w-]+)$/, () => import("../pages/report.js").then((page) => page.reportPage)],
];

/** the milliseconds after which the page says that something takes long */
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
  const main = freshMain();
  window.setTimeout(() => {
    if (!main.childElementCount && main.isConnected) render(h("p", { class: "muted loading" }, t("One moment …")), main);
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

/** @param {HTMLElement} main @param {unknown} error */
function showFailure(main, error) {
  if (!(error instanceof Refusal)) console.error(error);
  const refusal = error instanceof Refusal ? error : null;
  const [title, why] =
    refusal?.status === 404
      ? [t("There is nothing here"), t("Perhaps the address is not complete.")]
      : refusal?.status === 0
        ? [refusal.message, t("Pasch may have been stopped, or there is no network. Your games are kept; nothing is lost.")]
        : [refusal?.message ?? t("Something went wrong."), ""];
  const again = h("button", { class: "button primary", type: "button", onClick: () => location.reload() }, t("Try again"));
  const home = link("/", { class: refusal?.status === 404 ? "button primary" : "button" }, t("To the games"));
  render(messageCard(title, [why], refusal?.status !== 404 && again, home), main);
}

/**
 * Load the texts in the best language; those of the first page alone are fewer, so that it shows quickly.
 * @param {boolean} [first]
 */
async function loadCatalogue(first = false) {
  const answer = await fetchWithRetries(catalogueAddress(wanted, first));
  if (!answer.ok) throw new Refusal("", answer.status);
  setLanguage(await answer.json());
  complete = !first;
}

/** Draw everything, in the language that is set. */
async function start() {
  const { language } = settings();
  wanted = language ? [language] : [...navigator.languages, "en"];
  try {
    await loadCatalogue(currentPath() === "/");
  } catch {
    setLanguage({ language: "en", languages: ["en"], forms: { one: 0, other: 1 }, templates: {} });
  }
  document.documentElement.lang = currentLanguage();
  applySettings();
  drawShell(start);
  await show();
}

window.addEventListener("popstate", (event) => {
  // browsers say so of a section of the same page, too; another link to the table that is shown has another token
  if (!event.isTrusted || currentPath() !== shown || /^#(invite|watch)=/.test(location.hash)) show();
});
setLoader(async () => {
  // without the rest, the texts of the first page are better than none
  if (!complete) await loadCatalogue().catch(() => {});
});
await start();
import("../offline/install.js").then((offline) => (engineHere() ? offline.begin() : offline.prepareServer()));
