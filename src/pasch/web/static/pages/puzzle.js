// @ts-check
/**
 * Puzzles on the real board: find the best move, then see what every move is worth and why. `/puzzle` is the one of the
 * day, `/puzzle/GAME` as many as one likes, `/puzzle/mistakes` the mistakes of one's own games that are due.
 *
 * @typedef {import("../app/api.js").Puzzle} Puzzle
 * @typedef {import("../app/dom.js").Child} Child
 *
 * @typedef {object} Source where puzzles come from
 * @property {string} title
 * @property {() => Promise<Puzzle | null>} load the next one; null if there is none
 * @property {(puzzle: Puzzle, found: boolean) => void} remember the answer
 * @property {(puzzle: Puzzle) => Child[]} about what stands above the question
 * @property {(puzzle: Puzzle) => string} next what the button for the next one says
 * @property {(puzzle: Puzzle) => void} go on to the next one
 */
import { game as askGame, games, puzzle as askPuzzle } from "../app/api.js";
import { loadBoard, loadStyle } from "../board/load.js";
import { barButton, openDesk } from "./desk.js";
import { inARow, today } from "../app/days.js";
import * as device from "../app/device.js";
import { h } from "../app/dom.js";
import { announce, go, link } from "../app/frame.js";
import { capital, currentLanguage, number, t, tn, word } from "../app/i18n.js";
import { answered, due } from "./leitner.js";
import { touched } from "../table/choose.js";
import { contextOf, sayAt } from "../table/play.js";
import { play as sound } from "../app/sound.js";
import { difficultyName, signed } from "../app/words.js";

/** so many moves are shown with their values, and the one that was chosen */
const MOST_SHOWN = 4;
/** how long to wait before a puzzle is asked for again that is not ready yet, in milliseconds */
const AGAIN = 2500;
const DIFFICULTIES = /** @type {const} */ (["easy", "medium", "hard"]);

/** @type {import("../app/main.js").Page} */
export async function puzzlePage(main, id) {
  const source = id === "mistakes" ? fromMistakes() : id ? await fromGame(id) : fromDay();
  const [puzzle] = await Promise.all([source.load(), loadStyle("/static/css/practice.css")]);
  if (!puzzle) {
    main.replaceChildren(nothingDue());
    return;
  }
  const game = await askGame(puzzle.table.game);
  return show(main, puzzle, source, game, await loadBoard(game));
}

/**
 * @param {HTMLElement} main
 * @param {Puzzle} puzzle
 * @param {Source} source
 * @param {import("../app/api.js").GameInfo} game
 * @param {import("../board/load.js").Board} board
 */
function show(main, puzzle, source, game, board) {
  const { position, points } = puzzle;
  const best = points[puzzle.best] ?? 0;
  /** the number of the move that was chosen @type {number | null} */
  let made = null;

  const { play, draw, leave } = openDesk(main, {
    title: source.title,
    label: t("The puzzle"),
    leaving: t("Leave the puzzle"),
    game, board, info: puzzle.table, position, seat: position.actor,
    remark: () => (made === null ? question() : solution(made)),
    below: () => (made === null ? [] : worths(made)),
    buttons: () => (made === null ? null : [h("div", { class: "buttons" }, h("div", { class: "main" }, after()))]),
    actions: {
      touch(token) {
        if (made !== null) return;
        const chosen = touched(position.moves, play.chosen, token);
        sound(chosen ? "touch" : "no");
        Object.assign(play, chosen ? { chosen, why: "" } : { why: t("That is not possible here.") });
        draw();
      },
      move(choice) {
        if (made === null) answer(position.moves.indexOf(choice));
      },
    },
  });
  Object.assign(play, { entries: puzzle.entries, positions: new Map([[position.version, position]]) });

  /** @param {number} place */
  function answer(place) {
    made = place;
    const found = right(place);
    source.remember(puzzle, found);
    // the best move stays marked on the board
    play.chosen = new Set(position.moves[puzzle.best]?.tokens ?? []);
    play.why = "";
    sound(found ? "place" : "no");
    draw();
    announce(verdict(place));
    window.scrollTo(0, 0);
  }

  /** @param {number} place */
  const right = (place) => best - (points[place] ?? 0) < puzzle.slack;
  /** @param {number} place */
  const label = (place) => capital(board.label(contextOf(play), position.moves[place]?.event ?? {}));

  /** @param {number} place */
  function verdict(place) {
    return right(place) ? t("Right! That is the best move.") : t("Not the best: it gives away {points} points.", { points: number(best - (points[place] ?? 0), 2) });
  }

  function question() {
    return [
      h("div", { class: "puzzle-head" }, source.about(puzzle)),
      h("p", { class: "said" }, t("Which move brings the most points on average?")),
    ];
  }

  /** @param {number} place */
  function solution(place) {
    const wrong = !right(place);
    const sentence = puzzle.sentences[puzzle.reasons[wrong ? place : puzzle.obvious] ?? -1];
    return [
      h("p", { class: "said found", role: "status" }, h("span", { class: wrong ? "tag bad" : "tag good" }, wrong ? signed((points[place] ?? 0) - best, 2) : "✓"), " ", verdict(place)),
      !wrong && place !== puzzle.obvious && h("p", null, t("What looks good, “{move}”, gives away {points} points.", { move: label(puzzle.obvious), points: number(best - (points[puzzle.obvious] ?? 0), 2) })),
      sentence && h("p", null, sayAt(play, sentence).replace(/ %/g, "\u00a0%")),
    ];
  }

  /** What the moves bring, the best first. @param {number} place the one that was chosen */
  function worths(place) {
    const order = points.map((_, one) => one).sort((a, b) => (points[b] ?? 0) - (points[a] ?? 0) || a - b);
    const shown = order.filter((one, rank) => rank < MOST_SHOWN || one === place || one === puzzle.obvious);
    return [
      h(
        "table",
        { class: "worths" },
        h("caption", { class: "unseen" }, t("What each move brings on average")),
        h("thead", null, h("tr", null, h("th", { scope: "col" }, t("Move")), h("th", { scope: "col" }, t("On average")))),
        h("tbody", null, shown.map((one) => h("tr", { class: one === puzzle.best ? "best" : null }, h("th", { scope: "row" }, label(one), one === place && h("span", { class: "tag" }, t("your choice"))), h("td", null, number(points[one] ?? 0, 2))))),
      ),
      h("p", { class: "muted small" }, puzzle.exact ? t("These values are exact.") : t("Estimated, not exact.")),
    ];
  }

  function after() {
    return [
      barButton(source.next(puzzle), () => source.go(puzzle), "primary"),
      link("/progress", { class: "button", "data-key": "progress" }, t("My progress")),
    ];
  }

  draw();
  announce(t("Which move brings the most points on average?"));
  return leave;
}

// --- where puzzles come from ----------------------------------------------------------------------------------

/** The puzzle of today, by the clock of whoever asks. @returns {Source} */
function fromDay() {
  const day = today();
  const row = () => inARow(device.puzzleDays());
  return {
    title: t("Puzzle of the day"),
    load: () => patiently("", { date: day }),
    remember: (_, found) => device.rememberPuzzleDay(day, found),
    about: (puzzle) => [h("strong", null, t("Puzzle of the day")), h("span", { class: "muted" }, facts(puzzle)), row() > 1 && h("span", { class: "tag good" }, tn("{n} day in a row", "{n} days in a row", row()))],
    next: () => t("Another one"),
    go: (puzzle) => go(`/puzzle/${puzzle.table.game}`),
  };
}

/** @param {string} id @returns {Promise<Source>} */
async function fromGame(id) {
  const asked = new URLSearchParams(location.search);
  const all = (await games()).filter((one) => one.puzzles);
  const difficulty = asked.get("difficulty") ?? "";
  const kind = asked.get("kind") ?? "";
  // a seed in the address, so that somebody else can be shown the same
  if (!asked.get("seed")) {
    asked.set("seed", Math.random().toString(36).slice(2, 10));
    history.replaceState(null, "", `/puzzle/${id}?${asked}`);
  }
  /** @type {Record<string, string>} */
  const which = { seed: asked.get("seed") ?? "", ...(difficulty && { difficulty }), ...(kind && { kind }) };
  /**
   * @param {string} game
   * @param {string} level
   * @param {string} about
   */
  const open = (game, level, about) => go(`/puzzle/${game}?${new URLSearchParams({ ...(level && { difficulty: level }), ...(about && { kind: about }) })}`);
  /** @param {string} label @param {string} key @param {[string, string][]} choices @param {string} chosen @param {(value: string) => void} change */
  const select = (label, key, choices, chosen, change) =>
    h("select", { "aria-label": label, "data-key": key, onchange: (/** @type {Event} */ event) => change(/** @type {HTMLSelectElement} */ (event.target).value) }, choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  return {
    title: t("Puzzle"),
    load: () => patiently(id, which),
    remember() {},
    about: (puzzle) => [
      select(t("Game"), "game", all.map((one) => [one.id, one.title]), id, (game) => open(game, difficulty, "")),
      select(t("How hard"), "difficulty", [["", t("Easy or hard")], ...DIFFICULTIES.map((one) => /** @type {[string, string]} */ ([one, difficultyName(one)]))], difficulty, (level) => open(id, level, kind)),
      kind ? h("span", { class: "tag" }, t("About: {habit}", { habit: word(puzzle.habit.name) })) : !difficulty && h("span", { class: "muted" }, difficultyName(puzzle.difficulty)),
    ],
    next: () => t("Another one"),
    go: () => open(id, difficulty, kind),
  };
}

/** @returns {Source} */
function fromMistakes() {
  const waiting = due(device.mistakes(), Date.now());
  return {
    title: t("My mistakes"),
    load: async () => waiting[0]?.puzzle ?? null,
    remember: (puzzle, found) => device.saveMistakes(answered(device.mistakes(), puzzle.id, found, Date.now())),
    about: (puzzle) => [h("strong", null, t("My mistakes")), h("span", { class: "muted" }, word(puzzle.table.title)), h("span", null, t("Here you gave away {points} points.", { points: number(waiting[0]?.cost ?? 0, 1) }))],
    next: () => (due(device.mistakes(), Date.now()).length ? t("The next one") : t("Done")),
    go: () => go("/puzzle/mistakes"),
  };
}

function nothingDue() {
  const later = device.mistakes();
  const next = Math.min(...later.map((card) => card.due));
  const when = Number.isFinite(next) && new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeStyle: "short" }).format(next);
  return h(
    "section",
    { class: "card narrow stack" },
    h("h1", null, t("My mistakes")),
    h("p", null, when ? tn("{n} position waits. It comes back on {when}.", "{n} positions wait. The next one comes back on {when}.", later.length, { when }) : t("There is nothing to practise. After a game your expensive moves come back here as puzzles.")),
    h("div", { class: "row" }, link("/puzzle", { class: "button primary" }, t("Puzzle of the day")), link("/", { class: "button" }, t("To the games"))),
  );
}

/**
 * A puzzle, as soon as it is ready.
 * @param {string} game
 * @param {Record<string, string>} which
 */
async function patiently(game, which) {
  const path = location.pathname;
  for (;;) {
    const found = await askPuzzle(game, which);
    if (found || location.pathname !== path) return found;
    await new Promise((done) => window.setTimeout(done, AGAIN));
  }
}

/** @param {Puzzle} puzzle */
function facts(puzzle) {
  return t("{name}: {what}", { name: word(puzzle.table.title), what: difficultyName(puzzle.difficulty) });
}
