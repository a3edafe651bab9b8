// @ts-check
/**
 * The end of a game: what everybody scored, counted part by part, and then who has won.
 *
 * @typedef {import("./play.js").Play} Play
 * @typedef {{points: number, text: string}} Part a part of a seat's score
 * @typedef {object} Ending
 * @property {number} shown so many parts of each seat have been counted
 * @property {number[]} totals what they add up to
 */
import { confetti } from "./confetti.js";
import { resultInWords, statusText } from "./controls.js";
import { settings } from "../app/device.js";
import { h } from "../app/dom.js";
import { announce } from "../app/frame.js";
import { number, t, tn } from "../app/i18n.js";
import { badge } from "../board/pieces.js";
import { onlyMine, whoIs } from "./play.js";
import { play as sound } from "../app/sound.js";
import { signed } from "../app/words.js";

/** how long each part is shown, and how long all of them together at most, in milliseconds */
const STEP = { calm: 700, normal: 450, quick: 150 };
const MOST = { calm: 9000, normal: 6000, quick: 1500 };

/**
 * The positions of the game in their order, as far as we know them.
 * @param {Pick<Play, "positions" | "history">} play
 */
function course({ positions, history }) {
  return history ?? [...positions.values()].sort((a, b) => a.version - b.version);
}

/**
 * The last position before the end: what lay on the table then stays in sight.
 * @param {Play} play
 */
export function finalPosition(play) {
  const last = course(play).filter(({ actor }) => actor !== -2).at(-1);
  return last ? { ...last, moves: [], awaits: null } : null;
}

/**
 * What a seat's score is made of: as the game says, or each change of it that we have seen.
 * @param {Pick<Play, "position" | "positions" | "history" | "board">} play
 * @param {number} seat
 * @returns {Part[]}
 */
export function partsOf(play, seat) {
  const { position, board } = play;
  /** @type {[string, number][][] | undefined} */
  const settlement = position.marks.settlement;
  if (settlement) return (settlement[seat] ?? []).filter(([, points]) => points).map(([kind, points]) => ({ points, text: board.partName(kind) }));
  const seen = course(play).map(({ scores }) => scores[seat] ?? 0);
  let before = 0;
  /** @type {Part[]} */
  const parts = [];
  for (const score of [...seen, position.scores[seat] ?? 0]) {
    if (score !== before) parts.push({ points: score - before, text: "" });
    before = score;
  }
  return parts;
}

/**
 * The scenes of the end, for the stage.
 * @param {Play} play
 * @param {() => void} draw
 * @returns {import("./stage.js").Scene[]}
 */
export function ending(play, draw) {
  const { pace } = settings();
  const all = play.info.seats.map((_, seat) => partsOf(play, seat));
  const steps = Math.max(...all.map((parts) => parts.length));
  const hold = Math.min(STEP[pace], MOST[pace] / (steps || 1));
  const count = (/** @type {number} */ shown) => all.map((parts) => parts.slice(0, shown).reduce((sum, { points }) => sum + points, 0));
  /** @param {number} shown @returns {import("./stage.js").Scene} */
  const step = (shown) => ({
    group: "ending",
    hold,
    begin() {
      play.ending = { shown, totals: count(shown) };
      if (shown) sound("touch");
      draw();
    },
  });
  play.ending = { shown: 0, totals: count(0) };
  return [
    ...Array.from({ length: steps + 1 }, (_, shown) => step(shown)),
    {
      group: "ending",
      hold: 0,
      begin() {
        play.ending = null;
        const me = onlyMine(play);
        const won = play.info.players === 1 || me === null || play.position.winners.includes(me);
        sound(won ? "end" : "over");
        announce(resultInWords(play));
        if (won || !play.yours.length) confetti();
        draw();
      },
    },
  ];
}

/** The scores with their parts, as far as they have been counted. @param {Play} play */
export function endingCard(play) {
  const { info, position } = play;
  const shown = play.ending?.shown ?? Infinity;
  const rows = info.seats.map((_, seat) => ({ seat, parts: partsOf(play, seat).slice(0, shown), total: play.ending?.totals[seat] ?? position.scores[seat] ?? 0 }));
  if (!play.ending) rows.sort((a, b) => Number(position.winners.includes(b.seat)) - Number(position.winners.includes(a.seat)) || b.total - a.total);
  const done = !play.ending;
  return h(
    "section",
    { class: `card ending${done ? " done" : ""}`, "aria-label": t("Result") },
    h("h2", null, done ? statusText(play) : t("The end: now it is counted.")),
    h(
      "ol",
      { class: "standings" },
      rows.map(({ seat, parts, total }) =>
        h(
          "li",
          { class: done && position.winners.includes(seat) ? "won" : null },
          badge(seat),
          h("span", { class: "who" }, done && position.winners.includes(seat) && "★ ", whoIs(play, seat)),
          h("span", { class: "parts" }, parts.map(({ points, text }, at) => h("span", { class: `part${at === shown - 1 ? " counted" : ""}` }, text ? t("{part} {points}", { part: text, points: number(points) }) : signed(points, 0)))),
          h("strong", { class: "total" }, number(total), h("span", { class: "unseen" }, tn("point", "points", total))),
        ),
      ),
    ),
  );
}
