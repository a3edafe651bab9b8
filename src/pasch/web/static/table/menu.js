// @ts-check
/** The table's menu: links, names, handing a seat to the computer, the coach. */
import { lendButton } from "./absence.js";
import * as device from "../app/device.js";
import { h } from "../app/dom.js";
import { endChoice } from "./earlyend.js";
import { proofs } from "../fair/panel.js";
import { dialog, go } from "../app/frame.js";
import { list, t, word } from "../app/i18n.js";
import { keysHelp } from "./keys.js";
import { levelsFor } from "../app/levels.js";
import { nameField } from "../app/names.js";
import { nameOf, stillToAgree } from "./play.js";
import { DEVICE, homeOf } from "../app/addresses.js";
import { linkRow, tableLink } from "../app/share.js";
import { coachName, levelName, levelNote } from "../app/words.js";

/** @typedef {import("./play.js").Play} Play */

/** @param {Play} play */
export function openMenu(play) {
  const known = device.table(play.id);
  const running = play.info.phase === "playing" || play.info.phase === "waiting";
  dialog(word(play.info.title), (close) => [
    h(
      "div",
      { class: "stack" },
      play.info.seats.map((_, seat) => seatLine(play, seat, close)),
      known?.watch && homeOf(play.id) !== DEVICE && linkRow(t("Link to watch"), tableLink(play.id, "watch", known.watch)),
      running && coachChoice(play, close),
      play.info.commitment && h("details", { class: "small" }, h("summary", null, t("The server’s seal")), h("div", { class: "stack" }, proofs(play.info))),
      h(
        "div",
        { class: "row" },
        h("button", { class: "button", type: "button", onclick: () => go(`/rules/${play.info.game}`) }, t("Rules")),
        h("button", { class: "button", type: "button", onclick: () => { close(); keysHelp(); } }, t("Keys")),
        h("button", { class: "button", type: "button", "data-key": "to-games", onclick: () => go("/") }, t("To the games")),
      ),
      play.info.phase === "playing" && endChoice(play, close),
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
  if (!person) return null;
  if (!mine) {
    if ((!play.maker && !play.yours.length) || !seat.away || !running) return null;
    return h("div", { class: "stack" }, h("strong", null, t("{name} is away", { name: nameOf(play, number) })), lendButton(play, number, close));
  }
  const { options, own_box: components } = play.info;
  const levels = levelsFor(play.game, { ...options, components }, homeOf(play.id)).filter((one) => !one.bot);
  const note = h("span", { class: "muted small" });
  const tellNote = () => { const chosen = levels.find((one) => one.name === level.value); note.textContent = chosen ? levelNote(chosen) : ""; };
  const level = h("select", { "aria-label": t("How well the computer plays"), onchange: tellNote }, levels.map((one) => h("option", { value: one.name, selected: one.name === "medium" }, levelName(one.name))));
  tellNote();
  const hand = () => { close(); play.actions.command({ type: "computer", seat: number, level: level.value }); };
  const { input: name, field } = nameField({ value: seat?.name ?? "", "aria-label": t("Name for seat {n}", { n: number + 1 }) });
  const rename = () => {
    const text = name.value.trim();
    if (!text || text === seat?.name || !name.reportValidity()) return;
    device.rememberNames([text]);
    play.actions.command({ type: "name", seat: number, name: text });
  };
  return h(
    "div",
    { class: "stack" },
    h("div", { class: "link-row" }, field, h("button", { class: "button", type: "button", onclick: rename }, t("Rename"))),
    running && h("div", { class: "row" }, level, h("button", { class: "button", type: "button", onclick: hand }, t("Let the computer play")), note),
  );
}

/**
 * @param {Play} play
 * @param {() => void} close
 */
function coachChoice(play, close) {
  if (!play.yours.length) return null;
  const wishes = play.info.seats.flatMap((seat, number) => (seat.wish ? [t("{name} asks for: {mode}", { name: nameOf(play, number), mode: coachName(seat.wish) })] : []));
  const [wish, ...others] = new Set(play.info.seats.flatMap((seat) => seat.wish ?? []));
  const missing = wish && !others.length ? stillToAgree(play, (seat) => seat.wish === wish) : [];
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
    wishes.map((text) => h("p", { class: "small" }, text)),
    missing.length > 0 && h("p", { class: "small" }, t("Still to agree: {names}", { names: list(missing) })),
    h("p", { class: "muted small" }, t("It changes once every person at the table has agreed. Whoever has been away for a quarter of an hour is not waited for.")),
  );
}
