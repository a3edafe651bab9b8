// @ts-check
/**
 * A queue of scenes: each is shown for a while before the next one. The clock is given, so that tests can keep it.
 *
 * @typedef {object} Scene
 * @property {() => void} begin show it
 * @property {number} hold how long it is to be seen before the next one, in milliseconds
 * @property {() => void} [end] when it has been seen
 * @property {string} [group] scenes in a row with the same name are skipped together
 *
 * @typedef {object} Clock
 * @property {(call: () => void, ms: number) => number} later
 * @property {(timer: number) => void} cancel
 */

/**
 * @param {Clock} clock
 * @param {() => void} [idle] called whenever the last scene has been seen
 */
export function stage(clock, idle = () => {}) {
  /** @type {Scene[]} */
  let queue = [];
  /** @type {Scene | null} */
  let current = null;
  /** @type {number | null} */
  let timer = null;
  let running = false;

  function stop() {
    if (timer !== null) clock.cancel(timer);
    timer = null;
  }

  function finish() {
    stop();
    const seen = current;
    current = null;
    seen?.end?.();
  }

  /** Show what there is until something has to be seen for a while. */
  function run() {
    if (running) return;
    running = true;
    while (!current && queue.length) {
      current = queue.shift() ?? null;
      current?.begin();
      // how long is known once it is shown
      if (current && current.hold > 0) timer = clock.later(next, current.hold);
      else finish();
    }
    running = false;
    if (!current) idle();
  }

  function next() {
    finish();
    run();
  }

  return {
    /** @param {Scene[]} scenes */
    add(...scenes) {
      queue.push(...scenes);
      run();
    },
    /** What is shown now has been seen, with all that belongs to it. */
    skip() {
      if (!current) return;
      const { group } = current;
      while (group && queue[0]?.group === group) {
        finish();
        current = queue.shift() ?? null;
        current?.begin();
      }
      next();
    },
    /** Show everything at once: nobody is looking. */
    flush() {
      for (const scene of queue) scene.hold = 0;
      if (current) next();
    },
    /** Go on without what is shown now: it has been taken back. */
    drop() {
      stop();
      current = null;
      run();
    },
    /** Forget everything that is waiting, without showing it. */
    clear() {
      stop();
      queue = [];
      current = null;
    },
    /** how many scenes wait */
    get waiting() {
      return queue.length;
    },
    get showing() {
      return current !== null;
    },
  };
}
