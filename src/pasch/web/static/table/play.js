// @ts-check
/**
 * What a table page knows and what it can do. The parts of the page (seats, boards, controls, log, coach)
 * are drawn from a `Play` and call its actions.
 *
 * @typedef {import("../app/types.js").TableInfo} TableInfo
 * @typedef {import("../app/types.js").Position} Position
 * @typedef {import("../app/types.js").Entry} Entry
 * @typedef {import("../app/types.js").Judgement} Judgement
 * @typedef {import("../app/types.js").Choice} Choice
 * @typedef {import("./touch.js").Ctx} Ctx
 * @typedef {import("../board/load.js").Board} Board
 * @typedef {import("../app/api.js").GameInfo} GameInfo
 *
 * @typedef {object} Actions
 * @property {(token: string) => void} touch
 * @property {() => void} undo take back the last touch
 * @property {() => void} takeBack take back the last move that was sent
 * @property {() => void} skip go on with what is being shown
 * @property {() => void} clear take back all touches
 * @property {(choice: Choice) => void} move
 * @property {() => void} roll
 * @property {(value: number, place: number) => void} read read a part off the real table
 * @property {(place: number) => void} unread
 * @property {() => void} confirmRead
 * @property {(seat: number) => void} look
 * @property {() => void} itsMe
 * @property {() => void} hint
 * @property {() => void} earlier show older lines
 * @property {() => Promise<import("../app/types.js").Verdict | null>} preview how the game would be decided if it ended now
 * @property {(seat: number, reaction: import("../app/types.js").React["reaction"]) => void} react
 * @property {(command: {type: string} & Record<string, unknown>) => Promise<boolean>} command anything else
 * @property {() => void} draw
 *
 * @typedef {object} Play
 * @property {string} id
 * @property {GameInfo} game
 * @property {Board} board
 * @property {TableInfo} info
 * @property {Position} position
 * @property {number[]} yours
 * @property {boolean} maker
 * @property {Entry[]} entries the latest ones, less what was superseded before we came
 * @property {number} first the version from which on we have them
 * @property {number} lines how many of them are shown
 * @property {Map<number, Position>} positions what was on the table at a version, as far as we saw it
 * @property {Position[] | null} history of a game that had ended when we came, its positions
 * @property {Judgement[]} judgements
 * @property {Set<number>} dismissed the versions since which a computer played for us, as far as that need not be said
 * @property {Set<string>} chosen
 * @property {boolean} [asking] whether a hint has been asked for and has not come yet
 * @property {string} why why the last touch was not possible
 * @property {boolean} busy a command is on its way
 * @property {number | null} looking the seat whose board was asked for
 * @property {number | null} shownTo the person round this screen who has said "it's me"
 * @property {(number | null)[]} readings what was read off the real table so far, by part; up to the hand that is read now
 * @property {import("../app/types.js").Advice | null} advice
 * @property {Map<number, import("../app/types.js").React["reaction"]>} reactions what seats have just said
 * @property {{at: number, version: number} | null} left since when nobody looks, and what was seen by then
 * @property {number | null} missed the version since which we have missed something that need be told
 * @property {boolean} wide
 * @property {import("./staging.js").Staged | null} scene what is being shown, before anybody goes on
 * @property {import("./ending.js").Ending | null} ending how far the end has been counted
 * @property {Actions} actions
 */
import { say, t } from "../app/i18n.js";
import { possible } from "./choose.js";
import { levelName } from "../app/words.js";

/**
 * @param {Play} play
 * @param {number} seat
 */
export function nameOf(play, seat) {
  return seatName(play.info, seat);
}

/**
 * @param {TableInfo} info
 * @param {number} number
 */
export function seatName(info, number) {
  const seat = info.seats[number];
  if (seat?.name) return seat.name;
  const n = number + 1;
  if (seat?.kind !== "computer") return t("Player {n}", { n });
  const alike = info.seats.filter((other) => other.kind === "computer" && !other.name);
  // short, so that six of them can be told apart on a phone
  return alike.length > 1 ? t("C{n}", { n }) : t("Computer");
}

/** The one seat played on this device; null if there are several, or none. @param {Pick<Play, "yours">} play */
export function onlyMine({ yours }) {
  return yours.length === 1 ? yours[0] ?? null : null;
}

/**
 * Whether a seat is "You": the only one of this device, to which nobody has given a name.
 * @param {Pick<Play, "yours" | "info">} play
 * @param {number} seat
 */
export function isYou(play, seat) {
  return seat === onlyMine(play) && !play.info.seats[seat]?.name;
}

/**
 * What stands beside a seat.
 * @param {Pick<Play, "yours" | "info">} play
 * @param {number} seat
 */
export function whoIs(play, seat) {
  return isYou(play, seat) ? t("You") : seatName(play.info, seat);
}

/** @param {TableInfo} info @param {number} number */
export function seatLevel(info, number) {
  const seat = info.seats[number];
  return seat?.kind === "computer" && seat.level ? levelName(seat.level) : "";
}

/** The seat whose turn it is, to choose or to roll; -1 if nobody's. @param {Play} play */
export function acting(play) {
  return play.position.actor >= 0 ? play.position.actor : play.position.roller ?? -1;
}

/**
 * The names of those who have to agree before something is settled, and have not. Whoever has been away for long does
 * not count any more; a free seat does, because whoever takes it was not asked.
 * @param {Play} play
 * @param {(seat: import("../app/types.js").Seat) => boolean} agrees
 */
export function stillToAgree(play, agrees) {
  return play.info.seats.flatMap((seat, number) => {
    const person = seat.kind !== "computer" || seat.lent;
    return person && seat.away !== "gone" && !agrees(seat) ? [nameOf(play, number)] : [];
  });
}

/** Whether this device has to do something. @param {Play} play */
export function yourTurn(play) {
  return play.position.moves.length > 0 || play.position.awaits !== null;
}

/**
 * The parts that are read off the real table together: of hidden cards those of one seat, otherwise all.
 * @param {Play} play
 * @returns {{from: number, to: number, seat: number | null}}
 */
export function readingParts(play) {
  const parts = play.position.ask?.parts ?? [];
  if (!play.game.has_secrets) return { from: 0, to: parts.length, seat: null };
  const part = parts[Math.max(0, play.readings.length - 1)];
  const from = parts.indexOf(part ?? "");
  const [, seat] = part?.split(" ") ?? [];
  return { from: Math.max(0, from), to: parts.lastIndexOf(part ?? "") + 1, seat: seat === undefined ? null : Number(seat) };
}

/** Whose cards are to be seen next: of whoever reads theirs off the real table, or whose turn it is. @param {Play} play */
export function whoseCards(play) {
  return (play.position.awaits === "read" ? readingParts(play).seat : null) ?? play.position.as_seat;
}

/** Whether the next person round this screen has to say first that it is them. @param {Play} play */
export function covered(play) {
  const people = play.yours.filter((seat) => play.info.seats[seat]?.kind !== "computer");
  const seat = whoseCards(play);
  return play.game.has_secrets && people.length > 1 && seat !== null && people.includes(seat) && play.shownTo !== seat;
}

/**
 * What the drawings need to know.
 * @param {Play} play
 * @param {Position} [position] another position than the one on the table, only to look at
 * @param {Set<string>} [chosen]
 * @returns {Ctx}
 */
export function contextOf(play, position = shownPosition(play), chosen = play.chosen) {
  return {
    info: play.info,
    position,
    yours: play.yours,
    chosen,
    possible: possible(position.moves, chosen),
    advised: position === play.position ? new Set(advised(play)?.tokens.filter((token) => !chosen.has(token))) : new Set(),
    name: (seat) => nameOf(play, seat),
    who: (seat) => whoIs(play, seat),
    you: (seat) => isYou(play, seat),
    touch: play.actions.touch,
    small: !play.wide,
    recent: position.version === play.position.version ? recent(play) : position === play.scene?.position ? play.scene.recent : [],
  };
}

/** What is drawn: while something has to be seen, nothing can be touched. @param {Play} play */
function shownPosition({ scene, position }) {
  return scene?.position ?? (scene?.blocks ? { ...position, moves: [], awaits: null } : position);
}

/** The move that the coach advises in the position on the table. @param {Play} play */
export function advised(play) {
  const { advice, position } = play;
  const best = advice?.version === position.version ? advice.moves[0] : undefined;
  return best && position.moves.find((one) => same(one.event, best.event));
}

/** Whether two events are the same. @param {unknown} one @param {unknown} other */
export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The positions before and after an entry of the log, as far as we saw them. Events that follow by themselves come
 * together with the one that they follow (a roll with the wish to roll on; the next strip or plan, or a computer's
 * roll, with the end of a turn): they share its position before, and it theirs after.
 * @param {Play} play
 * @param {Entry} entry
 * @returns {import("./touch.js").Happening}
 */
export function around(play, entry) {
  const { positions, entries } = play;
  const { seat } = entry.body;
  const event = (/** @type {number} */ version) => entries.find((one) => one.version === version && one.kind === "event")?.body;
  let [first, last] = [entry.version - 1, entry.version];
  // a roll shares the position before the wish to roll on, but not that before another's stop
  const leads = (/** @type {Record<string, any>} */ led) => led.seat === undefined || (led.seat === seat && led.next);
  for (let led = event(first); led && !positions.has(first) && leads(led); led = event(first)) first -= 1;
  for (let next = event(last + 1); next && !positions.has(last) && seat !== undefined && seat !== next.seat; next = event(last + 1)) {
    if (next.seat !== undefined && !next.roll) break;
    last += 1;
  }
  return { event: entry.body, before: positions.get(first) ?? null, after: positions.get(last) ?? null };
}

/** What has just happened: the events since the last position that we saw. @param {Play} play */
function recent(play) {
  const now = play.position.version;
  const seen = Math.max(...[...play.positions.keys()].filter((version) => version < now), -1);
  // without one, somebody has just come in, and only the last event is news
  const since = seen < 0 ? now - 1 : seen;
  return play.entries.filter((one) => one.version > since && one.kind === "event").map((one) => around(play, one));
}

/**
 * A sentence of the server, with names in place of seat numbers.
 * @param {Play} play
 * @param {import("../app/types.js").Sentence} sentence
 */
export function sayAt(play, sentence) {
  /** @type {Record<string, unknown>} */
  const details = { ...sentence.details };
  for (const key of ["seat", "turn"]) {
    const seat = details[key];
    if (typeof seat === "number") details[key] = nameOf(play, seat);
  }
  return say({ template: sentence.template, details });
}
