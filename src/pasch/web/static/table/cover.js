// @ts-check
/** Several people at one screen: the hand stays hidden until the next person confirms to be there. */
import { h } from "../app/dom.js";
import { t } from "../app/i18n.js";
import { nameOf, whoseCards } from "./play.js";

/** What lies over the boards. @param {import("./play.js").Play} play */
export function cover(play) {
  const name = nameOf(play, whoseCards(play) ?? 0);
  return h(
    "section",
    { class: "card cover" },
    h("h2", null, play.position.awaits === "read" ? t("Now {name} enters their cards", { name }) : t("Now it is {name}’s turn", { name })),
    h("p", { class: "muted" }, t("Hand the screen to {name}. The cards stay hidden until you say that it is you.", { name })),
  );
}
