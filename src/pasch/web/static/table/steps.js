// @ts-check
/**
 * The steps of a finished game, loaded page by page as they are needed.
 *
 * @typedef {{event: Record<string, any> | null, position: Position}} Step a position, and the event that led to it
 * @typedef {{table: import("../app/types.js").TableInfo, options: Record<string, any>, events: number, first: number,
 *   next: number | null, steps: Step[]}} ReplayPage `steps[0]` is step number `first`; step n comes after n events
 */

/** @import { Position } from "../app/types.js" */

/**
 * @param {ReplayPage} page the one that is there already
 * @param {(from: number) => Promise<ReplayPage>} load the page with this step
 */
export function stepsOf(page, load) {
  /** @type {Map<number, Step>} */
  const known = new Map();
  let loading = Promise.resolve();

  /** @param {ReplayPage} found */
  const add = (found) => found.steps.forEach((step, number) => known.set(found.first + number, step));
  const exists = (/** @type {number} */ number) => number >= 0 && number <= page.events;
  add(page);

  return {
    /** the number of the last step */
    last: page.events,
    /** @param {number} number */
    position: (number) => known.get(number)?.position ?? null,
    /** The event that led to a step. @param {number} number */
    event: (number) => known.get(number)?.event ?? null,
    /** Whether all of these are there, as far as the game has them. @param {number[]} numbers */
    has: (...numbers) => numbers.every((number) => known.has(number) || !exists(number)),
    /**
     * Load what is missing of these, one page after the other.
     * @param {number[]} numbers
     * @param {() => boolean} [wanted] asked before each page whether it is still needed
     * @returns {Promise<void>}
     */
    need(numbers, wanted = () => true) {
      const turn = loading.then(async () => {
        for (const number of numbers) {
          if (exists(number) && !known.has(number) && wanted()) add(await load(number));
        }
      });
      // a failure is reported to its caller, not to the next one
      loading = turn.catch(() => undefined);
      return turn;
    },
  };
}
