// @ts-check
/** The bar at the bottom: what is to do, and the one obvious button, always at the same place. */
import { h } from "./dom.js";
import { go, icon } from "./frame.js";
import { capital, list, t, tn } from "./i18n.js";
import { atOnce, kind, ready, remaining } from "./narrow.js";
import { acting, contextOf, covered, nameOf, onlyMine, yourTurn } from "./play.js";
import { reader } from "./reader.js";

/**
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("./dom.js").Child} Child
 */

/**
 * @param {Play} play
 * @param {ReadonlySet<string>} drawn the tokens that can be touched on the boards
 * @returns {Child[]}
 */
export function controls(play, drawn) {
  if (play.position.awaits === "read" && !covered(play)) return [status(play), ...reader(play)];
  const extra = extras(play, drawn);
  return [
    status(play),
    extra.length > 0 && h("div", { class: "extra", role: "group", "aria-label": t("More to choose from") }, extra),
    h("div", { class: "buttons" }, canUndo(play) && undoButton(play), h("div", { class: "main" }, mainButtons(play))),
  ];
}

/** @param {Play} play */
function status(play) {
  const hints = play.info.coach === "hints" && play.position.moves.length > 0 && !covered(play);
  return h(
    "div",
    { class: "status" },
    play.why ? h("span", { class: "why", role: "alert" }, play.why) : h("span", null, statusText(play)),
    hints && h("button", { class: "button plain", type: "button", "data-key": "hint", onclick: play.actions.hint }, t("Hint")),
  );
}

/** @param {Play} play */
export function statusText(play) {
  const { info, position } = play;
  if (info.phase === "waiting") return t("As soon as everybody sits, it begins.");
  if (info.phase === "over" || info.phase === "adjudicated") return resultText(play);
  if (covered(play)) return t("Hand the screen over.");
  const seat = acting(play);
  const phase = String(position.snapshot.phase ?? "");
  if (!yourTurn(play)) {
    if (seat < 0) return t("One moment …");
    if (info.seats[seat]?.away && !info.seats[seat]?.lent) return t("{name} is away.", { name: nameOf(play, seat) });
    return t("{name} is playing …", { name: nameOf(play, seat) });
  }
  const several = play.yours.length > 1 && seat >= 0;
  const what = position.awaits === "read" ? t("Tap what lies on the table.") : play.board.prompt(phase, position.awaits === "roll");
  return several ? t("{name}: {what}", { name: nameOf(play, seat), what }) : what;
}

/** @param {Play} play */
function resultText(play) {
  const { winners } = play.position;
  const won = winners.map((seat) => nameOf(play, seat));
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
 * @param {{primary?: boolean, disabled?: boolean, key?: string}} [how]
 */
function button(text, onclick, { primary = true, disabled = false, key = primary ? "primary" : text } = {}) {
  return h("button", { class: primary ? "button primary" : "button", type: "button", "data-key": key, disabled, onclick }, text);
}

/** @param {Play} play @returns {Child[]} */
function mainButtons(play) {
  const { info, position, actions, busy } = play;
  if (info.phase === "waiting") {
    return [h("div", { class: "idle" }, t("Waiting …"))];
  }
  if (info.phase === "over" || info.phase === "adjudicated") {
    return [
      button(t("Look at the game"), () => go(`/report/${play.id}`)),
      button(t("Play again"), () => go(`/new/${info.game}`), { primary: false }),
    ];
  }
  if (covered(play)) return [button(t("It’s me, {name}", { name: nameOf(play, position.as_seat ?? 0) }), actions.itsMe)];
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
  const whole = position.moves.filter(({ tokens: [first, ...more] }) => first !== undefined && !more.length && atOnce(first));
  const parts = position.moves.length > whole.length;
  const buttons = whole.map((choice, place) =>
    button(capital(play.board.label(ctx, choice.event)), () => actions.move(choice), {
      primary: !parts && place === 0,
      key: !parts && place === 0 ? "primary" : choice.tokens[0] ?? "",
      disabled: busy,
    }),
  );
  if (!parts) return buttons;
  const choice = ready(position.moves, chosen);
  const offered = choice && !whole.includes(choice) ? choice : null;
  // an empty choice is a pass: possible, but not what one comes for
  const pass = offered !== null && chosen.size === 0 && position.moves.length > 1;
  const text = offered ? capital(play.board.label(ctx, offered.event)) : t("Choose first");
  return [
    ...buttons,
    button(text, () => offered && actions.move(offered), { primary: !pass, key: "primary", disabled: busy || !offered }),
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
