// @ts-check
/**
 * The page's side of the service worker (`sw.js`): keeps the site on this device, says how far that is, and takes a new
 * version when no game is under way, or when the person wants it.
 */
import { t } from "../app/i18n.js";
import { asset, currentPath, engineHere } from "../app/addresses.js";
import { h, render } from "../vendor/preact.js";

/** how often a page that stays open looks for a new version, in milliseconds */
const LOOK_EVERY_MS = 60 * 60 * 1000;

/** @type {Promise<ServiceWorkerRegistration | null> | null} */
let registered = null;
let looked = 0;
let reloading = false;

/** after how many milliseconds a new version that somebody asked for is loaded without waiting for the former one */
const FORCE_AFTER_MS = 3000;

const supported = () => engineHere() && "serviceWorker" in navigator;

/**
 * Keep the site on this device from now on, which fetches all of it.
 * @returns {Promise<ServiceWorkerRegistration | null>} null where browsers keep nothing: in private windows, or without https
 */
export function keep() {
  registered ??= register();
  return registered;
}

async function register() {
  if (!supported()) return null;
  const registration = await navigator.serviceWorker.register(asset("sw.js"), { updateViaCache: "none" }).catch(() => null);
  if (registration) follow(registration);
  return registration;
}

/**
 * Wait until the engine's files are best fetched: when the service worker has them, or has given up. So each is fetched
 * only once.
 * @param {(done: number, total: number) => void} report called with the bytes received
 */
export async function ready(report) {
  if (!supported() || navigator.serviceWorker.controller) return;
  const registration = await keep();
  const worker = registration?.installing ?? registration?.waiting ?? registration?.active;
  // with one that is active already the page was loaded past it, by force, and will not be given to it
  if (!worker || registration?.active?.state === "activated") return;
  const container = navigator.serviceWorker;
  const progress = (/** @type {MessageEvent} */ { data }) => {
    if (data?.type === "progress") report(data.done, data.total);
  };
  container.addEventListener("message", progress);
  await new Promise((/** @type {(done: void) => void} */ done) => {
    const check = () => {
      if (container.controller || worker.state === "redundant") done();
    };
    container.addEventListener("controllerchange", check);
    worker.addEventListener("statechange", check);
    check();
  });
  container.removeEventListener("message", progress);
}

/** Whether somebody would lose sight of what they are doing if the page were loaded again. */
const busy = () => currentPath() !== "/" || document.querySelector("dialog[open]") !== null;

/** Use the new version: at once if the person wants it, otherwise only where nothing is under way. @param {boolean} asked */
async function takeOver(asked) {
  const registration = await keep();
  if (!registration?.waiting) return;
  if (asked || !busy()) registration.waiting.postMessage({ type: "take-over", asked });
  else offer();
  if (asked) window.setTimeout(() => loadAnyway(registration), FORCE_AFTER_MS);
}

/**
 * Browsers keep a version back, for minutes, while the former one has requests under way, even those of a page that was
 * left in the middle of loading. With a network the former one can be given up; all that is kept stays.
 * @param {ServiceWorkerRegistration} registration
 */
async function loadAnyway(registration) {
  const answer = await fetch(asset("sw.js"), { cache: "no-store" }).catch(() => null);
  if (reloading || !answer?.ok) return;
  reloading = true;
  await registration.unregister();
  location.reload();
}

/** where the new version is offered; null while it is not @type {HTMLElement | null} */
let offered = null;

/** Say that there is a new version; not at a table, where it would disturb. */
function offer() {
  withdraw();
  if (document.body.classList.contains("at-table")) return;
  offered = document.createElement("div");
  document.body.append(offered);
  render(
    h("div", { class: "update banner", role: "status" }, h("span", null, t("There is a new version.")), h("button", { class: "button primary", type: "button", "data-key": "update", onClick: () => takeOver(true) }, t("Load it"))),
    offered,
  );
}

function withdraw() {
  offered?.remove();
  offered = null;
}

/** Follow a new version while it is being fetched. @param {ServiceWorkerRegistration} registration */
function follow(registration) {
  if (registration.waiting) Promise.resolve().then(() => takeOver(false));
  registration.addEventListener("updatefound", () => {
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "installed" && navigator.serviceWorker.controller) takeOver(false);
    });
  });
}

async function look() {
  if (Date.now() - looked < LOOK_EVERY_MS) return;
  looked = Date.now();
  // without a network the version at hand will do
  await (await keep())?.update().catch(() => {});
}

/**
 * On a server's page: have something to show without a network. People who have installed the app get the server's site, with
 * which the games of this device continue.
 */
export async function prepareServer() {
  if (!("serviceWorker" in navigator)) return;
  const container = navigator.serviceWorker;
  // without https there is none, nor in private windows
  await container.register(asset("sw.js"), { updateViaCache: "none" }).catch(() => null);
  const { app } = document.documentElement.dataset;
  if (!app) return;
  const fetchSite = () => container.register(asset("app/sw.js"), { updateViaCache: "none" }).catch(() => null);
  if (matchMedia("(display-mode: standalone)").matches) fetchSite();
  window.addEventListener("appinstalled", fetchSite);
}

/**
 * Start the engine while people choose a game: at once where all is on this device, or where a table is to be shown;
 * otherwise at the first touch, because a visitor who only looks in should not have to fetch all of it.
 */
export function begin() {
  const start = () => import("./engine_bar.js").then((bar) => bar.showProgress());
  if (currentPath() !== "/" || (supported() && navigator.serviceWorker.controller)) start();
  else {
    const touched = new AbortController();
    for (const kind of ["pointerdown", "keydown"]) {
      window.addEventListener(kind, () => { touched.abort(); start(); }, { signal: touched.signal });
    }
  }
  if (supported()) watchVersions(navigator.serviceWorker);
}

/** Watch for new versions, if the site is kept on this device. @param {ServiceWorkerContainer} container */
async function watchVersions(container) {
  let had = container.controller !== null;
  container.addEventListener("controllerchange", () => {
    // the first one keeps what the page has already; a later one has other files
    if (had && !reloading) {
      reloading = true;
      location.reload();
    }
    had = true;
  });
  container.addEventListener("message", ({ data }) => {
    if (data?.type === "not-alone") offer();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && container.controller) look();
  });
  // leaving a table, or coming home
  window.addEventListener("pasch-loaded", async () => {
    withdraw();
    if (registered) takeOver(false);
  });
  if (!container.controller) return;
  looked = Date.now();
  await keep();
}
