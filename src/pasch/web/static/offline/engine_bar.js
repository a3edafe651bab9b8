// @ts-check
/** A bar at the foot of the page that shows how far the games are loaded, on a site without a server. */
import { t } from "../app/i18n.js";
import { h, render } from "../vendor/preact.js";
import { startEngine, watchEngine } from "./engine.js";

/** what starts sooner needs no bar, in milliseconds */
const SHOW_AFTER_MS = 300;

/** Start the engine, and show how far it is until it is there. */
export function showProgress() {
  const place = document.createElement("div");
  let value = 0;
  let due = false;
  /** @type {import("./engine.js").Progress["stage"]} */
  let stage = "waiting";
  const draw = () => {
    const failed = stage === "failed";
    const shown = (due || failed) && stage !== "ready";
    if (shown && !place.isConnected) document.body.append(place);
    if (!shown) return place.remove();
    render(
      h(
        "div",
        { class: "engine-bar", role: failed ? "alert" : null },
        h("span", null, failed ? t("The games could not be loaded.") : t("Loading the games …")),
        failed ? h("button", { class: "button", type: "button", onClick: () => location.reload() }, t("Try again")) : h("progress", { max: 100, value: value || undefined, "aria-label": t("Loading the games …") }),
      ),
      place,
    );
  };
  window.setTimeout(() => {
    due = true;
    draw();
  }, SHOW_AFTER_MS);
  const stop = watchEngine((progress) => {
    ({ stage } = progress);
    // what was fetched is read again, from this device; nobody wants to see the bar begin anew
    if (stage === "loading") value = Math.max(value, Math.min(95, (95 * progress.done) / progress.total));
    else if (stage === "starting") value = 97;
    draw();
  });
  startEngine();
  return stop;
}
