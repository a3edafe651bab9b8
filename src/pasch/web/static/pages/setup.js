// @ts-check
/** A game's page: who plays? Four choices, then only what belongs to the one that was made. One touch on the button is enough. */
import { components, game as askGame, games } from "../app/api.js";
import { begin } from "../app/begin.js";
import * as device from "../app/device.js";
import { icon, link, selectField, toast } from "../app/frame.js";
import { list, number, t, tn } from "../app/i18n.js";
import { levelsFor, usualLevel } from "../app/levels.js";
import { mount } from "../app/mount.js";
import { nameField, nameProblem } from "../app/names.js";
import { currentQuery, friendsHome, usualHome } from "../app/addresses.js";
import { coachName, levelName, levelNote, pipsOf, playerName } from "../app/words.js";
import { loadBoard } from "../board/load.js";
import { chip, face, portrait, use } from "../board/pieces.js";
import { h } from "../vendor/preact.js";
import { lanSwitch } from "./lan.js";
import { lid } from "./lid.js";
import { optionControl, optionWords, pills } from "./option.js";

/** @import { GameInfo } from "../app/api.js" */
/** @import { NewTable } from "../app/types.js" */
/** @import { Child } from "../vendor/preact.js" */

/**
 * @typedef {"alone" | "computer" | "here" | "link"} Kind who plays
 * @typedef {{kind: "here" | "link" | "computer", name: string, level: string, key: number}} Wish
 * @typedef {object} Setup
 * @property {GameInfo} game
 * @property {GameInfo[]} all
 * @property {import("../board/model.js").Board} board
 * @property {Record<string, any>} box what Pasch knows of the box, for pictures
 * @property {Kind} kind
 * @property {Record<Kind, Wish[]>} seats for each kind, so that nothing is lost by looking at another
 * @property {Record<string, any>} options those that were changed
 * @property {import("../app/device.js").Box[]} boxes one's own
 * @property {NonNullable<NewTable["coach"]>} coach
 * @property {NonNullable<NewTable["dice"]>} dice
 * @property {boolean} lots
 * @property {string} standIn the level of a computer that plays for somebody who is away
 * @property {boolean} busy
 * @property {() => void} redraw
 */

let keys = 0;

/** @param {string} [name] @returns {Wish} */
const person = (name = "") => ({ kind: "here", name, level: "", key: ++keys });
/** @returns {Wish} */
const guest = () => ({ kind: "link", name: "", level: "", key: ++keys });
/** @param {string} level @returns {Wish} */
const computer = (level) => ({ kind: "computer", name: "", level, key: ++keys });

/** @type {import("../app/main.js").Page} */
export async function setupPage(main, id) {
  const game = await askGame(id);
  const [all, board, box] = await Promise.all([games(), loadBoard(game), components(id)]);
  const state = { ...initial(game, all, board, box), redraw: () => page.redraw() };
  const page = mount(main, () => view(state));
  return page.stop;
}

/** As it was last time, as far as that is known. @param {GameInfo} game @param {GameInfo[]} all @param {Setup["board"]} board @param {Setup["box"]} box @returns {Omit<Setup, "redraw">} */
function initial(game, all, board, box) {
  const last = device.last();
  const same = last?.game === game.id ? last : null;
  const names = device.names();
  const level = usualLevel(levelsFor(game, {}, usualHome()));
  const before = same?.seats.map((seat) => ({ kind: seat.kind, name: seat.name ?? "", level: seat.level ?? "", key: ++keys }));
  const kind = before ? kindOf(before) : game.players.includes(2) ? "computer" : "alone";
  const here = (last?.seats ?? []).filter((seat) => seat.kind === "here").map((seat) => seat.name ?? "");
  const together = here.length > 1 ? here : [names[0] ?? "", names[1] ?? ""];
  const own = device.ownBox(game.id);
  const boxes = own ? [own] : [];
  /** @type {Setup["seats"]} */
  const seats = { alone: [person(names[0])], computer: [person(names[0]), computer(level)], here: together.slice(0, Math.max(...game.players)).map(person), link: [person(names[0]), guest()] };
  if (before) seats[kind] = before;
  return {
    game, all, board, box, kind, seats, boxes,
    // a box of one's own is the one on the table, until it is put away
    options: own ? { components: own.data } : {},
    coach: same?.coach ?? "after",
    dice: currentQuery().get("dice") === "real" ? "real" : "pasch",
    lots: false,
    standIn: game.levels.some(({ name }) => name === "hard") ? "hard" : level,
    busy: false,
  };
}

/** @param {readonly {kind: string}[]} seats @returns {Kind} */
function kindOf(seats) {
  if (seats.some(({ kind }) => kind === "link")) return "link";
  if (seats.length === 1) return "alone";
  return seats.filter(({ kind }) => kind === "here").length > 1 ? "here" : "computer";
}

/** Change something of the state, and show it. @template T @param {Setup} state @param {T} part @param {Partial<T>} values */
function change({ redraw }, part, values) {
  Object.assign(/** @type {object} */ (part), values);
  redraw();
}

/** Those who sit at the table. @param {Setup} state */
const seatsOf = (state) => state.seats[state.kind];

// --- the page ----------------------------------------------------------------------------------------

/** @param {Setup} state */
function view(state) {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    play(state);
  };
  return h(
    "div",
    { class: "room setpage" },
    head(state),
    h(
      "form",
      { class: "setform", onSubmit: submit, noValidate: true },
      kinds(state),
      h("section", { class: "sheet chosen", key: state.kind }, { alone, computer: opponents, here: people, link: people }[state.kind](state)),
      house(state),
      h("div", { class: "acts go-bar" }, problem(state) ? h("p", { class: "error", role: "alert" }, problem(state)) : null, h("button", { class: "go", type: "submit", "data-key": "play", disabled: state.busy || problem(state) !== "" }, icon("play"), h("span", null, actionName(state)))),
    ),
  );
}

/** @param {Setup} state */
function head(state) {
  const { game, all } = state;
  const best = bestAlone(game.id);
  const alone = () => {
    state.kind = "alone";
    play(state);
  };
  return h(
    "header",
    { class: "gamehead" },
    lid(all, game.id),
    h(
      "div",
      null,
      h("h1", null, game.title),
      h("p", null, game.pitch),
      h(
        "p",
        { class: "row2" },
        link(`/rules/${game.id}`, {}, t("Rules")),
        game.lesson && link(`/learn/${game.id}`, { "data-key": "learn" }, t("Learn it in three minutes")),
        link(`/rules/${game.id}?box`, { "data-key": "own-box" }, t("My own box")),
        game.players.includes(1) && h("button", { class: "link", type: "button", "data-key": "solo", disabled: state.busy, onClick: alone }, best === null ? t("Alone, right away") : t("Alone, right away: beat {points}", { points: number(best) })),
      ),
    ),
  );
}

/** @param {Setup} state */
function kinds(state) {
  const { game } = state;
  const best = bestAlone(game.id);
  const wire = h("svg", { class: "wire", viewBox: "0 0 40 12", "aria-hidden": "true" }, h("path", { d: "M2 8c8-9 28-9 36 0" }));
  /** @type {[Kind, boolean, Child, string, string][]} */
  const all = [
    ["alone", game.players.includes(1), chip(0), t("Alone"), best === null ? t("You and the dice") : t("Beat your best: {points}", { points: number(best) })],
    ["computer", game.players.some((n) => n > 1), [chip(0), face(2)], t("Against the computer"), tn("{n} player to choose from", "{n} players to choose from", levelsOf(state).length)],
    ["here", game.players.some((n) => n > 1), [chip(0), chip(1), chip(3)], t("Together here"), t("One screen, passed round")],
    ["link", friendsHome() !== "" && game.players.some((n) => n > 1), [chip(0), wire, chip(1)], t("By link"), t("Others play on their own screens")],
  ];
  return h(
    "div",
    { class: "kinds", role: "radiogroup", "aria-label": t("Who plays?") },
    all.filter(([, able]) => able).map(([kind, , picture, name, says]) => card("kind", kind, state.kind === kind, () => change(state, state, { kind }), h("span", { class: "kp" }, picture), h("b", null, name), h("small", null, says))),
    !friendsHome() && h("p", { class: "muted small" }, t("To invite friends by a link, you need a server. These games run on your device alone.")),
  );
}

/** One of several. @param {string} look @param {string} key @param {boolean} on @param {() => void} choose @param {...Child} content */
const card = (look, key, on, choose, ...content) =>
  h("button", { key, type: "button", role: "radio", "aria-checked": String(on), class: on ? `${look} on` : look, "data-key": `${look}-${key}`, onClick: choose }, ...content, on && h("span", { class: "badge" }, use("check", "")));

// --- alone ---------------------------------------------------------------------------------------------

/** The results alone, the latest first. @param {string} game */
const resultsAlone = (game) => device.summaries().filter((one) => one.game === game && one.players === 1).flatMap((one) => one.seats.map(({ score }) => score));

/** The best result alone; null if there is none. @param {string} game */
function bestAlone(game) {
  const results = resultsAlone(game);
  return results.length ? Math.max(...results) : null;
}

/** @param {Setup} state @returns {Child} */
function alone({ game }) {
  const [last] = resultsAlone(game.id);
  const best = bestAlone(game.id);
  const typical = game.typical[49];
  const fact = (/** @type {number | null | undefined} */ value, /** @type {string} */ words) => value !== undefined && h("div", null, h("b", null, value === null ? "–" : number(value)), h("small", null, words));
  return [
    h("h2", null, t("You and the dice")),
    h("div", { class: "best" }, fact(best, t("your best")), fact(last ?? null, t("last time")), fact(typical, t("{name} in the middle", { name: playerName("medium") }))),
    typical !== undefined && h("p", { class: "muted" }, t("Half of the games that {name} plays alone end below {points} points. Computed, not collected.", { name: playerName("medium"), points: number(typical) })),
  ];
}

// --- against the computer --------------------------------------------------------------------------------

/** The computers to choose from, with these options. @param {Setup} state */
function levelsOf(state) {
  const { game, options } = state;
  return levelsFor(game, options, seatsOf(state).some(({ kind }) => kind === "link") ? friendsHome() : usualHome());
}

/** The level of a computer: the one that was chosen, if it can play with these options. @param {Setup} state @param {Wish} wish */
function levelOf(state, wish) {
  const levels = levelsOf(state);
  return levels.find(({ name }) => name === wish.level)?.name ?? usualLevel(levels);
}

/** What a player is like. @param {string} level */
function character(level) {
  switch (level) {
    case "easy": return t("learns the game with you");
    case "medium": return t("plays like most people");
    case "hard": return t("hardly misses a thing");
    case "winner": return t("plays to win");
    case "perfect": return t("plays for points, not to win");
    default: return levelName(level);
  }
}

/** @param {Setup} state @returns {Child} */
function opponents(state) {
  const seats = seatsOf(state);
  const [you, first] = seats;
  return [
    h("h2", null, t("Who plays against you?")),
    h("div", { class: "lvls", role: "radiogroup", "aria-label": t("Who plays against you?") }, levelsOf(state).map((level) =>
      card(
        "lvl", level.name, first !== undefined && levelOf(state, first) === level.name, () => first && change(state, first, { level: level.name }),
        face(pipsOf(level.name)), h("b", null, playerName(level.name)), h("small", null, level.bot ? levelNote(level) : character(level.name)),
        level.wins !== null && level.against !== null && h("small", { class: "w" }, t("beats {name} in {wins} of 100", { wins: Math.round(100 * level.wins), name: playerName(level.against) })),
      ),
    )),
    seats.length > 2 && h("ol", { class: "names" }, seats.map((wish, place) => place > 1 && seatRow(state, wish, place))),
    h(
      "p",
      { class: "muted row2" },
      levelsOf(state).some(({ wins }) => wins !== null) && h("span", null, t("Measured in many games for two.")),
      seats.length < Math.max(...state.game.players) && h("button", { class: "link", type: "button", "data-key": "add-computer", onClick: () => add(state, computer(first?.level ?? "")) }, t("Add another player")),
      lotsButton(state),
    ),
    h("details", { class: "own-name" }, h("summary", null, t("Your name")), nameField({ value: you?.name, placeholder: t("Name"), "aria-label": t("Your name") }, (name) => you && (you.name = name))),
  ];
}

/** Put another seat to the table. @param {Setup} state @param {Wish} wish */
const add = (state, wish) => change(state, state.seats, { [state.kind]: [...seatsOf(state), wish] });

/** @param {Setup} state */
function lotsButton(state) {
  return h("button", { class: "link", type: "button", "aria-pressed": String(state.lots), "data-key": "lots", onClick: () => change(state, state, { lots: !state.lots }) }, state.lots ? t("Lots decide who begins ✓") : t("Draw lots for who begins"));
}

// --- together ----------------------------------------------------------------------------------------------

/** @param {Setup} state @returns {Child} */
function people(state) {
  const seats = seatsOf(state);
  const full = seats.length >= Math.max(...state.game.players);
  const button = (/** @type {string} */ key, /** @type {string} */ text, /** @type {() => Wish} */ wish) =>
    h("button", { key, class: "link", type: "button", "data-key": key, disabled: full, onClick: () => add(state, wish()) }, text);
  const free = () => device.names().find((name) => !seats.some((wish) => wish.name === name)) ?? "";
  return [
    h("h2", null, state.kind === "link" ? t("Who are you inviting?") : t("Who sits at the table?")),
    h("ol", { class: "names" }, seats.map((wish, place) => seatRow(state, wish, place))),
    h(
      "p",
      { class: "row2" },
      state.kind === "link" && button("add-link", t("Invite somebody by link"), guest),
      button("add-here", t("Add a person here"), () => person(free())),
      button("add-computer", t("Add a computer player"), () => computer(usualLevel(levelsOf(state)))),
      lotsButton(state),
    ),
    full && h("p", { class: "muted small" }, t("This game is for {most} players at most.", { most: Math.max(...state.game.players) })),
    state.kind === "link" && [h("p", { class: "muted" }, t("At the table you get a link for each free seat, and a QR code.")), lanSwitch(state.redraw), standIn(state)],
  ];
}

/** @param {Setup} state @param {Wish} wish @param {number} place */
function seatRow(state, wish, place) {
  const seats = seatsOf(state);
  const level = wish.kind === "computer" ? levelOf(state, wish) : "";
  const attrs = { value: wish.name, placeholder: place ? t("Name") : t("You"), "aria-label": t("Name for seat {n}", { n: place + 1 }), "data-key": `name-${wish.key}` };
  return h(
    "li",
    { key: wish.key },
    wish.kind === "link" ? h("span", { class: "dot" }) : portrait(place, wish.kind === "computer" ? pipsOf(level) : null),
    wish.kind === "here" && nameField(attrs, (name) => (wish.name = name)),
    wish.kind === "link" && h("span", { class: "free" }, t("a free seat")),
    wish.kind === "computer" && selectField({ "aria-label": t("How well the computer plays"), "data-key": `level-${wish.key}` }, levelsOf(state).map(({ name }) => [name, `${playerName(name)}: ${character(name)}`]), level, (chosen) => change(state, wish, { level: chosen })),
    h("span", { class: "k" }, place === 0 && !state.lots ? t("begins") : ""),
    h("button", { class: "tool", type: "button", "data-key": `remove-${wish.key}`, "aria-label": t("Remove seat {n}", { n: place + 1 }), disabled: seats.length < 2, onClick: () => change(state, state.seats, { [state.kind]: seats.filter((one) => one !== wish) }) }, icon("close")),
  );
}

/** How well the computer plays that may be lent to somebody who is away. @param {Setup} state */
function standIn(state) {
  return h(
    "label",
    { class: "field" },
    h("span", null, t("If somebody is away, the computer may play for them")),
    selectField({ "data-key": "stand-in" }, state.game.levels.filter(({ bot }) => !bot).map(({ name }) => [name, `${playerName(name)}: ${character(name)}`]), state.standIn, (level) => (state.standIn = level)),
  );
}

// --- how it is played --------------------------------------------------------------------------------------

/** The options that mean something at this table. @param {Setup} state */
const optionsOf = (state) => state.game.options.filter(({ players }) => !players.length || players.includes(seatsOf(state).length));

/** @param {Setup} state */
function house(state) {
  const { game, board, options } = state;
  const value = (/** @type {import("../app/api.js").OptionSpec} */ spec) => options[spec.name] ?? spec.default;
  const specs = optionsOf(state);
  const changed = specs.some((spec) => JSON.stringify(value(spec)) !== JSON.stringify(spec.default));
  const own = state.boxes.findIndex(({ data }) => data === options.components);
  const said = [own >= 0 ? state.boxes[own]?.name : "", ...specs.map((spec) => optionWords(spec, board, value(spec))), state.dice === "real" ? (game.has_secrets ? t("Real cards on the table") : t("Real dice on the table")) : "", state.coach === "after" ? "" : t("Coach: {mode}", { mode: coachName(state.coach) })];
  const controls = (/** @type {boolean} */ hidden) => specs.filter((spec) => spec.house === hidden).map((spec) => optionControl(spec, board, value(spec), (chosen) => change(state, options, { [spec.name]: chosen }), options.components ?? state.box));
  const takeBox = (/** @type {string} */ at) => change(state, options, { components: at === "" ? undefined : state.boxes[Number(at)]?.data });
  return h(
    "details",
    { class: "house", "data-key": "house" },
    h("summary", null, icon("settings"), h("span", null, h("b", null, changed ? t("House rules") : t("Printed rules")), said.filter(Boolean).join(" · ") || t("no variant"))),
    h(
      "div",
      { class: "stack" },
      controls(false),
      state.boxes.length > 0 && pills(t("Box"), "box", [["", t("As Pasch knows it")], ...state.boxes.map(({ name }, at) => /** @type {[string, string]} */ ([String(at), name]))], own < 0 ? "" : String(own), takeBox),
      pills(game.has_secrets ? t("Cards") : t("Dice"), "dice", [["pasch", game.has_secrets ? t("Pasch deals the cards") : t("Pasch rolls")], ["real", game.has_secrets ? t("Real cards on the table") : t("Real dice on the table")]], state.dice, (chosen) => change(state, state, { dice: /** @type {Setup["dice"]} */ (chosen) })),
      h("p", { class: "muted small" }, t("With real ones you tap what lies on the table, and Pasch keeps the score.")),
      pills(t("Coach"), "coach", ["off", "after", "moves", "hints"].map((mode) => [mode, coachName(mode)]), state.coach, (chosen) => change(state, state, { coach: /** @type {Setup["coach"]} */ (chosen) })),
      h("p", { class: "muted small" }, t("The coach shows what was luck and what a move gave away. With other people hints come only if all agree.")),
      controls(true),
    ),
  );
}

// --- play ----------------------------------------------------------------------------------------------------

/** Why it cannot begin; empty if it can. @param {Setup} state */
function problem(state) {
  const { players } = state.game;
  if (players.includes(seatsOf(state).length)) return "";
  return tn("This game needs at least {n} player.", "This game needs at least {n} players.", Math.min(...players));
}

/** What the button does. @param {Setup} state */
function actionName(state) {
  const seats = seatsOf(state);
  const links = seats.filter(({ kind }) => kind === "link").length;
  if (state.kind === "alone") return t("Play alone");
  if (state.kind === "computer") return t("Play against {names}", { names: list(seats.slice(1).map((wish) => playerName(levelOf(state, wish)))) });
  if (links) return tn("Set the table and invite {n} person", "Set the table and invite {n} people", links);
  return tn("Play, {n} at the table", "Play, {n} at the table", seats.length);
}

/** @param {Setup} state */
async function play(state) {
  const { game, options } = state;
  const seats = seatsOf(state);
  const invalid = /** @type {HTMLInputElement | null} */ (document.querySelector(".setform input:invalid"));
  if (invalid || seats.some(({ name }) => nameProblem(name))) return invalid?.focus();
  const levels = seats.map((wish) => (wish.kind === "computer" ? levelOf(state, wish) : null));
  const offered = new Set(optionsOf(state).map(({ name }) => name));
  const wish = {
    game: game.id,
    seats: seats.map(({ kind, name }, at) => ({ kind, name: kind === "here" ? name.trim() : "", level: levels[at] })),
    options: Object.fromEntries(Object.entries(options).filter(([name]) => name === "components" || offered.has(name))),
    coach: state.coach,
    dice: state.dice,
    draw_lots: state.lots && seats.length > 1,
    stand_in: state.standIn,
  };
  await begin(state, state.redraw, game, wish, refuse);
}

/** Say why it was refused, at the field where that is one name. @param {string} why */
function refuse(why) {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".setform .name-field input"));
  const bad = [...fields].find(({ value }) => /\p{C}/u.test(value));
  if (!bad) return toast(why);
  bad.setAttribute("aria-invalid", "true");
  const hint = bad.parentElement?.querySelector(".error");
  if (hint) hint.textContent = why;
  bad.focus();
}
