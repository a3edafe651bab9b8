// @ts-check
/** Means with their confidence, as `pasch.coach.practice` works them out. Pure functions. */

/** the quantiles of Student's t distribution for 95 % on both sides, by degrees of freedom from 1 */
const STUDENT = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];
/** the same for more */
const NORMAL = 1.96;

/** @typedef {{mean: number, low: number, high: number}} Interval a mean, and where the true one lies 95 times of 100 */

/**
 * Of one value alone nothing is known but itself: then both bounds are infinite.
 * @param {readonly number[]} values at least one
 * @returns {Interval}
 */
export function interval(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length < 2) return { mean, low: -Infinity, high: Infinity };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = (STUDENT[values.length - 2] ?? NORMAL) * Math.sqrt(squares / (values.length - 1) / values.length);
  return { mean, low: mean - half, high: mean + half };
}

/** After each value the mean of all values so far, with its confidence. @param {readonly number[]} values */
export function running(values) {
  return values.map((_, place) => interval(values.slice(0, place + 1)));
}

/**
 * What each kind of mistake costs in a game, games without it included; the dearest first.
 * @param {readonly (readonly import("./practice.js").HabitCost[])[]} games the mistakes of each game
 */
export function habits(games) {
  const names = new Set(games.flat().map((one) => one.name));
  return [...names]
    .map((name) => {
      const own = games.map((game) => game.filter((one) => one.name === name));
      const all = own.flat();
      /** @type {Map<string, number>} */
      const situations = new Map();
      for (const one of all) situations.set(JSON.stringify(one.when), (situations.get(JSON.stringify(one.when)) ?? 0) + one.cost);
      const [mostly] = [...situations].sort((a, b) => b[1] - a[1])[0] ?? ["null"];
      /** @type {import("../app/types.js").Sentence | null} */
      const when = JSON.parse(mostly);
      return { name, slug: all[0]?.slug ?? "", when, times: all.reduce((sum, one) => sum + one.times, 0), cost: interval(own.map((some) => some.reduce((sum, one) => sum + one.cost, 0))) };
    })
    .sort((a, b) => b.cost.mean - a.cost.mean);
}
