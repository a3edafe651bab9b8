// @ts-check
/** The table's menu: links, names, handing a seat to the computer, the coach. */
import * as device from "../app/device.js";
import { proofs } from "../fair/panel.js";
import { dialog, go } from "../app/frame.js";
import { list, t, word } from "../app/i18n.js";
import { keysHelp } from "./keys.js";
import { levelsFor, usualLevel } from "../app/levels.js";
import { nameField } from "../app/names.js";
import { DEVICE, homeOf } from "../app/addresses.js";
import { linkRow, tableLink } from "../app/share.js";
import { coachName, levelName, levelNote } from "../app/words.js";
import { h } from "../vendor/preact.js";
import { endChoice } from "./early_end.js";
import { lendButton } from "./notices.js";
import { seatName, stillToAgree } from "./people.js";

/** @import { Model } from "./controller.js" */

/** @param {() => Model} current @param {() => void} openSettings */
export function openMenu(current, openSettings) {
  dialog(word(current().info.title), (close) => {
    const model = current();
    const { info, id } = model;
    const known = device.table(id);
    const button = (/** @type {string} */ text, /** @type {() => void} */ act, /** @type {string | null} */ key = null) =>
      h("button", { class: "button", type: "button", "data-key": key, onClick: () => { close(); act(); } }, text);
    return h(
      "div",
      { class: "stack" },
      info.seats.map((_, seat) => seatLine(model, seat, close)),
      known?.watch && homeOf(id) !== DEVICE && linkRow(t("Link to watch"), tableLink(id, "watch", known.watch)),
      (info.phase === "playing" || info.phase === "waiting") && coachChoice(model, close),
      info.commitment && h("details", { class: "small" }, h("summary", null, t("The server’s seal")), h("div", { class: "stack" }, proofs(info))),
      h(
        "div",
        { class: "row" },
        button(t("Rules"), () => go(`/rules/${info.game}`)),
        button(t("Keys"), keysHelp),
        button(t("Settings"), openSettings, "settings"),
        button(t("To the games"), () => go("/"), "to-games"),
      ),
      info.phase === "playing" && endChoice(current, close),
    );
  });
}

/** @param {Model} model @param {number} number @param {() => void} close */
function seatLine(model, number, close) {
  const { info, id, mySeats, maker, commands } = model;
  const seat = info.seats[number];
  const invitation = device.table(id)?.invitations?.[String(number)];
  if (seat?.kind === "open" && invitation) return linkRow(t("Link for seat {n}", { n: number + 1 }), tableLink(id, "invite", invitation));
  const mine = mySeats.includes(number);
  const running = info.phase === "playing";
  if (mine && seat?.kind === "computer" && seat.lent) {
    const back = () => { close(); commands.command({ type: "person", seat: number }); };
    return h("div", { class: "row spread" }, h("strong", null, seatName(info, number)), h("button", { class: "button", type: "button", onClick: back }, t("Play myself again")));
  }
  if (seat?.kind !== "here" && seat?.kind !== "link") return null;
  if (!mine) {
    if ((!maker && !mySeats.length) || !seat.away || !running) return null;
    return h("div", { class: "stack" }, h("strong", null, t("{name} is away", { name: seatName(info, number) })), lendButton(model, number, close));
  }
  return h("div", { key: number, class: "stack" }, renameForm(model, number), running && handOverForm(model, number, close));
}

/** @param {Model} model @param {number} number */
function renameForm({ info, commands }, number) {
  const name = info.seats[number]?.name ?? "";
  const rename = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("name"));
    const text = input.value.trim();
    if (!text || text === name) return;
    device.rememberNames([text]);
    commands.command({ type: "name", seat: number, name: text });
  };
  return h("form", { class: "link-row", onSubmit: rename }, nameField({ name: "name", defaultValue: name, "aria-label": t("Name for seat {n}", { n: number + 1 }) }), h("button", { class: "button", type: "submit" }, t("Rename")));
}

/** @param {Model} model @param {number} number @param {() => void} close */
function handOverForm({ info, id, game, commands }, number, close) {
  const levels = levelsFor(game, { ...info.options, components: info.own_box }, homeOf(id)).filter((one) => !one.bot);
  const noteOf = (/** @type {string | undefined} */ name) => { const found = levels.find((one) => one.name === name); return found ? levelNote(found) : ""; };
  const usual = usualLevel(levels);
  const chosen = (/** @type {Event} */ event) => {
    const select = /** @type {HTMLSelectElement} */ (event.target);
    const note = select.form?.querySelector("output");
    if (note) note.textContent = noteOf(select.value);
  };
  const hand = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const level = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("level");
    close();
    commands.command({ type: "computer", seat: number, level: String(level) });
  };
  return h(
    "form",
    { class: "row", onSubmit: hand },
    h("select", { name: "level", "aria-label": t("How well the computer plays"), onChange: chosen }, levels.map((one) => h("option", { key: one.name, value: one.name, selected: one.name === usual }, levelName(one.name)))),
    h("button", { class: "button", type: "submit" }, t("Let the computer play")),
    h("output", { class: "muted small" }, noteOf(usual)),
  );
}

/** @param {Model} model @param {() => void} close */
function coachChoice({ info, mySeats, commands }, close) {
  if (!mySeats.length) return null;
  const wishes = info.seats.flatMap((seat, number) => (seat.wish ? [t("{name} asks for: {mode}", { name: seatName(info, number), mode: coachName(seat.wish) })] : []));
  const [wish, ...others] = new Set(info.seats.flatMap((seat) => seat.wish ?? []));
  const missing = wish && !others.length ? stillToAgree(info, (seat) => seat.wish === wish) : [];
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
          { key: mode },
          h("input", { type: "radio", name: "coach", checked: mode === info.coach, onChange: () => { close(); commands.command({ type: "coach", coach: mode }); } }),
          h("span", null, coachName(mode)),
        ),
      ),
    ),
    wishes.map((text) => h("p", { key: text, class: "small" }, text)),
    missing.length > 0 && h("p", { class: "small" }, t("Still to agree: {names}", { names: list(missing) })),
    h("p", { class: "muted small" }, t("It changes once everybody at the table has agreed. Nobody waits for people who have been away for a quarter of an hour.")),
  );
}
