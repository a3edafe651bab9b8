// @ts-check
/** Nothing is confirmed that was not seen for a moment: after the bar's action has changed, touches do not count at first. */

/** how long an action has to be seen before it can be chosen, in milliseconds */
export const SEEN = 600;

/**
 * @param {import("./stage.js").Clock} clock
 * @param {() => void} opened called when the action has been seen long enough
 */
export function guard(clock, opened) {
  /** @type {string | null} */
  let shown = null;
  let open = false;
  /** @type {number | null} */
  let timer = null;
  return {
    /** Tell what the bar offers now, however often it is drawn. @param {string} action */
    saw(action) {
      if (action === shown) return;
      shown = action;
      open = false;
      if (timer !== null) clock.cancel(timer);
      timer = clock.later(() => {
        open = true;
        opened();
      }, SEEN);
    },
    /** whether what the bar offers was seen long enough to be chosen */
    get open() {
      return open;
    },
  };
}
