// @ts-check
/** 6mal6: the plan with a row for every seat and the pot; below it one's hand, or how the round is settled field by field. */
import { list, number, t, tn } from "../../app/i18n.js";
import { signed } from "../../app/words.js";
import { gain } from "../../board/default.js";
import { range, total } from "../../board/pieces.js";
import { h } from "../../vendor/preact.js";

/** @import { BoardModel, Telling } from "../../board/model.js" */

const FIELDS = 6;
/** after the fields come the bonus and what the round brought */
const BONUS = FIELDS;
const ROUND = FIELDS + 1;

// --- how a round is settled ------------------------------------------------------------------------

/** @typedef {{at: number, rows: number[][], chips: number[], pot: number, moved: number[], lowest: [number, number][], bonus: number[], street: [number, number][]}} Settling */

/**
 * What is on the table while a round is settled, or after it: chips and pot as far as it has been shown, and by seat what
 * has just been paid or taken.
 * @param {BoardModel} model
 * @returns {Settling}
 */
function settling({ state, marks, story }) {
  const after = story?.after;
  const { lowest = [], bonus = [], street = [] } = after ? after.marks : marks;
  const lie = { lowest, bonus, street };
  if (!story || !after) return { at: ROUND, rows: state.rows, chips: state.chips, pot: state.pot, moved: state.chips.map(() => 0), ...lie };
  const { rows, chips, pot } = after.snapshot;
  const at = story.beats > 1 ? story.beat : ROUND;
  const end = { at, rows, ...lie };
  if (at === ROUND) return { ...end, chips, pot, moved: chips.map((/** @type {number} */ have, /** @type {number} */ seat) => have - state.chips[seat]) };
  const paidUpTo = (/** @type {number} */ field) =>
    state.chips.map((/** @type {number} */ have, /** @type {number} */ seat) =>
      Math.min(have, total(lowest.flatMap((/** @type {[number, number]} */ [payer, price]) => (payer === seat && price <= field ? [price] : [])))));
  const paid = paidUpTo(Math.min(at + 1, FIELDS));
  const taken = chips.map((/** @type {number} */ have, /** @type {number} */ seat) => (at === BONUS ? have - state.chips[seat] + paid[seat] : 0));
  const before = paidUpTo(at);
  return {
    ...end,
    chips: state.chips.map((/** @type {number} */ have, /** @type {number} */ seat) => have - paid[seat] + taken[seat]),
    pot: state.pot + total(paid) - total(taken),
    moved: taken.map((/** @type {number} */ took, /** @type {number} */ seat) => took - paid[seat] + before[seat]),
  };
}

/** The beats of the event that ends a round: each field, the bonus, the round; streets are settled at once. @param {Telling} telling */
export function beats({ event, before, after }) {
  if (!event.card || !before || !after || after.snapshot.rounds === before.snapshot.rounds) return [];
  return after.marks.lowest ? Array(FIELDS + 2).fill(Infinity) : [Infinity];
}

/** The label of the button that continues. @param {BoardModel} model */
export function storyButton(model) {
  const { at } = settling(model);
  if (at < BONUS - 1) return t("Next: field {field}", { field: at + 2 });
  return at === BONUS - 1 ? t("Next: the bonus") : at === BONUS ? t("See the round") : t("Next round");
}

/** The beat that is shown, in words. @param {BoardModel} model @param {Settling} settled */
function story({ who, you, name, state, story }, { at, rows, moved, lowest, bonus }) {
  const all = (/** @type {(seat: number) => string} */ of) => state.order.map(of).join(" · ");
  if (at === ROUND) return [h("b", null, t("Round {n}", { n: (story?.after?.snapshot.rounds ?? 1) })), all((seat) => `${who(seat)} ${signed(moved[seat] ?? 0, 0)}`)];
  const [seat = -1, ...more] = at === BONUS ? bonus : lowest.flatMap(([payer, field]) => (field === at + 1 ? [payer] : []));
  const names = list([seat, ...more].map(who));
  if (at === BONUS) {
    const n = moved[seat] ?? 0;
    const takes = more.length ? tn("Each of these takes {n} chip: {names}.", "Each of these takes {n} chips: {names}.", n, { names })
      : you(seat) ? tn("You have the most and take {n} chip.", "You have the most and take {n} chips.", n)
        : tn("{name} has the most and takes {n} chip.", "{name} has the most and takes {n} chips.", n, { name: name(seat) });
    return [h("b", null, t("Fields 1 and 6")), all((one) => `${who(one)} ${number((rows[one]?.[0] ?? 0) + (rows[one]?.[FIELDS - 1] ?? 0))}`), h("br", null), takes];
  }
  const n = at + 1;
  const pays = more.length ? tn("Each of these pays {n} chip: {names}.", "Each of these pays {n} chips: {names}.", n, { names })
    : you(seat) ? tn("You pay {n} chip.", "You pay {n} chips.", n) : tn("{name} pays {n} chip.", "{name} pays {n} chips.", n, { name: name(seat) });
  return [h("b", null, t("Field {field}", { field: n })), t("The lowest card is {card}.", { card: rows[seat]?.[at] ?? 0 }), h("br", null), pays];
}

// --- drawings ----------------------------------------------------------------------------------------

/** A card; null is one that must not be known. @param {number | null} value @param {string} [name] @param {Record<string, unknown>} [more] @param {string} [tag] */
function card(value, name = "", more = {}, tag = "span") {
  const look = `pcard ${value === null ? "back" : ""} ${name} ${more.class ?? ""}`;
  return h(tag, { ...more, class: look, "data-n": value === null ? null : number(value) }, value !== null && h("b", null, number(value)));
}

/** A chip flies from its card to the pot, measured where both lie. @param {HTMLElement | null} chip */
function flight(chip) {
  const pot = chip?.closest(".sixgrid")?.querySelector(".pot svg")?.getBoundingClientRect();
  if (!chip || !pot || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const from = chip.getBoundingClientRect();
  const [x, y] = [pot.x + pot.width / 2 - from.x - from.width / 2, pot.y + pot.height / 3 - from.y - from.height / 2];
  chip.animate(
    [{ opacity: 0 }, { opacity: 1, transform: "translateY(-14px)", offset: 0.12 }, { opacity: 1, offset: 0.9 }, { opacity: 0, transform: `translate(${x}px, ${y}px)` }],
    { duration: 700, delay: 300 + 110 * Number(chip.dataset.chip), easing: "cubic-bezier(.2, .8, .3, 1)" },
  );
}

/** @param {BoardModel} model @param {Settling} settled @param {number} seat @param {number} field */
function cell(model, { at, rows, lowest, bonus, street }, seat, field) {
  const { state, before, chosen, chooser, story, touch } = model;
  const value = rows[seat]?.[field - 1] ?? 0;
  const open = chooser === seat && state.phase === "card";
  const picked = open && chosen.has(`field:${field}`) ? chosenCard(model) : null;
  const has = (/** @type {[number, number][]} */ pairs) => pairs.some(([one, there]) => one === seat && there === field);
  const paid = has(lowest) && field <= at + 1;
  const now = paid && at === field - 1;
  const column = story && (field === at + 1 || (at === BONUS && (field === 1 || field === FIELDS)));
  const best = (at >= BONUS && bonus.includes(seat) && (field === 1 || field === FIELDS) && (at === BONUS || !story)) || has(street);
  const label = value ? t("field {field}: a {card} lies there", { field, card: value })
    : picked !== null ? t("field {field}: the {card} goes there", { field, card: picked }) : t("field {field}", { field });
  const control = open ? { type: "button", ...touch(`field:${field}`, label) } : {};
  const fresh = value > 0 && !story && !before.rows?.[seat]?.[field - 1] && before.rounds === state.rounds;
  return h(
    open ? "button" : "div",
    { key: `${seat} ${field}`, ...control, class: `fl ${column ? "col" : ""} ${now ? "low" : ""} ${best ? "top" : ""} ${"class" in control ? control.class : ""}` },
    value ? card(value, fresh ? "fresh landing" : "") : picked !== null ? card(picked, "ghost") : h("span", { class: "hole" }),
    now && h("span", { class: "lowtag" }, t("lowest")),
    now && range(1, field).map((n) => h("span", { key: `${at} ${n}`, class: `fly s${seat}`, "data-chip": n - 1, "aria-hidden": "true", ref: flight })),
    paid && !now && h("span", { class: "paid" }, signed(-field, 0)),
  );
}

/** @param {BoardModel} model */
function chosenCard({ chosen }) {
  const token = [...chosen].find((one) => one.startsWith("card:"));
  return token ? Number(token.slice("card:".length)) : null;
}

/** A number of chips that counts up or down as each chip lands; the page has the last number at once. @param {number} to @param {number} from @param {number} steps */
const counting = (to, from, steps) => h("b", { key: `${from} ${to}`, class: from === to ? "" : "counts", style: from === to ? undefined : { "--from": String(from), "--to": String(to), "--steps": String(steps) } }, number(to));

/** Whose row it is, and the chips that are left. @param {BoardModel} model @param {Settling} settled @param {number} seat */
function head(model, { at, chips, moved }, seat) {
  const { state, who, portrait, story, turn } = model;
  const out = !state.order.includes(seat);
  const [have = 0, change = 0] = [chips[seat], moved[seat]];
  const hidden = state.hands[seat].filter((/** @type {number | null} */ one) => one === null).length;
  const pays = change < 0 && at < BONUS;
  return h(
    "div",
    { key: `seat ${seat}`, class: `sx s${seat} ${seat === turn && !story ? "on" : ""} ${pays ? "pays" : ""} ${out ? "out" : ""}` },
    h("span", { class: "pic" }, portrait(seat)),
    h("span", { class: "name" }, who(seat)),
    h("span", { class: "have" },
      counting(have, pays ? have - change : have, at + 1), h("span", { class: "unseen" }, tn("{n} chip", "{n} chips", have)),
      change !== 0 && h("em", { class: change < 0 ? "minus" : "plus" }, signed(change, 0)),
      out && h("small", null, t("out of the game")),
      hidden > 0 && h("span", { class: "unseen" }, tn("{n} hidden card", "{n} hidden cards", hidden)),
      h("span", { class: "pile", "aria-hidden": "true" }, range(1, Math.min(4, Math.floor(have / 5))).map((n) => h("i", { key: `big ${n}`, class: "bigc" })),
        range(1, Math.min(9, have - 5 * Math.min(4, Math.floor(have / 5)))).map((n) => h("i", { key: n })))),
  );
}

/** @param {number} chips @param {number} change @param {number} steps in how many it comes; 0: at once */
function pot(chips, change, steps) {
  const coins = [[28, 13], [42, 9], [54, 14]].slice(0, chips);
  return h(
    "div",
    { class: "pot", role: "img", "aria-label": tn("{n} chip in the pot", "{n} chips in the pot", chips) },
    h("svg", { viewBox: "0 0 80 44", "aria-hidden": "true" },
      h("ellipse", { class: "cup-shadow", cx: 40, cy: 39, rx: 32, ry: 4 }),
      h("g", { class: "coins" }, coins.map(([cx, cy]) => h("circle", { key: cx, cx, cy, r: 8 }))),
      h("path", { class: "bowl", d: "M6 15h68c0 15-14 25-34 25S6 30 6 15Z" }),
      h("path", { class: "lip", d: "M4 15h72" })),
    h("span", { "aria-hidden": "true" }, t("Pot"), " ", counting(chips, steps ? chips - change : chips, steps), change !== 0 && h("em", null, signed(change, 0))),
  );
}

/** The plan: a row for every seat. @param {BoardModel} model */
export function board(model) {
  const { seats, story, chooser, who } = model;
  const settled = settling(model);
  const { at, rows, moved } = settled;
  const described = range(0, seats - 1).map((seat) => `${who(seat)}: ${(rows[seat] ?? []).map((value) => (value ? number(value) : "–")).join(" ")}`);
  const lit = (/** @type {number} */ field) => (!story ? "" : field === at + 1 || (at === BONUS && (field === 1 || field === FIELDS)) ? "on" : field <= at ? "past" : "");
  return h(
    "div",
    { class: `six cardboard of-${seats}`, role: "group", "aria-label": `${t("Cards on the fields 1 to 6")}: ${described.join("; ")}` },
    h("div", { class: "sixgrid" },
      pot(settled.pot, story && at < ROUND ? -total(moved) : 0, at < BONUS ? at + 1 : 0),
      range(1, FIELDS).map((field) => h("div", { key: field, class: `fh ${lit(field)}`, "aria-hidden": "true" }, h("b", null, number(field)))),
      range(0, seats - 1).map((seat) => [
        head(model, settled, seat),
        range(1, FIELDS).map((field) => cell(model, settled, seat, field)),
      ])),
    chooser === null && !story && settled.street.length > 0 && h("p", { class: "note" }, t("The streets are lit.")),
  );
}

/** One's hand, or the beat of the settlement. @param {BoardModel} model */
export function zone(model) {
  const { state, chooser, turn, who, you, touch, chosen, story: telling } = model;
  if (telling) return h("div", { class: "hand tellbox" }, h("p", { class: "story", role: "status" }, story(model, settling(model))));
  const known = (/** @type {number} */ seat) => seat >= 0 && state.hands[seat].length > 0 && state.hands[seat][0] !== null;
  const seat = [chooser ?? -1, turn, ...range(0, model.seats - 1)].find(known);
  if (seat === undefined) return h("div", { class: "hand" });
  /** @type {number[]} */
  const hand = state.hands[seat];
  const open = chooser === seat && state.phase === "card";
  const label = you(seat) ? t("Your cards") : t("Hand of {name}", { name: who(seat) });
  const drawn = hand.map((value, at) => {
    const copies = hand.filter((one) => one === value).length;
    const first = hand.indexOf(value) === at;
    const place = at - (hand.length - 1) / 2;
    const style = { "--a": `${(place * 4).toFixed(1)}deg`, "--y": `${(place * place * 1.6).toFixed(1)}px` };
    const { onClick, ...control } = open ? touch(`card:${value}`, tn("card {card}", "card {card}, {n} of them", copies, { card: value })) : { onClick: undefined };
    // the second of two equal cards is the same choice: it can be touched, but is not announced twice
    const look = open && first ? { type: "button", ...control, onClick } : { "aria-hidden": "true", onClick };
    return card(value, `inhand ${chosen.has(`card:${value}`) && first ? "up" : ""}`, { key: `${value} ${at - hand.indexOf(value)}`, style, ...look }, open && first ? "button" : "span");
  });
  return h("div", { class: `hand s${seat}`, role: open ? "group" : "img", "aria-label": open ? label : `${label}: ${list(hand)}` }, drawn);
}

export const wide = () => true;

// --- words -------------------------------------------------------------------------------------------

/** @type {import("../../board/model.js").Board["sentences"]} */
export const sentences = {
  deal({ event, who, isYou }) {
    /** @type {[(number | null)[], number][]} */
    const seen = event.deal.map((/** @type {(number | null)[]} */ hand, /** @type {number} */ seat) => [hand, seat]);
    const open = seen.filter(([hand]) => hand.length && hand[0] !== null);
    const [[hand, seat] = [[], -1]] = open;
    if (open.length === 1 && isYou(seat)) return t("The cards are dealt, you get {cards}", { cards: list(hand.map(Number)) });
    if (!open.length) return t("The cards are dealt");
    return t("The cards are dealt: {hands}", { hands: open.map(([cards, one]) => `${who(one)} ${list(cards.map(Number))}`).join("; ") });
  },
  card({ event: { card, field }, you, name, before, after, who }) {
    const what = you ? t("You lay {card} on field {field}", { card, field }) : t("{name} lays {card} on field {field}", { name, card, field });
    if (!before || !after || after.snapshot.rounds === before.snapshot.rounds) return what;
    const changes = before.snapshot.order.map((/** @type {number} */ seat) => `${who(seat)} ${signed(gain(seat, before, after), 0)}`);
    return t("{what}. The round is settled: {changes}", { what, changes: list(changes) });
  },
  draw({ event, you, name }) {
    if (event.draw[0] === null) return you ? t("You draw two cards") : t("{name} draws two cards", { name });
    const cards = list(event.draw);
    return you ? t("You draw {cards}", { cards }) : t("{name} draws {cards}", { name, cards });
  },
};

/** @type {import("../../board/model.js").Board["labels"]} */
export const labels = { card: ({ event: { card, field } }) => t("Lay {card} on field {field}", { card, field }) };

/** @type {import("../../board/model.js").Board["shorts"]} */
export const shorts = {
  card: ({ event: { card, field } }) => t("{card} on field {field}", { card, field }),
  draw: () => t("two cards"),
};

/** @param {BoardModel} model */
export function prompts(model) {
  const card = chosenCard(model);
  const lay = card === null ? t("Touch a card, then a field.") : model.choice ? t("The {card} goes there.", { card }) : t("Your {card}: touch one of your open fields.", { card });
  return { deal: t("A new round: deal the cards."), draw: t("Draw two cards."), card: lay };
}
/** @param {BoardModel} model */
export const needs = (model) => ({ card: chosenCard(model) === null ? t("Touch a card") : t("Touch a field") });
export const chances = () => ({ deal: t("Deal the cards"), draw: t("Draw two cards") });
/** @param {BoardModel} model */
export const where = ({ state }) => t("Round {n}", { n: state.rounds + (state.phase === "over" ? 0 : 1) });
export const placing = "card";
export const nouns = () => ({
  streets: t("Streets"), start: t("At the start"), deck: t("Cards"), card: t("Card"), part: t("card"),
});

/** How many there are of each card. @type {NonNullable<import("../../board/model.js").Board["boxPart"]>} */
export const boxPart = (place, deck, { cell }) =>
  place === "deck" && h("div", { class: "box-cells" }, deck.map((/** @type {{card: number}} */ one, /** @type {number} */ at) => h("span", { key: one.card, class: "box-card" }, card(one.card), cell(`deck[${at}].number`, t("How many cards {n}", { n: one.card })))));
