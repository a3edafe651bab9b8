// @ts-check
/**
 * The coach's report, drawn as its layout says. What it says and in which order stands in `pasch.coach.layout`; every
 * number is written with the report's digits, so that what stands twice looks the same.
 *
 * @typedef {import("../app/types.js").Sentence} Sentence
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
 * @typedef {{seat: number, first: number, last: number, ledger: Account}} TurnReport
 * @typedef {{label: Sentence, kind: string, meaning: Sentence}} Column
 * @typedef {{seat: number, amounts: number[], error: number, remarks: Sentence[]}} SumRow
 * @typedef {{block: "words", sentences: Sentence[], kind: string}
 *   | {block: "sums", columns: Column[], rows: SumRow[]}
 *   | {block: "course", label: Sentence, marks: Noted[]}
 *   | {block: "moments", notes: Noted[], none: Sentence}
 *   | {block: "chances", label: Sentence}
 *   | {block: "turns", label: Sentence, columns: Column[], rows: number[][]}} Block
 * @typedef {{title: Sentence, blocks: Block[]}} Section
 * @typedef {{exact: boolean, players: number, digits: number, rounds: boolean, course: number[][], turns: TurnReport[],
 *   events: EventReport[], seats: {seat: number, expensive: Noted[]}[], layout: Section[]}} Report
 */
import { course } from "./course.js";
import { h, svg } from "../app/dom.js";
import { number, say, t } from "../app/i18n.js";
import { signed } from "../app/words.js";

/**
 * @typedef {object} Replayer what the report needs of the replay beside it
 * @property {(event: number) => void} jump
 * @property {(number: number) => Element} telling
 * @property {(call: (event: number) => void) => void} follow
 */

/**
 * @param {Report} report
 * @param {(seat: number) => string} name
 * @param {Replayer} again
 */
export function sections(report, name, again) {
  const told = (/** @type {Sentence} */ sentence) => say({ template: sentence.template, details: details(sentence, name) });
  return report.layout.map((section) =>
    h("section", { class: "card" }, h("h2", null, told(section.title)), section.blocks.flatMap((one) => block(one, report, name, again, told))),
  );
}

/**
 * What fills a sentence: seats are named, numbers written with the digits that they ask for.
 * @param {Sentence} sentence
 * @param {(seat: number) => string} name
 */
function details(sentence, name) {
  return Object.fromEntries(
    Object.entries(sentence.details ?? {}).map(([key, value]) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return [key, value];
      return [key, "seat" in value ? name(value.seat) : number(value.number, value.digits)];
    }),
  );
}

/**
 * @param {Block} one
 * @param {Report} report
 * @param {(seat: number) => string} name
 * @param {Replayer} again
 * @param {(sentence: Sentence) => string} told
 * @returns {import("../app/dom.js").Child[]}
 */
function block(one, report, name, again, told) {
  switch (one.block) {
    case "words": return [h("p", { class: one.kind === "key" ? "in-short" : "muted small" }, one.sentences.map(told).join(" "))];
    case "sums": return [h("div", { class: "ledger" }, one.rows.map((row) => account(one.columns, row, one.rows[0]?.seat, report.digits, name, told))), meanings(one.columns, told)];
    case "course": {
      const { picture, at } = course(report, one.marks, told(one.label), name, again.jump);
      again.follow(at);
      return [picture];
    }
    case "moments": return [one.notes.length ? moments(one.notes, report.digits, again) : h("p", { class: "muted" }, told(one.none))];
    case "turns": return [turns(one, report, name, again, told)];
    // chances to win take long to work out; the server is not asked for them
    default: return [];
  }
}

/**
 * @param {Noted[]} noted
 * @param {number} digits
 * @param {Replayer} again
 */
function moments(noted, digits, again) {
  const show = (/** @type {Noted} */ one) => again.jump(one.kind === "move" ? one.number - 1 : one.number);
  return h(
    "ul",
    { class: "moments" },
    noted.map((one) => h("li", null, h("button", { class: "button plain", type: "button", onclick: () => show(one) }, again.telling(one.number), amount(one, digits)))),
  );
}

/**
 * What a move gave away or a roll brought, with its sign: the same wherever it stands.
 * @param {{kind: "move" | "roll", points: number}} one
 * @param {number} digits
 */
export function amount({ kind, points }, digits) {
  if (kind === "move") return h("span", { class: "tag bad" }, signed(-points, digits));
  return h("span", { class: points > 0 ? "tag good" : "tag gold" }, signed(points, digits));
}

/**
 * @param {Column[]} columns
 * @param {SumRow} row
 * @param {number | undefined} first the seat that is shown first
 * @param {number} digits
 * @param {(seat: number) => string} name
 * @param {(sentence: Sentence) => string} told
 */
function account(columns, row, first, digits, name, told) {
  const scale = scaleOf(row.amounts, columns);
  let at = 0;
  return h(
    "div",
    null,
    h("h3", null, name(row.seat)),
    h(
      "dl",
      { class: "sum" },
      columns.flatMap((column, place) => {
        const value = row.amounts[place] ?? 0;
        const whole = column.kind === "start" || column.kind === "result";
        const from = whole ? 0 : at;
        at = from + value;
        const look = lookOf(column.kind, value);
        const written = whole ? number(value, column.kind === "result" ? 0 : digits) : signed(value, digits);
        const explained = column.kind === "others" || column.kind === "estimates";
        return [
          h("dt", { class: look }, told(column.label)),
          h("dd", { class: look }, column.kind === "estimates" ? t("{points} ± {error}", { points: written, error: number(row.error, digits) }) : written),
          // where others did something, or estimates were off, it is explained once at the place
          row.seat === first && explained && h("dd", { class: "small muted meaning" }, told(column.meaning)),
          bar(scale, from, at, look),
        ];
      }),
    ),
    h("p", { class: "small muted" }, row.remarks.map(told).join(" ")),
  );
}

/** @param {string} kind @param {number} value */
function lookOf(kind, value) {
  if (kind === "result") return "total";
  if (kind === "luck") return value < 0 ? "unlucky" : "plus";
  return kind === "costs" && value < -0.05 ? "minus" : "";
}

/**
 * The smallest and the largest value that the sum takes on its way.
 * @param {number[]} amounts
 * @param {Column[]} columns
 * @returns {[number, number]}
 */
function scaleOf(amounts, columns) {
  let at = 0;
  const all = amounts.map((value, place) => (at = columns[place]?.kind === "result" ? value : at + value));
  return [Math.min(0, ...all), Math.max(0, ...all)];
}

/**
 * An entry of the sum as a bar, from the sum before it to the sum after it.
 * @param {[number, number]} scale
 * @param {number} from
 * @param {number} to
 * @param {string} look
 */
function bar([least, most], from, to, look) {
  const x = (/** @type {number} */ points) => ((points - least) / (most - least || 1)) * 200;
  return svg(
    "svg",
    { class: `step ${look}`, viewBox: "0 0 200 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "way", width: 200, height: 6 }),
    svg("rect", { class: "there", x: Math.min(x(from), x(to)), width: Math.max(1, Math.abs(x(to) - x(from))), height: 6 }),
  );
}

/**
 * @param {Column[]} columns
 * @param {(sentence: Sentence) => string} told
 */
function meanings(columns, told) {
  return h(
    "details",
    null,
    h("summary", null, t("What do these numbers mean?")),
    h(
      "dl",
      { class: "options small" },
      columns.flatMap((column) => [h("dt", null, h("strong", null, told(column.label))), h("dd", null, told(column.meaning))]),
      h("dt", null, h("strong", null, t("How well played"))), h("dd", null, t("100 % is perfect. Moving at random would come out near 0 %.")),
    ),
  );
}

/**
 * @param {Extract<Block, {block: "turns"}>} one
 * @param {Report} report
 * @param {(seat: number) => string} name
 * @param {Replayer} again
 * @param {(sentence: Sentence) => string} told
 */
function turns(one, report, name, again, told) {
  const middle = one.columns;
  return h(
    "details",
    null,
    h("summary", null, told(one.label)),
    h(
      "div",
      { class: "wide-table" },
      h(
        "table",
        { class: "turns small" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, t("Turn")), h("th", { scope: "col" }, t("before")), middle.map((column) => h("th", { scope: "col" }, told(column.label))), h("th", { scope: "col" }, t("after")))),
        h(
          "tbody",
          null,
          report.turns.map((turn, place) => {
            const amounts = one.rows[place] ?? [];
            return h(
              "tr",
              null,
              h("th", { scope: "row" }, h("button", { class: "button plain", type: "button", onclick: () => again.jump(turn.last) }, name(turn.seat))),
              amounts.map((value, column) => h("td", null, column === 0 || column === amounts.length - 1 ? number(value, report.digits) : signed(value, report.digits))),
            );
          }),
        ),
      ),
    ),
  );
}
