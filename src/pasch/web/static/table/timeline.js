// @ts-check
/**
 * What is shown at a moment, as a pure function of the confirmed steps and the clock. Nothing is queued and no timer holds
 * state: a later call gets a later answer, so a lost timer, a reload or a reconnect cannot stop the table. All that
 * it reads is written into the step when it arrives; somebody who skips shortens what is being shown.
 *
 * @typedef {object} Phase a part of a step
 * @property {"air" | "read" | "beat" | "hold" | "count"} kind "air": dice fly, one after the other they come to rest; "read":
 *   it lies there to be seen; "beat": a part of a longer story; "hold": until it is touched, or for some time; "count": a
 *   row of the final count
 * @property {number} length in milliseconds; Infinity: until it is touched
 * @property {number} [landing] in the air: when the first die comes to rest
 * @property {number} [between] how much later each other one does
 * @property {number} [dice] how many there are
 *
 * @typedef {object} Step what the server confirmed: an entry of the log, or how the table is
 * @property {Entry | null} entry
 * @property {Position} position after it
 * @property {TableInfo} info
 * @property {number} arrived when, in milliseconds; -Infinity: it was over before this page looked
 * @property {Phase[]} phases how it is shown
 * @property {boolean} lost whether the dice were used up at once: they lie there on the board as it was until they were read
 *
 * @typedef {object} Shown
 * @property {Position} position what the boards are drawn from
 * @property {Position} before the position before the last event: what differs has just been placed
 * @property {TableInfo} info
 * @property {number} version everything up to here may be shown and announced
 * @property {import("../board/model.js").Roll | null} roll
 * @property {import("../board/model.js").BoardModel["story"]} story
 * @property {Phase | null} phase what is being shown; null: everything was
 * @property {number} since when that began
 * @property {boolean} settled whether everything has been shown
 * @property {number} counted how many rows of the final count are to be seen
 * @property {number} until when this changes by itself; Infinity if it does not
 */

/** @import { Entry, Position, TableInfo } from "../app/types.js" */

/** a die in the air, how much later the next one lands, and the last bounce, in milliseconds */
const FLIGHT = 760;
const NEXT_DIE = 60;
const LAST_BOUNCE = 140;
/** until faces fade in where nothing moves */
const FADE = 300;
const READ_ROLL = 350;
const READ_LOSS = 1700;
const SEE_MOVE = 1100;
const SEE_OWN = 320;
const COMPUTERS_TURN = 3500;
/** how long a move can be taken back before the dice come that follow it */
const REGRET = 2200;
const COUNT_ROW = 480;
/** when so much has piled up, everything is shown quickly */
const MAX_BACKLOG = 12_000;
const HURRY = 0.1;

/** what the wished pace multiplies */
export const PACES = { calm: 1.6, normal: 1, quick: 0.25, none: 0 };

/** The dice that an event rolled. @param {Record<string, any> | undefined} event @returns {number} */
function diceIn(event) {
  const roll = event?.roll;
  if (roll === undefined || roll === null || roll === false) return 0;
  return typeof roll === "object" ? Object.values(roll).filter((face) => face !== 0 && face !== null).length : 1;
}

/** Whether a roll was used up at once: it lost the turn, or nothing could be chosen. @param {Record<string, any>} event @param {Position} after */
function usedUp(event, after) {
  const { rolled } = after.snapshot;
  return diceIn(event) > 0 && Array.isArray(rolled) && !rolled.some(Boolean);
}

/** The seat whose turn it is; -1 if nobody's. @param {Position} position */
export function turnOf({ actor, roller }) {
  return actor >= 0 ? actor : roller ?? -1;
}

/**
 * How a step is shown to somebody who watches it arrive.
 * @param {Pick<Step, "entry" | "position" | "info">} step
 * @param {Position} before
 * @param {object} viewing
 * @param {keyof typeof PACES} viewing.pace
 * @param {boolean} viewing.wait whether a computer's turn stays until it is touched
 * @param {boolean} viewing.still whether nothing moves
 * @param {readonly number[]} viewing.mySeats
 * @param {number[]} viewing.beats how long each part of the event's story takes
 * @param {number} viewing.backlog how long what came before will still be shown
 * @returns {Pick<Step, "phases" | "lost">}
 */
export function stage({ entry, position, info }, before, { pace: wished, wait, still, mySeats, beats, backlog }) {
  const event = entry?.kind === "event" ? entry.body : null;
  const pace = PACES[wished] * (backlog > MAX_BACKLOG ? HURRY : 1);
  if (!event || !pace) return { phases: [], lost: false };
  const own = event.seat === undefined || mySeats.includes(event.seat);
  const computers = info.seats.filter(({ kind }) => kind === "computer").length;
  // several computers in a row take no longer than two do
  const others = own ? 1 : pace * Math.min(1, 2 / Math.max(1, computers));
  const dice = diceIn(event);
  const lost = usedUp(event, position);
  const over = position.actor === -2 && before.actor !== -2;
  const passes = !own && turnOf(position) !== event.seat && !over;
  const quick = Math.min(1, pace);
  /** @type {Phase[]} */
  const phases = [];
  if (dice) {
    const landing = still ? FADE : FLIGHT * quick;
    const between = still ? 0 : NEXT_DIE * quick;
    phases.push({ kind: "air", length: landing + between * (dice - 1) + (still ? 0 : LAST_BOUNCE * quick), landing, between, dice });
  }
  if (lost) phases.push({ kind: "read", length: READ_LOSS * (own ? Math.max(1, pace) : others) });
  for (const beat of beats) phases.push({ kind: "beat", length: beat * pace });
  if (!lost && !beats.length) phases.push({ kind: "read", length: dice ? (own ? 0 : READ_ROLL * others) : (own ? SEE_OWN * quick : SEE_MOVE * others) });
  if (over) for (let row = 0; row < info.seats.length; row += 1) phases.push({ kind: "count", length: COUNT_ROW * pace });
  else if (position.held) phases.push({ kind: "hold", length: REGRET * pace });
  else if (passes && info.seats[event.seat]?.kind === "computer" && mySeats.length) phases.push({ kind: "hold", length: wait ? Infinity : (COMPUTERS_TURN * pace) / Math.max(1, computers) });
  return { phases: phases.filter(({ length }) => length > 0), lost };
}

/** How many dice of a roll rest. @param {Phase} phase @param {number} since */
function landed({ dice = 0, landing = 0, between = 0 }, since) {
  if (since < landing) return 0;
  return between ? Math.min(dice, 1 + Math.floor((since - landing) / between)) : dice;
}

/** The position before the last event, at or before a step. @param {readonly Step[]} steps @param {number} at */
function positionBefore(steps, at) {
  while (at > 0 && steps[at]?.entry?.kind !== "event") at -= 1;
  return /** @type {Step} */ (steps[at - 1] ?? steps[0]).position;
}

/** @param {readonly Step[]} steps at least one @param {number} now @returns {Shown} */
export function shownAt(steps, now) {
  let free = -Infinity;
  for (const [at, step] of steps.entries()) {
    let since = Math.max(step.arrived, free);
    if (since > -Infinity) {
      for (const [number, phase] of step.phases.entries()) {
        const end = since + phase.length;
        if (now < end) return during(steps, at, number, since, now);
        since = end;
      }
    }
    free = since;
  }
  const last = /** @type {Step} */ (steps.at(-1));
  const before = positionBefore(steps, steps.length - 1);
  return { position: last.position, before, info: last.info, version: Infinity, roll: null, story: null, phase: null, since: free, settled: true, counted: Infinity, until: Infinity };
}

/** @param {readonly Step[]} steps @param {number} at @param {number} number of the phase @param {number} since @param {number} now @returns {Shown} */
function during(steps, at, number, since, now) {
  const step = /** @type {Step} */ (steps[at]);
  const phase = /** @type {Phase} */ (step.phases[number]);
  const former = /** @type {Step} */ (steps[at - 1] ?? step);
  const event = step.entry?.body ?? {};
  const version = step.entry?.version ?? step.position.version;
  const shown = { position: step.position, before: former.position, info: former.info, version, roll: null, story: null, phase, since, settled: false, counted: 0, until: since + phase.length };
  const first = (/** @type {Phase["kind"]} */ kind) => step.phases.findIndex((one) => one.kind === kind);
  switch (phase.kind) {
    case "air": {
      const rest = landed(phase, now - since);
      const { dice = 0, landing = 0, between = 0 } = phase;
      const next = rest < dice ? since + landing + between * rest : Infinity;
      return { ...shown, position: former.position, before: positionBefore(steps, at - 1), version: version - 1, roll: { event, landed: rest, rests: rest >= dice, after: null }, until: Math.min(shown.until, next) };
    }
    case "read":
      return step.lost ? { ...shown, position: former.position, roll: { event, landed: Infinity, rests: true, after: step.position } } : shown;
    case "beat":
      return { ...shown, position: former.position, before: positionBefore(steps, at - 1), version: version - 1, story: { event, beat: number - first("beat"), beats: step.phases.filter(({ kind }) => kind === "beat").length, after: step.position } };
    case "count":
      return { ...shown, counted: number - first("count") };
    default:
      return shown;
  }
}

/**
 * Go on with what is being shown. Of one's own roll that is until the dice rest; of what others do, the whole step as far as
 * it does not wait to be touched.
 * @param {readonly Step[]} steps
 * @param {number} now
 * @param {readonly number[]} mySeats
 * @param {boolean} [all] of a story, all that is still to come
 */
export function skip(steps, now, mySeats, all = false) {
  const { phase, since } = shownAt(steps, now);
  const step = phase && steps.find(({ phases }) => phases.includes(phase));
  if (!phase || !step) return;
  phase.length = Math.max(0, now - since);
  if (all) for (const later of step.phases) if (later.kind === "beat" && step.phases.indexOf(later) > step.phases.indexOf(phase)) later.length = 0;
  if (phase.kind === "hold" || phase.kind === "beat" || mySeats.includes(step.entry?.body.seat)) return;
  for (const later of step.phases.slice(step.phases.indexOf(phase) + 1)) if (later.kind === "read" || later.kind === "count") later.length = 0;
}

/** Show everything at once: nobody looks. @param {readonly Step[]} steps */
export function flush(steps) {
  for (const step of steps) step.phases.length = 0;
}
