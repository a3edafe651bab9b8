// @ts-check
/**
 * One's own box, entered where the numbers stand: the board draws its parts with fields on them, what it does not draw is
 * a row of fields. The server checks it as one types.
 */
import { checkComponents } from "../app/api.js";
import { ownBox, saveOwnBox } from "../app/device.js";
import { toast } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { sourceName } from "../app/words.js";
import { isColour } from "../board/dice.js";
import { classes } from "../board/pieces.js";
import { h } from "../vendor/preact.js";
import { noun } from "./option.js";

/** @import { Board, BoxForm } from "../board/model.js" */
/** @import { Child } from "../vendor/preact.js" */

/** @typedef {Record<string, any>} Data */

/** where something may come from; such data are said, not asked */
const SOURCES = new Set(["printed", "seen", "reconstructed"]);
const CHECK_AFTER_MS = 350;

/** Whether there is anything in a box besides its name. @param {Data} data */
export const hasBox = (data) => Object.keys(data).some((key) => key !== "game" && key !== "name");

/** Whether a value, a list or a table says nothing but where things come from. @param {unknown} value */
function isSource(value) {
  const all = value && typeof value === "object" ? Object.values(value) : [value];
  return all.length > 0 && all.every((one) => SOURCES.has(one));
}

/** Without what is null: the reader expects such things to be left out. @param {Data} data @returns {Data} */
const plain = (data) => JSON.parse(JSON.stringify(data, (_, value) => (value === null ? undefined : value)));

/**
 * @param {import("../app/api.js").GameInfo} game
 * @param {Board} board
 * @param {Data} known what Pasch knows
 * @param {() => void} redraw
 * @returns {() => Child}
 */
export function createBox(game, board, known, redraw) {
  const own = t("My box");
  let saved = ownBox(game.id);
  /** @type {Data} */
  let data = structuredClone(saved?.data ?? known);
  let name = saved?.name ?? own;
  let verdict = { ok: true, reason: "", place: "", totals: /** @type {string[]} */ ([]), asked: false };
  /** @type {number | undefined} */
  let timer;
  let asked = 0;

  async function check() {
    const mine = ++asked;
    const found = await checkComponents(game.id, plain(data));
    if (mine === asked) verdict = { ...found, asked: true };
    redraw();
    return found.ok;
  }
  /** @param {string} place @param {unknown} value */
  const set = (place, value) => {
    const path = stepsOf(place);
    const last = path.pop() ?? "";
    path.reduce((at, step) => at[step], data)[last] = value;
    board.boxChanged?.(data);
    clearTimeout(timer);
    timer = window.setTimeout(check, CHECK_AFTER_MS);
    redraw();
  };
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!(await check())) return /** @type {HTMLElement | null} */ (document.querySelector(".box-form [aria-invalid]"))?.focus();
    saved = { name: name.trim() || own, data: { ...plain(data), name: name.trim() || own } };
    saveOwnBox(game.id, saved);
    redraw();
    toast(t("Saved. New tables of this game now use your box."));
  };
  const putAway = () => {
    saveOwnBox(game.id, null);
    saved = null;
    data = structuredClone(known);
    check();
    toast(t("Your box is put away; Pasch’s own values are back."));
  };
  if (saved) check();
  return () => {
    const wrong = verdict.ok ? "" : verdict.place;
    /** @type {BoxForm} */
    const form = { set, cell: (place, label, colour) => cell(data, place, label, { set, colour, bad: wrong !== "" && (place === wrong || place.startsWith(`${wrong}.`) || place.startsWith(`${wrong}[`)) }) };
    return h(
      "form",
      { class: "box-form stack", onSubmit: save },
      h("p", { class: "muted" }, saved ? t("New tables of this game use your box. You can put it away, or choose for each table.") : t("Type the numbers of your box where they belong. A ° marks what we have guessed.")),
      h("div", { class: `cardboard box-board game-${game.id}` }, parts(data, "", { ...form, board })),
      h("p", { class: verdict.ok ? "small" : "small error", role: "status" }, verdict.asked && (verdict.ok ? t("You can play with this box.") : verdict.reason), verdict.totals.length > 0 && ` ${t("Compare with your box:")} ${verdict.totals.join("; ")}.`),
      h("label", { class: "field" }, h("span", null, t("Name of your box")), h("input", { type: "text", maxLength: 40, value: name, onInput: (/** @type {Event} */ event) => (name = /** @type {HTMLInputElement} */ (event.target).value) })),
      h("div", { class: "acts" }, h("button", { class: "go", type: "submit", "data-key": "save-box", disabled: !verdict.ok }, t("Save my box")), (saved || verdict.asked) && h("button", { class: "alt", type: "button", "data-key": "put-away", onClick: putAway }, saved ? t("Put my box away") : t("Use Pasch’s values again"))),
    );
  };
}

/** The steps of a place in the data: "rows[0].crowns" is rows, 0, crowns. @param {string} place */
const stepsOf = (place) => place.split(/[.[\]]+/).filter(Boolean);

/** What an object holds, each part where it belongs. @param {Data} data @param {string} place @param {BoxForm & {board: Board}} form @returns {Child[]} */
function parts(data, place, form) {
  return Object.entries(data).map(([key, value]) => {
    if (isSource(value) || value === null || (!place && (key === "game" || key === "name"))) return null;
    return part(key, value, place ? `${place}.${key}` : key, form);
  });
}

/** A part as the board draws it, or a row of fields. @param {string} key @param {any} value @param {string} at @param {BoxForm & {board: Board}} form @returns {Child} */
function part(key, value, at, form) {
  const { board, cell, set } = form;
  const name = noun(board, key);
  const drawn = board.boxPart?.(at, value, form);
  if (drawn) return h("section", { key, class: "box-things" }, h("h2", null, name), drawn);
  if (Array.isArray(value) && value.some((one) => one && typeof one === "object")) return things(key, value, at, form);
  const inside = value && typeof value === "object";
  const fields = Array.isArray(value)
    ? value.map((_, number) => cell(`${at}[${number}]`, t("{name}, number {n}", { name, n: number + 1 })))
    : inside
      ? Object.keys(value).filter((one) => !isSource(value[one])).map((one) => cell(`${at}.${one}`, `${name}: ${noun(board, one)}`, isColour(one) ? one : ""))
      : cell(at, name);
  const resize = Array.isArray(value) && board.growing.includes(key) && [
    h("button", { class: "tool", type: "button", "aria-label": t("{name}: one more", { name }), onClick: () => set(at, [...value, (value.at(-1) ?? 0) + 1]) }, "+"),
    h("button", { class: "tool", type: "button", "aria-label": t("{name}: one less", { name }), disabled: value.length < 2, onClick: () => set(at, value.slice(0, -1)) }, "−"),
  ];
  return h("div", { key, class: "box-row", role: "group", "aria-label": name }, h("span", { class: "box-name" }, name), h("span", { class: "box-cells" }, fields), resize);
}

/** A list of things, a row each; entries of some lists can be added and removed. @param {string} key @param {any[]} list @param {string} at @param {BoxForm & {board: Board}} form */
function things(key, list, at, form) {
  const { board, set } = form;
  const grows = board.growing.includes(key);
  const row = (/** @type {any} */ thing, /** @type {number} */ number) => {
    const name = typeof thing.name === "string" ? thing.name : `${noun(board, key)} ${number + 1}`;
    const place = `${at}[${number}]`;
    const remove = () => set(at, list.filter((_, other) => other !== number));
    return h("li", { key: number }, h("div", { class: "box-thing", role: "group", "aria-label": name }, board.boxPart?.(place, thing, form) || parts(thing, place, form)), grows && h("button", { class: "link", type: "button", disabled: list.length < 2, onClick: remove }, t("Remove {what}", { what: name })));
  };
  const add = () => {
    const made = structuredClone(list.at(-1));
    for (const one of Object.keys(made)) if (isSource(made[one])) made[one] = "seen";
    if (typeof made.name === "string") made.name = t("New {n}", { n: list.length + 1 });
    set(at, [...list, made]);
  };
  return h(
    "section",
    { key, class: "box-things" },
    h("h2", null, noun(board, key)),
    h("ol", { class: "box-list" }, list.map(row)),
    grows && h("button", { class: "link", type: "button", onClick: add }, t("Add {what}", { what: noun(board, key) })),
  );
}

/** A value and where it comes from: what stands at its place, at all of a row, or at each of its entries. @param {Data} data @param {string} place */
function known(data, place) {
  /** @type {any} */
  let value = data;
  /** @type {any} */
  let source;
  for (const step of stepsOf(place)) {
    const own = value.sources?.[step] ?? value[`${step}_provenance`] ?? value.provenance;
    source = own ?? (Array.isArray(source) ? source[Object.keys(value).indexOf(step)] : source);
    value = value[step];
  }
  return { value, source };
}

/** A field where a value stands. @param {Data} data @param {string} place @param {string} label @param {{set: BoxForm["set"], bad: boolean, colour?: string}} how @returns {Child} */
function cell(data, place, label, { set, bad, colour = "" }) {
  const { value, source } = known(data, place);
  const guessed = source === "reconstructed";
  const common = { key: place, "data-place": place, "aria-label": guessed ? `${label}, ${sourceName("reconstructed")}` : label, "aria-invalid": bad ? "true" : null, title: typeof source === "string" ? sourceName(source) : undefined };
  if (typeof value === "boolean") return h("input", { ...common, type: "checkbox", checked: value, onChange: ({ target }) => set(place, target.checked) });
  if (typeof value !== "number") return h("input", { ...common, class: "cell wide", type: "text", value: String(value), maxLength: 40, onInput: ({ target }) => set(place, target.value) });
  return h("span", { class: classes("cell-box", colour && `d-${colour}`, guessed && "guessed"), key: place }, h("input", { ...common, class: "cell", type: "number", value, inputMode: "numeric", onInput: ({ target }) => set(place, Math.trunc(target.valueAsNumber) || 0) }), guessed && h("sup", { "aria-hidden": "true" }, "°"));
}
