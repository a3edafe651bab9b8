// @ts-check
/**
 * One's own box: a form for whatever data a game's box has, checked by the server as one types. Numbers become
 * fields, lists of numbers rows of fields, lists of things tables; the board knows the words.
 */
import { checkComponents } from "../app/api.js";
import { boxes, saveBoxes } from "../app/device.js";
import { h } from "../app/dom.js";
import { toast } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { sourceName } from "../app/words.js";

/**
 * @typedef {import("../app/api.js").GameInfo} GameInfo
 * @typedef {Record<string, any>} Data
 * @typedef {object} Form
 * @property {import("../board/load.js").Board["word"]} word what a part of the box is called
 * @property {string[]} growing the lists that may have more or fewer entries
 * @property {() => void} changed
 * @property {() => void} redraw after a list has become longer or shorter
 */

/** where something may come from; data that say so are told rather than asked */
const SOURCES = new Set(["printed", "seen", "reconstructed"]);
const AFTER_TYPING = 350;

/** @param {unknown} value */
function isNumbers(value) {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "number");
}

/** Whether a value, a list or a table says nothing but where things come from. @param {unknown} value */
function isSource(value) {
  const all = value && typeof value === "object" ? Object.values(value) : [value];
  return all.length > 0 && all.every((one) => SOURCES.has(one));
}

/**
 * @param {GameInfo} game
 * @param {import("../board/load.js").Board} board
 * @param {Data} known the data that Pasch knows
 */
export function boxForm(game, { word, growing }, known) {
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
    const { ok, place, reason, totals } = await checkComponents(game.id, plain(data));
    if (mine !== asked) return ok;
    for (const field of fields.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    save.disabled = !ok;
    verdict.className = ok ? "small" : "small error";
    verdict.textContent = ok ? t("You can play with this box.") : reason;
    if (totals.length) verdict.append(" ", t("Compare with your box:"), " ", totals.join("; "), ".");
    const wrong = [...fields.querySelectorAll("[data-place]")].filter((field) => {
      const at = field.getAttribute("data-place") ?? "";
      return !ok && (at === place || at.startsWith(`${place}.`) || at.startsWith(`${place}[`));
    });
    for (const field of wrong) field.setAttribute("aria-invalid", "true");
    wrong[0]?.closest("details")?.setAttribute("open", "");
    return ok;
  };
  const fill = () => {
    const open = [...fields.querySelectorAll("details")].map((one) => one.open);
    fields.replaceChildren(...partsOf(data, "", { word, growing, changed, redraw }));
    for (const [place, one] of [...fields.querySelectorAll("details")].entries()) one.open = open[place] ?? false;
  };
  const redraw = () => {
    fill();
    changed();
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!(await check())) return;
    const box = { name: name.value.trim() || t("My box"), data: { ...plain(data), name: name.value.trim() } };
    saveBoxes(game.id, [box]);
    toast(t("Saved. Choose it under “House rules” when you set a table."));
  };
  const reset = () => {
    saveBoxes(game.id, []);
    data = structuredClone(known);
    fill();
    check();
    toast(t("Pasch’s own values are back."));
  };
  fill();
  if (saved) check();
  return h(
    "form",
    { class: "box-form stack", onsubmit: submit },
    fields,
    verdict,
    h("label", { class: "field", for: "box-name" }, h("span", null, t("Name of your box")), name),
    h("div", { class: "row" }, save, h("button", { class: "button", type: "button", onclick: reset }, t("Use Pasch’s values again"))),
  );
}

/** Without what is null: the reader expects such things to be left out. @param {Data} data @returns {Data} */
function plain(data) {
  return JSON.parse(JSON.stringify(data, (_, value) => (value === null ? undefined : value)));
}

/**
 * @param {Data} data
 * @param {string} place
 * @param {Form} form
 * @returns {HTMLElement[]}
 */
function partsOf(data, place, form) {
  return Object.entries(data).flatMap(/** @returns {HTMLElement[]} */ ([key, value]) => {
    const at = place ? `${place}.${key}` : key;
    if (isSource(value) || value === null || (!place && (key === "game" || key === "name"))) return [];
    const name = form.word(key);
    const source = sourceOf(data, key);
    const set = (/** @type {any} */ next) => {
      data[key] = next;
      form.changed();
    };
    if (Array.isArray(value) && value.some((one) => one && typeof one === "object")) return [section(key, name, value, at, form)];
    if (value && typeof value === "object" && !Array.isArray(value)) {
      return [h("fieldset", { class: "field" }, h("legend", null, name, " ", sourceTag(value.provenance)), h("div", { class: "numbers" }, partsOf(value, at, form)))];
    }
    const resize = Array.isArray(value) && form.growing.includes(key) ? resizing(value, name, set, form) : null;
    return [h("div", { class: "field" }, h("span", null, name, " ", sourceTag(source)), control(value, at, name, set), resize)];
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
 * Buttons for one number more or less at the end of a list.
 * @param {number[]} numbers
 * @param {string} name
 * @param {(value: any) => void} set
 * @param {Form} form
 */
function resizing(numbers, name, set, form) {
  const change = (/** @type {number[]} */ next) => {
    set(next);
    form.redraw();
  };
  const more = () => change([...numbers, (numbers.at(-1) ?? 0) + 1]);
  return h(
    "div",
    { class: "row" },
    h("button", { class: "button plain", type: "button", "aria-label": t("{name}: one more", { name }), onclick: more }, "+"),
    h("button", { class: "button plain", type: "button", "aria-label": t("{name}: one less", { name }), disabled: numbers.length < 2, onclick: () => change(numbers.slice(0, -1)) }, "−"),
  );
}

/** A new entry of a list: like its last one, but seen by whoever adds it, and with a name of its own. @param {any[]} things */
function another(things) {
  const made = structuredClone(things.at(-1));
  for (const key of Object.keys(made)) if (isSource(made[key])) made[key] = "seen";
  if (typeof made.name === "string") made.name = t("New {n}", { n: things.length + 1 });
  return made;
}

/**
 * A list of things, each of which can be opened; entries of some lists can be added and removed.
 * @param {string} key
 * @param {string} title
 * @param {any[]} things
 * @param {string} place
 * @param {Form} form
 */
function section(key, title, things, place, form) {
  const grows = form.growing.includes(key);
  const remove = (/** @type {number} */ number) => {
    things.splice(number, 1);
    form.redraw();
  };
  const add = () => {
    things.push(another(things));
    form.redraw();
  };
  return h(
    "details",
    { class: "card" },
    h("summary", null, title, " ", h("span", { class: "tag" }, things.length)),
    things.map((thing, number) => {
      const at = `${place}[${number}]`;
      if (Array.isArray(thing)) {
        const set = (/** @type {any} */ next) => {
          things[number] = next;
          form.changed();
        };
        return control(thing, at, `${title} ${number + 1}`, set);
      }
      const sources = Object.values(thing).filter(isSource).flat();
      return h(
        "fieldset",
        { class: "thing" },
        h("legend", null, typeof thing.name === "string" ? thing.name : `${number + 1}`, " ", sourceTag([...new Set(sources)])),
        h("div", { class: "numbers" }, partsOf(thing, at, form)),
        grows && h("button", { class: "button plain", type: "button", disabled: things.length < 2, onclick: () => remove(number) }, t("Remove {what}", { what: typeof thing.name === "string" ? thing.name : `${number + 1}` })),
      );
    }),
    grows && h("button", { class: "button", type: "button", onclick: add }, t("Add {what}", { what: form.word(key) })),
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
