import assert from "node:assert/strict";
import { test } from "node:test";
import * as board from "../../../src/pasch/web/static/board/default.js";
import { phrase } from "../../../src/pasch/web/static/board/load.js";

const who = (seat) => ["Anna", "Ben"][seat];
const telling = (event, before = null, after = null) => ({ event, before, after, name: who(event.seat), you: false, who, isYou: () => false, position: null });
const said = (...what) => phrase(board.sentences, telling(...what));
const label = (event) => phrase(board.labels, telling(event));

test("events of any game are described by their fields", () => {
  const cases = [
    [{ seat: 0, roll: [3, 5] }, "Anna rolls 3 5"], [{ seat: 1, roll: 6 }, "Ben rolls 6"], [{ seat: 1, next: "roll" }, "Ben rolls on"],
    [{ seat: 1, next_step: "hold_on", dice: [1, 2] }, "Ben: next step hold on, dice 1, 2"], [{ seat: 0, draw: [null, null] }, "Anna: draw ?, ?"],
    [{ plan: 2 }, "Plan 2"], [{ deal: [[1, 6], [], [null]] }, "Deal 1, 6; –; ?"],
  ];
  for (const [event, words] of cases) assert.equal(said(event), words);
  assert.equal(said({ seat: 0, hold: true }, { scores: [3, 0] }, { scores: [9, 0] }), "Anna: hold: 6 points");
});

test("moves are labelled without their seat", () => {
  const labels = [[{ card: 9, field: 2 }, "Card 9, field 2"], [{ pass: true }, "Pass"], [{ next: "hold" }, "Hold"], [{ next: "roll" }, "Roll on"]];
  for (const [move, words] of labels) assert.equal(label({ seat: 0, ...move }), words);
  assert.deepEqual(["keep:[]", "keep:2", "keep:2#2"].map(board.partName), ["Keep nothing", "Keep 2", "Keep 2"]);
});

test("names become words", () => {
  assert.deepEqual(["turn_total", "round_limit", "die", "red"].map(board.noun), ["turn total", "Round limit", "die", "red"]);
});
