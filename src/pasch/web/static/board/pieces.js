// @ts-check
/** What several games' drawings share: the frame of a board, a bar for a score, movement, common words. */

import { chip } from "./chips.js";
import { diceOf } from "./dice.js";
import { h, svg } from "../app/dom.js";
import { list, number, t, tn } from "../app/i18n.js";

export { badge, chip, range, words } from "./chips.js";

/** @typedef {import("../table/touch.js").Ctx} Ctx */
/** @typedef {import("../app/dom.js").Child} Child */
/** @typedef {import("../app/types.js").Position} Position */

/**
 * Whether this client is choosing a move of this seat.
 * @param {Ctx} ctx
 * @param {number} seat
 */
export function choosing(ctx, seat) {
  return ctx.position.moves.length > 0 && ctx.position.actor === seat;
}

/**
 * Whether a bit of a whole number is set. Some boards have more bits than the bit operators know.
 * @param {number} mask
 * @param {number} bit
 */
export function has(mask, bit) {
  return Math.floor(mask / 2 ** bit) % 2 === 1;
}

/**
 * The bits of a whole number below `size` that are set.
 * @param {number} mask
 * @param {number} size
 */
export function bits(mask, size) {
  return Array.from({ length: size }, (_, bit) => bit).filter((bit) => has(mask, bit));
}

/**
 * The frame of a drawing. Where somebody chooses on it, its parts have names of their own; otherwise the
 * label says it all.
 * @param {{name: string, label: string, width: number, height: number, controls?: boolean}} look
 * @param {...(Child | Child[])} children
 */
export function frame({ name, label, width, height, controls = false }, ...children) {
  return svg(
    "svg",
    {
      class: `drawing ${name}`,
      viewBox: `0 0 ${width} ${height}`,
      role: controls ? "group" : "img",
      "aria-label": label,
      style: { "--natural-width": `${width}px` },
    },
    ...children,
  );
}

/**
 * What lies on the table, besides the boards.
 * @param {string} label
 * @param {string} name
 * @param {...(Child | Child[])} children
 */
export function shared(label, name, ...children) {
  return h("div", { class: `on-table ${name}`, role: "group", "aria-label": label }, ...children);
}

/** how long a movement may take, in milliseconds; what is new stays marked for longer */
const MOTION = 800;

/** what each table's drawings showed last, what before that, since when, and at which version */
/** @type {Map<string, {version: number, value: string, before: string | null, at: number}>} */
const shown = new Map();

/**
 * Whether something is drawn differently from the table's last version, which is worth a movement. Nothing moves
 * when a table is opened. A drawing that is made again goes on moving where the one before it was.
 * @param {Ctx} ctx
 * @param {string} what
 * @param {unknown} value
 * @returns {{before: any, since: number} | null} what was drawn before, and for how long it has been moving
 */
export function moved(ctx, what, value) {
  const found = news(ctx, what, value);
  return found && found.since <= MOTION ? found : null;
}

/**
 * What is drawn differently from the table's last version, for as long as that is the last one.
 * @param {Ctx} ctx
 * @param {string} what
 * @param {unknown} value
 * @returns {{before: any, since: number} | null}
 */
export function news(ctx, what, value) {
  const key = `${ctx.info.id} ${what}`;
  const now = { version: ctx.position.version, value: JSON.stringify(value), at: performance.now() };
  let last = shown.get(key);
  // somebody looks at an earlier position
  if (last && last.version > now.version) return null;
  if (last?.version !== now.version) {
    const differs = last && last.version < now.version && last.value !== now.value;
    last = { ...now, before: differs ? last?.value ?? null : null };
    shown.set(key, last);
  }
  const since = now.at - last.at;
  return last.before === null ? null : { before: JSON.parse(last.before), since };
}

/**
 * The attributes of something that moves, or of something that does not.
 * @param {string} name the movement
 * @param {number | null | undefined} since for how long, in milliseconds
 */
export function motion(name, since) {
  if (since === null || since === undefined) return null;
  if (since > MOTION) return { class: "fresh" };
  return { class: `${name} fresh`, style: { "--since": `${-Math.round(since)}ms` } };
}

/**
 * For how long the dice on the table have been rolling; null if they lie still.
 * @param {Ctx} ctx
 * @param {readonly number[]} faces
 */
export function justRolled(ctx, faces) {
  const roll = ctx.recent.some(({ event }) => event.roll) ? ctx.position.version : null;
  const news = moved(ctx, "dice", [faces, roll]);
  return news && faces.some((face) => face > 0) ? news.since : null;
}

/**
 * The rolls just made that the position shows no longer, because they ended a turn or were used at once. People
 * want to see them all the same.
 * @param {Ctx} ctx
 */
export function goneRolls(ctx) {
  const rolls = ctx.recent.filter(({ event }) => event.roll);
  return ctx.position.snapshot.rolled.some(Boolean) ? rolls.slice(0, -1) : rolls;
}

/**
 * The faces to show on the table: of the roll that lies there, or of one that does no longer.
 * @param {Ctx} ctx
 * @returns {any} faces, as the position or the event has them
 */
export function lastRoll(ctx) {
  const { rolled } = ctx.position.snapshot;
  return rolled.some(Boolean) ? rolled : goneRolls(ctx).at(-1)?.event.roll ?? rolled;
}

/**
 * The dice on the table in a row, with what became of rolls that the position shows no longer.
 * @param {Ctx} ctx
 * @param {number} dice how many are to be rolled, while none lie there
 * @param {import("./load.js").Board["tell"]} tell
 */
export function diceRow(ctx, dice, tell) {
  /** @type {number[]} */
  const faces = [...lastRoll(ctx)].sort((a, b) => b - a);
  return [h("div", { class: "dice-row" }, diceOf(faces, justRolled(ctx, faces), dice)), happened(ctx, tell)];
}

/**
 * What became of the rolls that the position shows no longer, in words.
 * @param {Ctx} ctx
 * @param {import("./load.js").Board["tell"]} tell
 */
export function happened(ctx, tell) {
  const gone = goneRolls(ctx).map(({ event, before, after }) => tell(ctx, event, before, after));
  return gone.length ? h("p", { class: "caption happened" }, gone.join(". ")) : null;
}

/**
 * A seat's points as a bar, for games in which seats have nothing else of their own.
 * @param {Ctx} ctx
 * @param {number} seat
 * @param {number} points
 * @param {readonly number[]} all everybody's points
 * @param {{label?: string, more?: Child[]}} [beside] what is said and drawn at the right end
 */
export function scoreBar(ctx, seat, points, all, { label = "", more = [] } = {}) {
  const least = Math.min(0, ...all);
  const most = Math.max(0, ...all);
  const width = more.length ? 258 : 300;
  const at = (/** @type {number} */ x) => 34 + ((x - least) / (most - least || 1)) * (width - 98);
  const name = ctx.name(seat);
  const told = tn("{name}: {n} point", "{name}: {n} points", points, { name });
  return frame(
    { name: `score-bar seat-${seat}`, label: label ? `${told}, ${label}` : told, width: 320, height: 44 },
    svg("rect", { class: "bar-track", x: 34, y: 12, width: width - 98, height: 20, rx: 3 }),
    svg("rect", { class: "bar-fill", x: Math.min(at(0), at(points)), y: 12, width: Math.abs(at(points) - at(0)), height: 20, rx: 3 }),
    least < 0 && svg("path", { class: "bar-zero", d: `M${at(0)} 8V36` }),
    chip(seat, 15, 22, 12),
    svg("text", { class: "bar-points", x: width - 56, y: 28 }, number(points)),
    ...more,
  );
}

// --- words ---------------------------------------------------------------------------------------

/**
 * Faces as people say them: 6 6 5.
 * @param {readonly number[]} faces
 */
export function spaced(faces) {
  return faces.join(" ");
}

/**
 * Groups of dice with what they add up to: 1, 2+4 = 6.
 * @param {readonly (readonly number[])[]} groups
 */
export function sums(groups) {
  return list(groups.map((group) => (group.length > 1 ? `${group.join("+")} = ${total(group)}` : `${group[0]}`)));
}

/** @param {readonly number[]} numbers */
export function total(numbers) {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/**
 * @param {Ctx} ctx
 * @param {{seat: number, roll: number[]}} event
 */
export function tellRoll(ctx, event) {
  return rolls(ctx, event.seat, spaced(event.roll));
}

/**
 * Who rolls what.
 * @param {Ctx} ctx
 * @param {number} seat
 * @param {string} dice
 */
export function rolls(ctx, seat, dice) {
  return ctx.you(seat) ? t("You roll {dice}", { dice }) : t("{name} rolls {dice}", { name: ctx.name(seat), dice });
}

/**
 * Whether a turn ended between two positions of a game in which seats take turns.
 * @param {Position} before
 * @param {Position} after
 */
export function turnEnded(before, after) {
  const [was, is] = [before.snapshot, after.snapshot];
  return is.seat !== was.seat || is.round !== was.round || is.phase === "over";
}

/**
 * By how many points a seat's score has changed.
 * @param {number} seat
 * @param {Position} before
 * @param {Position} after
 */
export function gain(seat, before, after) {
  return (after.scores[seat] ?? 0) - (before.scores[seat] ?? 0);
}

/**
 * What was told, and what the turn scores if it has ended by it.
 * @param {string} what
 * @param {number} seat
 * @param {Position | null} before
 * @param {Position | null} after
 * @param {(before: Position, after: Position) => boolean} [ended] whether the turn has ended
 */
export function withScore(what, seat, before, after, ended = turnEnded) {
  if (!before || !after || !ended(before, after)) return what;
  const n = gain(seat, before, after);
  return tn("{what}. The turn scores {n} point", "{what}. The turn scores {n} points", n, { what });
}

/**
 * A roll on or a stop, told.
 * @param {Ctx} ctx
 * @param {{seat: number, next: string}} event
 * @param {Position | null} before
 */
export function tellNext(ctx, event, before) {
  const name = ctx.name(event.seat);
  const you = ctx.you(event.seat);
  if (event.next === "roll") return you ? t("You roll on") : t("{name} rolls on", { name });
  if (!before?.snapshot.phase.endsWith("next")) return you ? t("You stop") : t("{name} stops", { name });
  const n = before.marks.worth;
  if (you) return tn("You stop and score {n} point", "You stop and score {n} points", n);
  return tn("{name} stops and scores {n} point", "{name} stops and scores {n} points", n, { name });
}

/**
 * A roll on or a stop, to choose.
 * @param {Ctx} ctx
 * @param {{next: string}} event
 */
export function labelNext(ctx, event) {
  if (event.next === "roll") return t("Roll on");
  return tn("Stop: {n} point", "Stop: {n} points", ctx.position.marks.worth);
}
