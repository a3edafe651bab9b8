// @ts-check
/** Who plays, how it stands, whose turn it is. Touching one shows its board. */
import { icon } from "../app/frame.js";
import { number, t, tn } from "../app/i18n.js";
import { h } from "../vendor/preact.js";
import { scoreShown } from "./ending.js";
import { pictureOf, seatLevel, seatName, whoIs } from "./people.js";
import { reactionOf } from "./reactions.js";
import { boardModel, largeSeat } from "./view.js";

/** @import { Model } from "./controller.js" */

/** What a seat is or does, in a few words. @param {Model} model @param {number} seat */
function aboutSeat({ info, mySeats }, seat) {
  const at = info.seats[seat];
  if (!at) return "";
  if (at.kind === "open") return t("seat is free");
  if (at.kind === "computer") {
    if (at.simplified) return t("for now a simpler player");
    return at.lent ? t("the computer plays for {name}", { name: seatName(info, seat) }) : t("computer, {level}", { level: seatLevel(info, seat) });
  }
  return mySeats.includes(seat) ? t("here") : at.online ? t("online") : t("away");
}

/** @param {Model} model */
export function seats(model) {
  const { info, turn, over, commands, board, mySeats } = model;
  const drawn = boardModel(model);
  const small = info.players > 2 ? board.smallBoard : null;
  const large = largeSeat(model);
  return h(
    "div",
    { class: `seats${small ? " small-boards" : ""}`, role: "group", "aria-label": t("Seats") },
    info.seats.map((seat, number_) => {
      const away = seat.kind !== "computer" && !seat.online && !mySeats.includes(number_);
      const on = number_ === turn && !over;
      const score = scoreShown(model, number_);
      const title = seat.simplified ? t("{name} is still working things out, or the server is busy. Until then a simpler player moves.", { name: seatName(info, number_) }) : seatName(info, number_);
      return h(
        "button",
        {
          key: number_, title, type: "button", class: `seat${on ? " on" : ""}${away ? " out" : ""}${number_ === large ? " shown" : ""}`, "data-key": `seat-${number_}`, "aria-current": on ? "true" : null,
          onClick: () => commands.look(number_ === model.looking ? null : number_),
        },
        pictureOf(info, number_),
        h("span", { class: "name" }, whoIs(model, number_)),
        h("span", { class: "says" }, board.seatNote(drawn, number_) || aboutSeat(model, number_)),
        h("span", { class: "score" }, number(score), h("span", { class: "unseen" }, tn("point", "points", score))),
        small && h("span", { class: "mini-board" }, small(drawn, number_)),
        reactionOf(model, number_),
      );
    }),
    small && model.small && h("button", { key: "all", type: "button", class: `seat all${model.looking === "all" ? " shown" : ""}`, "data-key": "all-boards", "aria-label": t("All boards"), onClick: () => commands.look(model.looking === "all" ? null : "all") }, icon("grid")),
  );
}
