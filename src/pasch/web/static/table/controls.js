// @ts-check
/** The bar at the bottom: what is to do, and the one obvious button, always at the same place. */
import { badge } from "../board/chips.js";
import { h } from "../app/dom.js";
import { dialog, go, icon } from "../app/frame.js";
import { SEEN } from "./guard.js";
import { capital, list, t, tn } from "../app/i18n.js";
import { atOnce, kind, passes, ready, remaining } from "./choose.js";
import { acting, advised, contextOf, covered, nameOf, onlyMine, whoIs, whoseCards, yourTurn } from "./play.js";
import { reader, readingText } from "./reader.js";
import { againButton, isOver } from "./rematch.js";
import { waitsForUs } from "./staging.js";

/**
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("../app/dom.js").Child} Child
 */

/**
 * @param {Play} play
 * @param {ReadonlySet<string>} drawn the tokens that can be touched on the boards
 * @returns {Child[]}
 */
export function controls(play, drawn) {
  if (play.scene?.blocks) return staged(play, play.scene);
  if (play.ending) return [h("div", { class: "status" }, t("The game is over.")), goOn(play)];
  if (play.position.awaits === "read" && !covered(play)) return [status(play), ...reader(play)];
  const extra = extras(play, drawn);
  return [
    status(play),
    extra.length > 0 && h("div", { class: "extra", role: "group", "aria-label": t("More to choose from") }, extra),
    h("div", { class: "buttons" }, canUndo(play) && undoButton(play), h("div", { class: "main" }, mainButtons(play))),
  ];
}

/**
 * While something is being shown that has to be seen: what it is, and a way to go on.
 * @param {Play} play
 * @param {import("./staging.js").Staged} scene
 * @returns {Child[]}
 */
function staged(play, scene) {
  const waits = scene.kind === "held" && waitsForUs(play, play.position);
  const who = scene.seat !== null && !play.yours.includes(scene.seat) ? t("{name} is playing …", { name: nameOf(play, scene.seat) }) : "";
  return [
    h("div", { class: "status" }, scene.caption ? h("span", { class: "scene-caption" }, scene.seat !== null && badge(scene.seat), scene.caption) : h("span", null, who), waits && takeBackButton(play)),
    goOn(play),
  ];
}

/** @param {Play} play */
function goOn(play) {
  const button = h("button", { class: "button", type: "button", "data-key": "skip", onclick: play.actions.skip }, t("Go on"));
  return h("div", { class: "buttons" }, h("div", { class: "main" }, button));
}

/** @param {Play} play */
function status(play) {
  const free = !covered(play);
  const hints = play.info.coach === "hints" && play.position.moves.length > 0 && free;
  return h(
    "div",
    { class: "status" },
    play.why ? h("span", { class: "why", role: "alert" }, play.why) : h("span", null, statusText(play)),
    h(
      "span",
      { class: "beside" },
      free && passButtons(play),
      free && canTakeBack(play) && takeBackButton(play),
      hints && h("button", { class: "button plain", type: "button", "data-key": "hint", onclick: play.actions.hint }, t("Hint")),
    ),
  );
}

/** Whether our last move may be taken back, and we have not asked for it. @param {Play} play */
function canTakeBack({ info, position, yours }) {
  return info.phase === "playing" && position.undo !== null && yours.includes(position.undo) && !info.seats[position.undo]?.undoes;
}

/** @param {Play} play */
function takeBackButton(play) {
  return h("button", { class: "button plain", type: "button", "data-key": "take-back", disabled: play.busy, onclick: play.actions.takeBack }, icon("undo"), t("Take back"));
}

/**
 * Passing is possible, but not what one comes for: it stands aside, and asks.
 * @param {Play} play
 */
function passButtons(play) {
  const { moves } = play.position;
  return passes(moves).map((choice) => {
    const text = capital(play.board.label(contextOf(play), choice.event));
    const key = choice.tokens[0] ?? "pass";
    return h("button", { class: "button plain", type: "button", "data-key": key, disabled: play.busy, onclick: () => askToPass(text, () => play.actions.move(choice)) }, text);
  });
}

/**
 * @param {string} text
 * @param {() => void} pass
 */
function askToPass(text, pass) {
  dialog(t("{move}?", { move: text }), (close) => {
    const yes = h("button", { class: "button", type: "button", "data-key": "pass-anyway", disabled: true, onclick: () => { close(); pass(); } }, text);
    // a double touch must not answer what was not read
    window.setTimeout(() => { yes.disabled = false; }, SEEN);
    return [
      h("p", null, t("There is something else you could do.")),
      h("div", { class: "row" }, h("button", { class: "button primary", type: "button", "data-key": "not-pass", onclick: close }, t("Go back")), yes),
    ];
  });
}

/** @param {Play} play */
export function statusText(play) {
  const { info, position } = play;
  if (info.phase === "waiting") return t("As soon as everybody sits, it begins.");
  if (isOver(info)) return resultText(play);
  if (covered(play)) return t("Hand the screen over.");
  const seat = acting(play);
  const phase = String(position.snapshot.phase ?? "");
  if (!yourTurn(play)) {
    if (seat < 0) return t("One moment …");
    if (info.seats[seat]?.away && !info.seats[seat]?.lent) return t("{name} is away.", { name: nameOf(play, seat) });
    return t("{name} is playing …", { name: nameOf(play, seat) });
  }
  if (play.asking) return t("The coach is thinking …");
  const best = advised(play);
  if (best) return t("Best: {move}", { move: play.board.label(contextOf(play), best.event) });
  const several = play.yours.length > 1 && seat >= 0;
  const what = position.awaits === "read" ? readingText(play) : play.board.prompt(phase, position.awaits === "roll");
  return several ? t("{name}: {what}", { name: nameOf(play, seat), what }) : what;
}

/** How a game has ended, with everybody's points, for whoever hears it. @param {Play} play */
export function resultInWords(play) {
  const points = play.position.scores.map((n, seat) => tn("{name}: {n} point", "{name}: {n} points", n, { name: whoIs(play, seat) }));
  return play.info.players === 1 ? resultText(play) : `${resultText(play)} ${list(points)}`;
}

/** @param {Play} play */
function resultText(play) {
  const { winners } = play.position;
  const won = winners.map((seat) => whoIs(play, seat));
  const me = onlyMine(play);
  if (play.info.players === 1) return tn("Finished: {n} point.", "Finished: {n} points.", play.position.scores[0] ?? 0);
  if (winners.length > 1) return t("{names} win together.", { names: list(won) });
  return winners[0] === me ? t("You win!") : t("{name} wins.", { name: won[0] ?? "" });
}

/** Whether there is something to touch that could be undone; a whole move sends itself. @param {Play} play */
function canUndo(play) {
  return !covered(play) && play.position.moves.some((choice) => !choice.tokens.every(atOnce));
}

/** @param {Play} play */
function undoButton(play) {
  return h(
    "button",
    { class: "button icon", type: "button", "data-key": "undo", "aria-label": t("Undo the last touch"), disabled: !play.chosen.size || play.busy, onclick: play.actions.undo },
    icon("undo"),
  );
}

/**
 * @param {string} text
 * @param {() => void} onclick
 * @param {{primary?: boolean, disabled?: boolean, key?: string, best?: boolean}} [how]
 */
function button(text, onclick, { primary = true, disabled = false, key = primary ? "primary" : text, best = false } = {}) {
  return h("button", { class: `button${primary ? " primary" : ""}${best ? " advised" : ""}`, type: "button", "data-key": key, disabled, onclick }, text);
}

/** @param {Play} play @returns {Child[]} */
function mainButtons(play) {
  const { info, position, actions, busy } = play;
  if (info.phase === "waiting") {
    return [h("div", { class: "idle" }, t("Waiting …"))];
  }
  if (isOver(info)) {
    return [
      button(t("Look at the game"), () => go(`/report/${play.id}`)),
      againButton(play),
    ];
  }
  if (covered(play)) return [button(t("It’s me, {name}", { name: nameOf(play, whoseCards(play) ?? 0) }), actions.itsMe)];
  if (position.awaits === "roll") {
    return [button(play.board.chanceButton(String(position.snapshot.phase ?? "")), actions.roll, { disabled: busy })];
  }
  if (!position.moves.length) return [h("div", { class: "idle" }, play.yours.length ? t("Not your turn") : t("You are watching"))];
  return moveButtons(play);
}

/** @param {Play} play @returns {Child[]} */
function moveButtons(play) {
  const { position, chosen, actions, busy } = play;
  const ctx = contextOf(play);
  const passing = passes(position.moves);
  const whole = position.moves.filter((choice) => {
    const { tokens: [first, ...more] } = choice;
    return first !== undefined && !more.length && atOnce(first) && !passing.includes(choice);
  });
  const parts = position.moves.length > whole.length + passing.length;
  const buttons = whole.map((choice, place) =>
    button(capital(play.board.label(ctx, choice.event)), () => actions.move(choice), {
      primary: !parts && place === 0,
      key: !parts && place === 0 ? "primary" : choice.tokens[0] ?? "",
      disabled: busy,
      best: choice === advised(play),
    }),
  );
  if (!parts) return buttons;
  const choice = ready(position.moves, chosen);
  const offered = choice && !whole.includes(choice) && !passing.includes(choice) ? choice : null;
  const text = offered ? capital(play.board.label(ctx, offered.event)) : t("Choose first");
  return [
    ...buttons,
    button(text, () => offered && actions.move(offered), { disabled: busy || !offered }),
  ];
}

/**
 * Buttons for what could be touched but is on no board.
 * @param {Play} play
 * @param {ReadonlySet<string>} drawn
 * @returns {HTMLElement[]}
 */
function extras(play, drawn) {
  if (covered(play) || !play.position.moves.length) return [];
  const ctx = contextOf(play);
  const tokens = [...ctx.possible].filter((token) => !drawn.has(token) && !atOnce(token));
  return tokens.map((token) => {
    const chosen = play.chosen.has(token);
    const left = remaining(play.position.moves, new Set([...play.chosen, token]));
    const only = left.length === 1 ? left[0] : undefined;
    const text = only ? capital(play.board.label(ctx, only.event)) : token.slice(kind(token).length + 1);
    return h(
      "button",
      { class: chosen ? "button primary" : "button", type: "button", "data-token": token, "aria-pressed": String(chosen), onclick: () => play.actions.touch(token) },
      text,
    );
  });
}
