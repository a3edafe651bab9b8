// @ts-check
/** My progress: all finished games of this device, with luck taken out, and what to practise. Nothing leaves the device. */
import { games as askGames } from "../app/api.js";
import * as device from "../app/device.js";
import { link, selectField, sheet } from "../app/frame.js";
import { currentLanguage, date, number, say, t, tn, word } from "../app/i18n.js";
import { mount } from "../app/mount.js";
import { saveFile } from "../app/share.js";
import { loadBoard } from "../board/load.js";
import { h } from "../vendor/preact.js";
import { chart } from "./chart.js";
import { due } from "./leitner.js";
import { catchUp } from "./practice.js";
import { habits, interval, running } from "./statistics.js";

/** @import { SeatSummary, Summary } from "./practice.js" */
/** @import { Interval } from "./statistics.js" */

/** @typedef {Summary & {mine: SeatSummary}} Played a game as one of its people saw it */

/** how many habits are shown */
const MAX_HABITS = 6;

/** @type {import("../app/main.js").Page} */
export async function progressPage(main) {
  const all = await askGames();
  /** what is shown: a game, and a name; empty: the one with most games, and everybody */
  const state = { game: "", who: "", busy: true, titles: /** @type {Record<string, string>} */ ({}) };
  const redraw = () => page.redraw();
  const page = mount(main, () => h("div", { class: "progress stack" }, h("h1", null, t("My progress")), h("p", { class: "muted small", role: "status" }, state.busy && t("Looking at your games …")), view()));

  function view() {
    const every = device.summaries().flatMap((one) => one.seats.map((mine) => ({ ...one, mine }))).reverse();
    if (!every.length) return state.busy ? null : nothing();
    const counts = new Map();
    for (const one of every) counts.set(one.game, (counts.get(one.game) ?? 0) + 1);
    const game = state.game || ([...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "");
    const names = [...new Set(every.filter((one) => one.game === game).map((one) => one.mine.name))];
    const who = names.includes(state.who) ? state.who : "";
    const played = every.filter((one) => one.game === game && (!who || one.mine.name === who));
    const titles = [...counts.keys()].map((id) => /** @type {[string, string]} */ ([id, word(every.find((one) => one.game === id)?.title ?? id)]));
    return [
      h(
        "div",
        { class: "row" },
        titles.length > 1 && choice(t("Game"), "game", titles, game, (value) => Object.assign(state, { game: value, who: "" })),
        names.length > 1 && choice(t("Who"), "who", [["", t("Everybody here")], ...names.map((name) => /** @type {[string, string]} */ ([name, name]))], who, (value) => (state.who = value)),
      ),
      h("div", { class: "columns" }, results(played), accuracies(played)),
      h("div", { class: "columns" }, decisions(played, all.find((one) => one.id === game)?.puzzles ?? false), bests(every, state.titles)),
      h("p", { class: "row2" }, h("button", { class: "link", type: "button", "data-key": "export", onClick: download }, t("Download all of this")), h("span", { class: "muted small" }, t("All of this is kept on this device only."))),
    ];
  }

  /** @param {string} label @param {string} key @param {[string, string][]} choices @param {string} chosen @param {(value: string) => void} change */
  function choice(label, key, choices, chosen, change) {
    const choose = (/** @type {string} */ value) => {
      change(value);
      redraw();
    };
    return h("label", { class: "row", key }, label, " ", selectField({ "data-key": key }, choices, chosen, choose));
  }

  catchUp().then(async () => {
    // the titles that games for one have earned, in their boards' words
    for (const { game, earned } of device.summaries()) {
      const info = all.find(({ id }) => id === game);
      if (earned && info) state.titles[earned] = (await loadBoard(info)).nouns()[earned] ?? earned;
    }
  }).finally(() => {
    state.busy = false;
    redraw();
  });
  return page.stop;
}

function nothing() {
  return h(
    "section",
    { class: "sheet stack" },
    h("p", null, t("Finish a game, and you will see here how you are getting on.")),
    h("div", { class: "row" }, link("/", { class: "button primary" }, t("To the games")), link("/puzzle", { class: "button" }, t("Puzzle of the day"))),
  );
}

/** A mean with its bounds, if there are any. @param {Interval} found @param {number} [least] what cannot be less */
function between({ mean, low, high }, least = -Infinity) {
  const digits = Math.abs(mean) < 1 ? 2 : 1;
  if (!Number.isFinite(low)) return number(mean, digits);
  return t("{mean} (probably {low} to {high})", { mean: number(mean, digits), low: number(Math.max(least, low), digits), high: number(high, digits) });
}

/** @param {Played[]} played */
function results(played) {
  const scores = played.map((one) => one.mine.score);
  const line = running(played.map((one) => one.mine.without));
  const others = played.filter((one) => one.players > 1);
  const won = others.filter((one) => one.mine.won).length;
  const mean = /** @type {Interval} */ (line.at(-1));
  const label = tn("{n} game: {score} on average, without luck {fair}.", "{n} games: {score} on average, without luck {fair}.", played.length, { score: number(interval(scores).mean, 1), fair: between(mean) });
  return sheet(
    t("Results"), {},
    h(
      "dl",
      { class: "figures" },
      fact(t("Games"), number(played.length)),
      others.length > 0 && fact(t("Won"), t("{won} of {games}", { won, games: others.length })),
      fact(t("On average"), number(interval(scores).mean, 1)),
      fact(t("Without luck"), between(mean)),
    ),
    chart({ dots: scores, line }, { label, below: t("games"), keys: [["dot", t("result")], ["line", t("without luck, on average")], ["band", t("likely range")]] }),
    asTable([t("Result"), t("Without luck")], played, (one) => [number(one.mine.score), number(one.mine.without, 1)]),
  );
}

/** @param {Played[]} played */
function accuracies(played) {
  const known = played.filter((one) => one.mine.accuracy !== null);
  const values = known.map((one) => one.mine.accuracy ?? 0);
  const line = running(values);
  const costs = interval(played.map((one) => one.mine.costs));
  const mean = line.at(-1);
  const label = tn("{n} game, {mean} % well played; 100 % is perfect.", "{n} games, {mean} % well played on average; 100 % is perfect.", values.length, { mean: number(mean?.mean ?? 0, 1) });
  return sheet(
    t("How well played"), {},
    h("dl", { class: "figures" }, mean && fact(t("On average"), t("{n} %", { n: number(mean.mean, 1) })), fact(t("Given away in a game"), between(costs, 0))),
    values.length > 0 && chart({ dots: values, line }, { label, below: t("games"), keys: [["dot", t("a game, in %")], ["line", t("on average")], ["band", t("likely range")]], bounds: [Math.min(80, ...values.map((one) => Math.floor(one / 10) * 10)), 100] }),
    asTable([t("How well played"), t("Given away")], known, (one) => [t("{n} %", { n: number(one.mine.accuracy ?? 0, 1) }), number(one.mine.costs, 1)]),
  );
}

/** @param {Played[]} played @param {boolean} puzzles whether there are some of this game */
function decisions(played, puzzles) {
  const found = habits(played.map((one) => one.mine.habits)).slice(0, MAX_HABITS);
  const most = Math.max(...found.map((one) => one.cost.mean), 1e-9);
  const waiting = due(device.mistakes(), Date.now()).length;
  return sheet(
    t("What to learn"), {},
    !found.length && h("p", { class: "muted" }, t("Nothing was given away.")),
    h("ul", { class: "habits" }, found.map((one) =>
      h(
        "li",
        { key: one.name },
        h("div", null, h("strong", null, word(one.name)), one.when && h("span", { class: "muted" }, ` · ${t("mostly {when}", { when: lower(say(one.when)) })}`)),
        h("div", { class: "share", "aria-hidden": "true", style: { "--share": `${(100 * one.cost.mean) / most}%` } }),
        h("div", { class: "row small" }, h("span", null, t("{points} points a game", { points: between(one.cost, 0) })), puzzles && link(`/puzzle/${played[0]?.game}?kind=${one.slug}`, {}, t("Practise this"))),
      ),
    )),
    waiting > 0 && link("/puzzle/mistakes", { class: "button primary", "data-key": "mistakes" }, tn("{n} mistake to practise", "{n} mistakes to practise", waiting)),
  );
}

/** The best result of every game, with the best title that was earned. @param {Played[]} every @param {Record<string, string>} titles */
function bests(every, titles) {
  const best = (/** @type {Played[]} */ some) => [...some].sort((a, b) => b.mine.score - a.mine.score)[0];
  const lines = [...new Set(every.map(({ game }) => game))].map((game) => {
    const own = every.filter((one) => one.game === game);
    const one = best(own);
    const earned = best(own.filter((other) => other.earned))?.earned ?? "";
    return one && h("tr", { key: game }, h("th", { scope: "row" }, word(one.title)), h("td", null, number(one.mine.score)), h("td", null, titles[earned] ?? "", " ", h("span", { class: "muted small" }, date(one.when))));
  });
  return sheet(t("Best results"), {}, h("table", { class: "worths" }, h("thead", null, h("tr", null, [t("Game"), t("Points"), t("When")].map((head) => h("th", { key: head, scope: "col" }, head)))), h("tbody", null, lines)));
}

/** The numbers of a chart, for those who do not see it. @param {string[]} heads @param {Played[]} played @param {(one: Played) => string[]} cells */
function asTable(heads, played, cells) {
  return h(
    "details",
    null,
    h("summary", null, t("As numbers")),
    h(
      "div",
      { class: "scrolls", tabIndex: 0, role: "group", "aria-label": t("As numbers") },
      h(
        "table",
        { class: "worths" },
        h("thead", null, h("tr", null, [t("When"), ...heads].map((head) => h("th", { key: head, scope: "col" }, head)))),
        h("tbody", null, [...played].reverse().map((one) => h("tr", { key: `${one.table} ${one.mine.seat}` }, h("th", { scope: "row" }, link(`/report/${one.table}`, null, date(one.when))), cells(one).map((cell, place) => h("td", { key: place }, cell))))),
      ),
    ),
  );
}

/** @param {string} name @param {string} value */
const fact = (name, value) => h("div", null, h("dt", null, name), h("dd", null, value));

/** @param {string} text */
const lower = (text) => text.charAt(0).toLocaleLowerCase(currentLanguage()) + text.slice(1);

/** Everything this page shows, as a file. */
function download() {
  saveFile("pasch-progress.json", { format: "pasch-progress/1", games: device.summaries(), mistakes: device.mistakes(), puzzles: device.puzzleDays() });
}
