// @ts-check
/**
 * After the game: what was luck and what was skill, and the game again, forwards and back.
 *
 * The coach's report, as `pasch.coach.report` writes it:
 * @typedef {object} Noted a move or a roll worth a remark
 * @property {number} number the event's number, counted from 1
 * @property {number | null} seat
 * @property {"move" | "roll"} kind
 * @property {number} points of a move, what it gave away; of a roll, its luck
 * @property {Record<string, any> | null} best
 * @property {import("./types.js").Sentence[]} sentences
 *
 * @typedef {{expectation: number, luck: number, costs: number, others: number, result: number}} Account
 * @typedef {{seat: number, score: number, ledger: Account, net_luck: number, accuracy: number | null,
 *   without_luck: number, decisions: number, mistakes: number, expensive: Noted[], luckiest: Noted[],
 *   unluckiest: Noted[]}} SeatReport
 * @typedef {{exact: boolean, statement: import("./types.js").Sentence, seats: SeatReport[],
 *   expensive: Noted[], course: number[][]}} Report
 */
import { Refusal, game as askGame, record as askRecord, replay as askReplay, report as askReport } from "./api.js";
import { loadBoard } from "./boards.js";
import { course } from "./course.js";
import * as device from "./device.js";
import { h, svg } from "./dom.js";
import { fairCard } from "./fairness.js";
import { link, toast } from "./frame.js";
import { list, number, say, t, tn, word } from "./i18n.js";
import { onlyMine, seatName } from "./play.js";
import { replayer } from "./replay.js";
import { signed } from "./words.js";

/** @typedef {import("./steps.js").ReplayPage} ReplayPage */

const AGAIN = 2500;
const MOST_LISTED = 5;

/** @type {import("./main.js").Page} */
export async function reportPage(main, id) {
  const replay = await askReplay(id, -1);
  const { table: info } = replay;
  const game = await askGame(info.game);
  const board = await loadBoard(game);
  const name = (/** @type {number} */ seat) => seatName(info, seat);
  const coach = h("div", { class: "stack" });
  const again = replayer(replay, (from) => askReplay(id, from), game, board, device.table(id)?.tokens ?? {});
  main.replaceChildren(
    h("h1", null, title(replay, name, onlyMine({ yours: Object.keys(device.table(id)?.tokens ?? {}).map(Number) }))),
    scores(replay, name),
    h("div", { class: "report" }, coach, again.element),
    fairCard(id, info),
    h(
      "div",
      { class: "row section" },
      link(`/new/${info.game}`, { class: "button primary" }, t("Play again")),
      h("button", { class: "button", type: "button", onclick: () => download(id, info.game) }, t("Download the record")),
      link("/", { class: "button" }, t("To the games")),
    ),
  );

  let gone = false;
  /** @type {number | undefined} */
  let waiting;
  const ask = async () => {
    try {
      const found = await askReport(id);
      if (gone) return;
      if (found) {
        again.judge(found);
        coach.replaceChildren(...coachPart(found, name, again));
        return;
      }
      coach.replaceChildren(h("section", { class: "card", role: "status" }, t("The coach is still calculating. You can look at the game meanwhile.")));
      waiting = window.setTimeout(ask, AGAIN);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const why = error.status === 501 ? t("The coach cannot say anything about this game yet.") : error.message;
      coach.replaceChildren(h("section", { class: "card muted" }, why));
    }
  };
  ask();
  return () => {
    gone = true;
    clearTimeout(waiting);
    again.stop();
  };
}

/**
 * @param {ReplayPage} replay
 * @param {(seat: number) => string} name
 * @param {number | null} mine
 */
function title(replay, name, mine) {
  const last = replay.steps.at(-1)?.position;
  const winners = (last?.winners ?? []).map(name);
  if (replay.table.players === 1) return tn("{n} point", "{n} points", last?.scores[0] ?? 0);
  if (!winners.length) return word(replay.table.title);
  if (winners.length === 1 && last?.winners[0] === mine) return t("You win!");
  return winners.length > 1 ? t("{names} win together.", { names: list(winners) }) : t("{name} wins.", { name: winners[0] ?? "" });
}

/**
 * @param {ReplayPage} replay
 * @param {(seat: number) => string} name
 */
function scores(replay, name) {
  const last = replay.steps.at(-1)?.position;
  return h(
    "p",
    { class: "row" },
    h("span", { class: "muted" }, word(replay.table.title)),
    replay.table.seats.map((_, seat) => h("span", { class: last?.winners.includes(seat) ? "tag good" : "tag" }, t("{name}: {points}", { name: name(seat), points: number(last?.scores[seat] ?? 0) }))),
  );
}

/**
 * @param {Report} report
 * @param {(seat: number) => string} name
 * @param {ReturnType<typeof replayer>} again
 */
function coachPart(report, name, again) {
  const { picture, at } = course(report, name, again.jump);
  again.follow(at);
  const rolls = report.seats.flatMap((seat) => [...seat.luckiest, ...seat.unluckiest].filter((one) => one.seat === seat.seat));
  const largest = rolls.sort((a, b) => Math.abs(b.points) - Math.abs(a.points)).slice(0, MOST_LISTED);
  const expensive = report.seats.flatMap((seat) => seat.expensive).sort((a, b) => b.points - a.points).slice(0, MOST_LISTED);
  return [
    h(
      "section",
      { class: "card" },
      h("h2", null, t("Luck and skill")),
      h("p", { class: "in-short" }, inShort(report.seats, name)),
      h("div", { class: "ledger" }, report.seats.map((seat) => account(seat, name(seat.seat), scaleOf(report.seats)))),
      explanations(report),
    ),
    h(
      "section",
      { class: "card" },
      h("h2", null, t("The course of the game")),
      h("p", { class: "muted small" }, t("Each line shows how many points a player could expect. Good rolls raise it; bad rolls and weak moves lower it. Touch it to see the game at that point.")),
      picture,
    ),
    moments(t("Expensive moves"), expensive, again, t("Nobody gave anything away.")),
    moments(t("The rolls that changed most"), largest, again, t("No roll changed much.")),
  ];
}

/**
 * @param {string} heading
 * @param {Noted[]} noted
 * @param {ReturnType<typeof replayer>} again
 * @param {string} none
 */
function moments(heading, noted, again, none) {
  const show = (/** @type {Noted} */ one) => again.jump(one.kind === "move" ? one.number - 1 : one.number);
  return h(
    "section",
    { class: "card" },
    h("h2", null, heading),
    noted.length
      ? h("ul", { class: "moments" }, noted.map((one) => h("li", null, h("button", { class: "button plain", type: "button", onclick: () => show(one) }, again.telling(one.number), tag(one)))))
      : h("p", { class: "muted" }, none),
  );
}

/** @param {Noted} one */
function tag(one) {
  if (one.kind === "move") return h("span", { class: "tag bad" }, signed(-one.points, 2));
  return h("span", { class: one.points > 0 ? "tag good" : "tag gold" }, signed(one.points));
}

/**
 * @param {SeatReport} seat
 * @param {string} name
 * @param {[number, number]} scale
 */
function account(seat, name, scale) {
  const { expectation, luck, costs, others, result } = seat.ledger;
  let at = expectation;
  /** @param {string} what @param {string} value @param {string} look @param {number} change */
  const row = (what, value, look, change) => {
    at += change;
    return [h("dt", { class: look }, what), h("dd", { class: look }, value), bar(scale, at - change, at, look)];
  };
  return h(
    "div",
    null,
    h("h3", null, name),
    h(
      "dl",
      { class: "sum" },
      h("dt", null, t("Best play, on average")), h("dd", null, number(expectation, 1)), bar(scale, 0, expectation, ""),
      row(t("Luck"), signed(luck), luck < 0 ? "unlucky" : "plus", luck),
      row(t("Given away"), signed(-costs), costs > 0.05 ? "minus" : "", -costs),
      Math.abs(others) > 0.05 ? row(t("Moves of the others"), signed(others), "", others) : [],
      h("dt", { class: "total" }, t("Result")), h("dd", { class: "total" }, number(result)), bar(scale, 0, result, "total"),
    ),
    h("p", { class: "small muted" }, t("With average luck: {points} points.", { points: number(seat.without_luck, 1) }), " ", seat.accuracy !== null && t("How well played: {percent} %.", { percent: number(seat.accuracy, 0) })),
  );
}

/**
 * The smallest and the largest value that any of the sums takes.
 * @param {SeatReport[]} seats
 * @returns {[number, number]}
 */
function scaleOf(seats) {
  const all = seats.flatMap(({ ledger: { expectation, luck, costs, result } }) => [expectation, expectation + luck, expectation + luck - costs, result]);
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
 * The result in one or two sentences.
 * @param {SeatReport[]} seats
 * @param {(seat: number) => string} name
 */
function inShort(seats, name) {
  const [best, other] = [...seats].sort((a, b) => b.score - a.score);
  if (!best) return "";
  if (!other) {
    const { luck, costs } = best.ledger;
    const points = number(Math.abs(luck), 1);
    const said = luck < 0 ? t("The dice and cards were worse than usual: {points} points.", { points }) : t("The dice and cards were better than usual: {points} points.", { points });
    return `${said} ${costs < 0.05 ? t("No move could have been better.") : t("Better moves would have brought {points} more.", { points: number(costs, 1) })}`;
  }
  const luckiest = seats.reduce((a, b) => (b.ledger.luck > a.ledger.luck ? b : a));
  const careful = seats.reduce((a, b) => (b.ledger.costs < a.ledger.costs ? b : a));
  const details = { luckiest: name(luckiest.seat), careful: name(careful.seat) };
  if (best.score === other.score) return t("{luckiest} was the luckiest, {careful} made the best moves.", details);
  const winner = name(best.seat);
  if (luckiest === best && careful === best) return t("{winner} was luckier and made the better moves too.", { winner });
  if (luckiest === best) return t("{careful} made the better moves, but {winner} was luckier.", { ...details, winner });
  if (careful === best) return t("{luckiest} was luckier, but {winner} made the better moves.", { ...details, winner });
  return t("{luckiest} was the luckiest, {careful} made the best moves.", details);
}

/** @param {Report} report */
function explanations(report) {
  const meaning = (/** @type {string} */ word, /** @type {string} */ text) => [h("dt", null, h("strong", null, word)), h("dd", null, text)];
  return h(
    "details",
    null,
    h("summary", null, t("What do these numbers mean?")),
    h(
      "dl",
      { class: "options small" },
      meaning(t("Best play, on average"), t("What somebody who always makes the best move scores on average. Everybody starts from there.")),
      meaning(t("Luck"), t("Good rolls and cards raise the score you can expect, bad ones lower it. This is the sum of all of them.")),
      meaning(t("Given away"), t("For each of your moves the coach works out what the best one would have scored on average. This is the sum of the differences; 0 is perfect.")),
      meaning(t("Result"), t("Added up, this is exactly the score of the game.")),
      meaning(t("How well played"), t("100 % is perfect. Moving at random would come out near 0 %.")),
    ),
    h("p", { class: "muted small" }, say(report.statement)),
  );
}

/**
 * @param {string} id
 * @param {string} game
 */
async function download(id, game) {
  try {
    const record = await askRecord(id);
    const url = URL.createObjectURL(new Blob([JSON.stringify(record)], { type: "application/json" }));
    h("a", { href: url, download: `${game}-${id}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    toast(error.message);
  }
}
