// @ts-check
/** A bar at the foot of the page that shows how far the games are loaded, on a site without a server. */
import { h } from "../app/dom.js";
import { startEngine, watchEngine } from "./engine.js";
import { t } from "../app/i18n.js";

/** Start the engine, and show how far it is until it is there. */
export function showProgress() {
  const bar = h("progress", { max: 100, "aria-label": t("Loading the games …") });
  const words = h("span", null);
  const again = h("button", { class: "button", type: "button", hidden: true, onclick: () => location.reload() }, t("Try again"));
  const shown = h("div", { class: "engine-bar" }, words, bar, again);
  /** when this many milliseconds have passed it is worth saying something */
  const timer = window.setTimeout(() => document.body.append(shown), 300);
  const stop = watchEngine(({ stage, done, total }) => {
    const failed = stage === "failed";
    // what was fetched is read again, from this device; nobody wants to see the bar begin anew
    if (stage === "loading") bar.value = Math.max(bar.value, Math.min(95, (95 * done) / total));
    else if (stage === "starting") bar.value = 97;
    bar.hidden = failed;
    again.hidden = !failed;
    words.textContent = failed ? t("The games could not be loaded.") : t("Loading the games …");
    if (failed) {
      shown.setAttribute("role", "alert");
      document.body.append(shown);
    }
    if (stage === "ready") {
      clearTimeout(timer);
      shown.remove();
    }
  });
  startEngine();
  return stop;
}
