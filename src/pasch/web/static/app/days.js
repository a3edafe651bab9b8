// @ts-check
/** Days as the puzzle of the day counts them: by the clock of whoever plays. Pure functions. */

/** A day as 2026-12-24. @param {Date} [now] */
export function today(now = new Date()) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * For how many days in a row, up to today or yesterday, the puzzle of the day was answered.
 * @param {Record<string, boolean>} days
 * @param {Date} [now]
 */
export function inARow(days, now = new Date()) {
  const day = new Date(now);
  if (!Object.hasOwn(days, today(day))) day.setDate(day.getDate() - 1);
  let found = 0;
  for (; Object.hasOwn(days, today(day)); day.setDate(day.getDate() - 1)) found += 1;
  return found;
}
