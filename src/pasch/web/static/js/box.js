// @ts-check
/**
 * One's own box: a form for whatever data a game's box has, checked by the server as one types. Numbers become
 * fields, lists of numbers rows of fields, lists of things tables; the words stand in `label`.
 */
import { checkComponents } from "./api.js";
import { boxes, saveBoxes } from "./device.js";
import { h } from "./dom.js";
import { toast } from "./frame.js";
import { t } from "./i18n.js";
import { colourName } from "./dice.js";
import { sourceName } from "./words.js";

/**
 * @typedef {import("./api.js").GameInfo} GameInfo
 * @typedef {Record<string, any>} Data
 */

/** what says where something comes from, and is told rather than asked */
const SOURCES = new Set(["provenance", "back_provenance", "name_provenance", "arrangement", "sources"]);
const AFTER_TYPING = 350;

/**
 * What a part of a box is called.
 * @param {string} key
 */
function label(key) {
  switch (key) {
    case "chips": return t("Chips");
    case "number": return t("How many");
    case "rows": return t("Rows of the board");
    case "value": return t("Value");
    case "crowns": return t("Crowns on 1x to 6x");
    case "rounds": return t("Rounds");
    case "strips": return t("Strips");
    case "front": return t("Front side");
    case "back": return t("Back side");
    case "tiles": return t("Tiles for white");
    case "players": return t("Players");
    case "values": return t("Values");
    case "dice": return t("Dice");
    case "jokers": return t("Jokers");
    case "combinations": return t("Combinations");
    case "name": return t("Name");
    case "slides": return t("Slides");
    case "exact": return t("No other slide up");
    case "bonus": return t("Bonus");
    case "factor": return t("Factor of the five");
    case "plans": return t("Plans");
    case "numbers": return t("Numbers");
    case "sum": return t("Sum of a line");
    case "line_count": return t("Lines");
    case "line_length": return t("Numbers on a line");
    case "tips": return t("Tips");
    case "inner": return t("Inner points");
    case "step": return t("Step");
    case "square": return t("Square");
    case "lines": return t("Lines with their numbers");
    case "start": return t("At the start");
    case "deck": return t("Cards");
    case "card": return t("Card");
    default: return colourName(key);
  }
}

/** @param {unknown} value */
function isNumbers(value) {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "number");
}

/**
 * @param {GameInfo} game
 * @param {Data} known the data that Pasch knows
 */
export function boxForm(game, known) {
  const saved = boxes(game.id)[0];
  /** @type {Data} */
  let data = structuredClone(saved?.data ?? known);
  const verdict = h("p", { class: "small", role: "status" });
  const fields = h("div", { class: "stack" });
  const name = h("input", { type: "text", maxlength: 40, value: saved?.name ?? t("My box"), id: "box-name" });
  const save = h("button", { class: "button primary", type: "submit" }, t("Save on this device"));
  /** @type {number | undefined} */
  let timer;
  let asked = 0;

  const changed = () => {
    clearTimeout(timer);
    timer = window.setTimeout(check, AFTER_TYPING);
  };
  const check = async () => {
    const mine = ++asked;
    const { ok, place, reason } = await checkComponents(game.id, plain(data));
    if (mine !== asked) return ok;
    for (const field of fields.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    save.disabled = !ok;
    verdict.className = ok ? "small" : "small error";
    verdict.textContent = ok ? t("One can play with this box.") : reason;
    const wrong = [...fields.querySelectorAll("[data-place]")].filter((field) => {
      const at = field.getAttribute("data-place") ?? "";
      return !ok && (at === place || at.startsWith(`${place}.`) || at.startsWith(`${place}[`));
    });
    for (const field of wrong) field.setAttribute("aria-invalid", "true");
    wrong[0]?.closest("details")?.setAttribute("open", "");
    return ok;
  };
  const fill = () => fields.replaceChildren(...partsOf(data, "", changed));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!(await check())) return;
    const box = { name: name.value.trim() || t("My box"), data: { ...plain(data), name: name.value.trim() } };
    saveBoxes(game.id, [box]);
    toast(t("Saved. Choose it under “Dice, coach and options” when you set a table."));
  };
  const reset = () => {
    saveBoxes(game.id, []);
    data = structuredClone(known);
    fill();
    check();
    toast(t("Back to what Pasch knows."));
  };
  fill();
  if (saved) check();
  return h(
    "form",
    { class: "box-form stack", onsubmit: submit },
    fields,
    verdict,
    h("label", { class: "field", for: "box-name" }, h("span", null, t("Name of your box")), name),
    h("div", { class: "row" }, save, h("button", { class: "button", type: "button", onclick: reset }, t("Back to what Pasch knows"))),
  );
}

/** Without what is null: the reader expects such things to be left out. @param {Data} data @returns {Data} */
function plain(data) {
  return JSON.parse(JSON.stringify(data, (_, value) => (value === null ? undefined : value)));
}

/**
 * @param {Data} data
 * @param {string} place
 * @param {() => void} changed
 * @returns {HTMLElement[]}
 */
function partsOf(data, place, changed) {
  return Object.entries(data).flatMap(/** @returns {HTMLElement[]} */ ([key, value]) => {
    const at = place ? `${place}.${key}` : key;
    if (SOURCES.has(key) || value === null || (!place && (key === "game" || key === "name"))) return [];
    const source = sourceOf(data, key);
    const set = (/** @type {any} */ next) => {
      data[key] = next;
      changed();
    };
    if (Array.isArray(value) && value.some((one) => one && typeof one === "object")) return [section(label(key), value, at, changed)];
    if (value && typeof value === "object" && !Array.isArray(value)) {
      return [h("fieldset", { class: "field" }, h("legend", null, label(key), " ", sourceTag(value.provenance)), h("div", { class: "numbers" }, partsOf(value, at, changed)))];
    }
    return [h("div", { class: "field" }, h("span", null, label(key), " ", sourceTag(source)), control(value, at, label(key), set))];
  });
}

/**
 * Where a part comes from, if it says so.
 * @param {Data} data
 * @param {string} key
 */
function sourceOf(data, key) {
  if (data.sources && typeof data.sources === "object") return data.sources[key];
  return undefined;
}

/** @param {unknown} source */
function sourceTag(source) {
  if (typeof source === "string") return h("span", { class: source === "reconstructed" ? "tag gold" : "tag" }, sourceName(source));
  if (!Array.isArray(source)) return null;
  const kinds = [...new Set(source)];
  return h("span", { class: "tag" }, kinds.map((one) => sourceName(String(one))).join(" / "));
}

/**
 * A list of things, each of which can be opened.
 * @param {string} title
 * @param {any[]} things
 * @param {string} place
 * @param {() => void} changed
 */
function section(title, things, place, changed) {
  return h(
    "details",
    { class: "card" },
    h("summary", null, title, " ", h("span", { class: "tag" }, things.length)),
    things.map((thing, number) => {
      const at = `${place}[${number}]`;
      if (Array.isArray(thing)) {
        const set = (/** @type {any} */ next) => {
          things[number] = next;
          changed();
        };
        return control(thing, at, `${title} ${number + 1}`, set);
      }
      const sources = [thing.provenance, thing.back_provenance, thing.arrangement].filter(Boolean).flat();
      return h(
        "fieldset",
        { class: "thing" },
        h("legend", null, typeof thing.name === "string" ? thing.name : `${number + 1}`, " ", sourceTag([...new Set(sources)])),
        h("div", { class: "numbers" }, partsOf(thing, at, changed)),
      );
    }),
  );
}

/**
 * @param {any} value
 * @param {string} place
 * @param {string} name
 * @param {(value: any) => void} set
 * @returns {HTMLElement}
 */
function control(value, place, name, set) {
  if (isNumbers(value) || (Array.isArray(value) && !value.length)) {
    /** @type {number[]} */
    const numbers = [...value];
    return h(
      "div",
      { class: "numbers", role: "group", "aria-label": name },
      numbers.map((one, number) =>
        control(one, `${place}[${number}]`, t("{name}, number {n}", { name, n: number + 1 }), (next) => {
          numbers[number] = next;
          set([...numbers]);
        }),
      ),
    );
  }
  if (typeof value === "boolean") {
    return h("input", { type: "checkbox", checked: value, "aria-label": name, "data-place": place, onchange: (/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).checked) });
  }
  if (typeof value === "number") {
    const oninput = (/** @type {Event} */ event) => {
      const { valueAsNumber } = /** @type {HTMLInputElement} */ (event.target);
      set(Number.isNaN(valueAsNumber) ? 0 : Math.trunc(valueAsNumber));
    };
    return h("input", { type: "number", value, inputmode: "numeric", "aria-label": name, "data-place": place, oninput });
  }
  return h("input", { type: "text", value: String(value), maxlength: 40, "aria-label": name, "data-place": place, oninput: (/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).value) });
}
