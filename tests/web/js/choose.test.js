import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce, passes, possible, ready, remaining, withToken } from "../../../src/pasch/web/static/table/choose.js";

const move = (...tokens) => ({ event: { tokens }, tokens });
const set = (...tokens) => new Set(tokens);

// two dice may be kept alone or together; a third has nothing to do with them
const KEEPS = [move("die:red"), move("die:blue"), move("die:red", "die:blue"), move("die:green")];
// a card and a field belong together
const LAYS = [1, 2].flatMap((field) => [4, 9].map((card) => move(`card:${card}`, `field:${field}`)));
const PASS = move();

test("touching narrows the moves to those that contain everything touched", () => {
  assert.deepEqual(remaining(KEEPS, set("die:red")), [KEEPS[0], KEEPS[2]]);
  assert.deepEqual(remaining(KEEPS, set()), KEEPS);
});

test("what no remaining move contains is not possible", () => {
  assert.deepEqual(possible(KEEPS, set("die:red")), set("die:red", "die:blue"));
  for (const [touched, token] of [[set("die:red"), "die:green"], [set(), "die:white"]]) assert.equal(withToken(KEEPS, touched, token), null);
});

test("a second touch takes back, another of one kind takes its place, and what does not go with it is dropped", () => {
  assert.deepEqual(withToken(KEEPS, set("die:red", "die:blue"), "die:red"), set("die:blue"));
  assert.deepEqual(withToken(LAYS, set("card:4", "field:1"), "card:9"), set("card:9", "field:1"));
  assert.deepEqual(possible(LAYS, set("card:4")), set("card:4", "card:9", "field:1", "field:2"));
  const apart = [move("card:4", "field:1"), move("card:9", "field:2")];
  assert.deepEqual(withToken(apart, set("card:4", "field:1"), "card:9"), set("card:9"));
});

test("a move can be made that is exactly what was touched, or the only one left", () => {
  const moves = [move("slide:7", "how:4+3"), move("slide:1", "how:4-3")];
  const cases = [
    [KEEPS, set("die:red"), KEEPS[0]], [KEEPS, set("die:red", "die:blue"), KEEPS[2]], [LAYS, set("card:4"), null],
    [moves, set("slide:7"), moves[0]], [moves, set(), null], [[moves[0]], set(), moves[0]],
    [[PASS, ...KEEPS], set(), PASS], [KEEPS, set(), null],
  ];
  for (const [legal, touched, found] of cases) assert.equal(ready(legal, touched), found);
});

test("passing is a move for which nothing is touched, if there is something else to do", () => {
  const [place, forgo, on] = [move("field:1:1"), move("forgo"), move("next:roll")];
  const cases = [[[PASS, place], [PASS]], [[forgo, place], [forgo]], [[PASS], []], [[on, place], []]];
  for (const [legal, found] of cases) assert.deepEqual(passes(legal), found);
});

test("a token without a value, or for what comes next, is a whole move", () => {
  assert.deepEqual(["pass", "next:roll", "card:9"].map(atOnce), [true, true, false]);
});
