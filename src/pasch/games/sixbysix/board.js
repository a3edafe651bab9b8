// @ts-check
/** 6mal6: the plan with a row for every seat, the pot, and the hands: one's own as cards, others' as backs. */

import * as usual from "../../js/board.js";
import { svg } from "../../js/dom.js";
import { list, number, t, tn } from "../../js/i18n.js";
import { chip, choosing, frame, gain, motion, moved, range, shared, words } from "../../js/pieces.js";
import { touchable } from "../../js/touch.js";

/** @typedef {import("../../js/touch.js").Ctx} Ctx */
/** @typedef {import("../../js/types.js").Position} Position */

const FIELDS = 6;
const HAND_WIDTH = 342;

/** how the plan is laid out where there is little room, and where there is enough */
const SMALL = { width: 342, left: 6, top: 30, cellX: 55, cellY: 52, row: 76, above: 22 };
const LARGE = { width: 520, left: 134, top: 32, cellX: 63, cellY: 56, row: 62, above: 3 };

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
 * @param {number | null} landing for how long its card has been moving
 */
function cell(ctx, seat, field, room, landing) {
  const { rows, phase } = ctx.position.snapshot;
  const value = rows[seat][field - 1];
  const open = phase === "card" && choosing(ctx, seat);
  const token = `field:${field}`;
  const picked = open && ctx.chosen.has(token) ? chosenCard(ctx) : null;
  const lowest = marked(ctx, "lowest", seat, field);
  const street = marked(ctx, "street", seat, field);
  const width = room.cellX - 5;
  const height = room.cellY - 4;
  const x = room.left + room.cellX * (field - 0.5);
  const drawn = svg(
    "g",
    { class: "plan-cell", transform: `translate(${x} ${room.cellY / 2})` },
    !value && svg("rect", { class: "card-place", x: -width / 2, y: -height / 2, width, height, rx: 7 }),
    value > 0 && svg("g", motion("landing", landing), card(value, width - 8, height - 4)),
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
function short(name, most) {
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
  const bonus = ctx.position.marks.bonus?.includes(seat) ? ` · ${t("bonus")}` : "";
  const at = small ? { x: 26, y: -6 } : { x: 30, y: 24 };
  return [
    chip(seat, small ? 15 : 16, small ? -11 : 28, small ? 8 : 10),
    svg("text", { class: "words row-name", x: at.x, y: at.y }, short(ctx.who(seat), small ? 18 : 12)),
    svg(
      "text",
      small
        ? { class: "words small", x: room.width - 12, y: -6, "text-anchor": "end" }
        : { class: "words small", x: 30, y: 41 },
      purse + bonus,
    ),
  ];
}

/** @param {Ctx} ctx */
function plan(ctx) {
  const { rows, phase, seat: turn } = ctx.position.snapshot;
  const room = ctx.small ? SMALL : LARGE;
  const news = moved(ctx, "rows", rows);
  const height = room.top + room.row * rows.length + 6;
  const heads = range(1, FIELDS).map((field) => {
    const x = room.left + room.cellX * (field - 0.5);
    return svg(
      "g",
      { class: "field-head" },
      svg("circle", { cx: x, cy: 17, r: 11.5 }),
      words(x, 22, number(field), "head-number"),
    );
  });
  const drawn = rows.map((/** @type {number[]} */ row, /** @type {number} */ seat) => {
    const here = seat === turn && (phase === "card" || phase === "draw");
    const y = room.top + room.row * seat;
    return svg(
      "g",
      { class: `plan-row${here ? " here" : ""}`, transform: `translate(0 ${y})` },
      here && svg("rect", { class: "row-here", x: 3, y: 0, width: room.width - 6, height: room.row - 1, rx: 9 }),
      svg("g", { transform: `translate(0 ${room === SMALL ? room.above : 0})` }, rowHead(ctx, seat, room)),
      svg(
        "g",
        { transform: `translate(0 ${room === SMALL ? room.above - 1 : room.above})` },
        row.map((value, at) => {
          const landing = news && value > 0 && !news.before[seat]?.[at] ? news.since : null;
          return cell(ctx, seat, at + 1, room, landing);
        }),
      ),
    );
  });
  const told = rows.map((/** @type {number[]} */ row, /** @type {number} */ seat) => {
    const cards = row.map((value) => (value ? String(value) : "–")).join(" ");
    return `${ctx.name(seat)}: ${cards}`;
  });
  const label = `${t("Cards on the fields 1 to 6")}: ${told.join("; ")}`;
  return frame(
    { name: "plan", label, width: room.width, height, controls: choosing(ctx, turn) },
    svg("rect", { class: "plate", x: 1, y: 1, width: room.width - 2, height: height - 2, rx: 12 }),
    heads,
    drawn,
  );
}

/**
 * The pot: a bowl of chips.
 * @param {Ctx} ctx
 */
function pot(ctx) {
  const { pot: chips } = ctx.position.snapshot;
  const said = tn("{n} chip in the pot", "{n} chips in the pot", chips);
  return frame(
    { name: "pot", label: said, width: 240, height: 46 },
    range(0, Math.min(chips, 10) - 1).map((n) =>
      svg("circle", { class: "pot-chip", cx: 18 + (n % 5) * 9, cy: 22 - Math.floor(n / 5) * 7, r: 6.5 }),
    ),
    svg("path", { class: "bowl", d: "M4 22H68C66 36 56 42 36 42S6 36 4 22Z" }),
    svg("text", { class: "words", x: 80, y: 33 }, said),
  );
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 * @param {number} value
 * @param {number} copies
 * @param {number} x
 * @param {number} y
 */
function handCard(ctx, seat, value, copies, x, y) {
  const token = `card:${value}`;
  const open = ctx.position.snapshot.phase === "card" && choosing(ctx, seat);
  const drawn = svg(
    "g",
    { class: "hand-card", transform: `translate(${x} ${y})` },
    svg(
      "g",
      { class: "lift" },
      range(2, copies).map((n) => svg("g", { transform: `translate(${4 * (n - 1)} -${5 * (n - 1)})` }, card(value, 43, 62, "never"))),
      card(value, 43, 62, "once"),
      svg("rect", { class: "hit", x: -21.5, y: -31, width: 43, height: 62, rx: 6 }),
    ),
  );
  if (!open) return drawn;
  const label = tn("card {card}", "card {card}, {n} of them", copies, { card: value });
  return touchable(ctx, token, label, drawn);
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 */
export function seatBoard(ctx, seat) {
  const { hands, chips, order } = ctx.position.snapshot;
  /** @type {(number | null)[]} */
  const hand = hands[seat];
  const known = hand.filter((value) => value !== null);
  const values = [...new Set(known)];
  const hidden = hand.length - known.length;
  const parts = [
    order.includes(seat) ? tn("{n} chip", "{n} chips", chips[seat]) : t("out of the game"),
    hidden
      ? tn("{n} hidden card", "{n} hidden cards", hidden)
      : known.length
        ? t("cards {cards}", { cards: list(known) })
        : t("no cards"),
  ];
  const step = 48;
  const first = HAND_WIDTH / 2 - (step * (values.length - 1)) / 2;
  const open = choosing(ctx, seat);
  const title = t("Hand of {name}", { name: ctx.name(seat) });
  // where there is room for one hand only, it says whose
  const head = ctx.small && known.length > 0;
  const top = head ? 18 : 0;
  return frame(
    {
      name: `hand seat-${seat}`,
      label: open ? title : `${title}: ${parts.join("; ")}`,
      width: HAND_WIDTH,
      height: hidden || !hand.length ? 44 : 84 + top,
      controls: open,
    },
    range(1, hidden).map((n) => svg("g", { transform: `translate(${96 - 9 * hidden + 18 * n} 22)` }, card(null, 26, 38))),
    head && words(HAND_WIDTH / 2, 12, ctx.yours.includes(seat) && ctx.yours.length === 1 ? t("Your cards") : title, "small"),
    (hidden > 0 || !hand.length) && words(hidden ? 244 : HAND_WIDTH / 2, 27, parts[1] ?? "", "small"),
    values.map((value, at) => {
      const copies = known.filter((one) => one === value).length;
      return handCard(ctx, seat, value, copies, first + step * at, 46 + top);
    }),
  );
}

/** @param {Ctx} ctx */
export function common(ctx) {
  return shared(t("The board and the pot"), "sixbysix", plan(ctx), pot(ctx));
}

/**
 * @param {Ctx} ctx
 * @param {(number | null)[][]} deal
 */
function tellDeal(ctx, deal) {
  const seen = deal.flatMap((hand, seat) =>
    hand.length && hand[0] !== null ? [t("{name} gets {cards}", { name: ctx.name(seat), cards: list(hand.map(Number)) })] : [],
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
  if (event.card) {
    const what = t("{name} lays {card} on field {field}", { name, card: event.card, field: event.field });
    return before && after && after.snapshot.rounds > before.snapshot.rounds ? settled(ctx, what, before, after) : what;
  }
  if (event.draw[0] === null) return t("{name} draws two cards", { name });
  return t("{name} draws {cards}", { name, cards: list(event.draw) });
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
    return `${ctx.name(seat)} ${n > 0 ? "+" : ""}${number(n)}`;
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
