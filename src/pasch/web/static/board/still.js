// @ts-check
/** A position to look at: in the rules, in the report, in a finished game. Nothing can be touched. */
import { t } from "../app/i18n.js";
import { isYou, pictureOf, seatLevel, seatName, whoIs } from "../table/people.js";
import { turnOf } from "../table/timeline.js";
import { h } from "../vendor/preact.js";

/**
 * @param {{info: import("../app/types.js").TableInfo, position: import("../app/types.js").Position, before?: import("../app/types.js").Position | null,
 *   recent?: import("./model.js").Happening[], mySeats?: readonly number[]}} still
 * @returns {import("./model.js").BoardModel}
 */
export function stillModel({ info, position, before = null, recent = [], mySeats = [] }) {
  const seated = { info, mySeats };
  return {
    state: position.snapshot,
    before: (before ?? position).snapshot,
    marks: position.marks,
    box: info.components,
    options: info.options,
    fields: info.fields ?? [],
    seats: info.players,
    scores: position.scores,
    winners: position.winners,
    turn: turnOf(position),
    over: position.actor === -2,
    roll: null,
    recent,
    story: null,
    chooser: null,
    awaits: false,
    moves: [],
    chosen: new Set(),
    possible: new Set(),
    tokens: [],
    choice: null,
    uses: null,
    small: true,
    name: (seat) => seatName(info, seat),
    who: (seat) => whoIs(seated, seat),
    you: (seat) => isYou(seated, seat),
    portrait: (seat) => pictureOf(info, seat),
    role: (seat) => (info.seats[seat]?.kind === "computer" ? t("computer, {level}", { level: seatLevel(info, seat) }) : ""),
    touch: (_, label) => ({ role: "img", "aria-label": label, class: "" }),
  };
}

/**
 * A position drawn: what all share, what one seat has in front of it, and the dice.
 * @param {import("./model.js").Board} board
 * @param {import("./model.js").BoardModel} model
 * @param {number} seat whose board
 */
export function still(board, model, seat) {
  const own = board.seatBoard?.(model, seat);
  return [h("div", { class: "board" }, board.board(model)), own && h("div", { class: "boards" }, h("section", { class: "place large" }, own)), h("div", { class: "zone" }, board.zone(model))];
}

/** The same for a small screen. @type {typeof still} */
export function stillSmall(board, model, seat) {
  return board.smallBoard ? [h("div", { class: "mb" }, board.smallBoard(model, seat)), h("div", { class: "zone" }, board.zone(model))] : still(board, model, seat);
}
