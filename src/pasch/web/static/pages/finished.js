// @ts-check
/** A finished game: its steps, its events in words, and a new table that begins at any of its positions. */
import { game as askGame, makeTable, orToast, replay as askReplay } from "../app/api.js";
import { usualHome } from "../app/addresses.js";
import * as device from "../app/device.js";
import { sitDown } from "../app/begin.js";
import { levelsFor, usualLevel } from "../app/levels.js";
import { word } from "../app/i18n.js";
import { labelOf, loadBoard, phrase } from "../board/load.js";
import { stillModel } from "../board/still.js";
import { isYou, seatName, tellingOf, whoIs } from "../table/people.js";
import { stepsOf } from "../table/steps.js";

/** @typedef {Awaited<ReturnType<typeof loadFinished>>} Finished */

/** @param {string} id */
export async function loadFinished(id) {
  const page = await askReplay(id, -1);
  const { table: info } = page;
  const game = await askGame(info.game);
  const board = await loadBoard(game);
  const steps = stepsOf(page, (from) => askReplay(id, from));
  const mySeats = Object.keys(device.table(id)?.tokens ?? {}).map(Number);
  const seated = { info, mySeats };

  /** @param {Record<string, any>} event @param {number} number of the event, from 1 */
  const telling = (event, number) => {
    const [before, after] = [steps.position(number - 1), steps.position(number)];
    return tellingOf(seated, event, { before, after, position: /** @type {import("../app/types.js").Position} */ (before ?? after) });
  };
  const finished = {
    id, info, game, board, steps, mySeats,
    /** the position at the end */
    end: /** @type {import("../app/types.js").Position} */ (steps.position(steps.last)),
    name: (/** @type {number} */ seat) => seatName(info, seat),
    who: (/** @type {number} */ seat) => whoIs(seated, seat),
    isYou: (/** @type {number} */ seat) => isYou(seated, seat),
    /** What was on the table after this many events. @param {number} number */
    model: (number) => stillModel({ info, mySeats, position: telling({}, number + 1).position, before: steps.position(number - 1), recent: number ? [{ event: steps.event(number) ?? {}, before: steps.position(number - 1), after: steps.position(number) }] : [] }),
    /** An event in words, counted from 1. @param {number} number */
    sentence: (number) => phrase(board.sentences, telling(steps.event(number) ?? {}, number)),
    /** A move that could have been made instead of an event. @param {Record<string, any>} event @param {number} number */
    label(event, number) {
      const { text, sub } = labelOf(board, telling(event, number));
      return `${text} ${sub}`.trim();
    },
    /** Load these steps; what fails is said. @type {(numbers: number[], wanted?: () => boolean) => Promise<void>} */
    need: (numbers, wanted) => orToast(() => steps.need(numbers, wanted)),
    /** Set a table that begins after this many events, against the computer. @param {number} number @param {number} seat who plays if several seats were ours */
    async tryFrom(number, seat) {
      const mine = mySeats.length === 1 ? mySeats[0] ?? seat : seat;
      const levels = levelsFor(game, page.options, usualHome());
      const before = Array.from({ length: number }, (_, at) => at + 1);
      await finished.need(before);
      const known = (/** @type {import("../app/types.js").Seat} */ one) => levels.find(({ name }) => one.kind === "computer" && name === one.level)?.name;
      await orToast(async () => {
        const made = await makeTable({
          game: info.game,
          seats: info.seats.map((one, at) => (at === mine ? { kind: "here", name: one.kind === "computer" ? "" : one.name } : { kind: "computer", level: known(one) ?? usualLevel(levels) })),
          options: page.options,
          coach: "moves",
          events: before.map((at) => steps.event(at) ?? {}),
        });
        sitDown(made, { game: info.game, title: word(info.title) });
      });
    },
  };
  return finished;
}
