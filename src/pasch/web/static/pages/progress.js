// @ts-check
/** My progress: all finished games of this device, with luck taken out, and what to practise. Nothing leaves the device. */
import { games as askGames } from "../app/api.js";
import { loadBoard, loadStyle } from "../board/load.js";
import { chart } from "./chart.js";
import * as device from "../app/device.js";
import { h } from "../app/dom.js";
import { link } from "../app/frame.js";
import { currentLanguage, number, say, t, tn, word } from "../app/i18n.js";
import { due } from "./leitner.js";
import { catchUp } from "./practice.js";
import { habits, interval, running } from "./statistics.js";

/**
 * @typedef {import("./practice.js").Summary} Summary
 * @typedef {import("./practice.js").SeatSummary} SeatSummary
 * @typedef {import("./statistics.js").Interval} Interval
 * @typedef {Summary & {mine: SeatSummary}} Played a game as one of its people saw it
 */

/** of each game so many habits are shown */
const MOST_HABITS = 6;

/** @type {import("../app/main.js").Page} */
export async function progressPage(main) {
  const [all] = await Promise.all([askGames(), loadStyle("/static/css/practice.css")]);
  /** what is shown: a game, and a name; empty: the one with most games, and everybody */
  let [game, who] = ["", ""];
  let gone = false;
  const body = h("div", { class: "stack progress" });
  const news = h("p", { class: "muted small", role: "status" });
  main.replaceChildren(h("h1", null, t("My progress")), news, body);

  async function draw() {
    const every = device.summaries().flatMap((one) => one.seats.map((mine) => ({ ...one, mine }))).reverse();
    if (!every.length) {
      body.replaceChildren(nothing());
      return;
    }
    const counts = new Map();
    for (const one of every) counts.set(one.game, (counts.get(one.game) ?? 0) + 1);
    game ||= [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
    const names = [...new Set(every.filter((one) => one.game === game).map((one) => one.mine.name))];
    if (!names.includes(who)) who = "";
    const played = every.filter((one) => one.game === game && (!who || one.mine.name === who));
    const info = all.find((one) => one.id === game);
    const titles = [...counts.keys()].map((id) => /** @type {[string, string]} */ ([id, word(every.find((one) => one.game === id)?.title ?? id)]));
    const parts = [
      h(
        "div",
        { class: "row" },
        titles.length > 1 && choice(t("Game"), "game", titles, game, (value) => ([game, who] = [value, ""])),
        names.length > 1 && choice(t("Who"), "who", [["", t("Everybody here")], ...names.map((name) => /** @type {[string, string]} */ ([name, name]))], who, (value) => (who = value)),
      ),
      h("div", { class: "columns" }, results(played), accuracies(played)),
      h("div", { class: "columns" }, decisions(played, info?.puzzles ?? false), await bests(every, all)),
      h("div", { class: "row" }, h("button", { class: "button", type: "button", "data-key": "export", onclick: download }, t("Download all of this"))),
      h("p", { class: "muted small" }, t("All of this is kept on this device only.")),
    ];
    if (!gone) body.replaceChildren(...parts);
  }

  /**
   * @param {string} label
   * @param {string} key
   * @param {[string, string][]} choices
   * @param {string} chosen
   * @param {(value: string) => void} change
   */
  function choice(label, key, choices, chosen, change) {
    const changed = (/** @type {Event} */ event) => {
      change(/** @type {HTMLSelectElement} */ (event.target).value);
      draw().then(() => /** @type {HTMLElement | null} */ (body.querySelector(`[data-key=${key}]`))?.focus());
    };
    return h("label", { class: "row" }, label, " ", h("select", { "data-key": key, onchange: changed }, choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));
  }

  await draw();
  news.textContent = t("Looking at your games …");
  catchUp()
    .then(() => (gone ? undefined : draw()))
    .finally(() => (news.textContent = ""));
  return () => {
    gone = true;
  };
}

function nothing() {
  return h(
    "section",
    { class: "card stack" },
    h("p", null, t("Play a game to its end; then you can see here how you get on.")),
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
  const fair = played.map((one) => one.mine.without);
  const line = running(fair);
  const others = played.filter((one) => one.players > 1);
  const won = others.filter((one) => one.mine.won).length;
  const mean = /** @type {Interval} */ (line.at(-1));
  const label = tn("{n} game: {score} on average, without luck {fair}.", "{n} games: {score} on average, without luck {fair}.", played.length, { score: number(interval(scores).mean, 1), fair: between(mean) });
  return h(
    "section",
    { class: "card" },
    h("h2", null, t("Results")),
    h(
      "dl",
      { class: "figures" },
      fact(t("Games"), number(played.length)),
      others.length > 0 && fact(t("Won"), t("{won} of {games}", { won, games: others.length })),
      fact(t("On average"), number(interval(scores).mean, 1)),
      fact(t("Without luck"), between(mean)),
    ),
    chart({ dots: scores, line }, { label, below: t("games"), keys: [["dot", t("result")], ["line", t("without luck, on average")], ["band", t("probably in here")]] }),
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
  return h(
    "section",
    { class: "card" },
    h("h2", null, t("How well played")),
    h("dl", { class: "figures" }, mean && fact(t("On average"), t("{n} %", { n: number(mean.mean, 1) })), fact(t("Given away in a game"), between(costs, 0))),
    values.length
      ? chart({ dots: values, line }, { label: tn("{n} game, played to {mean} %; 100 % is perfect.", "{n} games, played to {mean} % on average; 100 % is perfect.", values.length, { mean: number(mean?.mean ?? 0, 1) }), below: t("games"), keys: [["dot", t("a game, in %")], ["line", t("on average")], ["band", t("probably in here")]], bounds: [Math.min(80, ...values.map((one) => Math.floor(one / 10) * 10)), 100] })
      : null,
    asTable([t("How well played"), t("Given away")], known, (one) => [t("{n} %", { n: number(one.mine.accuracy ?? 0, 1) }), number(one.mine.costs, 1)]),
  );
}

/**
 * @param {Played[]} played
 * @param {boolean} puzzles whether there are some of this game
 */
function decisions(played, puzzles) {
  const found = habits(played.map((one) => one.mine.habits)).slice(0, MOST_HABITS);
  const most = Math.max(...found.map((one) => one.cost.mean), 1e-9);
  const waiting = due(device.mistakes(), Date.now()).length;
  return h(
    "section",
    { class: "card" },
    h("h2", null, t("What to learn")),
    found.length ? null : h("p", { class: "muted" }, t("Nothing was given away.")),
    h(
      "ul",
      { class: "habits" },
      found.map((one) =>
        h(
          "li",
          null,
          h("div", null, h("strong", null, word(one.name)), one.when && h("span", { class: "muted" }, ` · ${t("mostly {when}", { when: lower(say(one.when)) })}`)),
          h("div", { class: "share", "aria-hidden": "true", style: { "--share": `${(100 * one.cost.mean) / most}%` } }),
          h("div", { class: "row small" }, h("span", null, t("{points} points a game", { points: between(one.cost, 0) })), puzzles && link(`/puzzle/${played[0]?.game}?kind=${one.slug}`, { class: "button plain" }, t("Practise this"))),
        ),
      ),
    ),
    waiting > 0 && link("/puzzle/mistakes", { class: "button primary", "data-key": "mistakes" }, tn("{n} mistake to practise", "{n} mistakes to practise", waiting)),
  );
}

/**
 * The best result of every game, with the title that it has earned.
 * @param {Played[]} every
 * @param {import("../app/api.js").GameInfo[]} all
 */
async function bests(every, all) {
  /** @type {Map<string, Played>} */
  const best = new Map();
  for (const one of every) {
    const before = best.get(one.game);
    if (!before || one.mine.score > before.mine.score) best.set(one.game, one);
  }
  const lines = await Promise.all(
    [...best.values()].map(async (one) => {
      const info = all.find((game) => game.id === one.game);
      const titled = every.filter((other) => other.game === one.game && other.earned).sort((a, b) => b.mine.score - a.mine.score)[0];
      const earned = titled && info ? (await loadBoard(info)).earned(titled.earned) : "";
      return h("tr", null, h("th", { scope: "row" }, word(one.title)), h("td", null, number(one.mine.score)), h("td", null, earned, " ", h("span", { class: "muted small" }, day(one.when))));
    }),
  );
  return h(
    "section",
    { class: "card" },
    h("h2", null, t("Best results")),
    h("table", { class: "worths" }, h("thead", null, h("tr", null, h("th", { scope: "col" }, t("Game")), h("th", { scope: "col" }, t("Points")), h("th", { scope: "col" }, t("When")))), h("tbody", null, lines)),
  );
}

/**
 * The numbers of a chart, for those who do not see it.
 * @param {string[]} heads
 * @param {Played[]} played
 * @param {(one: Played) => string[]} cells
 */
function asTable(heads, played, cells) {
  return h(
    "details",
    null,
    h("summary", null, t("As numbers")),
    h(
      "div",
      { class: "scrolls", tabindex: "0", role: "group", "aria-label": t("As numbers") },
      h(
        "table",
        { class: "worths" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, t("When")), heads.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", null, [...played].reverse().map((one) => h("tr", null, h("th", { scope: "row" }, link(`/report/${one.table}`, null, day(one.when))), cells(one).map((cell) => h("td", null, cell))))),
      ),
    ),
  );
}

/** @param {string} name @param {string} value */
function fact(name, value) {
  return h("div", null, h("dt", null, name), h("dd", null, value));
}

/** @param {number} when */
function day(when) {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium" }).format(when);
}

/** @param {string} text */
function lower(text) {
  return text.charAt(0).toLocaleLowerCase(currentLanguage()) + text.slice(1);
}

/** Everything this page shows, as a file. */
function download() {
  const all = { format: "pasch-progress/1", games: device.summaries(), mistakes: device.mistakes(), puzzles: device.puzzleDays() };
  const url = URL.createObjectURL(new Blob([JSON.stringify(all)], { type: "application/json" }));
  h("a", { href: url, download: "pasch-progress.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
