// @ts-check
/** Playing again: the same people at a new table, as soon as all of them have agreed. */
import * as device from "../app/device.js";
import { h } from "../app/dom.js";
import { go, link } from "../app/frame.js";
import { list, t, tn } from "../app/i18n.js";
import { nameOf, stillToAgree } from "./play.js";

/** @typedef {import("./play.js").Play} Play */

/** Whether the game is over. @param {import("../app/types.js").TableInfo} info */
export function isOver({ phase }) {
  return phase === "over" || phase === "adjudicated";
}

/** Whether we have asked for another game. @param {Play} play */
function asked({ yours, info }) {
  return yours.some((seat) => info.seats[seat]?.again);
}

/** @param {Play} play @param {boolean} agree */
function again(play, agree) {
  play.actions.command({ type: "rematch", agree });
}

/**
 * The button to play again: for those who play, and for who made a table of computers.
 * @param {Play} play
 */
export function againButton(play) {
  if (!play.yours.length && !play.maker) return null;
  return h("button", { class: "button", type: "button", "data-key": "again", disabled: play.busy || asked(play), onclick: () => again(play, true) }, t("Play again"));
}

/**
 * The link to play again after looking at a game: with the same people for who has a seat there, otherwise at a table of
 * one's own.
 * @param {string} id
 * @param {string} game
 */
export function againLink(id, game) {
  const seated = Object.keys(device.table(id)?.tokens ?? {}).length > 0;
  const ask = () => device.rememberTable(id, { again: true });
  const way = link(seated ? `/t/${id}` : `/new/${game}`, { class: "button primary", "data-key": "again" }, t("Play again"));
  if (seated) way.addEventListener("click", ask, { capture: true });
  return way;
}

/** Ask for another game, if somebody came for that. @param {Play} play */
export function askAgain(play) {
  if (!device.table(play.id)?.again) return;
  device.rememberTable(play.id, { again: undefined });
  if (isOver(play.info) && !asked(play)) again(play, true);
}

/** Who would like to play again, and who is waited for. @param {Play} play */
export function againCard(play) {
  if (!isOver(play.info) || !play.yours.length) return null;
  const others = play.info.seats.flatMap((seat, number) => (seat.again && !play.yours.includes(number) ? [nameOf(play, number)] : []));
  const mine = asked(play);
  if (!mine && !others.length) return null;
  const missing = stillToAgree(play, (seat) => seat.again);
  return h(
    "section",
    { class: "card stack narrow", "data-key": "asked-again" },
    others.length > 0 && h("h2", null, wantToPlay(others)),
    mine && missing.length > 0 && h("p", null, t("You play again as soon as all agree. Still to agree: {names}", { names: list(missing) })),
    h(
      "div",
      { class: "row" },
      mine
        ? h("button", { class: "button", type: "button", "data-key": "rather-not", onclick: () => again(play, false) }, t("Rather not"))
        : h("button", { class: "button primary", type: "button", "data-key": "agree-again", onclick: () => again(play, true) }, t("Play again")),
    ),
  );
}

/** @param {string[]} names */
export function wantToPlay(names) {
  return tn("{names} would like to play again.", "{names} would like to play again.", names.length, { names: list(names) });
}

/**
 * Go to the table where the same people play again; what this device may do at the old one it may do there.
 * @param {string} id
 * @param {string} next
 */
export function goOn(id, next) {
  const known = device.table(id);
  if (known && !device.table(next)) {
    const { home, game, title, tokens, maker, watch, names } = known;
    device.rememberTable(next, { home, game, title, tokens, maker, watch, names });
  }
  go(`/t/${next}`, true);
}
