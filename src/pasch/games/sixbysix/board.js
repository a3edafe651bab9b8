// @ts-check
/** 6mal6: the plan with a row for every seat, the pot, and the hands: one's own as cards, others' as backs. */

import * as usual from "../../board/default.js";
import { h, svg } from "../../app/dom.js";
import { list, number, t, tn } from "../../app/i18n.js";
import { chip, choosing, frame, gain, motion, news, range, shared, words } from "../../board/pieces.js";
import { touchable } from "../../table/touch.js";

/** @typedef {import("../../table/touch.js").Ctx} Ctx */
/** @typedef {import("../../app/types.js").Position} Position */

/** @typedef {{cellY: number, row: number, above: number}} Row how tall the cards of a row, the row and its name are */

const FIELDS = 6;
/** with more rows than these, those of others are lower on a small screen */
const TALL_ROWS = 3;

/** how the plan is laid out where there is little room, and where there is enough */
const SMALL = { width: 342, left: 6, top: 54, cellX: 55, cellY: 52, row: 76, above: 22 };
const LARGE = { width: 520, left: 134, top: 32, cellX: 63, cellY: 56, row: 62, above: 3 };
/** @type {Row} */
const LOW = { cellY: 38, row: 58, above: 18 };

/**
 * A card, around its middle; null is one that must not be known.
 * @param {number | null} value
 * @param {number} width
 * @param {number} height
 * @param {"twice" | "once" | "never"} [written] how often its number stands on it
 */
function card(value, width, height, written = "twice") {
  const box = { x: -width / 2, y: -height / 2, width, height, rx: 6 };
  if (value === null) {
    return svg(
      "g",
      { class: "card-back" },
      svg("rect", { class: "card-face", ...box }),
      svg("rect", { class: "back-frame", x: box.x + 4, y: box.y + 4, width: width - 8, height: height - 8, rx: 3.5 }),
      svg("path", { class: "back-mark", d: "M0-9 6 0 0 9-6 0Z" }),
    );
  }
  return svg(
    "g",
    { class: "card-front" },
    svg("rect", { class: "card-face", ...box }),
    written === "twice" && svg("text", { class: "corner", x: box.x + 4, y: box.y + 12, "aria-hidden": "true" }, number(value)),
    written !== "never" && words(1, 9, number(value), "card-number"),
  );
}

/**
 * The pairs of seat and field that a mark names.
 * @param {Ctx} ctx
 * @param {"lowest" | "street"} what
 * @param {number} seat
 * @param {number} field
 */
function marked(ctx, what, seat, field) {
  /** @type {[number, number][]} */
  const pairs = ctx.position.marks[what] ?? [];
  return pairs.some(([at, there]) => at === seat && there === field);
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 * @param {number} field
 * @param {typeof SMALL} room
 * @param {Row} size
 * @param {number | null} landing for how long its card has been moving
 */
function cell(ctx, seat, field, room, size, landing) {
  const { rows, phase } = ctx.position.snapshot;
  const value = rows[seat][field - 1];
  const open = phase === "card" && choosing(ctx, seat);
  const token = `field:${field}`;
  const picked = open && ctx.chosen.has(token) ? chosenCard(ctx) : null;
  const lowest = marked(ctx, "lowest", seat, field);
  const street = marked(ctx, "street", seat, field);
  const width = room.cellX - 5;
  const height = size.cellY - 4;
  const written = size === LOW ? "once" : "twice";
  const x = room.left + room.cellX * (field - 0.5);
  const drawn = svg(
    "g",
    { class: "plan-cell", transform: `translate(${x} ${size.cellY / 2})` },
    !value && svg("rect", { class: "card-place", x: -width / 2, y: -height / 2, width, height, rx: 7 }),
    value > 0 && svg("g", motion("landing", landing), card(value, width - 8, height - 4, written)),
    picked !== null && svg("g", { class: "ghost" }, card(picked, width - 8, height - 4, "once")),
    lowest && mark("lowest-mark", "M-5-3.5H5L0 4.5Z", width, height),
    street && mark("street-mark", "M-5 3.5 0-4.5 5 3.5Z", width, height),
    open && svg("rect", { class: "hit", x: -width / 2, y: -height / 2, width, height, rx: 7 }),
  );
  if (!open) return drawn;
  const label = value
    ? t("field {field}: a {card} lies there", { field, card: value })
    : picked !== null
      ? t("field {field}: the {card} goes there", { field, card: picked })
      : t("field {field}", { field });
  return touchable(ctx, token, label, drawn);
}

/**
 * A ring round a card and a sign in its corner.
 * @param {string} name
 * @param {string} sign
 * @param {number} width
 * @param {number} height
 */
function mark(name, sign, width, height) {
  return svg(
    "g",
    { class: name },
    svg("rect", { class: "mark-ring", x: 2 - width / 2, y: -height / 2, width: width - 4, height, rx: 8 }),
    svg("circle", { class: "mark-disc", cx: width / 2 - 7, cy: 7 - height / 2, r: 8.5 }),
    svg("path", { class: "mark-sign", d: sign, transform: `translate(${width / 2 - 7} ${7 - height / 2})` }),
  );
}

/** @param {Ctx} ctx */
function chosenCard(ctx) {
  const token = [...ctx.chosen].find((one) => one.startsWith("card:"));
  return token ? Number(token.slice("card:".length)) : null;
}

/**
 * A name as long as it fits.
 * @param {string} name
 * @param {number} most
 */
function fitting(name, most) {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}

/**
 * Who a row belongs to, with the chips that are left.
 * @param {Ctx} ctx
 * @param {number} seat
 * @param {typeof SMALL} room
 */
function rowHead(ctx, seat, room) {
  const { chips, order } = ctx.position.snapshot;
  const small = room === SMALL;
  const purse = order.includes(seat)
    ? tn("{n} chip", "{n} chips", chips[seat])
    : t("out of the game");
  const bonus = ctx.position.marks.bonus?.includes(seat) ? t("bonus") : "";
  const at = small ? { x: 26, y: -6 } : { x: 30, y: bonus ? 18 : 24 };
  return [
    chip(seat, small ? 15 : 16, small ? -11 : 28, small ? 8 : 10),
    svg("text", { class: "words row-name", x: at.x, y: at.y }, fitting(ctx.who(seat), small ? 18 : 12)),
    svg(
      "text",
      small
        ? { class: "words small", x: room.width - 12, y: -6, "text-anchor": "end" }
        : { class: "words small", x: 30, y: at.y + 17 },
      small && bonus ? `${purse} · ${bonus}` : purse,
    ),
    !small && bonus && svg("text", { class: "words small", x: 30, y: at.y + 34 }, bonus),
  ];
}

/**
 * The seats in the order of their rows: on a small screen one's own is the first, so that it is in sight.
 * @param {Ctx} ctx
 */
function rowOrder(ctx) {
  const seats = range(0, ctx.position.snapshot.rows.length - 1);
  const first = ctx.small ? ctx.position.as_seat ?? 0 : 0;
  return [...seats.slice(first), ...seats.slice(0, first)];
}

/** @param {Ctx} ctx */
function plan(ctx) {
  const { rows, phase, seat: turn, pot } = ctx.position.snapshot;
  const room = ctx.small ? SMALL : LARGE;
  const recent = news(ctx, "rows", rows);
  const heads = range(1, FIELDS).map((field) => {
    const x = room.left + room.cellX * (field - 0.5);
    const y = room.top - 14;
    return svg("g", { class: "field-head" }, svg("circle", { cx: x, cy: y, r: 11.5 }), words(x, y + 5, number(field), "head-number"));
  });
  const order = rowOrder(ctx);
  let y = room.top;
  const drawn = order.map((seat, place) => {
    const row = rows[seat];
    const here = seat === turn && (phase === "card" || phase === "draw");
    const size = ctx.small && rows.length > TALL_ROWS && place > 0 ? LOW : room;
    const top = y;
    y += size.row;
    return svg(
      "g",
      { class: `plan-row${here ? " here" : ""}`, transform: `translate(0 ${top})` },
      here && svg("rect", { class: "row-here", x: 3, y: 0, width: room.width - 6, height: size.row - 1, rx: 9 }),
      svg("g", { transform: `translate(0 ${ctx.small ? size.above : 0})` }, rowHead(ctx, seat, room)),
      svg(
        "g",
        { transform: `translate(0 ${ctx.small ? size.above - 1 : size.above})` },
        row.map((/** @type {number} */ value, /** @type {number} */ at) => {
          const landing = recent && value > 0 && !recent.before[seat]?.[at] ? recent.since : null;
          return cell(ctx, seat, at + 1, room, size, landing);
        }),
      ),
    );
  });
  const height = y + 6;
  const told = order.map((seat) => {
    const cards = rows[seat].map((/** @type {number} */ value) => (value ? String(value) : "–")).join(" ");
    return `${ctx.name(seat)}: ${cards}`;
  });
  const label = `${t("Cards on the fields 1 to 6")}: ${told.join("; ")}; ${tn("{n} chip in the pot", "{n} chips in the pot", pot)}`;
  return frame(
    { name: "plan", label, width: room.width, height, controls: choosing(ctx, turn) },
    svg("rect", { class: "plate", x: 1, y: 1, width: room.width - 2, height: height - 2, rx: 12 }),
    potOf(pot),
    heads,
    drawn,
  );
}

/**
 * The pot: a bowl of chips, in the corner of the plan.
 * @param {number} chips
 */
function potOf(chips) {
  return svg(
    "g",
    { class: "pot", transform: "translate(12 4)" },
    svg(
      "g",
      { transform: "scale(.55)" },
      range(0, Math.min(chips, 10) - 1).map((n) =>
        svg("circle", { class: "pot-chip", cx: 18 + (n % 5) * 9, cy: 22 - Math.floor(n / 5) * 7, r: 6.5 }),
      ),
      svg("path", { class: "bowl", d: "M4 22H68C66 36 56 42 36 42S6 36 4 22Z" }),
    ),
    svg("text", { class: "words", x: 45, y: 19 }, t("Pot: {n}", { n: chips })),
  );
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 * @param {number} value
 * @param {number} copies
 */
function handCard(ctx, seat, value, copies) {
  const open = ctx.position.snapshot.phase === "card" && choosing(ctx, seat);
  const drawn = svg(
    "svg",
    { class: "hand-card", viewBox: "0 0 52 78", "aria-hidden": open ? null : "true" },
    svg(
      "g",
      { class: "lift" },
      range(2, copies).map((n) => svg("g", { transform: `translate(${24 + 4 * (n - 1)} ${45 - 5 * (n - 1)})` }, card(value, 43, 62, "never"))),
      svg(
        "g",
        { transform: "translate(24 45)" },
        card(value, 43, 62, "once"),
        svg("rect", { class: "hit", x: -21.5, y: -31, width: 43, height: 62, rx: 6 }),
      ),
    ),
  );
  if (!open) return drawn;
  return touchable(ctx, `card:${value}`, tn("card {card}", "card {card}, {n} of them", copies, { card: value }), drawn);
}

/**
 * A hand: one's own as cards to touch, another's as backs.
 * @param {Ctx} ctx
 * @param {number} seat
 */
export function seatBoard(ctx, seat) {
  const { hands } = ctx.position.snapshot;
  /** @type {(number | null)[]} */
  const hand = hands[seat];
  const known = hand.filter((value) => value !== null);
  const hidden = hand.length - known.length;
  const title = seat === ctx.position.as_seat && ctx.yours.length === 1 ? t("Your cards") : t("Hand of {name}", { name: ctx.name(seat) });
  const held = hidden
    ? tn("{n} hidden card", "{n} hidden cards", hidden)
    : known.length ? t("cards {cards}", { cards: list(known) }) : t("no cards");
  const open = choosing(ctx, seat);
  return h(
    "div",
    { class: `hand seat-${seat}`, role: open ? "group" : "img", "aria-label": open ? title : `${title}: ${held}` },
    hidden > 0 && range(1, hidden).map(() => svg("svg", { class: "hand-back", viewBox: "-14 -20 28 40", "aria-hidden": "true" }, card(null, 26, 38))),
    !known.length && h("span", { class: "muted small" }, held),
    [...new Set(known)].map((value) => handCard(ctx, seat, value, known.filter((one) => one === value).length)),
  );
}

/** a hand is played from, so it lies where the thumb is */
export const docked = true;

/** @param {Ctx} ctx */
export function common(ctx) {
  return shared(t("The board and the pot"), "sixbysix", plan(ctx));
}

/**
 * @param {Ctx} ctx
 * @param {(number | null)[][]} deal
 */
function tellDeal(ctx, deal) {
  const seen = deal.flatMap((hand, seat) =>
    hand.length && hand[0] !== null ? [ctx.you(seat) ? t("You get {cards}", { cards: list(hand.map(Number)) }) : t("{name} gets {cards}", { name: ctx.name(seat), cards: list(hand.map(Number)) })] : [],
  );
  return [t("The cards are dealt"), ...seen].join("; ");
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 * @param {Position | null} before
 * @param {Position | null} after
 */
export function tell(ctx, event, before, after) {
  if (event.deal) return tellDeal(ctx, event.deal);
  const name = ctx.name(event.seat);
  const you = ctx.you(event.seat);
  if (event.card) {
    const { card, field } = event;
    const what = you ? t("You lay {card} on field {field}", { card, field }) : t("{name} lays {card} on field {field}", { name, card, field });
    return before && after && after.snapshot.rounds > before.snapshot.rounds ? settled(ctx, what, before, after) : what;
  }
  if (event.draw[0] === null) return you ? t("You draw two cards") : t("{name} draws two cards", { name });
  const cards = list(event.draw);
  return you ? t("You draw {cards}", { cards }) : t("{name} draws {cards}", { name, cards });
}

/**
 * What was told, and who gains or loses how many chips now that the round is settled.
 * @param {Ctx} ctx
 * @param {string} what
 * @param {Position} before
 * @param {Position} after
 */
function settled(ctx, what, before, after) {
  const changes = before.snapshot.order.map((/** @type {number} */ seat) => {
    const n = gain(seat, before, after);
    return `${ctx.who(seat)} ${n > 0 ? "+" : ""}${number(n)}`;
  });
  return t("{what}. The round is settled: {changes}", { what, changes: list(changes) });
}

/**
 * @param {Ctx} _ctx
 * @param {Record<string, any>} event
 */
export function label(_ctx, event) {
  return t("Lay {card} on field {field}", { card: event.card, field: event.field });
}

/**
 * @param {Ctx} _ctx
 * @param {Record<string, any>} event
 */
export function short(_ctx, event) {
  return event.draw ? t("two cards") : t("{card} on field {field}", { card: event.card, field: event.field });
}

/** @param {string} _part */
export function partLabel(_part) {
  return t("card");
}

/**
 * @param {string} phase
 * @param {boolean} roll
 */
export function prompt(phase, roll) {
  switch (phase) {
    case "deal": return t("A new round: deal the cards.");
    case "draw": return t("Draw two cards.");
    case "card": return t("Touch a card, then a field.");
    default: return usual.prompt(phase, roll);
  }
}

/** @param {string} phase */
export function chanceButton(phase) {
  switch (phase) {
    case "deal": return t("Deal the cards");
    case "draw": return t("Draw two cards");
    default: return usual.chanceButton(phase);
  }
}

/** @param {string} name */
export function word(name) {
  switch (name) {
    case "streets": return t("Streets");
    case "start": return t("At the start");
    case "deck": return t("Cards");
    case "card": return t("Card");
    default: return usual.word(name);
  }
}
