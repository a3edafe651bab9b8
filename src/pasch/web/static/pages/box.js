// @ts-check
/**
 * One's own box, entered where the numbers stand: rows of fields as on the board or strip, checked by the server as one
 * types. It works for whatever data a game's box has; the board knows the words.
 */
import { checkComponents } from "../app/api.js";
import { boxes, saveBoxes } from "../app/device.js";
import { toast } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { sourceName } from "../app/words.js";
import { isColour } from "../board/dice.js";
import { h } from "../vendor/preact.js";
import { noun } from "./option.js";

/**
 * @typedef {import("../vendor/preact.js").Child} Child
 * @typedef {import("../board/model.js").Board} Board
 * @typedef {Record<string, any>} Data
 * @typedef {object} Form
 * @property {Board} board
 * @property {string} wrong the place that the server does not accept; empty: none
 * @property {() => void} changed
 */

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
  let saved = boxes(game.id)[0];
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
  const changed = () => {
    clearTimeout(timer);
    timer = window.setTimeout(check, CHECK_AFTER_MS);
    redraw();
  };
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!(await check())) return /** @type {HTMLElement | null} */ (document.querySelector(".box-form [aria-invalid]"))?.focus();
    saved = { name: name.trim() || own, data: { ...plain(data), name: name.trim() || own } };
    saveBoxes(game.id, [saved]);
    redraw();
    toast(t("Saved. New tables of this game now use your box."));
  };
  const putAway = () => {
    saveBoxes(game.id, []);
    saved = undefined;
    data = structuredClone(known);
    check();
    toast(t("Your box is put away; Pasch’s own values are back."));
  };
  if (saved) check();
  return () => {
    const form = { board, wrong: verdict.ok ? "" : verdict.place, changed };
    return h(
      "form",
      { class: "box-form stack", onSubmit: save },
      h("p", { class: "muted" }, saved ? t("New tables of this game use your box. You can put it away, or choose for each table.") : t("Type the numbers that your box shows where they stand. A ° marks what we have guessed.")),
      h("div", { class: "cardboard box-board" }, parts(data, "", form)),
      h("p", { class: verdict.ok ? "small" : "small error", role: "status" }, verdict.asked && (verdict.ok ? t("You can play with this box.") : verdict.reason), verdict.totals.length > 0 && ` ${t("Compare with your box:")} ${verdict.totals.join("; ")}.`),
      h("label", { class: "field" }, h("span", null, t("Name of your box")), h("input", { type: "text", maxLength: 40, value: name, onInput: (/** @type {Event} */ event) => (name = /** @type {HTMLInputElement} */ (event.target).value) })),
      h("div", { class: "acts" }, h("button", { class: "go", type: "submit", "data-key": "save-box", disabled: !verdict.ok }, t("Save my box")), (saved || verdict.asked) && h("button", { class: "alt", type: "button", "data-key": "put-away", onClick: putAway }, saved ? t("Put my box away") : t("Use Pasch’s values again"))),
    );
  };
}

/** What an object holds, each part where it belongs. @param {Data} data @param {string} place @param {Form} form @returns {Child[]} */
function parts(data, place, form) {
  return Object.entries(data).map(([key, value]) => {
    const at = place ? `${place}.${key}` : key;
    if (isSource(value) || value === null || (!place && (key === "game" || key === "name"))) return null;
    const name = noun(form.board, key);
    const set = (/** @type {any} */ next) => {
      data[key] = next;
      form.changed();
    };
    const source = data.sources?.[key] ?? data[`${key}_provenance`] ?? data.provenance;
    if (Array.isArray(value) && value.some((one) => one && typeof one === "object")) return things(key, value, at, form);
    if (Array.isArray(value)) return h("div", { key, class: "box-row" }, h("span", { class: "box-name" }, name), numbers(value, at, name, source, set, form), form.board.growing.includes(key) && resizing(value, name, set));
    if (value && typeof value === "object") return h("div", { key, class: "box-row" }, h("span", { class: "box-name" }, name), h("span", { class: "box-cells" }, Object.keys(value).filter((one) => !isSource(value[one])).map((one, number) => cell(value[one], `${at}.${one}`, `${name}: ${noun(form.board, one)}`, sourceAt(source ?? value.provenance, number), (next) => { value[one] = next; form.changed(); }, form, isColour(one) ? one : ""))));
    return h("label", { key, class: "box-row" }, h("span", { class: "box-name" }, name), h("span", { class: "box-cells" }, cell(value, at, name, sourceAt(source, 0), set, form)));
  });
}

/** @param {unknown} source of a part or of each of its entries @param {number} number */
const sourceAt = (source, number) => (Array.isArray(source) ? source[number] : source);

/** @param {number[]} values @param {string} at @param {string} name @param {unknown} source @param {(value: number[]) => void} set @param {Form} form */
const numbers = (values, at, name, source, set, form) =>
  h("span", { class: "box-cells", role: "group", "aria-label": name }, values.map((one, number) => cell(one, `${at}[${number}]`, t("{name}, number {n}", { name, n: number + 1 }), sourceAt(source, number), (next) => set(values.map((old, other) => (other === number ? next : old))), form)));

/** A list of things, a row each; entries of some lists can be added and removed. @param {string} key @param {any[]} list @param {string} at @param {Form} form */
function things(key, list, at, form) {
  const { board } = form;
  const grows = board.growing.includes(key);
  const rows = list.map((thing, number) => {
    const name = typeof thing.name === "string" ? thing.name : `${noun(board, key)} ${number + 1}`;
    const body = Array.isArray(thing) ? numbers(thing, `${at}[${number}]`, name, undefined, (next) => { list[number] = next; form.changed(); }, form) : parts(thing, `${at}[${number}]`, form);
    return h("li", { key: number }, h("div", { class: "box-thing", role: "group", "aria-label": name }, body), grows && h("button", { class: "link", type: "button", disabled: list.length < 2, onClick: () => { list.splice(number, 1); form.changed(); } }, t("Remove {what}", { what: name })));
  });
  const add = () => {
    const made = structuredClone(list.at(-1));
    for (const one of Object.keys(made)) if (isSource(made[one])) made[one] = "seen";
    if (typeof made.name === "string") made.name = t("New {n}", { n: list.length + 1 });
    list.push(made);
    form.changed();
  };
  return h(
    "section",
    { key, class: "box-things" },
    h("h2", null, noun(board, key)),
    // a board is printed with its highest row on top
    h("ol", { class: "box-list" }, board.upwards?.includes(key) ? rows.reverse() : rows),
    grows && h("button", { class: "link", type: "button", onClick: add }, t("Add {what}", { what: noun(board, key) })),
  );
}

/** One number more or less at the end of a list. @param {number[]} values @param {string} name @param {(value: number[]) => void} set */
const resizing = (values, name, set) => [
  h("button", { class: "tool", type: "button", "aria-label": t("{name}: one more", { name }), onClick: () => set([...values, (values.at(-1) ?? 0) + 1]) }, "+"),
  h("button", { class: "tool", type: "button", "aria-label": t("{name}: one less", { name }), disabled: values.length < 2, onClick: () => set(values.slice(0, -1)) }, "−"),
];

/**
 * A field where a number stands.
 * @param {any} value
 * @param {string} at its place in the data
 * @param {string} label
 * @param {unknown} source
 * @param {(value: any) => void} set
 * @param {Form} form
 * @param {string} [colour]
 */
function cell(value, at, label, source, set, { wrong }, colour = "") {
  const bad = wrong !== "" && (at === wrong || at.startsWith(`${wrong}.`) || at.startsWith(`${wrong}[`));
  const guessed = source === "reconstructed";
  const common = { key: at, "data-place": at, "aria-label": guessed ? `${label}, ${sourceName("reconstructed")}` : label, "aria-invalid": bad ? "true" : null, title: typeof source === "string" ? sourceName(source) : undefined };
  const input = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target);
  if (typeof value === "boolean") return h("input", { ...common, type: "checkbox", checked: value, onChange: (/** @type {Event} */ event) => set(input(event).checked) });
  if (typeof value !== "number") return h("input", { ...common, class: "cell wide", type: "text", value: String(value), maxLength: 40, onInput: (/** @type {Event} */ event) => set(input(event).value) });
  const typed = (/** @type {Event} */ event) => set(Math.trunc(input(event).valueAsNumber) || 0);
  return h("span", { class: `cell-box${colour ? ` d-${colour}` : ""}${guessed ? " guessed" : ""}`, key: at }, h("input", { ...common, class: "cell", type: "number", value, inputMode: "numeric", onInput: typed }), guessed && h("sup", { "aria-hidden": "true" }, "°"));
}
