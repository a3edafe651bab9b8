// @ts-check
/** The coach at the table: what the last move gave away, the better one on the board, and hints. */
import { h } from "../app/dom.js";
import { dialog } from "../app/frame.js";
import { capital, number, t } from "../app/i18n.js";
import { contextOf, nameOf, same, sayAt } from "./play.js";
import { signed } from "../app/words.js";

/**
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("../app/types.js").Judgement} Judgement
 */

/** smaller differences are not mentioned */
const NOTHING = 0.005;
const MOST_HINTS = 5;

/** @param {Play} play @returns {import("../app/dom.js").Child[]} */
export function coachCard(play) {
  if (play.advice && play.advice.version === play.position.version) return hints(play, play.advice);
  if (play.info.coach !== "moves" && play.info.coach !== "hints") return [];
  const last = play.judgements.filter((one) => one.kind === "move" && play.yours.includes(one.seat)).at(-1);
  return [h("h2", null, t("Coach")), last ? judged(play, last) : h("p", { class: "muted" }, t("The coach speaks after your move."))];
}

/**
 * @param {Play} play
 * @param {Judgement} judgement
 */
function judged(play, judgement) {
  const { points, best, sentences, exact } = judgement;
  const before = play.positions.get(judgement.version - 1);
  return h(
    "div",
    { class: "stack" },
    play.yours.length > 1 && h("strong", null, nameOf(play, judgement.seat)),
    points < NOTHING
      ? h("p", null, h("span", { class: "tag good" }, "✓"), " ", sentences.map((sentence) => sayAt(play, sentence)).join(" "))
      : h("p", null, t("This move gave away"), " ", h("span", { class: "tag bad" }, number(points, digitsOf(points, exact)))),
    best && points >= NOTHING && h("p", null, t("Better: {move}", { move: play.board.label(contextOf(play, before), best) })),
    points >= NOTHING && sentences.map((sentence) => h("p", { class: "small" }, sayAt(play, sentence))),
    best && before && points >= NOTHING &&
      h("button", { class: "button", type: "button", "data-key": "show-best", onclick: () => showOnBoard(play, before, best) }, t("Show it on the board")),
    !exact && h("p", { class: "muted small" }, t("Estimated, not exact.")),
  );
}

/** Estimates are not told in hundredths, nor whole points. @param {number} points @param {boolean} exact */
function digitsOf(points, exact) {
  return exact && Math.abs(points) < 1 ? 2 : 1;
}

/**
 * The position as it was, with another move marked.
 * @param {Play} play
 * @param {import("../app/types.js").Position} before
 * @param {Record<string, any>} best
 */
function showOnBoard(play, before, best) {
  const choice = before.moves.find((one) => same(one.event, best));
  const ctx = { ...contextOf(play, before, new Set(choice?.tokens ?? [])), touch: () => {} };
  dialog(t("The better move"), () => [
    h("p", null, capital(play.board.label(ctx, best))),
    h("div", { class: "stack look" }, play.board.common(ctx), play.board.seatBoard(ctx, before.actor)),
  ]);
}

/**
 * @param {Play} play
 * @param {import("../app/types.js").Advice} advice
 */
function hints(play, advice) {
  const ctx = contextOf(play);
  const best = advice.moves[0]?.points ?? 0;
  return [
    h("h2", null, t("Hint")),
    advice.sentences.map((sentence) => h("p", null, sayAt(play, sentence))),
    h(
      "ol",
      { class: "list" },
      advice.moves.slice(0, MOST_HINTS).map((move, place) => {
        const choice = play.position.moves.find((one) => same(one.event, move.event));
        const choose = () => {
          play.chosen = new Set(choice?.tokens ?? []);
          play.actions.draw();
        };
        return h(
          "li",
          { class: "hint" },
          h("button", { class: "button", type: "button", "data-key": `hint-${place}`, disabled: !choice, onclick: choose }, capital(play.board.label(ctx, move.event))),
          h("span", { class: place ? "tag" : "tag good" }, place ? signed(move.points - best, digitsOf(move.points - best, advice.exact)) : t("best")),
        );
      }),
    ),
    !advice.exact && h("p", { class: "muted small" }, t("Estimated, not exact.")),
  ].flat();
}
