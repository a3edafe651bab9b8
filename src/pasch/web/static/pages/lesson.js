// @ts-check
/**
 * A game's lesson on the real board: prepared dice, a remark before each step, and only the move that is asked for goes
 * on. Nothing is sent to the server until somebody plays on at the end.
 *
 * @typedef {import("../app/types.js").Choice} Choice
 *
 * @typedef {object} LessonStep
 * @property {string} remark
 * @property {string} wrong what somebody is told who touches something else; empty if nothing in particular
 * @property {import("../app/types.js").Entry[]} entries what happened since the last step
 * @property {import("../app/types.js").Position} position
 * @property {Choice | null} do the move to make; dice and cards have no tokens; null if there is only something to read
 * @property {Record<string, import("../app/types.js").Sentence>} refused by token: why the rules forbid it
 *
 * @typedef {{table: import("../app/types.js").TableInfo, options: Record<string, any>, steps: LessonStep[],
 *   events: Record<string, any>[]}} Lesson
 */
import { Refusal, game as askGame, lesson as askLesson, makeTable } from "../app/api.js";
import { loadBoard } from "../board/load.js";
import { barButton, openDesk } from "./desk.js";
import * as device from "../app/device.js";
import { h } from "../app/dom.js";
import { announce, go, icon, toast } from "../app/frame.js";
import { t, word } from "../app/i18n.js";
import { line } from "../table/log.js";
import { touched } from "../table/choose.js";
import { sayAt } from "../table/play.js";
import { play as sound } from "../app/sound.js";

/** the seat of the person who learns */
const YOU = 0;

/** @type {import("../app/main.js").Page} */
export async function lessonPage(main, id) {
  const [game, lesson] = await Promise.all([askGame(id), askLesson(id)]);
  const board = await loadBoard(game);
  const { steps } = lesson;
  const last = steps.length - 1;
  let at = Math.min(device.lessonStep(id), last);
  /** whether what is to be touched is shown, after something else was */
  let pointing = false;

  const { play, draw, leave } = openDesk(main, {
    title: t("Learn {game}", { game: game.title }),
    label: t("The lesson"),
    leaving: t("Leave the lesson"),
    game, board, info: lesson.table, position: step().position, seat: YOU, remark, drawn: point,
    buttons: () => (step().do ? null : reading()),
    actions: {
      touch(token) {
        const wanted = step().do?.tokens ?? [];
        const chosen = wanted.includes(token) ? touched(play.position.moves, play.chosen, token) : null;
        if (!chosen) {
          const refused = step().refused[token];
          object(refused ? sayAt(play, refused) : step().wrong);
          return;
        }
        sound("touch");
        Object.assign(play, { chosen, why: "" });
        draw();
      },
      move({ tokens }) {
        const wanted = step().do?.tokens ?? [];
        const rest = wanted.filter((token) => !tokens.includes(token));
        if (tokens.length === wanted.length && !rest.length) jump(at + 1);
        else if (tokens.every((token) => wanted.includes(token)) && tokens.length) object(t("Not quite yet: touch the rest as well."));
        else object(step().wrong);
      },
      roll: () => jump(at + 1),
    },
  });

  function step() {
    return /** @type {LessonStep} */ (steps[at]);
  }

  /** Nothing is lost by touching something else: say why, and show what is meant. @param {string} why */
  function object(why) {
    sound("no");
    pointing = true;
    play.why = why || t("Not this time. Read once more what is asked.");
    draw();
  }

  /** Show a step. @param {number} number */
  function jump(number) {
    const forwards = number > at;
    at = Math.max(0, Math.min(number, last));
    pointing = false;
    device.rememberLessonStep(id, at);
    if (at === last) device.rememberExplained(id);
    const seen = steps.slice(0, at + 1);
    Object.assign(play, {
      position: step().position,
      positions: new Map(seen.map(({ position }) => [position.version, position])),
      entries: seen.flatMap(({ entries }) => entries),
      chosen: new Set(), why: "", looking: YOU,
    });
    if (forwards) {
      for (const entry of step().entries) announce(line(play, entry));
      sound(step().entries.some((entry) => entry.body.roll) ? "roll" : "place");
    }
    announce(step().remark);
    draw();
    window.scrollTo(0, 0);
  }

  /** A table that begins where the lesson ends. */
  async function playOn() {
    try {
      const made = await makeTable({
        game: id,
        seats: lesson.table.seats.map((_, seat) => (seat === YOU ? { kind: "here", name: device.names()[0] ?? "" } : { kind: "computer", level: "greedy" })),
        options: lesson.options,
        events: lesson.events,
      });
      device.rememberLessonStep(id, 0);
      device.rememberTable(made.id, { game: id, title: word(lesson.table.title), tokens: made.seats, maker: made.maker, watch: made.watch, invitations: made.invitations });
      go(`/t/${made.id}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      toast(error.message);
    }
  }

  /** The buttons where there is nothing to touch. */
  function reading() {
    const main =
      at < last
        ? [barButton(t("Go on"), () => jump(at + 1), "primary")]
        : [barButton(t("Play on from here"), playOn, "primary"), barButton(t("Once more from the start"), () => jump(0), "again", "button")];
    return [h("div", { class: "buttons" }, h("div", { class: "main" }, main))];
  }

  function remark() {
    return [
      h(
        "div",
        { class: "lesson-head" },
        h("strong", null, t("{n} of {all}", { n: at + 1, all: steps.length })),
        h("progress", { max: steps.length, value: at + 1, "aria-label": t("How far you are") }),
        h("button", { class: "button plain icon", type: "button", "data-key": "step-back", "aria-label": t("One step back"), disabled: at === 0, onclick: () => jump(at - 1) }, icon("before")),
      ),
      // a calculation stays on one line
      h("p", { class: "said" }, step().remark.replace(/ ([+−×÷]) (?=\d)/g, "\u00a0$1\u00a0")),
    ];
  }

  /** Show what is to be touched. */
  function point() {
    const task = step().do;
    for (const one of main.querySelectorAll("[data-token], .main [data-key]")) {
      const token = one.getAttribute("data-token") ?? one.getAttribute("data-key") ?? "";
      const wanted = pointing && task !== null && task.tokens.includes(token) && !play.chosen.has(token);
      one.classList.toggle("wanted", wanted);
    }
  }

  jump(at);
  return leave;
}
