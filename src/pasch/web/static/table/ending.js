// @ts-check
/** The end of a game: everybody's score with its parts, row by row from the last place, the winner's total last. */
import { list, number, t, tn } from "../app/i18n.js";
import { use } from "../board/pieces.js";
import { h } from "../vendor/preact.js";
import { pictureOf, resultText, whoIs } from "./people.js";
import { boardModel } from "./view.js";

/** @import { Model } from "./controller.js" */

/** The parts that the game names of a seat's final score; [] where it does not. @param {Model} model @param {number} seat */
function partsOf({ position, board }, seat) {
  /** @type {[string, number][]} */
  const parts = position.marks.settlement?.[seat] ?? [];
  const nouns = board.nouns();
  return parts.filter(([, points]) => points).map(([part, points]) => t("{part} {points}", { part: nouns[part] ?? part, points: number(points) }));
}

/** The seats as they are placed, the winners first. @param {Model} model */
function ranking({ position: { scores, winners } }) {
  const won = (/** @type {number} */ seat) => Number(winners.includes(seat));
  return scores.map((_, seat) => seat).sort((a, b) => won(b) - won(a) || (scores[b] ?? 0) - (scores[a] ?? 0));
}

/** What a seat's score shows now: at the end, nothing before its row was counted. @param {Model} model @param {number} seat */
export function scoreShown(model, seat) {
  const { shown, position, over } = model;
  if (!over || shown.settled) return position.scores[seat] ?? 0;
  const place = ranking(model).indexOf(seat);
  return shown.phase?.kind === "count" && position.scores.length - place <= shown.counted ? position.scores[seat] ?? 0 : shown.before.scores[seat] ?? 0;
}

/** By how much, where one has won. @param {Model} model */
function margin({ position: { scores, winners }, info }) {
  const [best] = winners.map((seat) => scores[seat] ?? 0);
  const second = Math.max(...scores.filter((_, seat) => !winners.includes(seat)));
  if (winners.length !== 1 || info.players === 1 || best === undefined || !(best > second)) return "";
  return tn("{n} point ahead", "{n} points ahead", best - second);
}

/** @param {Model} model */
export function ending(model) {
  const { shown, position, board, info } = model;
  const order = ranking(model);
  const counted = info.phase === "adjudicated" || shown.settled ? Infinity : shown.phase?.kind === "count" ? shown.counted : 0;
  const done = counted === Infinity;
  const sub = !done ? "" : info.phase === "adjudicated" ? t("The game was ended early.") : info.players === 1 ? board.earned(boardModel(model)) : margin(model);
  return h(
    "section",
    { key: "ending", class: `final cardboard${done ? " done" : ""}`, "aria-label": t("Result") },
    h("h2", null, done ? resultText(model) : t("The end: time to count.")),
    h("p", { class: "sub" }, sub || "\u00a0"),
    h(
      "ol",
      { class: "rank" },
      order.map((seat, place) => {
        const seen = order.length - place <= counted;
        const won = done && position.winners.includes(seat);
        return h(
          "li",
          { key: seat, class: `${won ? "won" : ""}${seen ? " counted" : " to-count"}`, "aria-hidden": seen ? null : "true" },
          h("span", { class: "no" }, won ? use("crown", "", t("wins")) : seen && number(place + 1)),
          seen ? pictureOf(info, seat) : h("span", { class: "pic" }),
          h("span", { class: "name" }, seen ? whoIs(model, seat) : "\u00a0", h("small", null, seen ? list(partsOf(model, seat)) : "")),
          h("strong", { class: "sum" }, seen ? number(position.scores[seat] ?? 0) : "", seen && h("span", { class: "unseen" }, tn("point", "points", position.scores[seat] ?? 0))),
        );
      }),
    ),
  );
}
