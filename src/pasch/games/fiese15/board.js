// @ts-check
/** Fiese 15: a strip of coloured targets; the dice set aside lie on it, the others below. */

import * as usual from "../../board/default.js";
import { colourMark, colourName, die } from "../../board/dice.js";
import { h, svg } from "../../app/dom.js";
import { list, number, t, tn } from "../../app/i18n.js";
import {
  choosing,
  frame,
  happened,
  justRolled,
  labelNext,
  lastRoll,
  rolls,
  scoreBar,
  shared,
  tellNext,
  turnEnded,
  withScore,
  words,
} from "../../board/pieces.js";
import { touchable } from "../../table/touch.js";
import { marked } from "../../app/words.js";

/** @typedef {import("../../table/touch.js").Ctx} Ctx */
/** @typedef {import("../../app/types.js").Position} Position */

const COLOURS = ["red", "blue", "yellow", "black", "white", "green"];
const CELL = 56;
const LEFT = 4;
const WIDTH = LEFT * 2 + 6 * CELL;
const DIE = 46;

/** @param {number} at */
function left(at) {
  return LEFT + CELL * at;
}

/**
 * @param {Ctx} ctx
 * @param {string} colour
 * @param {number} at
 */
function square(ctx, colour, at) {
  const { targets, kept, tiles } = ctx.position.snapshot;
  const target = targets[at];
  const tile = tiles.length > 0 && colour === "white";
  return svg(
    "g",
    { class: `target die-${colour}${tile ? " tile" : ""}`, transform: `translate(${left(at)} 4)` },
    svg("rect", { class: "square", x: 1.5, y: 1.5, width: CELL - 3, height: 84, rx: 8 }),
    tile && svg("rect", { class: "tile-edge", x: 5, y: 5, width: CELL - 10, height: 77, rx: 5 }),
    colourMark(colour, CELL / 2, 13),
    words(CELL / 2, 45, target ? marked(number(target), sourceOf(ctx, at)) : "–", "target-number"),
    kept[at] ? die(kept[at], { colour, x: (CELL - DIE) / 2, y: 20, size: DIE }) : null,
    words(CELL / 2, 79, colourName(colour), "colour-name"),
  );
}

/**
 * Where the target of a colour comes from.
 * @param {Ctx} ctx
 * @param {number} at
 * @returns {string | undefined}
 */
function sourceOf(ctx, at) {
  const { provenance, back_provenance } = ctx.info.components.strips[ctx.position.snapshot.strips.at(-1)] ?? {};
  if (ctx.info.options.handicap) return COLOURS[at] === "white" ? undefined : back_provenance;
  return Array.isArray(provenance) ? provenance[at] : provenance;
}

/**
 * The faces to show on the table, in the order of the colours.
 * @param {Ctx} ctx
 * @returns {number[]}
 */
function facesOf(ctx) {
  const faces = lastRoll(ctx);
  return Array.isArray(faces) ? faces : COLOURS.map((colour) => faces[colour] ?? 0);
}

/**
 * @param {Ctx} ctx
 * @param {string} colour
 * @param {number} at
 * @param {number | null} rolling for how long they have been rolling
 */
function onTable(ctx, colour, at, rolling) {
  const { kept, targets, phase, seat } = ctx.position.snapshot;
  const faces = facesOf(ctx);
  const waiting = !faces.some(Boolean) && !kept[at] && phase !== "strip";
  const face = faces[at] ?? 0;
  if (!face && !waiting) return null;
  const drawn = die(face, { colour, x: left(at) + (CELL - DIE) / 2, y: 106, size: DIE, rolling: face ? rolling : null });
  if (!face || phase !== "keep" || !choosing(ctx, seat)) return drawn;
  const details = { colour: colourName(colour), face, target: targets[at] };
  return touchable(ctx, `die:${colour}`, t("{colour} shows {face}, target {target}", details), drawn);
}

/** @param {Ctx} ctx */
function account(ctx) {
  const { snapshot, marks } = ctx.position;
  const { kept, phase } = snapshot;
  const gone = happened(ctx, tell);
  if (gone) return gone;
  if (phase === "strip") return null;
  const parts = [];
  if (kept.some(Boolean)) parts.push(tn("Stopping now scores {n} point", "Stopping now scores {n} points", marks.worth));
  parts.push(tn("If no die is valid: {n} point", "If no die is valid: {n} points", marks.missed));
  return h("p", { class: "caption" }, parts.join(" · "));
}

/**
 * @param {Ctx} ctx
 * @param {number} seat
 */
export function seatBoard(ctx, seat) {
  const { totals, tiles } = ctx.position.snapshot;
  const tile = tiles[seat];
  if (!tile) return scoreBar(ctx, seat, totals[seat], totals);
  return scoreBar(ctx, seat, totals[seat], totals, {
    label: t("tile {n} for white", { n: tile }),
    more: [
      svg(
        "g",
        { class: "target die-white tile", transform: "translate(278 4)" },
        svg("rect", { class: "square", x: 1, y: 1, width: 34, height: 34, rx: 6 }),
        svg("rect", { class: "tile-edge", x: 4, y: 4, width: 28, height: 28, rx: 4 }),
        words(18, 25, number(tile), "tile-number"),
      ),
    ],
  });
}

/** @param {Ctx} ctx */
export function common(ctx) {
  const { kept, phase, seat, strips } = ctx.position.snapshot;
  if (phase === "over") return null;
  const rolling = justRolled(ctx, facesOf(ctx));
  const lying = COLOURS.flatMap((colour, at) => (kept[at] ? [`${colourName(colour)} ${kept[at]}`] : []));
  const label =
    phase === "strip"
      ? t("A strip is drawn next")
      : lying.length
        ? t("Targets: {targets}; set aside: {dice}", { targets: targetsOf(ctx), dice: list(lying) })
        : t("Targets: {targets}; nothing set aside", { targets: targetsOf(ctx) });
  const round = t("Round {n} of {all}", {
    n: strips.length + (phase === "strip" ? 1 : 0),
    all: ctx.info.components.rounds,
  });
  return shared(
    t("The strip"),
    "fiese15",
    h("p", { class: "caption" }, round),
    frame(
      { name: "strip", label, width: WIDTH, height: 158, controls: choosing(ctx, seat) },
      svg("rect", { class: "plate", x: 1, y: 1, width: WIDTH - 2, height: 92, rx: 11 }),
      COLOURS.map((colour, at) => square(ctx, colour, at)),
      COLOURS.map((colour, at) => onTable(ctx, colour, at, rolling)),
    ),
    account(ctx),
  );
}

/** @param {Ctx} ctx */
function targetsOf(ctx) {
  /** @type {number[]} */
  const targets = ctx.position.snapshot.targets;
  return list(targets.map((target, at) => `${colourName(COLOURS[at] ?? "")} ${target}`));
}

/**
 * A strip as it lies on the real table, small; dice as everywhere.
 * @param {Ctx} ctx
 * @param {string} part
 * @param {number} value
 */
export function face(ctx, part, value) {
  return part === "strip" ? stripDrawing(ctx, value) : usual.face(ctx, part, value);
}

/**
 * Strips are counted from one on the table.
 * @param {string} part
 * @param {number} value
 */
export function faceName(part, value) {
  return part === "strip" ? number(value + 1) : usual.faceName(part, value);
}

/**
 * @param {Ctx} ctx
 * @param {number} strip
 */
function stripDrawing(ctx, strip) {
  const { front, back } = ctx.info.components.strips[strip];
  const side = ctx.info.options.handicap ? back : front;
  return frame(
    { name: "strip small", label: printed(ctx, strip), width: 132, height: 26 },
    COLOURS.map((colour, at) =>
      svg(
        "g",
        { class: `target die-${colour}`, transform: `translate(${1 + 22 * at} 1)` },
        svg("rect", { class: "square", width: 20, height: 24, rx: 4 }),
        words(10, 17.5, side[colour] ? number(side[colour]) : "–", "strip-number"),
      ),
    ),
  );
}

/**
 * The targets printed on a strip, in words.
 * @param {Ctx} ctx
 * @param {number} strip
 */
function printed(ctx, strip) {
  const { front, back } = ctx.info.components.strips[strip];
  const side = ctx.info.options.handicap ? back : front;
  return list(COLOURS.filter((colour) => side[colour]).map((colour) => `${colourName(colour)} ${side[colour]}`));
}

/** @param {Record<string, number>} faces */
function diceIn(faces) {
  return list(COLOURS.filter((colour) => faces[colour]).map((colour) => `${colourName(colour)} ${faces[colour]}`));
}

/**
 * Dice by their colours, with their faces where these are known.
 * @param {string[]} colours
 * @param {Position | null} position
 */
function named(colours, position) {
  const faces = position?.snapshot.rolled ?? [];
  return list(colours.map((colour) => `${colourName(colour)} ${faces[COLOURS.indexOf(colour)] || ""}`.trim()));
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 * @param {Position | null} before
 * @param {Position | null} after
 */
export function tell(ctx, event, before, after) {
  if (event.strip !== undefined) return t("New strip: {targets}", { targets: printed(ctx, event.strip) });
  const name = ctx.name(event.seat);
  if (event.next) return tellNext(ctx, /** @type {any} */ (event), before);
  if (event.keep) {
    const dice = named(event.keep, before);
    const what = ctx.you(event.seat) ? t("You set aside {dice}", { dice }) : t("{name} sets aside {dice}", { name, dice });
    return withScore(what, event.seat, before, after, ended);
  }
  const what = rolls(ctx, event.seat, diceIn(event.roll));
  if (!before || !after || !ended(before, after)) return what;
  return withScore(t("{what}: no die is valid", { what }), event.seat, before, after, ended);
}

/**
 * Whether a turn has ended: the next seat rolls, or the next strip is drawn.
 * @param {Position} before
 * @param {Position} after
 */
function ended(before, after) {
  const [was, is] = [before.snapshot, after.snapshot];
  if (was.phase === "strip") return false;
  return is.phase === "strip" || is.strips.length !== was.strips.length || turnEnded(before, after);
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 */
export function label(ctx, event) {
  if (event.next) return labelNext(ctx, /** @type {any} */ (event));
  return t("Set aside {dice}", { dice: named(event.keep, ctx.position) });
}

/**
 * @param {Ctx} ctx
 * @param {Record<string, any>} event
 */
export function short(ctx, event) {
  return event.keep ? named(event.keep, ctx.position) : label(ctx, event);
}

/** @param {string} part */
export function partLabel(part) {
  switch (part) {
    case "red":
      return t("red die");
    case "blue":
      return t("blue die");
    case "yellow":
      return t("yellow die");
    case "black":
      return t("black die");
    case "white":
      return t("white die");
    case "green":
      return t("green die");
    default:
      return t("strip");
  }
}

/**
 * @param {string} phase
 * @param {boolean} roll
 */
export function prompt(phase, roll) {
  switch (phase) {
    case "strip": return t("A new round: draw a strip.");
    case "keep": return t("Set marked dice aside.");
    default: return usual.prompt(phase, roll);
  }
}

/** @param {string} phase */
export function chanceButton(phase) {
  return phase === "strip" ? t("Draw a strip") : usual.chanceButton(phase);
}

export const growing = ["strips"];

/** @param {string} name */
export function word(name) {
  switch (name) {
    case "handicap": return t("Handicap");
    case "gambler": return t("Gambler");
    case "strips": return t("Strips");
    case "front": return t("Front side");
    case "back": return t("Back side");
    case "tiles": return t("Tiles for white");
    default: return usual.word(name);
  }
}
