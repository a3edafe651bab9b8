// @ts-check
/** A game in a few sentences, for whoever plays it for the first time on this device. */
import * as device from "./device.js";
import { h } from "./dom.js";
import { dialog, link } from "./frame.js";
import { t } from "./i18n.js";
import { inline } from "./markdown.js";

/** @typedef {import("./api.js").GameInfo} GameInfo */

/** @typedef {import("./types.js").TableInfo} TableInfo */

/**
 * The sentences that hold at a table.
 * @param {GameInfo} game
 * @param {TableInfo} table
 */
function steps({ howto }, table) {
  /** @type {Record<string, unknown>} */
  const agreed = { ...table.options, players: table.players };
  const hold = howto.filter(({ when }) => Object.entries(when).every(([name, values]) => values.includes(agreed[name])));
  return h("ol", { class: "steps" }, hold.map(({ text }) => h("li", null, inline(text))));
}

/**
 * The card above the boards, until somebody has understood or played.
 * @param {GameInfo} game
 * @param {TableInfo} table
 * @param {() => void} done
 */
export function howtoCard(game, table, done) {
  return h(
    "section",
    { class: "card narrow howto" },
    h("h2", null, t("How it goes")),
    steps(game, table),
    h(
      "div",
      { class: "row" },
      h("button", { class: "button", type: "button", "data-key": "understood", onclick: done }, t("Understood")),
      link(`/rules/${game.id}`, {}, t("All the rules")),
      game.lesson && link(`/learn/${game.id}`, {}, t("Learn it in three minutes")),
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
 * @param {TableInfo} table
 */
export function explain(game, table) {
  dialog(game.title, (close) => [
    steps(game, table),
    h("div", { class: "row" }, h("button", { class: "button primary", type: "button", onclick: close }, t("Understood")), link(`/rules/${game.id}`, { class: "button" }, t("All the rules"))),
  ]);
}
