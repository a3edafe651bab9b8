import assert from "node:assert/strict";
import { test } from "node:test";
import * as board from "../../../src/pasch/web/static/board/default.js";
import { phrase } from "../../../src/pasch/web/static/board/load.js";
import { atOnce } from "../../../src/pasch/web/static/table/choose.js";

const who = (seat) => ["Anna", "Ben"][seat];
const telling = (event, before = null, after = null) => ({ event, before, after, name: who(event.seat), you: false, who, isYou: () => false, position: null });
const said = (...what) => phrase(board.sentences, telling(...what));
const label = (event) => phrase(board.labels, telling(event));

test("events of any game are described by their fields", () => {
  assert.equal(said({ seat: 0, roll: [3, 5] }), "Anna rolls 3 5");
  assert.equal(said({ seat: 1, roll: 6 }), "Ben rolls 6");
  assert.equal(said({ seat: 1, next_step: "hold_on", dice: [1, 2] }), "Ben: next step hold on, dice 1, 2");
  assert.equal(said({ seat: 0, draw: [null, null] }), "Anna: draw ?, ?");
  assert.equal(said({ seat: 1, next: "roll" }), "Ben rolls on");
  assert.equal(said({ plan: 2 }), "Plan 2");
  assert.equal(said({ deal: [[1, 6], [], [null]] }), "Deal 1, 6; –; ?");
});

test("an event that changes the score says by how much", () => {
  assert.equal(said({ seat: 0, hold: true }, { scores: [3, 0] }, { scores: [9, 0] }), "Anna: hold: 6 points");
});

test("moves are labelled without their seat", () => {
  assert.equal(label({ seat: 0, card: 9, field: 2 }), "Card 9, field 2");
  assert.equal(label({ seat: 0, pass: true }), "Pass");
  assert.equal(label({ seat: 0, next: "hold" }), "Hold");
  assert.equal(label({ seat: 0, next: "roll" }), "Roll on");
});

test("names become words", () => {
  assert.deepEqual(["turn_total", "round_limit", "die", "red"].map(board.noun), ["turn total", "Round limit", "die", "red"]);
});

test("a token without a value, or for what comes next, is a whole move", () => {
  assert.deepEqual(["pass", "next:roll", "card:9"].map(atOnce), [true, true, false]);
});
