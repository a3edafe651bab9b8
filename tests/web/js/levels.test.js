// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { levelsFor, usualLevel } from "../../../src/pasch/web/static/app/levels.js";

const level = (/** @type {string} */ name) => ({ name, gives_away: null, wins: null, against: null, bot: false });
const full = [level("easy"), level("medium"), level("hard")];
const quick = { levels: [level("greedy")], usual: false, boxes: true, options: { plans: [4], fast: [true] } };
const game = /** @type {any} */ ({ levels: full, quick });

const names = (/** @type {any} */ of, /** @type {any} */ options, home = "device") => levelsFor(of, options, home).map(({ name }) => name).join(" ");

test("where a device has no values only the quick player is offered", () => {
  assert.equal(names(game, {}), "easy medium hard");
  assert.equal(names(game, { plans: [1, 2], fast: false }), "easy medium hard");
  assert.equal(names(game, { plans: [1, 4] }), "greedy");
  assert.equal(names(game, { fast: true }), "greedy");
  assert.equal(names(game, { components: {} }), "greedy");
  assert.equal(names({ ...game, quick: { ...quick, usual: true } }, {}), "greedy");
  // a server has all values, and says nothing of this
  assert.equal(names(game, { plans: [4] }, "https://pasch.example"), "easy medium hard");
  assert.equal(names({ levels: full }, { plans: [4] }), "easy medium hard");
});

test("one that needs no values plays where it can", () => {
  const learned = { ...level("learned"), lacks: { boxes: true, options: { split: [true] } } };
  const some = { ...game, quick: { ...quick, usual: true, levels: [level("greedy"), learned] } };
  assert.equal(names(some, {}), "greedy learned");
  assert.equal(names(some, { split: true }), "greedy");
  assert.equal(names(some, { components: {} }), "greedy");
});

test("the usual level is medium, or the best that there is", () => {
  assert.equal(usualLevel(full), "medium");
  assert.equal(usualLevel(quick.levels), "greedy");
});
