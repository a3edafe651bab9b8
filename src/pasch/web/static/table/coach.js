// @ts-check
/** The coach at the table: what the last move gave away, the better one on the board, and hints. */
import { dialog } from "../app/frame.js";
import { number, t } from "../app/i18n.js";
import { signed } from "../app/words.js";
import { h } from "../vendor/preact.js";
import { labelOf } from "./controls.js";
import { sayAt, seatName } from "./people.js";
import { boardModelAt } from "./view.js";

/** @import { Judgement } from "../app/types.js" */
/** @import { Model } from "./controller.js" */

/** smaller differences are not mentioned */
const NOTHING = 0.005;
const MAX_HINTS = 5;

/** Whether two events are the same. @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The move that the coach advises in the position on the table. @param {Model} model */
export function advised({ advice, moves }) {
  const best = advice?.moves[0];
  return best && moves.find((one) => same(one.event, best.event));
}

/** @param {Model} model */
export function coachCard(model) {
  const { advice, info, judgements, mySeats } = model;
  if (advice) return h("section", { key: "coach", class: "sheet coach", "aria-label": t("Coach") }, hints(model, advice));
  if (info.coach !== "moves" && info.coach !== "hints") return null;
  const last = judgements.filter((one) => one.kind === "move" && mySeats.includes(one.seat)).at(-1);
  return h("section", { key: "coach", class: "sheet coach", "aria-label": t("Coach") }, h("h2", null, t("Coach")), last ? judged(model, last) : h("p", { class: "muted" }, t("The coach speaks after your move.")));
}

/** @param {Model} model @param {Judgement} judgement */
function judged(model, { points, best, sentences, exact, version, seat }) {
  const before = model.positions.get(version - 1);
  const said = sentences.map((sentence) => sayAt(model.info, sentence));
  const better = points >= NOTHING;
  return h(
    "div",
    { class: "stack" },
    model.mySeats.length > 1 && h("strong", null, seatName(model.info, seat)),
    better ? h("p", null, t("This move gave away"), " ", h("span", { class: "tag bad" }, number(points, digitsOf(points, exact)))) : h("p", null, h("span", { class: "tag good" }, "✓"), " ", said.join(" ")),
    best && better && h("p", null, t("Better: {move}", { move: labelOf({ ...model, position: before ?? model.position }, best).text })),
    better && said.map((sentence) => h("p", { class: "small" }, sentence)),
    best && before && better && h("button", { class: "button", type: "button", "data-key": "show-best", onClick: () => showOnBoard(model, before, best) }, t("Show it on the board")),
    !exact && h("p", { class: "muted small" }, t("Estimated, not exact.")),
  );
}

/** Estimates are not shown in hundredths, nor whole points. @param {number} points @param {boolean} exact */
function digitsOf(points, exact) {
  return exact && Math.abs(points) < 1 ? 2 : 1;
}

/** The position as it was, with another move marked. @param {Model} model @param {import("../app/types.js").Position} before @param {Record<string, any>} best */
function showOnBoard(model, before, best) {
  const choice = before.moves.find((one) => same(one.event, best));
  const drawn = boardModelAt(model, before, new Set(choice?.tokens ?? []));
  const { board } = model;
  dialog(t("The better move"), () => [
    h("p", null, labelOf({ ...model, position: before }, best).text),
    h("div", { class: `mat look game-${model.info.game}` }, h("div", { class: "play" }, board.board(drawn), board.seatBoard?.(drawn, before.actor), board.zone(drawn))),
  ]);
}

/** @param {Model} model @param {import("../app/types.js").Advice} advice */
function hints(model, advice) {
  const best = advice.moves[0]?.points ?? 0;
  return [
    h("h2", null, t("Hint")),
    advice.sentences.map((sentence) => h("p", null, sayAt(model.info, sentence))),
    h(
      "ol",
      { class: "list" },
      advice.moves.slice(0, MAX_HINTS).map((move, place) => {
        const choice = model.moves.find((one) => same(one.event, move.event));
        const less = move.points - best;
        return h(
          "li",
          { key: place, class: "hint" },
          h("button", { class: "button", type: "button", "data-key": `hint-${place}`, disabled: !choice, onClick: () => choice && model.commands.choose(choice) }, labelOf(model, move.event).text),
          h("span", { class: place ? "tag" : "tag good" }, place ? signed(less, digitsOf(less, advice.exact)) : t("best")),
        );
      }),
    ),
    !advice.exact && h("p", { class: "muted small" }, t("Estimated, not exact.")),
  ];
}
