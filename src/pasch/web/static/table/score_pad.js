// @ts-check
/** Scores written down round by round, as on the pad in the box. */
import { range, pad } from "../board/pieces.js";
import { h } from "../vendor/preact.js";
import { scoreShown } from "./ending.js";
import { pictureOf, whoIs } from "./people.js";
import { reactionOf } from "./reactions.js";

/** @import { Model } from "./controller.js" */

/** @typedef {{version: number, round: number, seat: number, scores: number[]}} Moment */

/**
 * What each round scored, by seat; undefined where that is not known or has not been played.
 * @param {readonly Moment[]} moments in their order
 * @param {number} seats
 * @returns {(number | undefined)[][]}
 */
export function roundsOf(moments, seats) {
  /** @type {(number | undefined)[][]} */
  const rounds = range(1, seats).map(() => []);
  let [begin] = moments;
  for (const now of moments.slice(1)) {
    if (!begin || (now.round === begin.round && now.seat === begin.seat)) continue;
    const { round, seat, scores } = begin;
    const row = rounds[seat];
    // of a longer absence only the sum is known
    if (row && now.round <= round + 1) row[round] = (now.scores[seat] ?? 0) - (scores[seat] ?? 0);
    begin = now;
  }
  return rounds;
}

/** @param {Model} model */
export function scorePad(model) {
  const { info, turn, position, board, over, moments, shown } = model;
  const seats = range(0, info.players - 1);
  const rounds = roundsOf(moments.filter(({ version }) => version <= Math.min(shown.version, position.version)), info.players).map((row) => Array.from(row, (points) => points ?? ""));
  const now = over ? -1 : board.scorePad?.(position.snapshot) ?? -1;
  return [
    pad({
      names: seats.map((seat) => whoIs(model, seat)),
      pictures: seats.map((seat) => pictureOf(info, seat)),
      rounds,
      rows: info.components.rounds ?? info.options.rounds ?? Math.max(1, now + 1),
      now,
      turn: over ? -1 : turn,
      totals: seats.map((seat) => scoreShown(model, seat)),
    }),
    model.reactions.size > 0 && h("div", { key: "reactions", class: "said" }, seats.map((seat) => h("span", { key: seat, "data-key": `seat-${seat}` }, reactionOf(model, seat)))),
  ];
}
