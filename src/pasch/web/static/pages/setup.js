// @ts-check
/** Setting a table: who plays, with which options. One click on Play is enough. */
import { Refusal, game as askGame } from "../app/api.js";
import { begin } from "../app/begin.js";
import { loadBoard } from "../board/load.js";
import { boxes, names } from "../app/device.js";
import { h, replace } from "../app/dom.js";
import { icon, link, toast } from "../app/frame.js";
import { t, tn } from "../app/i18n.js";
import { levelsFor, usualLevel } from "../app/levels.js";
import { nameField } from "../app/names.js";
import { optionControl } from "./option.js";
import { friendsHome, usualHome } from "../app/addresses.js";
import { thumb } from "../board/thumb.js";
import { coachName, levelName, levelNote, minuteRange, playerRange } from "../app/words.js";

/**
 * @typedef {import("../app/api.js").GameInfo} GameInfo
 * @typedef {{kind: "here"|"link"|"computer", name: string, level: string, key: number}} Wish
 * @typedef {object} Plan
 * @property {GameInfo} game
 * @property {Wish[]} seats
 * @property {Record<string, any>} options
 * @property {"off"|"after"|"moves"|"hints"} coach
 * @property {"pasch"|"real"} dice
 * @property {boolean} lots
 * @property {string} standIn the level of a computer that plays for somebody who is away
 */

let keys = 0;

/** @type {import("../app/main.js").Page} */
export async function setupPage(main, id) {
  const game = await askGame(id);
  const board = await loadBoard(game);
  /** @type {Plan} */
  const plan = {
    game,
    seats: [person(names()[0] ?? ""), computer(game)],
    options: {},
    coach: "after",
    dice: "pasch",
    lots: false,
    standIn: game.levels.some(({ name }) => name === "hard") ? "hard" : usualLevel(game.levels),
  };
  const form = h("form", { class: "setup narrow", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); play(plan, form); } });
  const seats = h("section", { class: "card", "aria-labelledby": "who" });
  const start = h("div", { class: "go" });
  const redraw = () => {
    replace(seats, seatCard(plan, redraw), () => seats.querySelector("[data-add]"));
    replace(start, startRow(plan));
  };
  redraw();
  form.append(
    h(
      "div",
      { class: "setup-head" },
      thumb(game),
      h(
        "div",
        null,
        h("h1", null, game.title),
        h("p", { class: "muted" }, game.pitch),
        h("div", { class: "row" }, h("span", { class: "tag" }, playerRange(game.players)), h("span", { class: "tag" }, minuteRange(game.minutes)), link(`/rules/${id}`, {}, t("Rules")), game.lesson && link(`/learn/${id}`, {}, t("Learn it in three minutes"))),
      ),
    ),
    seats,
    ...[gameCard(plan, board, redraw), diceCard(plan), houseCard(plan, board, redraw)].filter((card) => card !== null),
    start,
  );
  main.replaceChildren(form);
}

/** @param {string} name @returns {Wish} */
function person(name) {
  return { kind: "here", name, level: "", key: ++keys };
}

/** @param {GameInfo} game @returns {Wish} */
function computer(game) {
  return { kind: "computer", name: "", level: usualLevel(game.levels), key: ++keys };
}

// --- seats -------------------------------------------------------------------------------------

/**
 * @param {Plan} plan
 * @param {() => void} redraw
 */
function seatCard(plan, redraw) {
  const { game, seats } = plan;
  const most = Math.max(...game.players);
  /** @param {Wish} wish */
  const add = (wish) => {
    seats.push(wish);
    redraw();
  };
  const full = seats.length >= most;
  return [
    h("h2", { id: "who" }, t("Who plays?")),
    h("div", null, seats.map((wish, place) => seatRow(plan, wish, place, redraw))),
    h(
      "div",
      { class: "row", "data-scope": "add" },
      addButton("add-here", t("Another person here"), full, () => add(person(freeName(plan)))),
      friendsHome() && addButton("add-link", t("Somebody by link"), full, () => add({ ...person(""), kind: "link" })),
      addButton("add-computer", t("A computer"), full, () => add(computer(game))),
    ),
    full && h("p", { class: "muted small" }, t("This game is for {most} players at most.", { most })),
    seats.some((wish) => wish.kind === "link") && standInSelect(plan),
    !friendsHome() && h("p", { class: "muted small" }, t("Friends by a link need a server. These games run on your device alone.")),
    seats.length > 1 &&
      h(
        "label",
        { class: "switch" },
        h("input", { type: "checkbox", checked: plan.lots, "data-key": "lots", onchange: (/** @type {Event} */ event) => { plan.lots = checked(event); } }),
        h("span", null, t("Draw lots for who begins")),
      ),
  ];
}

/** A name used on this device that does not sit here yet. @param {Plan} plan */
function freeName(plan) {
  return names().find((name) => !plan.seats.some((wish) => wish.name === name)) ?? "";
}

/**
 * @param {string} key
 * @param {string} text
 * @param {boolean} disabled
 * @param {() => void} onclick
 */
function addButton(key, text, disabled, onclick) {
  return h("button", { class: "button", type: "button", "data-key": key, "data-add": true, disabled, onclick }, `+ ${text}`);
}

/**
 * @param {Plan} plan
 * @param {Wish} wish
 * @param {number} place
 * @param {() => void} redraw
 */
function seatRow(plan, wish, place, redraw) {
  const remove = () => {
    plan.seats.splice(place, 1);
    redraw();
  };
  const first = wish.kind === "here" && plan.seats.find((one) => one.kind === "here") === wish;
  return h(
    "div",
    { class: "seat-wish", role: "group", "aria-label": t("Seat {n}", { n: place + 1 }) },
    h("span", { class: "disc", "aria-hidden": "true" }, place + 1),
    h("strong", null, wish.kind === "computer" ? t("Computer") : wish.kind === "link" ? t("By link") : first ? t("You") : t("A person here")),
    h("button", { class: "button plain icon", type: "button", "data-key": `remove-${wish.key}`, "aria-label": t("Remove seat {n}", { n: place + 1 }), disabled: plan.seats.length < 2, onclick: remove }, icon("close")),
    h("div", { class: "details" }, wish.kind === "computer" ? levelSelect(plan, wish, redraw) : wish.kind === "link" ? linkNote() : nameInput(wish, place)),
  );
}

/**
 * @param {Wish} wish
 * @param {number} place
 */
function nameInput(wish, place) {
  const attrs = { value: wish.name, placeholder: t("Name"), "aria-label": t("Name for seat {n}", { n: place + 1 }), "data-key": `name-${wish.key}` };
  return nameField(attrs, (name) => { wish.name = name; }).field;
}

function linkNote() {
  return h("span", { class: "muted small" }, t("You get a link to send; whoever opens it sits here."));
}

/** The computers to choose from, with these options. @param {Plan} plan */
function levelsOf({ game, options, seats }) {
  return levelsFor(game, options, seats.some((wish) => wish.kind === "link") ? friendsHome() : usualHome());
}

/**
 * The level of a computer: the one that was chosen, if it can play with these options.
 * @param {Plan} plan
 * @param {Wish} wish
 */
function levelOf(plan, wish) {
  const levels = levelsOf(plan);
  return levels.find((one) => one.name === wish.level) ?? levels.find((one) => one.name === usualLevel(levels));
}

/**
 * @param {Plan} plan
 * @param {Wish} wish
 * @param {() => void} redraw
 */
function levelSelect(plan, wish, redraw) {
  const level = levelOf(plan, wish);
  return [
    h(
      "select",
      {
        "aria-label": t("How well the computer plays"),
        "data-key": `level-${wish.key}`,
        onchange: (/** @type {Event} */ event) => {
          wish.level = /** @type {HTMLSelectElement} */ (event.target).value;
          redraw();
        },
      },
      levelsOf(plan).map((one) => h("option", { value: one.name, selected: one === level }, levelName(one.name))),
    ),
    level && levelNote(level) && h("span", { class: "muted small" }, levelNote(level)),
  ];
}

/**
 * How well the computer plays that the maker of the table may lend to somebody who is away.
 * @param {Plan} plan
 */
function standInSelect(plan) {
  const choose = (/** @type {Event} */ event) => { plan.standIn = /** @type {HTMLSelectElement} */ (event.target).value; };
  return h(
    "label",
    { class: "field" },
    h("span", null, t("If somebody is away, the computer may play for them")),
    h("select", { "data-key": "stand-in", onchange: choose }, plan.game.levels.filter((one) => !one.bot).map((one) => h("option", { value: one.name, selected: one.name === plan.standIn }, levelName(one.name)))),
  );
}

// --- options -----------------------------------------------------------------------------------

/** @param {Event} event */
function checked(event) {
  return /** @type {HTMLInputElement} */ (event.target).checked;
}

/**
 * The options that everybody needs.
 * @param {Plan} plan
 * @param {import("../board/load.js").Board} board
 * @param {() => void} redraw
 */
function gameCard(plan, board, redraw) {
  const controls = optionControls(plan, board, false, redraw);
  if (!controls.length) return null;
  return h("section", { class: "card", "aria-labelledby": "how" }, h("h2", { id: "how" }, t("How do you play?")), h("div", { class: "stack" }, controls));
}

/**
 * @param {Plan} plan
 * @param {import("../board/load.js").Board} board
 * @param {boolean} house
 * @param {() => void} redraw
 */
function optionControls(plan, board, house, redraw) {
  const wanted = plan.game.options.filter((spec) => spec.house === house);
  return wanted.map((spec) => optionControl(spec, board, (value) => { plan.options[spec.name] = value; redraw(); }));
}

/**
 * What newcomers need not see: how the rules are read, limits, a box of one's own.
 * @param {Plan} plan
 * @param {import("../board/load.js").Board} board
 * @param {() => void} redraw
 */
function houseCard(plan, board, redraw) {
  const own = [...boxes(plan.game.id), ...(plan.game.boxes ?? [])];
  const controls = optionControls(plan, board, true, redraw);
  if (!controls.length && !own.length) return null;
  return h(
    "details",
    { class: "card", "data-key": "house" },
    h("summary", null, t("House rules")),
    h(
      "div",
      { class: "stack" },
      own.length > 0 &&
        pills(t("Box"), "box", [["", t("As Pasch knows it")], ...own.map((box, place) => /** @type {[string, string]} */ ([String(place), box.name]))], "", (value) => {
          if (value === "") delete plan.options.components;
          else plan.options.components = own[Number(value)]?.data;
          redraw();
        }),
      controls,
    ),
  );
}

/** @param {Plan} plan */
function diceCard(plan) {
  const { game } = plan;
  return h(
    "details",
    { class: "card", "data-key": "dice" },
    h("summary", null, game.has_secrets ? t("Cards and coach") : t("Dice and coach")),
    h(
      "div",
      { class: "stack" },
      pills(game.has_secrets ? t("Cards") : t("Dice"), "dice", [["pasch", game.has_secrets ? t("Pasch deals the cards") : t("Pasch rolls")], ["real", game.has_secrets ? t("Real cards on the table") : t("Real dice on the table")]], plan.dice, (value) => {
        plan.dice = /** @type {Plan["dice"]} */ (value);
      }),
      h("p", { class: "muted small" }, t("With real ones you tap what lies on the table, and Pasch keeps the score.")),
      pills(t("Coach"), "coach", ["off", "after", "moves", "hints"].map((mode) => [mode, coachName(mode)]), plan.coach, (value) => {
        plan.coach = /** @type {Plan["coach"]} */ (value);
      }),
      h("p", { class: "muted small" }, t("The coach shows what was luck and what a move gave away. With other people hints come only if all agree.")),
    ),
  );
}

/**
 * One of several.
 * @param {string} legend
 * @param {string} name
 * @param {string[][]} values pairs of value and text
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
function pills(legend, name, values, chosen, choose) {
  return h(
    "fieldset",
    { class: "stack" },
    h("legend", null, legend),
    h(
      "div",
      { class: "choice" },
      values.map(([value, text]) =>
        h(
          "label",
          null,
          h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => choose(value ?? "") }),
          h("span", null, text),
        ),
      ),
    ),
  );
}

// --- play --------------------------------------------------------------------------------------

/** @param {Plan} plan */
function startRow(plan) {
  const { game, seats } = plan;
  const fits = game.players.includes(seats.length);
  return [
    !fits && h("p", { class: "error", role: "alert" }, tn("This game needs at least {n} player.", "This game needs at least {n} players.", Math.min(...game.players))),
    h("button", { class: "button primary big", type: "submit", "data-key": "play", disabled: !fits }, t("Play")),
  ];
}

/**
 * @param {Plan} plan
 * @param {HTMLFormElement} form
 */
async function play(plan, form) {
  const { game, seats } = plan;
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("[data-key=play]"));
  if (button.disabled || !form.reportValidity()) return;
  button.disabled = true;
  try {
    await begin(game, {
      game: game.id,
      seats: seats.map((wish) => ({
        kind: wish.kind,
        name: wish.name.trim(),
        level: wish.kind === "computer" ? levelOf(plan, wish)?.name : null,
      })),
      options: plan.options,
      coach: plan.coach,
      dice: plan.dice,
      draw_lots: plan.lots,
      stand_in: plan.standIn,
    });
  } catch (error) {
    button.disabled = false;
    if (!(error instanceof Refusal)) throw error;
    toast(error.message);
  }
}
