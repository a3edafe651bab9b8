// @ts-check
/** One sentence what is to do, and the one obvious button, always at the same place. */
import { GUARD_MS, dialog, go, icon } from "../app/frame.js";
import { capital, t } from "../app/i18n.js";
import { phrase } from "../board/load.js";
import { h } from "../vendor/preact.js";
import { atOnce, kind, passes, remaining } from "./choose.js";
import { advised } from "./coach.js";
import { resultText } from "./ending.js";
import { sentence } from "./log.js";
import { againButton } from "./notices.js";
import { isOver, seatName } from "./people.js";
import { reader, readingText } from "./reader.js";
import { boardModel, pictureOf } from "./view.js";

/**
 * @typedef {import("./controller.js").Model} Model
 * @typedef {import("../app/types.js").Choice} Choice
 * @typedef {import("../vendor/preact.js").Child} Child
 */

/** A move as its button says it, perhaps with a small line below. @param {Model} model @param {Record<string, any>} event @returns {{text: string, sub: string}} */
export function labelOf(model, event) {
  /** @type {unknown} */
  const said = phrase(model.board.labels, model.telling(event, model.position));
  if (typeof said === "string") return { text: capital(said), sub: "" };
  const { text, sub } = /** @type {{text: string, sub: string}} */ (said);
  return { text: capital(text), sub };
}

/** Whether somebody looks at another's board while it is their own turn. @param {Model} model */
export function looksAway({ board, looking, turn, mySeats, shown, info, small }) {
  return board.seatBoard !== null && looking !== null && shown.settled && looking !== turn && mySeats.includes(turn) && (info.players > 2 || small);
}

/** One's turn waits while one looks at another's board. @param {Model} model */
function lookingAway(model) {
  const { info, looking, commands } = model;
  return h(
    "div",
    { key: "dock", class: "dock", role: "region", "aria-label": t("Your move") },
    h("p", { key: "ask", class: "ask" }, h("span", { key: "what" }, t("{name}’s board. It is still your turn.", { name: seatName(info, looking ?? 0) }))),
    h("div", { key: "acts", class: "acts" }, button(model, t("Back to my board"), () => commands.look(null))),
  );
}

/** @param {Model} model @param {ReadonlySet<string>} drawn the tokens that can be touched on the boards */
export function controls(model, drawn) {
  if (looksAway(model)) return lookingAway(model);
  const acts = actions(model);
  const { moves, info, commands } = model;
  const hints = info.coach === "hints" && moves.length > 0;
  return h(
    "div",
    { key: "dock", class: "dock", role: "region", "aria-label": t("Your move"), "aria-busy": String(model.busy), "data-home": "", tabindex: -1 },
    ask(model),
    extras(model, drawn),
    model.awaits === "read" && reader(model),
    h(
      "div",
      { key: "acts", class: "acts" },
      canTakeBack(model) ? takeBackButton(model) : canUndo(model) && undoButton(model),
      acts,
      moves.length > 0 && passButtons(model),
      hints && h("button", { key: "hint", class: "alt side", type: "button", "data-key": "hint", onClick: commands.hint }, t("Hint")),
    ),
  );
}

/** The sentence, and a small line below. @param {Model} model */
function ask(model) {
  const { shown, refusal } = model;
  return h("p", { key: "ask", class: "ask" }, refusal ? h("span", { key: "why", class: "why", role: "alert" }, refusal) : h("span", { key: "what" }, told(model)), !refusal && shown.settled && noteOf(model));
}

/** What others do is told with their picture; the rest is a sentence. @param {Model} model @returns {Child} */
function told(model) {
  const { shown, entries, info, mySeats } = model;
  const last = entries.findLast(({ kind: what }) => what === "event");
  const theirs = last && typeof last.body.seat === "number" && !mySeats.includes(last.body.seat);
  if (!shown.settled && theirs && (shown.phase?.kind === "read" || shown.phase?.kind === "hold")) {
    return h("span", { key: last.version, class: "told" }, pictureOf(info, last.body.seat), sentence(model, last));
  }
  return statusText(model);
}

/** @param {Model} model */
function noteOf(model) {
  if (!model.moves.length && model.awaits !== "roll") return null;
  const notes = model.board.notes(boardModel(model));
  const note = notes[String(model.position.snapshot.phase ?? "")] ?? notes[""];
  return note ? h("small", null, note) : null;
}

/** @param {Model} model */
export function statusText(model) {
  const { info, position, shown, turn, moves, awaits, mySeats, board } = model;
  if (info.phase === "waiting") return t("As soon as everybody sits, it begins.");
  if (model.over) return shown.settled || info.phase === "adjudicated" ? resultText(model) : t("The end: now it is counted.");
  if (model.covered) return t("Hand the screen over.");
  if (shown.roll && !shown.roll.rests) return "\u00a0";
  if (!shown.settled) {
    const last = model.entries.findLast(({ kind: what }) => what === "event");
    return last && !shown.story ? sentence(model, last) : "\u00a0";
  }
  if (!moves.length && awaits === null) {
    if (turn < 0) return "\u00a0";
    const seat = info.seats[turn];
    if (mySeats.includes(turn)) return t("One moment …");
    return seat?.away && !seat.lent ? t("{name} is away.", { name: seatName(info, turn) }) : t("{name} is playing …", { name: seatName(info, turn) });
  }
  if (model.asking) return t("The coach is thinking …");
  const best = advised(model);
  if (best) return t("Best: {move}", { move: labelOf(model, best.event).text });
  const phase = String(position.snapshot.phase ?? "");
  const prompts = board.prompts(boardModel(model));
  const usual = awaits === "roll" ? prompts.roll : phase.endsWith("next") ? prompts.next : undefined;
  const what = awaits === "read" ? readingText(model) : prompts[phase] ?? usual ?? prompts[""] ?? "";
  return mySeats.length > 1 && turn >= 0 ? t("{name}: {what}", { name: seatName(info, turn), what }) : what;
}

/** Whether our last move may be taken back, and we have not asked for it. @param {Model} model */
function canTakeBack({ info, shown, position, mySeats, covered }) {
  if (info.phase !== "playing" || covered || (!shown.settled && shown.phase?.kind !== "hold")) return false;
  return position.undo !== null && mySeats.includes(position.undo) && !info.seats[position.undo]?.undoes;
}

/** @param {Model} model */
function takeBackButton({ busy, commands }) {
  return h("button", { key: "take-back", class: "alt side", type: "button", "data-key": "take-back", disabled: busy, onClick: commands.takeBack }, icon("undo"), h("span", null, t("Take back")));
}

/** Passing is possible, but not what one comes for: it stands aside, and asks. @param {Model} model */
function passButtons(model) {
  return passes(model.moves).map((choice) => {
    const { text } = labelOf(model, choice.event);
    return h("button", { key: text, class: "alt side", type: "button", "data-key": choice.tokens[0] ?? "pass", disabled: model.busy, onClick: () => askToPass(text, () => model.commands.move(choice)) }, text);
  });
}

/** @param {string} text @param {() => void} pass */
function askToPass(text, pass) {
  const opened = performance.now();
  dialog(t("{move}?", { move: text }), (close) => {
    // a double touch must not answer what was not read
    const yes = () => {
      if (performance.now() - opened < GUARD_MS) return;
      close();
      pass();
    };
    return [
      h("p", null, t("There is something else you could do.")),
      h("div", { class: "row" }, h("button", { class: "button primary", type: "button", "data-key": "not-pass", onClick: close }, t("Go back")), h("button", { class: "button", type: "button", "data-key": "pass-anyway", onClick: yes }, text)),
    ];
  });
}

/** Whether there is something to touch that could be undone; a whole move sends itself. @param {Model} model */
function canUndo({ moves }) {
  return moves.some((choice) => !choice.tokens.every(atOnce));
}

/** @param {Model} model */
function undoButton({ chosen, busy, commands }) {
  return h("button", { key: "undo", class: "undo", type: "button", "data-key": "undo", "aria-label": t("Undo the last touch"), disabled: !chosen.size || busy, onClick: commands.undo }, icon("undo"));
}

/**
 * @param {Model} model
 * @param {string | {text: string, sub: string}} label
 * @param {() => void} onClick
 * @param {{primary?: boolean, off?: boolean, key?: string, more?: string, style?: object}} [how] `off`: it says what is missing
 */
function button(model, label, onClick, { primary = true, off = false, key = "primary", more = "", style } = {}) {
  const { text, sub } = typeof label === "string" ? { text: label, sub: "" } : label;
  const guarded = model.guarded && model.shown.settled && !off;
  return h(
    "button",
    { key, class: `${primary ? "go" : "alt"} ${more}`, type: "button", "data-key": key, style, "aria-disabled": off ? "true" : null, "data-guarded": guarded ? "" : null, onClick: off ? null : onClick },
    h("span", null, text, sub && h("span", { class: "sub" }, sub)),
  );
}

/** @param {Model} model @returns {Child[]} */
function actions(model) {
  const { info, shown, awaits, commands, board, moves, over } = model;
  if (info.phase === "waiting") return [];
  if (!shown.settled) return showing(model);
  if (over || isOver(info)) return [button(model, t("Look at the game"), () => go(`/report/${model.id}`)), againButton(model)];
  if (model.covered) return [button(model, t("It’s me, {name}", { name: seatName(info, model.cardsOf ?? 0) }), commands.itsMe)];
  if (awaits === "roll") {
    const chances = board.chances(boardModel(model));
    return [button(model, chances[String(model.position.snapshot.phase ?? "")] ?? chances[""] ?? t("Roll"), commands.roll)];
  }
  if (awaits === "read") return [readButton(model)];
  if (!moves.length) return [h("div", { key: "idle", class: "idle" }, model.mySeats.length ? null : t("You are watching"))];
  return moveButtons(model);
}

/** While something is being shown: a way to go on. @param {Model} model @returns {Child[]} */
function showing(model) {
  const { shown, commands, board } = model;
  const { phase, story } = shown;
  const skip = () => commands.skip();
  if (phase?.kind === "count") return [button(model, t("Skip the count"), skip, { primary: false, key: "skip" })];
  if (story) {
    const more = story.beat < story.beats - 1;
    return [button(model, board.storyButton(boardModel(model)), skip, { key: "skip" }), more && button(model, t("Skip"), () => commands.skip(true), { primary: false, key: "skip-all" })];
  }
  if (phase?.kind === "hold") {
    const timed = phase.length < Infinity;
    return [button(model, t("Go on"), skip, { primary: false, key: "skip", more: timed ? "waits" : "", style: timed ? { "--wait": `${Math.round(phase.length)}ms` } : undefined })];
  }
  const text = shown.roll && !shown.roll.rests ? t("Rolling …") : t("Skip");
  return [button(model, text, skip, { primary: false, key: "skip", more: "quiet" })];
}

/** @param {Model} model */
function readButton(model) {
  const { from, to } = model.readingParts;
  const missing = Array.from({ length: to - from }, (_, at) => model.readings[from + at] ?? null).filter((value) => value === null).length;
  const last = to === (model.position.ask?.parts.length ?? 0);
  const label = missing ? t("{n} to come", { n: missing }) : last ? t("That’s what lies there") : t("On to the next hand");
  return button(model, label, model.commands.confirmRead, { off: missing > 0 });
}

/** @param {Model} model @returns {Child[]} */
function moveButtons(model) {
  const { moves, choice, commands, board } = model;
  const passing = passes(moves);
  const whole = moves.filter((one) => one.tokens.length === 1 && atOnce(one.tokens[0] ?? "") && !passing.includes(one));
  const parts = moves.length > whole.length + passing.length;
  const best = advised(model);
  const buttons = whole.map((one, place) => {
    const primary = !parts && place === 0;
    return button(model, labelOf(model, one.event), () => commands.move(one), { primary, key: primary ? "primary" : one.tokens[0] ?? "", more: one === best ? "advised" : "" });
  });
  if (!parts) return buttons;
  const offered = choice && !whole.includes(choice) && !passing.includes(choice) ? choice : null;
  const needs = board.needs(boardModel(model));
  const missing = needs[String(model.position.snapshot.phase ?? "")] ?? needs[""] ?? t("Choose first");
  return [button(model, offered ? labelOf(model, offered.event) : missing, () => offered && commands.move(offered), { off: !offered }), ...buttons];
}

/** Buttons for what could be touched but is on no board. @param {Model} model @param {ReadonlySet<string>} drawn */
function extras(model, drawn) {
  const { moves, chosen, possible, commands } = model;
  // a slide of Joker 2 need not be touched where the calculation can be
  const needed = (/** @type {string} */ token) => moves.some((move) => move.tokens.includes(token) && remaining(moves, new Set(move.tokens.filter((one) => drawn.has(one)))).length > 1);
  const tokens = moves.length ? [...possible].filter((token) => !drawn.has(token) && !atOnce(token) && needed(token)) : [];
  if (!tokens.length) return null;
  return h(
    "div",
    { key: "extra", class: "extra", role: "group", "aria-label": t("More to choose from") },
    tokens.map((token) => {
      const left = remaining(moves, new Set([...chosen, token]));
      const only = left.length === 1 ? left[0] : undefined;
      const text = only ? labelOf(model, only.event).text : token.slice(kind(token).length + 1);
      return h("button", { key: token, class: chosen.has(token) ? "button primary" : "button", type: "button", "data-token": token, "aria-pressed": String(chosen.has(token)), onClick: () => commands.touch(token) }, text);
    }),
  );
}
