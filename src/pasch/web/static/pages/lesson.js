// @ts-check
/**
 * A game's lesson on the real board: prepared dice, a remark before each step, and only the move that is asked for goes
 * on. Nothing is sent to the server until somebody plays on at the end.
 *
 * @typedef {object} LessonStep
 * @property {string} remark
 * @property {string} wrong what the page says when something else is touched; empty if nothing in particular
 * @property {Step[]} happened since the last step
 * @property {import("../app/types.js").Position} position
 * @property {Choice | null} do the move to make; dice and cards have no tokens; null if there is only something to read
 * @property {Record<string, import("../app/types.js").Sentence>} refused by token: why the rules forbid it
 *
 * @typedef {{table: import("../app/types.js").TableInfo, options: Record<string, any>, steps: LessonStep[],
 *   events: Record<string, any>[]}} Lesson
 */
import { game as askGame, lesson as askLesson, makeTable, orToast } from "../app/api.js";
import { sitDown } from "../app/begin.js";
import * as device from "../app/device.js";
import { announce, icon } from "../app/frame.js";
import { t, word } from "../app/i18n.js";
import { loadBoard } from "../board/load.js";
import { classes, face } from "../board/pieces.js";
import { atOnce } from "../table/choose.js";
import { byPhase, controls, dock, labelOf } from "../table/controls.js";
import { scorePad } from "../table/score_pad.js";
import { seats } from "../table/seats.js";
import { play, tokensIn } from "../table/view.js";
import { h } from "../vendor/preact.js";
import { inWords, openLocalTable, room } from "./local_table.js";

/** @import { Choice, Step } from "../app/types.js" */

/** the seat of the person who learns */
const YOU = 0;

/** @type {import("../app/main.js").Page} */
export async function lessonPage(root, id) {
  const [game, lesson] = await Promise.all([askGame(id), askLesson(id)]);
  const board = await loadBoard(game);
  /** @type {LessonStep[]} */
  const steps = lesson.steps.map(onlyWanted);
  const last = steps.length - 1;
  let at = Math.min(device.lessonStep(id), last);

  const step = () => /** @type {LessonStep} */ (steps[at]);
  const objection = () => inWords(step().wrong || t("Not this time. Read once more what to do."));
  const table = openLocalTable(root, {
    game, board, info: lesson.table, view, leaving: t("Leave the lesson"), title: t("Learn {game}", { game: game.title }),
    move(event) {
      if (JSON.stringify(event) !== JSON.stringify(step().do?.event)) return objection();
      goOn();
      return null;
    },
    roll: goOn,
    why: (token) => step().refused[token] ?? objection(),
  });

  /** Everything up to a step, as it happened. @param {number} from @param {number} to */
  const course = (from, to) => steps.slice(from, to + 1).flatMap(({ happened, position }) => happened.map((one, place) => (place === happened.length - 1 ? { ...one, position } : one)));

  function remember() {
    device.rememberLessonStep(id, at);
    if (at === last) device.rememberExplained(id);
    announce(step().remark);
  }
  /** The next step follows from this one. */
  function goOn() {
    at = Math.min(at + 1, last);
    const news = course(at, at);
    // where nothing happens there is something else to read about the same position
    if (!news.length) return jump(at);
    table.happen(news);
    remember();
  }
  /** Show a step as it is. @param {number} to */
  function jump(to) {
    at = Math.max(0, Math.min(to, last));
    const [first] = steps;
    if (!first) return;
    const news = course(1, at);
    const { position } = step();
    table.begin(news.length ? first.position : position, YOU, { steps: news });
    remember();
  }

  /** A table that begins where the lesson ends. */
  async function playOn() {
    const made = await makeTable({
      game: id,
      seats: lesson.table.seats.map((_, seat) => (seat === YOU ? { kind: "here", name: device.names()[0] ?? "" } : { kind: "computer", level: "greedy" })),
      options: lesson.options,
      events: lesson.events,
    });
    device.rememberLessonStep(id, 0);
    sitDown(made, { game: id, title: word(lesson.table.title) });
  }

  /** @param {import("../table/controller.js").Model} model */
  function view(model) {
    const lying = play(model);
    const dock = step().do || !model.shown.settled ? controls(model, tokensIn(lying)) : reading();
    return room(model, "lessonpage", { left: board.scorePad ? scorePad(model) : model.info.players > 1 && seats(model), lying, dock, right: bubble(model), labels: [t("Score pad"), t("The lesson")] });
  }

  /** The buttons where there is nothing to touch. */
  function reading() {
    const button = (/** @type {string} */ key, /** @type {string} */ text, /** @type {() => void} */ onClick, kind = "go") => h("button", { key, class: kind, type: "button", "data-key": key, onClick }, h("span", null, text));
    return dock("\u00a0", at < last ? button("primary", t("Continue"), goOn) : [button("primary", t("Play on from here"), () => orToast(playOn)), button("again", t("Once more from the start"), () => jump(0), "alt")]);
  }

  /** What Pip says, and the one thing to do. @param {import("../table/controller.js").Model} model */
  function bubble(model) {
    const { refusal, shown } = model;
    const wanted = step().do;
    // a calculation stays on one line
    const said = step().remark.replace(/ ([+−×÷]) (?=\d)/g, "\u00a0$1\u00a0");
    const todo = !wanted || !shown.settled ? "" : wanted.tokens.length ? labelOf(model, wanted.event).text : byPhase(model, "chances");
    return h(
      "section",
      { class: classes("bubble lesson", refusal && "no") },
      h("div", { class: "says" }, face(1), refusal ? h("p", { key: "why", class: "why" }, refusal) : h("p", { key: "said", class: "said" }, shown.settled ? said : "…")),
      todo && h("p", { class: "todo" }, icon("next"), todo),
      h(
        "div",
        { class: "prog" },
        h("button", { class: "tool", type: "button", "data-key": "step-back", "aria-label": t("One step back"), disabled: at === 0, onClick: () => jump(at - 1) }, icon("before")),
        h("progress", { max: steps.length, value: at + 1, "aria-label": t("Your progress") }),
        h("strong", null, t("{n} of {all}", { n: at + 1, all: steps.length })),
      ),
    );
  }

  jump(at);
  return table.leave;
}

/** Of what can be touched, only what is asked for is offered, and nothing is taken back; whole moves have their buttons, and are objected to. @param {LessonStep} step @returns {LessonStep} */
function onlyWanted(step) {
  const wanted = JSON.stringify(step.do?.event);
  const moves = step.position.moves.filter(({ event, tokens }) => JSON.stringify(event) === wanted || tokens.every(atOnce));
  return { ...step, position: { ...step.position, moves, undo: null, held: false } };
}
