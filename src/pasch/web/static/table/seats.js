// @ts-check
/** The row of seats: who plays, how it stands, whose turn it is. Touching one shows its board. */
import { h } from "../app/dom.js";
import { number as shownNumber, t, tn } from "../app/i18n.js";
import { badge } from "../board/pieces.js";
import { acting, nameOf, seatLevel, whoIs } from "./play.js";
import { reactionOf } from "./reactions.js";

/**
 * @param {import("./play.js").Play} play
 * @param {number} shown the seat whose board is shown, if only one is
 */
export function seatRow(play, shown) {
  const { info, position } = play;
  const turn = info.phase === "playing" ? acting(play) : -1;
  return info.seats.map((seat, number) => {
    const name = nameOf(play, number);
    const ended = play.ending ? play.ending.totals[number] : undefined;
    const score = ended ?? position.scores[number] ?? 0;
    const won = info.phase !== "playing" && !play.ending && position.winners.includes(number);
    const here = play.yours.includes(number);
    const about = won
      ? t("wins")
      : seat.kind === "open"
        ? t("seat is free")
        : seat.kind === "computer"
          ? seat.simplified
            ? t("for now a simpler player")
            : seat.lent ? t("the computer plays for {name}", { name }) : seatLevel(info, number)
          : here
            ? t("here")
            : seat.online ? t("online") : t("away");
    return h(
      "button",
      {
        title: seat.simplified
          ? t("{name} is still working things out, or the server is busy. Until then a simpler player moves.", { name })
          : name,
        type: "button",
        class: `seat${number === turn ? " turn" : ""}${number === shown && !play.wide && info.seats.length > 1 ? " shown" : ""}`,
        "data-key": `seat-${number}`,
        "aria-current": number === turn ? "true" : null,
        onclick: () => play.actions.look(number),
      },
      h("span", { class: seat.kind === "computer" || seat.online || here ? "sign" : "sign away", "aria-hidden": "true" }, badge(number)),
      h("span", { class: "who" }, whoIs(play, number)),
      h("span", { class: "score" }, won && "★ ", shownNumber(score), h("span", { class: "unseen" }, tn("point", "points", score))),
      h("span", { class: "sub" }, about),
      reactionOf(play, number),
    );
  });
}
