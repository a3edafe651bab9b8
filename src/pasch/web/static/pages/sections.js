// @ts-check
/**
 * The parts of the coach's report: lanes for luck and moves, the sums, the moves that cost most. What the words
 * mean stands in `pasch.coach.report`; every number is written with the report's digits, so that what stands twice looks the same.
 *
 * @typedef {object} Noted a move or a roll worth a remark
 * @property {number} number the event's number, counted from 1
 * @property {number | null} seat
 * @property {"move" | "roll"} kind
 * @property {number} points of a move, what it gave away; of a roll, its luck
 * @property {Record<string, any> | null} best
 * @property {Sentence[]} sentences
 *
 * @typedef {{kind: "move" | "roll", seat: number | null, points: number, rounds: number, estimates: number}} EventReport
 * @typedef {{expectation: number, rounds: number, luck: number, costs: number, others: number, estimates: number,
 *   estimates_error: number, result: number}} Account
 * @typedef {{label: Sentence, kind: string, meaning: Sentence}} Column
 * @typedef {{seat: number, amounts: number[], error: number, remarks: Sentence[], unit: string}} SumRow
 * @typedef {{seat: number, score: number, without_luck: number, ledger: Account, expensive: Noted[], rolls: Noted[]}} SeatReport
 * @typedef {{exact: boolean, players: number, digits: number, rounds: boolean, statement: Sentence, course: number[][],
 *   events: EventReport[], seats: SeatReport[], sums: {columns: Column[], rows: SumRow[]}}} Report
 */
import { number, say, t, tn } from "../app/i18n.js";
import { dialog, sheet } from "../app/frame.js";
import { signed } from "../app/words.js";
import { use } from "../board/pieces.js";
import { stillSmall } from "../board/still.js";
import { pictureOf } from "../table/people.js";
import { h } from "../vendor/preact.js";

/** @import { Sentence } from "../app/types.js" */
/** @import { Finished } from "./finished.js" */

/** how many of the dearest moves are shown */
const SHOWN_MOVES = 3;

/** A sentence of the report: seats are named, numbers written with the digits that they ask for. @param {Sentence} sentence @param {Finished} game */
function rendered(sentence, game) {
  const details = Object.entries(sentence.details ?? {}).map(([key, value]) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [key, value];
    return [key, "seat" in value ? game.who(value.seat) : number(value.number, value.digits)];
  });
  return say({ template: sentence.template, details: Object.fromEntries(details) });
}

// --- where the points came from -------------------------------------------------------------------------

/** @param {Report} report @param {Finished} game */
export function lanes(report, game) {
  const { digits, seats } = report;
  const rows = seats.map((one) => {
    const { luck, costs, expectation, rounds, result } = one.ledger;
    const start = expectation + rounds;
    return { ...one, start, luck, costs, result, lucky: start + luck, rest: result - (start + luck - costs) };
  });
  const all = rows.flatMap(({ start, lucky, result, costs }) => [start, lucky, result, lucky - costs]);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const margin = (high - low || 1) * 0.06;
  const at = (/** @type {number} */ points) => (100 * (points - low + margin)) / (high - low + 2 * margin);
  const bar = (/** @type {string} */ name, /** @type {number} */ from, /** @type {number} */ to) => h("i", { class: name, style: { left: `${Math.min(at(from), at(to))}%`, width: `${Math.abs(at(to) - at(from))}%` } });
  const help = h("button", { class: "tool", type: "button", "aria-label": t("What do these numbers mean?"), onClick: () => meanings(report, game) }, "?");
  return sheet(
    [t("Where the points came from"), help], { class: "pic1" },
    h(
      "ol",
      { class: "lanes" },
      rows.map((row) => {
        const name = game.who(row.seat);
        const label = t("{name}: best play on average {start}, luck {luck}, given away {costs}, result {result}", { name, start: number(row.start, digits), luck: signed(row.luck, digits), costs: number(row.costs, digits), result: number(row.result) });
        const won = game.end.winners.includes(row.seat) && report.players > 1;
        return h(
          "li",
          { key: row.seat, class: won ? "won" : "" },
          h("span", { class: "lw" }, pictureOf(game.info, row.seat), h("b", null, name)),
          h("span", { class: "res" }, won && use("crown", "wc"), number(row.result)),
          h("span", { class: "lane-box", role: "img", "aria-label": label }, h("i", { class: "avg", style: { left: `${at(row.start)}%` } }), bar("lk-bar", row.start, row.lucky), bar("gv-bar", row.lucky - row.costs, row.lucky), h("i", { class: "fl-mark", style: { left: `${at(row.result)}%` } })),
          h(
            "span",
            { class: "eq" },
            h("span", null, t("luck"), " ", h("b", null, signed(row.luck, digits))),
            h("span", { class: "i-gave" }, t("given away"), " ", h("b", null, signed(-row.costs, digits))),
            Math.abs(row.rest) >= 0.5 * 10 ** -digits && h("span", null, t("others and estimates"), " ", h("b", null, signed(row.rest, digits))),
            h("span", null, t("with average luck"), " ", h("b", null, number(row.without_luck, digits))),
          ),
        );
      }),
    ),
    h(
      "p",
      { class: "legend" },
      h("span", null, h("i", { class: "k-avg" }), rows.every(({ start }) => Math.abs(start - (rows[0]?.start ?? 0)) < 0.05) ? t("best play with average luck: {points} points", { points: number(rows[0]?.start ?? 0, digits) }) : t("best play with average luck")),
      h("span", null, h("i", { class: "k-luck" }), t("what the dice added")),
      h("span", null, h("i", { class: "k-gave" }), t("what the moves gave away")),
    ),
    h("p", { class: "muted small" }, rendered(report.statement, game)),
  );
}

/** The sums with all their terms, and what these mean. @param {Report} report @param {Finished} game */
function meanings(report, game) {
  const { columns, rows } = report.sums;
  const amount = (/** @type {number} */ value, /** @type {string} */ kind) => (kind === "start" ? number(value, report.digits) : kind === "result" ? number(value) : signed(value, report.digits));
  dialog(t("Where the points came from"), () =>
    h(
      "div",
      { class: "stack" },
      h("div", { class: "scroll", tabIndex: 0, role: "group", "aria-label": t("The sums") }, h(
        "table",
        { class: "sums" },
        h("thead", null, h("tr", null, h("td", null), rows.map((row) => h("th", { key: row.seat, scope: "col" }, game.who(row.seat))))),
        h("tbody", null, columns.map((column, place) => h("tr", { key: column.kind, class: column.kind }, h("th", { scope: "row" }, rendered(column.label, game)), rows.map((row) => h("td", { key: row.seat, class: "number" }, amount(row.amounts[place] ?? 0, column.kind), column.kind === "estimates" && ` ± ${number(row.error, report.digits)}`, row.unit))))),
      )),
      rows.map((row) => h("p", { key: row.seat, class: "small" }, h("b", null, game.who(row.seat)), " ", row.remarks.map((remark) => rendered(remark, game)).join(" "))),
      h("dl", { class: "options small" }, columns.map((column) => [h("dt", null, h("strong", null, rendered(column.label, game))), h("dd", null, rendered(column.meaning, game))]), h("dt", null, h("strong", null, t("How well played"))), h("dd", null, t("100 % is perfect. Moving at random would come out near 0 %."))),
    ),
  );
}

// --- moves and rolls ----------------------------------------------------------------------------------------

/** The moves that gave most away, the dearest first. @param {Report} report */
export const dearest = (report) => report.seats.flatMap(({ expensive }) => expensive).sort((one, other) => other.points - one.points || one.number - other.number).slice(0, SHOWN_MOVES);

/** Where luck or a move turned the game, in its order. @param {Report} report @returns {Noted[]} */
export function turningPoints(report) {
  const most = report.seats.flatMap(({ rolls }) => rolls).sort((one, other) => Math.abs(other.points) - Math.abs(one.points)).slice(0, SHOWN_MOVES);
  return [...dearest(report), ...most].sort((one, other) => one.number - other.number);
}

/** What a move gave away or a roll brought, with its sign: the same wherever it stands. @param {{kind: "move" | "roll", points: number}} one @param {number} digits */
export const amount = ({ kind, points }, digits) => signed(kind === "move" ? -points : points, digits);

/** @param {Report} report @param {Finished} game @param {(number: number) => void} show the moment after this many events */
export function moves(report, game, show) {
  const found = dearest(report);
  return h(
    "section",
    { class: "three" },
    h("h2", null, found.length < SHOWN_MOVES ? t("The moves that cost the most") : t("The three moves that cost the most")),
    found.length ? h("ol", { class: "moves" }, found.map((note) => move(note, report, game, show))) : h("p", { class: "muted" }, t("Nobody gave anything away.")),
  );
}

/** @param {Noted} note @param {Report} report @param {Finished} game @param {(number: number) => void} show */
function move(note, report, game, show) {
  const before = note.number - 1;
  const seat = note.seat ?? 0;
  const there = game.steps.has(before - 1, before, note.number);
  const model = there ? game.model(before) : null;
  const did = there ? game.sentence(note.number) : "…";
  // without eyes, the equal buttons of several moves are distinguished by their names
  const about = (/** @type {string} */ text) => ({ class: "link", type: "button", "aria-label": t("{name}: {what}", { name: text, what: did }) });
  return h(
    "li",
    { key: note.number, class: "move" },
    h("div", { class: `mvb game-${game.info.game}`, "aria-hidden": "true", inert: true }, model && h("div", { class: "mini" }, stillSmall(game.board, model, seat))),
    h("header", null, pictureOf(game.info, seat), h("b", null, game.who(seat)), h("span", null, model && game.board.where(model)), h("span", { class: "dear" }, amount(note, report.digits), " ", h("small", null, tn("point", "points", Number(note.points.toFixed(report.digits)))))),
    h("p", { class: "did" }, did),
    note.best && there && h("p", { class: "bet" }, use("check", "ck"), h("span", null, t("better:")), " ", h("b", null, game.label(note.best, note.number))),
    h("p", { class: "why" }, note.sentences.map((sentence) => rendered(sentence, game)).join(" ")),
    h(
      "p",
      { class: "lks" },
      h("button", { ...about(t("Show the moment")), "data-key": `show-${note.number}`, onClick: () => show(before) }, t("Show the moment")),
      h("button", { ...about(t("Try it yourself")), "data-key": `try-${note.number}`, onClick: () => game.tryFrom(before, seat) }, t("Try it yourself")),
    ),
  );
}
