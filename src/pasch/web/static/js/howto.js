// @ts-check
/** A game in a few sentences, for whoever plays it for the first time on this device. */
import * as device from "./device.js";
import { h } from "./dom.js";
import { dialog, link } from "./frame.js";
import { t } from "./i18n.js";
import { inline } from "./markdown.js";

/** @typedef {import("./api.js").GameInfo} GameInfo */

/** @param {GameInfo} game */
function steps({ howto }) {
  return h("ol", { class: "steps" }, howto.map((sentence) => h("li", null, inline(sentence))));
}

/**
 * The card above the boards, until somebody has understood or played.
 * @param {GameInfo} game
 * @param {() => void} done
 */
export function howtoCard(game, done) {
  return h(
    "section",
    { class: "card narrow howto" },
    h("h2", null, t("How it goes")),
    steps(game),
    h(
      "div",
      { class: "row" },
      h("button", { class: "button", type: "button", "data-key": "understood", onclick: done }, t("Understood")),
      link(`/rules/${game.id}`, {}, t("All the rules")),
    ),
  );
}

/** Whether this device has never seen the game explained, and there is something to explain. @param {GameInfo} game */
export function isNew({ id, howto }) {
  return howto.length > 0 && !device.explained().includes(id);
}

/**
 * The same for whoever asks for it later.
 * @param {GameInfo} game
 */
export function explain(game) {
  dialog(game.title, (close) => [
    steps(game),
    h("div", { class: "row" }, h("button", { class: "button primary", type: "button", onclick: close }, t("Understood")), link(`/rules/${game.id}`, { class: "button" }, t("All the rules"))),
  ]);
}
