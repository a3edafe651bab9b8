// @ts-check
/** What stands above the boards: who is waited for, who is away, what we have missed, the game explained. */
import { awayCard, missedCard } from "./absence.js";
import { h } from "../app/dom.js";
import { endCard } from "./earlyend.js";
import { howtoCard } from "../pages/howto.js";
import { list, t, tn } from "../app/i18n.js";
import { waitingCard } from "./invite.js";
import { covered, nameOf, stillToAgree } from "./play.js";
import { againCard } from "./rematch.js";
import { levelName } from "../app/words.js";

/** @typedef {import("./play.js").Play} Play */

/** @param {Play} play */
export function notices(play) {
  const howto = play.info.phase === "playing" && play.yours.length > 0 && !covered(play);
  return [
    ...play.yours.map((seat) => standInCard(play, seat)),
    !covered(play) && missedCard(play),
    ...(awayCard(play) ?? []),
    endCard(play),
    undoCard(play),
    againCard(play),
    howto && howtoCard(play.game, play.info, play.actions.draw),
    waitingCard(play),
  ];
}

/**
 * What the computer did on a seat of ours, until the seat is taken back or the card is closed.
 * @param {Play} play
 * @param {number} number
 */
function standInCard(play, number) {
  const seat = play.info.seats[number];
  const done = seat?.stand_in;
  if (!done || play.dismissed.has(done.since)) return null;
  const level = levelName(seat.level ?? "");
  const text = !done.moves
    ? t("The computer ({level}) plays for you.", { level })
    : done.absent
      ? tn("While you were away, the computer ({level}) made {n} move for you.", "While you were away, the computer ({level}) made {n} moves for you.", done.moves, { level })
      : tn("The computer ({level}) has made {n} move for you.", "The computer ({level}) has made {n} moves for you.", done.moves, { level });
  const close = () => {
    play.dismissed.add(done.since);
    play.actions.draw();
  };
  const back = () => play.actions.command({ type: "person", seat: number });
  return h(
    "section",
    { class: "card stack narrow", "data-key": `stand-in-${number}` },
    play.yours.length > 1 && h("strong", null, nameOf(play, number)),
    h("p", null, text),
    done.moves > 0 && h("p", { class: "muted small" }, t("The list of what happened marks these moves.")),
    h(
      "div",
      { class: "row" },
      play.info.phase === "playing" && h("button", { class: "button primary", type: "button", "data-key": `take-back-${number}`, onclick: back }, t("Play myself again")),
      h("button", { class: "button", type: "button", "data-key": `seen-${number}`, onclick: close }, t("Close")),
    ),
  );
}

/** Somebody wants to take a move back, and it depends on us too. @param {Play} play */
function undoCard(play) {
  const { info, yours, position } = play;
  if (info.phase !== "playing" || position.undo === null || !info.seats.some((seat) => seat.undoes)) return null;
  const missing = stillToAgree(play, (seat) => seat.undoes);
  const waiting = h("p", { class: "muted small" }, t("Still to agree: {names}", { names: list(missing) }));
  if (!yours.some((seat) => !info.seats[seat]?.undoes)) return h("section", { class: "card stack narrow", "data-key": "undo-asked" }, h("p", null, t("You asked to take your move back.")), waiting);
  const answer = (/** @type {boolean} */ agree) => () => play.actions.command({ type: "undo", agree });
  return h(
    "section",
    { class: "card stack narrow", "data-key": "asked-to-undo" },
    h("p", null, t("{name} would like to take the last move back.", { name: nameOf(play, position.undo) })),
    h(
      "div",
      { class: "row" },
      h("button", { class: "button primary", type: "button", "data-key": "agree-to-undo", onclick: answer(true) }, t("Agree")),
      h("button", { class: "button", type: "button", "data-key": "refuse-undo", onclick: answer(false) }, t("No, it stands")),
    ),
    waiting,
  );
}
