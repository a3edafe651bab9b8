import assert from "node:assert/strict";
import { test } from "node:test";
import { possible, ready, remaining, withToken } from "../../../src/pasch/web/static/table/choose.js";

const move = (...tokens) => ({ event: { tokens }, tokens });
const set = (...tokens) => new Set(tokens);

// two dice may be kept alone or together; a third has nothing to do with them
const KEEPS = [move("die:red"), move("die:blue"), move("die:red", "die:blue"), move("die:green")];
// a card and a field belong together
const LAYS = [1, 2].flatMap((field) => [4, 9].map((card) => move(`card:${card}`, `field:${field}`)));

test("touching narrows the moves to those that contain everything touched", () => {
  assert.deepEqual(remaining(KEEPS, set("die:red")), [KEEPS[0], KEEPS[2]]);
  assert.deepEqual(remaining(KEEPS, set()), KEEPS);
});

test("what no remaining move contains is not possible", () => {
  assert.deepEqual(possible(KEEPS, set("die:red")), set("die:red", "die:blue"));
  assert.equal(withToken(KEEPS, set("die:red"), "die:green"), null);
  assert.equal(withToken(KEEPS, set(), "die:white"), null);
});

test("touching something twice takes it back", () => {
  assert.deepEqual(withToken(KEEPS, set("die:red", "die:blue"), "die:red"), set("die:blue"));
});

test("where a move has one of a kind, another of that kind takes its place", () => {
  assert.deepEqual(withToken(LAYS, set("card:4", "field:1"), "card:9"), set("card:9", "field:1"));
  assert.deepEqual(possible(LAYS, set("card:4")), set("card:4", "card:9", "field:1", "field:2"));
});

test("what does not go with the change is dropped", () => {
  const moves = [move("card:4", "field:1"), move("card:9", "field:2")];
  assert.deepEqual(withToken(moves, set("card:4", "field:1"), "card:9"), set("card:9"));
});

test("a move that is exactly what was touched can be made", () => {
  assert.equal(ready(KEEPS, set("die:red")), KEEPS[0]);
  assert.equal(ready(KEEPS, set("die:red", "die:blue")), KEEPS[2]);
  assert.equal(ready(LAYS, set("card:4")), null);
});

test("the only move left can be made without touching the rest of it", () => {
  const moves = [move("slide:7", "how:4+3"), move("slide:1", "how:4-3")];
  assert.equal(ready(moves, set("slide:7")), moves[0]);
  assert.equal(ready(moves, set()), null);
  assert.equal(ready([moves[0]], set()), moves[0]);
});

test("passing is a move without tokens", () => {
  const pass = move();
  assert.equal(ready([pass, ...KEEPS], set()), pass);
  assert.equal(ready(KEEPS, set()), null);
});
