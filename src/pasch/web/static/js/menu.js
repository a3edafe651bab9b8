// @ts-check
/** The table's menu: links, names, handing a seat to the computer, the coach. */
import * as device from "./device.js";
import { h } from "./dom.js";
import { dialog, go } from "./frame.js";
import { t } from "./i18n.js";
import { keysHelp } from "./keys.js";
import { nameOf } from "./play.js";
import { linkRow, tableLink } from "./share.js";
import { coachName, levelName } from "./words.js";

/** @typedef {import("./play.js").Play} Play */

/** @param {Play} play */
export function openMenu(play) {
  const known = device.table(play.id);
  const running = play.info.phase === "playing" || play.info.phase === "waiting";
  dialog(play.info.title, (close) => [
    h(
      "div",
      { class: "stack" },
      play.info.seats.map((_, seat) => seatLine(play, seat, close)),
      known?.watch && linkRow(t("Link to watch"), tableLink(play.id, "watch", known.watch)),
      running && coachChoice(play, close),
      play.info.commitment && h("details", { class: "small" }, h("summary", null, t("The seal of the dice")), h("p", { class: "muted seal" }, t("The dice are sealed as {seal}", { seal: play.info.commitment }))),
      h(
        "div",
        { class: "row" },
        h("button", { class: "button", type: "button", onclick: () => go(`/rules/${play.info.game}`) }, t("Rules")),
        h("button", { class: "button", type: "button", onclick: () => { close(); keysHelp(); } }, t("Keys")),
        play.maker && play.info.phase === "playing" &&
          h("button", { class: "button danger", type: "button", onclick: () => { close(); endNow(play); } }, t("End the game now")),
      ),
    ),
  ]);
}

/**
 * @param {Play} play
 * @param {number} number
 * @param {() => void} close
 */
function seatLine(play, number, close) {
  const seat = play.info.seats[number];
  const known = device.table(play.id);
  const invitation = known?.invitations?.[String(number)];
  if (seat?.kind === "open" && invitation) {
    return linkRow(t("Link for seat {n}", { n: number + 1 }), tableLink(play.id, "invite", invitation));
  }
  const mine = play.yours.includes(number);
  const person = seat?.kind === "here" || seat?.kind === "link";
  const running = play.info.phase === "playing";
  if (mine && seat?.kind === "computer" && seat.lent) {
    const back = () => { close(); play.actions.command({ type: "person", seat: number }); };
    return h("div", { class: "row spread" }, h("strong", null, nameOf(play, number)), h("button", { class: "button", type: "button", onclick: back }, t("Play myself again")));
  }
  if (!person || !(mine || (play.maker && !seat?.online))) return null;
  const level = h("select", { "aria-label": t("How well the computer plays") }, play.game.levels.filter((one) => !one.bot).map((one) => h("option", { value: one.name, selected: one.name === "medium" }, levelName(one.name))));
  const hand = () => { close(); play.actions.command({ type: "computer", seat: number, level: level.value }); };
  const name = h("input", { type: "text", value: seat?.name ?? "", maxlength: 24, "aria-label": t("Name for seat {n}", { n: number + 1 }) });
  const rename = () => {
    const text = name.value.trim();
    if (!text || text === seat?.name) return;
    device.rememberNames([text]);
    play.actions.command({ type: "name", seat: number, name: text });
  };
  return h(
    "div",
    { class: "stack" },
    mine ? h("div", { class: "link-row" }, name, h("button", { class: "button", type: "button", onclick: rename }, t("Rename"))) : h("strong", null, nameOf(play, number)),
    running && h("div", { class: "link-row" }, level, h("button", { class: "button", type: "button", onclick: hand }, t("Let the computer play"))),
  );
}

/**
 * @param {Play} play
 * @param {() => void} close
 */
function coachChoice(play, close) {
  if (!play.yours.length) return null;
  const wishes = play.info.seats.flatMap((seat, number) => (seat.wish ? [t("{name} asks for: {mode}", { name: nameOf(play, number), mode: coachName(seat.wish) })] : []));
  return h(
    "fieldset",
    { class: "stack" },
    h("legend", null, t("Coach")),
    h(
      "div",
      { class: "choice" },
      ["off", "after", "moves", "hints"].map((mode) =>
        h(
          "label",
          null,
          h("input", { type: "radio", name: "coach", checked: mode === play.info.coach, onchange: () => { close(); play.actions.command({ type: "coach", coach: mode }); } }),
          h("span", null, coachName(mode)),
        ),
      ),
    ),
    wishes.map((wish) => h("p", { class: "small" }, wish)),
    h("p", { class: "muted small" }, t("It changes once every person at the table has agreed.")),
  );
}

/** @param {Play} play */
function endNow(play) {
  dialog(t("End the game now?"), (close) => [
    h("p", null, t("The game ends for everybody and is decided by how it stands.")),
    h(
      "div",
      { class: "row" },
      h("button", { class: "button danger", type: "button", onclick: () => { close(); play.actions.command({ type: "adjudicate" }); } }, t("End it")),
      h("button", { class: "button", type: "button", onclick: close }, t("Go on playing")),
    ),
  ]);
}
