// @ts-check
/**
 * A game's lesson on the real board: prepared dice, a remark before each step, and only the move that is asked for goes
 * on. Nothing is sent to the server until somebody plays on at the end.
 *
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("./types.js").Choice} Choice
 *
 * @typedef {object} LessonStep
 * @property {string} remark
 * @property {string} wrong what somebody is told who touches something else; empty if nothing in particular
 * @property {import("./types.js").Entry[]} entries what happened since the last step
 * @property {import("./types.js").Position} position
 * @property {Choice | null} do the move to make; dice and cards have no tokens; null if there is only something to read
 * @property {Record<string, import("./types.js").Sentence>} refused by token: why the rules forbid it
 *
 * @typedef {{table: import("./types.js").TableInfo, options: Record<string, any>, steps: LessonStep[],
 *   events: Record<string, any>[]}} Lesson
 */
import { Refusal, game as askGame, lesson as askLesson, makeTable } from "./api.js";
import { loadBoard } from "./boards.js";
import { controls } from "./controls.js";
import * as device from "./device.js";
import { h, replace } from "./dom.js";
import { announce, go, icon, link, toast } from "./frame.js";
import { t, word } from "./i18n.js";
import { listen } from "./keys.js";
import { line } from "./log.js";
import { touched } from "./narrow.js";
import { sayAt } from "./play.js";
import { seatRow } from "./seats.js";
import { play as sound } from "./sound.js";
import { boards, boardsClass, makeRoom } from "./table.js";

/** the seat of the person who learns */
const YOU = 0;

/** @type {import("./main.js").Page} */
export async function lessonPage(main, id) {
  const [game, lesson] = await Promise.all([askGame(id), askLesson(id)]);
  const board = await loadBoard(game);
  const { steps } = lesson;
  const last = steps.length - 1;
  const wide = matchMedia("(min-width: 60rem)");
  const parts = skeleton(main, t("Learn {game}", { game: game.title }));
  let at = Math.min(device.lessonStep(id), last);
  /** whether what is to be touched is shown, after something else was */
  let pointing = false;

  /** @type {import("./play.js").Actions} */
  const actions = {
    draw,
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
    undo() {
      Object.assign(play, { chosen: new Set([...play.chosen].slice(0, -1)), why: "" });
      draw();
    },
    clear() {
      Object.assign(play, { chosen: new Set(), why: "" });
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
    look(seat) {
      play.looking = seat;
      draw();
    },
    read() {},
    unread() {},
    confirmRead() {},
    itsMe() {},
    hint() {},
    earlier() {},
    command: async () => false,
  };
  /** @type {Play} */
  const play = {
    id: "lesson", game, board, info: lesson.table, position: step().position, yours: [YOU], maker: false, entries: [],
    first: 1, lines: 0, dismissed: new Set(), positions: new Map(), judgements: [], chosen: new Set(), why: "", busy: false, looking: null, shownTo: null, readings: [],
    advice: null, wide: wide.matches, actions,
  };

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

  /** @param {string} text @param {() => void} onclick @param {string} key @param {string} [kind] */
  const button = (text, onclick, key, kind = "button primary") => h("button", { class: kind, type: "button", "data-key": key, onclick }, text);

  /** The buttons where there is nothing to touch. */
  function reading() {
    const main =
      at < last
        ? [button(t("Go on"), () => jump(at + 1), "primary")]
        : [button(t("Play on from here"), playOn, "primary"), button(t("Once more from the start"), () => jump(0), "again", "button")];
    return [h("div", { class: "buttons" }, h("div", { class: "main" }, main))];
  }

  function draw() {
    const { remark, do: task } = step();
    replace(parts.remark, [
      h(
        "div",
        { class: "lesson-head" },
        h("strong", null, t("{n} of {all}", { n: at + 1, all: steps.length })),
        h("progress", { max: steps.length, value: at + 1, "aria-label": t("How far you are") }),
        h("button", { class: "button plain icon", type: "button", "data-key": "step-back", "aria-label": t("One step back"), disabled: at === 0, onclick: () => jump(at - 1) }, icon("before")),
      ),
      // a calculation stays on one line
      h("p", { class: "said" }, remark.replace(/ ([+−×÷]) (?=\d)/g, "\u00a0$1\u00a0")),
    ], () => parts.bar.querySelector("[data-key=primary]"));
    replace(parts.seats, lesson.table.players > 1 ? seatRow(play, play.looking ?? YOU) : []);
    // the hand has to be in sight: a lesson says which card
    parts.boards.className = game.has_secrets && !play.wide ? "boards hand-first" : boardsClass(play);
    replace(parts.boards, boards(play, play.looking ?? YOU), () => parts.bar.querySelector("[data-key=primary]"));
    const drawn = [...parts.boards.querySelectorAll(".touchable")];
    const names = new Set(drawn.map((one) => one.getAttribute("data-token") ?? ""));
    replace(parts.bar, task ? controls(play, names) : reading(), () => parts.bar.querySelector("button:not([disabled])"));
    for (const one of main.querySelectorAll("[data-token], .main [data-key]")) {
      const token = one.getAttribute("data-token") ?? one.getAttribute("data-key") ?? "";
      const wanted = pointing && task !== null && task.tokens.includes(token) && !play.chosen.has(token);
      one.classList.toggle("wanted", wanted);
    }
    makeRoom(parts);
  }

  const redraw = () => {
    play.wide = wide.matches;
    draw();
  };
  wide.addEventListener("change", redraw);
  const unlisten = listen(main, () => play);
  document.body.classList.add("at-table");
  const tools = document.getElementById("tools");
  tools?.replaceChildren(link("/", { class: "button plain icon", "data-key": "leave", "aria-label": t("Leave the lesson") }, icon("close")));
  jump(at);
  return () => {
    wide.removeEventListener("change", redraw);
    unlisten();
    tools?.replaceChildren();
  };
}

/**
 * @param {HTMLElement} main
 * @param {string} title
 */
function skeleton(main, title) {
  const parts = {
    seats: h("div", { class: "seats", role: "group", "aria-label": t("Seats"), "data-scope": "seats" }),
    remark: h("section", { class: "card lesson", "aria-label": t("The lesson"), "data-scope": "remark" }),
    boards: h("div", { class: "boards", "data-scope": "boards" }),
    bar: h("div", { class: "bar-in", "data-scope": "bar", "aria-busy": "false" }),
  };
  main.replaceChildren(
    h("h1", { class: "unseen" }, title),
    h("div", { class: "table learning" }, parts.remark, parts.seats, parts.boards),
    h("div", { class: "bar", role: "region", "aria-label": t("Your move") }, parts.bar),
  );
  return parts;
}
