import assert from "node:assert/strict";
import { test } from "node:test";
import * as board from "../../../src/pasch/web/static/board/default.js";
import { atOnce } from "../../../src/pasch/web/static/table/choose.js";

const name = (seat) => ["Anna", "Ben"][seat];
const ctx = { name, who: name, you: () => false };

test("events of any game are told by what stands in them", () => {
  assert.equal(board.tell(ctx, { seat: 0, roll: [3, 5] }, null, null), "Anna rolls 3 5");
  assert.equal(board.tell(ctx, { seat: 1, roll: 6 }, null, null), "Ben rolls 6");
  assert.equal(board.tell(ctx, { seat: 1, next_step: "hold_on", dice: [1, 2] }, null, null), "Ben: next step hold on, dice 1, 2");
  assert.equal(board.tell(ctx, { seat: 0, draw: [null, null] }, null, null), "Anna: draw ?, ?");
  assert.equal(board.tell(ctx, { seat: 1, next: "roll" }, null, null), "Ben rolls on");
  assert.equal(board.tell(ctx, { plan: 2 }, null, null), "Plan 2");
  assert.equal(board.tell(ctx, { deal: [[1, 6], [], [null]] }, null, null), "Deal 1, 6; –; ?");
});

test("an event that changes the score tells by how much", () => {
  const [before, after] = [{ scores: [3, 0] }, { scores: [9, 0] }];
  assert.equal(board.tell(ctx, { seat: 0, hold: true }, before, after), "Anna: hold: 6 points");
});

test("only what the game declares by seat is shown for each seat", () => {
  const info = /** @type {any} */ ({ players: 2, by_seat: ["totals", "out"] });
  const position = /** @type {any} */ ({ scores: [3, 4], snapshot: { actor: 0, totals: [3, 4], out: [false, true], pair: [5, 5], pile: 7 } });
  assert.deepEqual(board.fields({ info, position }, true), [["out", [false, true]]]);
  assert.deepEqual(board.fields({ info, position }, false), [["pair", [5, 5]], ["pile", 7]]);
});

test("moves are labelled without their seat", () => {
  assert.equal(board.label(ctx, { seat: 0, card: 9, field: 2 }), "Card 9, field 2");
  assert.equal(board.label(ctx, { seat: 0, pass: true }), "Pass");
  assert.equal(board.label(ctx, { seat: 0, next: "hold" }), "Hold");
  assert.equal(board.label(ctx, { seat: 0, next: "roll" }), "Roll on");
});

test("names become words", () => {
  assert.equal(board.word("turn_total"), "Turn total");
  assert.equal(board.word("round_limit"), "Most rounds");
  assert.equal(board.valueName("winner", "first_to_end"), "first to end");
  assert.equal(board.partLabel("die"), "die");
});

test("a token without a value, or for what comes next, is a whole move", () => {
  assert.deepEqual(["pass", "next:roll", "card:9"].map(atOnce), [true, true, false]);
});
