// @ts-check
/**
 * Texts in the reader's language. The English template is the key; `{name}` is filled from the details.
 * Every visible text goes through `t` or `tn` with a literal template, so that the tests can find it.
 */

/** @typedef {Record<string, unknown>} Details */
/** @typedef {Record<string, string | string[]>} Templates */

/**
 * @typedef {object} Catalogue the server's answer
 * @property {string} language
 * @property {string[]} languages all that there are
 * @property {Record<string, number>} forms which of a text's forms goes with which of Unicode's plural categories
 * @property {Templates} templates
 */

let language = "en";
let languages = ["en"];
/** @type {Record<string, number>} */
let forms = { one: 0, other: 1 };
/** @type {Templates} */
let templates = {};
let plural = new Intl.PluralRules("en");

/** Use this catalogue from now on. @param {Catalogue} catalogue */
export function setLanguage(catalogue) {
  ({ language, languages, forms, templates } = catalogue);
  plural = new Intl.PluralRules(language);
}

/** loads the texts that are not there yet @type {() => Promise<void>} */
let loadRest = async () => {};

/** Say how all texts are loaded, when only those of the first page are there. @param {() => Promise<void>} load */
export function setLoader(load) {
  loadRest = load;
}

/** Wait until all texts are there: what a server says may be any of them. */
export function allTexts() {
  return loadRest();
}

/** The tag of the language that is set. */
export function currentLanguage() {
  return language;
}

/** The languages there are, each with its name in its own words. @returns {[tag: string, name: string][]} */
export function languageNames() {
  return languages.map((tag) => {
    const name = new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? tag;
    return [tag, name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)];
  });
}

/** @param {unknown} value @returns {string} */
function show(value) {
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return list(value.map(show));
  return String(value);
}

/** @param {string} template @param {Details} details */
function insert(template, details) {
  // Python's templates may ask for quotes, as in {name!r}; people do not need them
  return template.replace(/\{(\w+)(?:!r)?\}/g, (whole, name) =>
    Object.hasOwn(details, name) ? show(details[name]) : whole,
  );
}

/** A text. @param {string} template @param {Details} [details] */
export function t(template, details = {}) {
  const found = Object.hasOwn(templates, template) ? templates[template] : undefined;
  // of the server's sentences about {n} things every form is there under the English one that it sent
  const text = Array.isArray(found) ? found[formFor(Number(details.n ?? 1))] : found;
  return insert(text || template, details);
}

/** Which of a text's forms is for this number. @param {number} n */
function formFor(n) {
  return forms[plural.select(n)] ?? forms.other ?? 0;
}

/**
 * A text that depends on a number, which it may name as `{n}`.
 * @param {string} one
 * @param {string} other
 * @param {number} n
 * @param {Details} [details]
 */
export function tn(one, other, n, details = {}) {
  const found = Object.hasOwn(templates, one) ? templates[one] : undefined;
  const text = Array.isArray(found) ? found[formFor(n)] : plural.select(n) === "one" ? one : other;
  return insert(text || other, { n, ...details });
}

/** what the server puts before a sentence about a place in a box's data */
const PLACE = "{place}: ";

/**
 * A text the server sent as a template and its details; words among these are translated too.
 * @param {{template: string, details?: Details}} sentence
 */
export function say(sentence) {
  const { template } = sentence;
  const details = Object.fromEntries(
    Object.entries(sentence.details ?? {}).map(([name, value]) => [name, toldDetail(name, value)]),
  );
  const bare = template.startsWith(PLACE) ? template.slice(PLACE.length) : template;
  return capital(t(bare, details));
}

/**
 * A detail in this language: words are translated, seats (which the server counts from 0) are named.
 * @param {string} name
 * @param {unknown} value
 * @returns {unknown}
 */
function toldDetail(name, value) {
  if (Array.isArray(value)) return value.map((one) => (name === "seats" ? one + 1 : toldDetail(name, one)));
  if (typeof value === "number" && (name === "seat" || name === "turn")) return t("Seat {n}", { n: value + 1 });
  return typeof value === "string" ? word(value) : value;
}

/** A text as it stands at the beginning of a sentence. @param {string} text */
export function capital(text) {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/** A word that the server sent, such as a game's title. @param {string} value */
export function word(value) {
  const found = Object.hasOwn(templates, value) ? templates[value] : value;
  return typeof found === "string" ? found || value : value;
}

/**
 * A number as this language writes it; with `digits`, exactly this many after the point.
 * @param {number} x
 * @param {number} [digits]
 */
export function number(x, digits) {
  const options =
    digits === undefined
      ? { maximumFractionDigits: 2 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  // a true minus sign, which is as wide as a plus
  return new Intl.NumberFormat(language, options).format(x).replace("-", "−");
}

/** The reader's own region where the browser names one: English dates are not American everywhere. */
function region() {
  const own = (globalThis.navigator?.languages ?? []).find((tag) => tag.startsWith(`${language}-`));
  return own ?? (language === "en" ? "en-GB" : language);
}

/**
 * A day as this language and region write it.
 * @param {number} when in milliseconds since 1970
 * @param {"day" | "time"} [how] "time": with the time of the day
 */
export function date(when, how = "day") {
  return new Intl.DateTimeFormat(region(), how === "time" ? { dateStyle: "medium", timeStyle: "short" } : { dateStyle: "medium" }).format(when);
}

/** "1, 2 and 3". @param {readonly (string | number)[]} items */
export function list(items) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(items.map(String));
}
