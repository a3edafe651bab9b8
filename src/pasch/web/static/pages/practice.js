// @ts-check
/**
 * What this device remembers of its finished games: a short summary of each, and the mistakes that come back as
 * puzzles. The server works them out once for each game; nothing of it is sent anywhere.
 *
 * @typedef {{name: string, slug: string, when: import("../app/types.js").Sentence | null, times: number, cost: number}} HabitCost
 *
 * @typedef {object} SeatSummary
 * @property {number} seat
 * @property {string} name
 * @property {number} score
 * @property {boolean} won
 * @property {number} costs what the moves gave away
 * @property {number} without the result without luck
 * @property {number | null} accuracy
 * @property {HabitCost[]} habits
 *
 * @typedef {object} Summary
 * @property {string} table
 * @property {string} game
 * @property {string} title
 * @property {number} when it was last open here, in milliseconds since 1970
 * @property {number} players
 * @property {boolean} exact
 * @property {string} earned the title that a game for one has earned
 * @property {SeatSummary[]} seats those of this device; none if nothing can be learned from it
 */
import { Refusal, finished } from "../app/api.js";
import * as device from "../app/device.js";
import { added } from "./leitner.js";

/** how many games are asked about when somebody looks at their progress */
const MAX_ASKED = 12;

/**
 * Remember what can be learned from a finished game of this device, once.
 * @param {string} id
 * @returns {Promise<boolean>} whether it is known now; false while the server is still working it out
 */
export async function learnFrom(id) {
  const known = device.table(id);
  if (!known || !Object.keys(known.tokens).length || device.summaries().some((one) => one.table === id)) return true;
  const { game, title, seen: when } = known;
  let found;
  try {
    found = await finished(id, "practice");
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 0 || error.status === 429 || error.status >= 500) throw error;
    // it is gone, or was ended early: it is not asked about again
    device.rememberSummary({ table: id, game, title, when, players: 0, exact: false, earned: "", seats: [] });
    return true;
  }
  if (!found) return false;
  // what began in another game's position was played by somebody else
  const seats = found.given ? [] : found.seats.filter(({ figures }) => known.tokens[figures.seat] !== undefined);
  device.rememberSummary({
    table: id, game, title, when, players: found.players, exact: found.exact, earned: found.earned,
    seats: seats.map(({ figures }) => ({
      seat: figures.seat, name: known.names[figures.seat] ?? "", score: figures.score, won: figures.won,
      costs: figures.costs, without: figures.without_luck, accuracy: figures.accuracy, habits: figures.habits,
    })),
  });
  const mistakes = seats.flatMap((seat) => seat.mistakes.map((puzzle) => ({ puzzle, table: id, cost: (puzzle.points[puzzle.best] ?? 0) - (puzzle.points[puzzle.obvious] ?? 0) })));
  device.saveMistakes(added(device.mistakes(), mistakes, Date.now()));
  return true;
}

/** Remember what can be learned from games that nobody has looked at since they were finished: a few of them, the latest. */
export async function catchUp() {
  const known = new Set(device.summaries().map((one) => one.table));
  const missing = device.tables().filter((one) => one.over && Object.keys(one.tokens).length && !known.has(one.id));
  for (const one of missing.slice(0, MAX_ASKED)) {
    try {
      await learnFrom(one.id);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return; // the server is busy or away; next time
    }
  }
}
