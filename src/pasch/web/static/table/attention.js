// @ts-check
/** For who looks elsewhere: the tab's title says whose turn it is, and a notification comes if it is wanted. */
import { statusText } from "./controls.js";
import { t, word } from "../app/i18n.js";
import { notify } from "../app/notify.js";
import { acting, nameOf, yourTurn } from "./play.js";
import { isOver } from "./rematch.js";

/** @typedef {import("./play.js").Play} Play */

/** Whose turn it is, in a few words. @param {Play} play */
function turnText(play) {
  if (isOver(play.info)) return statusText(play);
  if (play.info.phase === "waiting") return t("Waiting …");
  if (yourTurn(play)) return t("● Your turn");
  const seat = acting(play);
  return seat < 0 ? "" : t("{name}’s turn", { name: nameOf(play, seat) });
}

/** What stands on the tab. @param {Play} play */
export function tabTitle(play) {
  return [turnText(play), word(play.info.title), "Pasch"].filter(Boolean).join(" · ");
}

/** Tell who looks elsewhere that it is their turn. @param {Play} play */
export function notifyTurn(play) {
  if (document.hidden) notify(t("It is your turn"), { body: word(play.info.title), tag: `pasch-${play.id}` });
}
