// @ts-check
/** What decided a game, in one sentence, and what average luck would have given: about you, or about somebody else. */
import { number, t } from "../app/i18n.js";

/**
 * @typedef {{seat: number, score: number, without_luck: number, ledger: {luck: number, costs: number}}} SeatFigures
 * @typedef {{isYou: (seat: number) => boolean, name: (seat: number) => string}} People
 */

/** less than this counts as nothing, in points */
const NOTHING = 0.05;

/** @param {readonly SeatFigures[]} seats @param {readonly number[]} winners @param {People} people */
export function headline(seats, winners, people) {
  const [only] = seats;
  if (seats.length === 1 && only) return alone(only);
  const careful = least(seats, ({ ledger }) => ledger.costs);
  const lucky = least(seats, ({ ledger }) => -ledger.luck);
  if (!careful || !lucky) return "";
  const [winner] = winners;
  if (spread(seats) < NOTHING) return winners.length === 1 ? t("Luck decided: the moves were equally good.") : t("A draw: the moves were equally good.");
  if (winners.length !== 1 || winner === undefined) return bestMoves(careful.seat, people);
  const [isCareful, isLucky] = [careful.seat === winner, lucky.seat === winner];
  const you = people.isYou(winner);
  const name = people.name(winner);
  if (isCareful && isLucky) return you ? t("You played better, and the dice helped.") : t("{name} played better, and the dice helped.", { name });
  if (isCareful) return you ? t("Your moves decided: others were luckier.") : t("The moves of {name} decided: others were luckier.", { name });
  if (isLucky) return people.isYou(careful.seat) ? t("Luck decided: you made the better moves.") : t("Luck decided: {name} made the better moves.", { name: people.name(careful.seat) });
  return bestMoves(careful.seat, people);
}

/** @param {SeatFigures} seat */
function alone({ ledger: { luck, costs } }) {
  if (costs < NOTHING) return luck >= 0 ? t("Luck was with you, and no move could have been better.") : t("Luck was against you; no move could have been better.");
  return luck >= 0 ? t("Luck was with you; some moves could have been better.") : t("Luck was against you, and some moves could have been better.");
}

/** @param {number} seat @param {People} people */
const bestMoves = (seat, people) => (people.isYou(seat) ? t("You made the best moves.") : t("{name} made the best moves.", { name: people.name(seat) }));

/** @param {readonly SeatFigures[]} seats @param {readonly number[]} winners @param {People} people @param {number} digits */
export function averageLuck(seats, winners, people, digits) {
  const [first, second] = [...seats].sort((one, other) => other.without_luck - one.without_luck);
  if (!first) return "";
  const points = number(first.without_luck, digits);
  if (!second) return t("With average luck it would have been {points} points.", { points });
  // where values are estimates, what they were off may be more than what was given away
  const careful = Math.min(...seats.map(({ ledger }) => ledger.costs));
  if (first.ledger.costs - careful >= NOTHING) return t("How much was luck can only be estimated here.");
  if (first.without_luck - second.without_luck < NOTHING) return t("With the same luck for everybody, nobody would have been ahead: {points} each.", { points });
  const details = { points, less: number(second.without_luck, digits), name: people.name(first.seat), other: people.name(second.seat) };
  if (winners.includes(first.seat)) {
    if (people.isYou(first.seat)) return t("With the same luck for everybody, you would have won, too: {points} to {less}.", details);
    return t("With the same luck for everybody, {name} would have won, too: {points} to {less}.", details);
  }
  if (people.isYou(first.seat)) return t("With the same luck for everybody, you would have won with {points}, ahead of {other} with {less}.", details);
  if (people.isYou(second.seat)) return t("With the same luck for everybody, {name} would have won with {points}, ahead of you with {less}.", details);
  return t("With the same luck for everybody, {name} would have won with {points}, ahead of {other} with {less}.", details);
}

/** How much more the least careful gave away than the most careful. @param {readonly SeatFigures[]} seats */
function spread(seats) {
  const costs = seats.map(({ ledger }) => ledger.costs);
  return Math.max(...costs) - Math.min(...costs);
}

/** @param {readonly SeatFigures[]} seats @param {(one: SeatFigures) => number} by */
function least(seats, by) {
  return [...seats].sort((one, other) => by(one) - by(other))[0];
}
