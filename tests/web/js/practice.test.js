import assert from "node:assert/strict";
import { test } from "node:test";
import { inARow, today } from "../../../src/pasch/web/static/pages/days.js";
import { MAX_CARDS, SOON, WAITS, added, answered, due } from "../../../src/pasch/web/static/pages/leitner.js";
import { habits, interval, running } from "../../../src/pasch/web/static/pages/statistics.js";

const NOW = 1_800_000_000_000;
const mistake = (id, cost = 1) => ({ puzzle: { id }, table: "t", cost });

test("a mistake comes back at once, and then later each time it is solved", () => {
  let cards = added([], [mistake("a")], NOW);
  assert.deepEqual(due(cards, NOW).map((card) => card.puzzle.id), ["a"]);
  let now = NOW;
  for (const wait of WAITS.slice(1)) {
    cards = answered(cards, "a", true, now);
    assert.deepEqual(due(cards, now + wait - 1), []);
    now += wait;
    assert.equal(due(cards, now).length, 1);
  }
  assert.ok(WAITS.every((wait, box) => !box || wait > WAITS[box - 1]));
  // solved in the last box it is learned
  assert.deepEqual(answered(cards, "a", true, now), []);
});

test("a mistake that is missed again comes back sooner, from the first box on", () => {
  const first = answered(added([], [mistake("a"), mistake("b")], NOW), "a", true, NOW);
  const later = answered(first, "a", true, NOW + WAITS[1]);
  const missed = answered(later, "a", false, NOW + WAITS[2]);
  const [card] = missed.filter((one) => one.puzzle.id === "a");
  assert.deepEqual([card.box, card.due, card.missed], [0, NOW + WAITS[2] + SOON, 1]);
  assert.ok(SOON < WAITS[1]);
  // the other one is as it was
  assert.deepEqual(missed.find((one) => one.puzzle.id === "b"), first.find((one) => one.puzzle.id === "b"));
});

test("what is known already is not added twice, and the dearest are kept", () => {
  const once = answered(added([], [mistake("a")], NOW), "a", true, NOW);
  assert.deepEqual(added(once, [mistake("a")], NOW), once);
  const many = added(once, Array.from({ length: MAX_CARDS + 5 }, (_, n) => mistake(`n${n}`, 2 + n)), NOW);
  assert.equal(many.length, MAX_CARDS);
  assert.ok(!many.some((card) => ["a", "n0", "n4"].includes(card.puzzle.id)) && many.some((card) => card.puzzle.id === "n6"));
});

test("those that wait longest come first", () => {
  const cards = [...added([], [mistake("late", 9)], NOW), ...added([], [mistake("early", 1), mistake("dear", 2)], NOW - 1)];
  assert.deepEqual(due(cards, NOW).map((card) => card.puzzle.id), ["dear", "early", "late"]);
});

test("a mean has the same confidence interval as the coach's", () => {
  assert.deepEqual(interval([4]), { mean: 4, low: -Infinity, high: Infinity });
  const found = interval([1, 2, 3]);
  assert.equal(found.mean, 2);
  assert.ok(Math.abs(found.high - 2 - 4.303 / Math.sqrt(3)) < 1e-12);
  const many = interval(Array.from({ length: 100 }, (_, n) => n % 2));
  assert.ok(Math.abs(many.high - many.mean - 1.96 * Math.sqrt(25 / 99 / 100)) < 1e-12);
  assert.deepEqual(running([1, 3]).map(({ mean }) => mean), [1, 2]);
});

test("habits are counted over all games, and say where they cost most", () => {
  const one = (name, when, cost, times = 1) => ({ name, slug: name, when: { template: when, details: {} }, times, cost });
  const found = habits([[one("stops", "early", 3, 2), one("stops", "late", 1), one("rolls", "on", 1)], [one("stops", "late", 2.5)], []]);
  assert.deepEqual(found.map(({ name, times }) => [name, times]), [["stops", 4], ["rolls", 1]]);
  assert.deepEqual(found[0].cost, interval([4, 2.5, 0]));
  assert.equal(found[0].when.template, "late");
});

test("days in a row are counted up to today or yesterday", () => {
  const now = new Date(2026, 2, 1, 12);
  assert.equal(today(now), "2026-03-01");
  assert.equal(inARow({}, now), 0);
  assert.equal(inARow({ "2026-02-28": false, "2026-02-27": true, "2026-02-25": true }, now), 2);
  assert.equal(inARow({ "2026-03-01": true, "2026-02-28": false }, now), 2);
  assert.equal(inARow({ "2026-02-27": true }, now), 0);
});
