// @ts-check
/** Who sits at a table, in words. */
import { list, say, t, tn } from "../app/i18n.js";
import { levelName, pipsOf, playerName } from "../app/words.js";
import { portrait } from "../board/pieces.js";

/** @import { Position, TableInfo } from "../app/types.js" */

/** @typedef {{info: TableInfo, mySeats: readonly number[]}} Seated */

/** @param {TableInfo} info @param {number} number */
export function seatName(info, number) {
  const seat = info.seats[number];
  const n = number + 1;
  if (seat?.name) return seat.name;
  if (seat?.kind !== "computer") return t("Player {n}", { n });
  const name = playerName(seat.level ?? "");
  const alike = info.seats.filter((other) => other.kind === "computer" && !other.name && other.level === seat.level);
  return alike.length > 1 ? t("{name} {n}", { name, n }) : name;
}

/** The one seat played on this device; null if there are several, or none. @param {Pick<Seated, "mySeats">} seated */
export function onlyMine({ mySeats }) {
  return mySeats.length === 1 ? mySeats[0] ?? null : null;
}

/** Whether a seat is "You": the only one of this device, to which nobody has given a name. @param {Seated} seated @param {number} seat */
export function isYou(seated, seat) {
  return seat === onlyMine(seated) && !seated.info.seats[seat]?.name;
}

/** What stands beside a seat, where no sentence follows. @param {Seated} seated @param {number} seat */
export function whoIs(seated, seat) {
  return isYou(seated, seat) ? t("You") : seatName(seated.info, seat);
}

/** A seat's picture: a chip, or a computer's face. @param {TableInfo} info @param {number} seat */
export function pictureOf(info, seat) {
  const { kind, level, lent } = info.seats[seat] ?? {};
  return portrait(seat, kind === "computer" && !lent ? pipsOf(level ?? "") : null);
}

/**
 * What a sentence about an event is made of.
 * @param {Seated} seated
 * @param {Record<string, any>} event
 * @param {{before: Position | null, after: Position | null, position: Position}} positions `position`: the one on the table
 * @returns {import("../board/model.js").Telling}
 */
export function tellingOf(seated, event, positions) {
  const { info } = seated;
  const isMe = (/** @type {number} */ seat) => isYou(seated, seat);
  return { event, ...positions, name: event.seat === undefined ? "" : seatName(info, event.seat), you: isMe(event.seat), who: (seat) => whoIs(seated, seat), isYou: isMe, box: info.components, options: info.options };
}

/** Who has won. @param {Seated & {position: Position}} ended */
export function resultText(ended) {
  const { info, position: { winners, scores } } = ended;
  const [first = -1] = winners;
  const others = winners.filter((seat) => !isYou(ended, seat)).map((seat) => whoIs(ended, seat));
  if (info.players === 1) return tn("Finished: {n} point.", "Finished: {n} points.", scores[0] ?? 0);
  if (winners.length > 1) return others.length < winners.length ? t("You win together with {names}.", { names: list(others) }) : t("{names} win together.", { names: list(others) });
  return isYou(ended, first) ? t("You win!") : t("{name} wins.", { name: whoIs(ended, first) });
}

/** @param {TableInfo} info @param {number} number */
export function seatLevel(info, number) {
  const seat = info.seats[number];
  return seat?.kind === "computer" && seat.level ? levelName(seat.level) : "";
}

/** Whether a game is over. @param {Pick<TableInfo, "phase">} info */
export function isOver({ phase }) {
  return phase === "over" || phase === "adjudicated";
}

/**
 * The names of those who have to agree before something is settled, and have not.
 * @param {TableInfo} info
 * @param {(seat: import("../app/types.js").Seat) => boolean} agrees
 */
export function stillToAgree(info, agrees) {
  return info.must_agree.flatMap((number) => {
    const seat = info.seats[number];
    return seat && !agrees(seat) ? [seatName(info, number)] : [];
  });
}

/** @param {string[]} names */
export function wantToEnd(names) {
  return tn("{names} would like to end the game.", "{names} would like to end the game.", names.length, { names: list(names) });
}

/** @param {string[]} names */
export function wantToPlay(names) {
  return tn("{names} would like to play again.", "{names} would like to play again.", names.length, { names: list(names) });
}

/**
 * A sentence of the server, with names in place of seat numbers.
 * @param {TableInfo} info
 * @param {import("../app/types.js").Sentence} sentence
 */
export function sayAt(info, { template, details }) {
  const named = Object.fromEntries(
    Object.entries(details).map(([key, value]) => [key, (key === "seat" || key === "turn") && typeof value === "number" ? seatName(info, value) : value]),
  );
  return say({ template, details: named });
}
