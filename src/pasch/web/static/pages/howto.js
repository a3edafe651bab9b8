// @ts-check
/** A game in a few sentences, for those who play it for the first time on this device. */
import * as device from "../app/device.js";
import { dialog, link } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { h } from "../vendor/preact.js";
import { inline } from "./markdown.js";

/** @import { GameInfo } from "../app/api.js" */
/** @import { TableInfo } from "../app/types.js" */

/** The sentences that hold at a table. @param {GameInfo} game @param {TableInfo} table */
function steps({ howto }, table) {
  /** @type {Record<string, unknown>} */
  const agreed = { ...table.options, players: table.players };
  const hold = howto.filter(({ when }) => Object.entries(when).every(([name, values]) => values.includes(agreed[name])));
  return h("ol", { class: "steps" }, hold.map(({ text }, at) => h("li", { key: at }, inline(text))));
}

/** where the card would leave nothing of the table; nor does it where real dice are read off */
const LITTLE_ROOM = "(max-height: 30rem)";

/** by table where the game is new to this device: whether the card is unfolded @type {Map<string, boolean>} */
const cards = new Map();

/**
 * The card over the boards, until somebody has understood or plays; after that it waits behind the "?".
 * @param {GameInfo} game
 * @param {TableInfo} table
 * @param {() => void} redraw
 */
export function howtoCard(game, table, redraw) {
  if (!cards.has(table.id)) {
    if (!game.howto.length || device.explained().includes(game.id)) return null;
    cards.set(table.id, table.dice !== "real" && !matchMedia(LITTLE_ROOM).matches);
  }
  const understood = () => {
    device.rememberExplained(game.id);
    cards.delete(table.id);
    redraw();
  };
  const toggled = (/** @type {Event} */ event) => {
    const { open } = /** @type {HTMLDetailsElement} */ (event.target);
    if (cards.has(table.id)) cards.set(table.id, open);
  };
  return h(
    "details",
    { key: "howto", class: "sheet howto", open: cards.get(table.id), onToggle: toggled },
    h("summary", { "data-key": "fold-howto" }, t("How to play")),
    steps(game, table),
    h(
      "div",
      { class: "row" },
      h("button", { class: "button", type: "button", "data-key": "understood", onClick: understood }, t("Got it")),
      link(`/rules/${game.id}`, {}, t("All the rules")),
      game.lesson && link(`/learn/${game.id}`, {}, t("Learn it in three minutes")),
    ),
  );
}

/** Somebody plays: the card disappears, and does not come back at the next table. @param {TableInfo} table */
export function foldHowto(table) {
  device.rememberExplained(table.game);
  if (cards.has(table.id)) cards.set(table.id, false);
}

/** The same for those who ask for it later. @param {GameInfo} game @param {TableInfo} table */
export function explain(game, table) {
  dialog(game.title, (close) => [
    steps(game, table),
    h("div", { class: "row" }, h("button", { class: "button primary", type: "button", onClick: close }, t("Got it")), link(`/rules/${game.id}`, { class: "button" }, t("All the rules"))),
  ]);
}
