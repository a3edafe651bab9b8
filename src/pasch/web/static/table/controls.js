// @ts-check
/** One sentence what is to do, and the one obvious button, always at the same place. */
import { GUARD_MS, dialog, go, icon, redrawDialogs } from "../app/frame.js";
import { capital, t } from "../app/i18n.js";
import { labelOf as boardLabel } from "../board/load.js";
import { h } from "../vendor/preact.js";
import { atOnce, kind, passes, remaining } from "./choose.js";
import { advised } from "./coach.js";
import { sentence } from "./log.js";
import { againButton } from "./notices.js";
import { isOver, pictureOf, resultText, seatName } from "./people.js";
import { reader, readingText } from "./reader.js";
import { boardModel } from "./view.js";

/** @import { Child } from "../vendor/preact.js" */
/** @import { Model } from "./controller.js" */

/** A move as its button says it, perhaps with a small line below. @param {Pick<Model, "board" | "telling" | "position">} model @param {Record<string, any>} event */
export function labelOf({ board, telling, position }, event) {
  const { text, sub } = boardLabel(board, telling(event, position));
  return { text: capital(text), sub };
}

/** Whether all boards are shown, on a small screen. @param {Model} model */
export const looksAtAll = ({ board, looking, small, info, over }) => looking === "all" && small && board.smallBoard !== null && info.players > 2 && !over;

/** Whether somebody looks at another's board while it is their own turn, or at all of them. @param {Model} model */
export function looksAway(model) {
  const { board, looking, turn, mySeats, shown, info, small } = model;
  if (looking === "all") return looksAtAll(model);
  return board.seatBoard !== null && looking !== null && shown.settled && looking !== turn && mySeats.includes(turn) && (info.players > 2 || small);
}

/** The place of the sentence and the buttons, where nothing else is to do. @param {Child} says @param {...Child} acts */
export const dock = (says, ...acts) =>
  h("div", { key: "dock", class: "dock", role: "region", "aria-label": t("Your move") }, h("p", { key: "ask", class: "ask" }, says), h("div", { key: "acts", class: "acts" }, acts));

/** One's turn waits while one looks at another's board. @param {Model} model */
function lookingAway(model) {
  const { info, looking, commands, mySeats } = model;
  const what = typeof looking === "number" ? t("{name}’s board. It is still your turn.", { name: seatName(info, looking) }) : t("Touch a board to see it large.");
  return dock(h("span", { key: "what" }, what), button(model, mySeats.length ? t("Back to my board") : t("Back"), () => commands.look(null)));
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
      takeBackButton(model) ?? undoButton(model),
      acts,
      moves.length > 0 && passButtons(model),
      hints && h("button", { key: "hint", class: "alt side", type: "button", "data-key": "hint", onClick: commands.hint }, t("Hint")),
    ),
  );
}

/** The sentence, and a small line below. @param {Model} model */
function ask(model) {
  const { shown, refusal } = model;
  return h("p", { key: "ask", class: "ask" }, refusal ? h("span", { key: "why", class: "why", role: "alert" }, refusal) : h("span", { key: "what" }, lastEvent(model)), !refusal && shown.settled && noteOf(model));
}

/** What others do is shown with their picture; the rest is a sentence. @param {Model} model @returns {Child} */
function lastEvent(model) {
  const { shown, entries, info, mySeats } = model;
  const last = entries.findLast(({ kind: what }) => what === "event");
  const theirs = last && typeof last.body.seat === "number" && !mySeats.includes(last.body.seat);
  if (!shown.settled && theirs && (shown.phase?.kind === "read" || shown.phase?.kind === "hold")) {
    return h("span", { key: last.version, class: "last-event" }, pictureOf(info, last.body.seat), sentence(model, last));
  }
  return statusText(model);
}

/** @param {Model} model */
function noteOf(model) {
  const note = (model.moves.length || model.awaits === "roll") && byPhase(model, "notes");
  return note ? h("small", null, note) : null;
}

/** What the board says in this phase; "" if nothing. @param {Model} model @param {"notes" | "needs" | "chances"} what */
export function byPhase(model, what) {
  const words = model.board[what](boardModel(model));
  return words[String(model.position.snapshot.phase ?? "")] ?? words[""] ?? "";
}

/** @param {Model} model */
export function statusText(model) {
  const { info, position, shown, turn, moves, awaits, mySeats, board } = model;
  if (info.phase === "waiting") return t("The game begins as soon as everybody is seated.");
  if (model.over) return shown.settled || info.phase === "adjudicated" ? resultText(model) : t("The end: time to count.");
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

/** Where our last move may be taken back, and we have not asked for it. @param {Model} model */
function takeBackButton({ info, shown, position, mySeats, covered, busy, commands }) {
  if (info.phase !== "playing" || covered || (!shown.settled && shown.phase?.kind !== "hold")) return null;
  if (position.undo === null || !mySeats.includes(position.undo) || info.seats[position.undo]?.undoes) return null;
  return h("button", { key: "take-back", class: "alt side", type: "button", "data-key": "take-back", disabled: busy, onClick: commands.takeBack }, icon("undo"), h("span", null, t("Take back")));
}

/** Passing is possible, but not what one comes for: it stands aside, and asks. @param {Model} model */
function passButtons(model) {
  return passes(model.moves).map((choice) => {
    const { text } = labelOf(model, choice.event);
    return h("button", { key: text, class: "alt side", type: "button", "data-key": choice.tokens[0] ?? "pass", disabled: model.busy, onClick: () => askToPass(text, () => model.commands.move(choice)) }, text);
  });
}

/** Ask before passing. A double touch must not answer what was not read: the answer counts once it could be seen. @param {string} text @param {() => void} pass */
function askToPass(text, pass) {
  const opened = performance.now();
  dialog(t("{move}?", { move: text }), (close) => {
    const early = performance.now() - opened < GUARD_MS;
    const yes = () => {
      close();
      pass();
    };
    return [
      h("p", null, t("There is something else you could do.")),
      h("div", { class: "row" }, h("button", { class: "button primary", type: "button", "data-key": "not-pass", onClick: close }, t("Go back")), h("button", { class: "button", type: "button", "data-key": "pass-anyway", "aria-disabled": early ? "true" : null, onClick: early ? null : yes }, text)),
    ];
  });
  setTimeout(redrawDialogs, GUARD_MS + 1);
}

/** Where there is something to touch that could be undone; a whole move sends itself. @param {Model} model */
function undoButton({ moves, chosen, busy, commands }) {
  if (moves.every((choice) => choice.tokens.every(atOnce))) return null;
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
    { key, class: `${primary ? "go" : "alt"} ${more}`, type: "button", "data-key": key, style, "aria-disabled": off || guarded ? "true" : null, "data-guarded": guarded ? "" : null, onClick: off ? null : onClick },
    h("span", null, text, sub && h("span", { class: "sub" }, sub)),
  );
}

/** @param {Model} model @returns {Child[]} */
function actions(model) {
  const { info, shown, awaits, commands, moves, over } = model;
  if (info.phase === "waiting") return [];
  if (!shown.settled) return showing(model);
  if (over || isOver(info)) return [button(model, t("Look at the game"), () => go(`/report/${model.id}`)), againButton(model)];
  if (model.covered) return [button(model, t("It’s me, {name}", { name: seatName(info, model.cardsOf ?? 0) }), commands.itsMe)];
  if (awaits === "roll") return [button(model, byPhase(model, "chances"), commands.roll)];
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
    return [button(model, t("Continue"), skip, { primary: false, key: "skip", more: timed ? "waits" : "", style: timed ? { "--wait": `${Math.round(phase.length)}ms` } : undefined })];
  }
  const text = shown.roll && !shown.roll.rests ? t("Rolling …") : t("Skip");
  return [button(model, text, skip, { primary: false, key: "skip", more: "quiet" })];
}

/** @param {Model} model */
function readButton(model) {
  const { parts, places, missing } = model.readingParts;
  const last = places.includes(parts.length - 1);
  const label = missing.length ? t("{n} to come", { n: missing.length }) : last ? t("That’s what I see") : t("On to the next hand");
  return button(model, label, model.commands.confirmRead, { off: missing.length > 0 });
}

/** @param {Model} model @returns {Child[]} */
function moveButtons(model) {
  const { moves, choice, commands } = model;
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
  return [button(model, offered ? labelOf(model, offered.event) : byPhase(model, "needs"), () => offered && commands.move(offered), { off: !offered }), ...buttons];
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
