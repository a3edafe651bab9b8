// @ts-check
/**
 * Puzzles on the real board: find the best move, then see what every move is worth and why. `/puzzle` is the one of the
 * day, `/puzzle/GAME` any number of them, `/puzzle/mistakes` the mistakes of one's own games that are due.
 *
 * @typedef {object} Source where puzzles come from
 * @property {string} title
 * @property {() => Promise<Puzzle | null>} load the next one; null if there is none
 * @property {(puzzle: Puzzle, found: boolean) => void} remember the answer
 * @property {(puzzle: Puzzle) => Child} about what stands above the question
 * @property {(puzzle: Puzzle) => string} next what the button for the next one says
 * @property {(puzzle: Puzzle) => void} go on to the next one
 */
import { currentPath, currentQuery } from "../app/addresses.js";
import { game as askGame, games, puzzle as askPuzzle, untilReady } from "../app/api.js";
import * as device from "../app/device.js";
import { announce, go, icon, link, messageCard, selectField, sheet } from "../app/frame.js";
import { capital, date, number, t, tn, word } from "../app/i18n.js";
import { playSound } from "../app/sound.js";
import { difficultyName } from "../app/words.js";
import { loadBoard, phrase } from "../board/load.js";
import { classes, use } from "../board/pieces.js";
import { controls, dock, labelOf } from "../table/controls.js";
import { sayAt } from "../table/people.js";
import { boardModelAt, play, tokensIn } from "../table/view.js";
import { h, render } from "../vendor/preact.js";
import { inARow, today } from "./days.js";
import { answered, due } from "./leitner.js";
import { inWords, openLocalTable, room } from "./local_table.js";

/** @import { Puzzle } from "../app/api.js" */
/** @import { Child } from "../vendor/preact.js" */

/** how many moves are shown with their values, besides the one that was chosen */
const SHOWN_MOVES = 4;
const DIFFICULTIES = /** @type {const} */ (["easy", "medium", "hard"]);

/** @type {import("../app/main.js").Page} */
export async function puzzlePage(root, id) {
  const source = id === "mistakes" ? fromMistakes() : id ? await fromGame(id) : fromDay();
  const puzzle = await source.load();
  if (!puzzle) return render(nothingDue(), root);
  const game = await askGame(puzzle.table.game);
  return show(root, puzzle, source, game, await loadBoard(game));
}

/**
 * @param {HTMLElement} root
 * @param {Puzzle} puzzle
 * @param {Source} source
 * @param {import("../app/api.js").GameInfo} game
 * @param {import("../board/model.js").Board} board
 */
function show(root, puzzle, source, game, board) {
  const { position, points, table: info } = puzzle;
  const best = points[puzzle.best] ?? 0;
  /** the number of the move that was chosen @type {number | null} */
  let made = null;
  let remembered = false;

  const right = (/** @type {number} */ place) => best - (points[place] ?? 0) < puzzle.slack;
  const table = openLocalTable(root, {
    game, board, info, title: source.title, where: word(info.title), leaving: t("Leave the puzzle"), view,
    move(event) {
      answer(position.moves.findIndex((one) => JSON.stringify(one.event) === JSON.stringify(event)));
      return null;
    },
    why: () => inWords(t("That is not possible here.")),
  });

  /** Only the first answer counts. @param {number} place */
  function answer(place) {
    made = place;
    if (!remembered) source.remember(puzzle, right(place));
    remembered = true;
    playSound(right(place) ? "place" : "no");
    announce(verdict(place));
    table.pulse();
  }
  function tryAgain() {
    made = null;
    table.clear();
  }

  /** @param {number} place */
  function verdict(place) {
    return right(place) ? t("Right! That is the best move.") : t("Not the best: it gives away {points} points.", { points: number(best - (points[place] ?? 0), 2) });
  }

  /** @param {import("../table/controller.js").Model} model */
  function view(model) {
    const asked = made === null;
    // the best move stays marked on the board
    const lying = asked ? play(model) : play(model, boardModelAt(model, { ...model.position }, new Set(position.moves[puzzle.best]?.tokens)));
    return room(model, "puzzlepage", {
      more: asked ? "asked" : "answered", left: question(), lying, labels: [t("The puzzle"), t("The solution")],
      dock: made === null ? controls(model, tokensIn(lying)) : after(made), right: made === null ? waiting() : solution(model, made),
    });
  }

  function question() {
    return h(
      "section",
      { tabIndex: 0, class: "sheet quest" },
      h("p", null, h("b", null, t("Which move brings the most points on average?"))),
      h("div", { class: "puzzle-head" }, source.about(puzzle)),
      h("p", { class: "row2" }, link(`/rules/${info.game}`, {}, t("Rules"))),
    );
  }

  const waiting = () => sheet(t("Why?"), { tabIndex: 0, class: "moment" }, h("p", null, t("The answer comes after your move. No clock is running.")));

  /** @param {import("../table/controller.js").Model} model @param {number} place */
  function solution(model, place) {
    const wrong = !right(place);
    const sentence = puzzle.sentences[puzzle.reasons[wrong ? place : puzzle.obvious] ?? -1];
    const telling = (/** @type {number} */ one) => model.telling(position.moves[one]?.event ?? {}, position);
    const label = (/** @type {number} */ one) => capital(String(phrase(board.shorts, telling(one)) ?? labelOf(model, position.moves[one]?.event ?? {}).text));
    const order = points.map((_, one) => one).sort((a, b) => (points[b] ?? 0) - (points[a] ?? 0) || a - b);
    const shown = order.filter((one, rank) => rank < SHOWN_MOVES || one === place || one === puzzle.obvious);
    const least = Math.min(...shown.map((one) => points[one] ?? 0));
    const share = (/** @type {number} */ one) => `${Math.round(12 + (88 * ((points[one] ?? 0) - least)) / (best - least || 1))}%`;
    return sheet(
      t("Why?"), { tabIndex: 0, class: "moment" },
      !wrong && place !== puzzle.obvious && h("p", null, t("What looks good, “{move}”, gives away {points} points.", { move: label(puzzle.obvious), points: number(best - (points[puzzle.obvious] ?? 0), 2) })),
      sentence && h("p", null, sayAt(info, sentence).replace(/ %/g, "\u00a0%")),
      h(
        "ol",
        { class: "vals worths", "aria-label": t("What each move brings on average") },
        shown.map((one) =>
          h(
            "li",
            { key: one, class: classes(one === puzzle.best && "top1") },
            h("span", null, label(one)),
            h("span", { class: "vb", "aria-hidden": "true" }, h("i", { style: { width: share(one) } })),
            h("b", null, number(points[one] ?? 0, 2)),
            one === puzzle.best ? h("em", null, t("best")) : one === place && h("em", null, t("your choice")),
          ),
        ),
      ),
      h("p", { class: "muted" }, puzzle.exact ? t("These values are exact.") : t("Estimated, not exact.")),
    );
  }

  /** @param {number} place */
  function after(place) {
    const ok = right(place);
    return dock(
      h("span", { class: classes("verd found", ok && "ok") }, ok && use("check"), verdict(place)),
      h("button", { key: "primary", class: "go", type: "button", "data-key": "primary", onClick: () => source.go(puzzle) }, icon("next"), h("span", null, source.next(puzzle))),
      ok ? link("/progress", { key: "progress", class: "alt", "data-key": "progress" }, t("My progress")) : h("button", { key: "again", class: "alt", type: "button", "data-key": "again", onClick: tryAgain }, t("Try again")),
    );
  }

  table.begin(position, position.actor, { entries: puzzle.entries });
  announce(t("Which move brings the most points on average?"));
  return table.leave;
}

// --- where puzzles come from ----------------------------------------------------------------------------------

/** The puzzle of today, by the player's clock. @returns {Source} */
function fromDay() {
  const day = today();
  const row = () => inARow(device.puzzleDays());
  return {
    title: t("Puzzle of the day"),
    load: () => patiently("", { date: day }),
    remember: (_, found) => device.rememberPuzzleDay(day, found),
    about: (puzzle) => [h("h2", null, t("Puzzle of the day")), h("span", { class: "muted" }, t("{name}: {what}", { name: word(puzzle.table.title), what: difficultyName(puzzle.difficulty) })), row() > 1 && h("span", { class: "tag good" }, tn("{n} day in a row", "{n} days in a row", row()))],
    next: () => t("Another one"),
    go: (puzzle) => go(`/puzzle/${puzzle.table.game}`),
  };
}

/** @param {string} id @returns {Promise<Source>} */
async function fromGame(id) {
  const asked = currentQuery();
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
  /** @param {string} game @param {string} level @param {string} about */
  const open = (game, level, about) => go(`/puzzle/${game}?${new URLSearchParams({ ...(level && { difficulty: level }), ...(about && { kind: about }) })}`);
  return {
    title: t("Puzzle"),
    load: () => patiently(id, which),
    remember() {},
    about: (puzzle) => [
      selectField({ "aria-label": t("Game"), "data-key": "game" }, all.map((one) => [one.id, one.title]), id, (game) => open(game, difficulty, "")),
      selectField({ "aria-label": t("How hard"), "data-key": "difficulty" }, [["", t("Easy or hard")], ...DIFFICULTIES.map((one) => /** @type {[string, string]} */ ([one, difficultyName(one)]))], difficulty, (level) => open(id, level, kind)),
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
    about: (puzzle) => [h("h2", null, t("My mistakes")), h("span", { class: "muted" }, word(puzzle.table.title)), h("span", null, t("Here you gave away {points} points.", { points: number(waiting[0]?.cost ?? 0, 1) }))],
    next: () => (due(device.mistakes(), Date.now()).length ? t("The next one") : t("Done")),
    go: () => go("/puzzle/mistakes"),
  };
}

function nothingDue() {
  const later = device.mistakes();
  const next = Math.min(...later.map((card) => card.due));
  const when = Number.isFinite(next) && date(next, "time");
  const text = when ? tn("{n} position is waiting. It comes back on {when}.", "{n} positions are waiting. The next one comes back on {when}.", later.length, { when }) : t("There is nothing to practise. After a game your expensive moves come back here as puzzles.");
  return messageCard(t("My mistakes"), [text], link("/puzzle", { class: "button primary" }, t("Puzzle of the day")), link("/", { class: "button" }, t("To the games")));
}

/** A puzzle, as soon as it is ready. @param {string} game @param {Record<string, string>} which */
function patiently(game, which) {
  const path = currentPath();
  return untilReady(() => askPuzzle(game, which), () => currentPath() === path);
}
