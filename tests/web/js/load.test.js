import assert from "node:assert/strict";
import { test } from "node:test";
import { load, loadStyle, phrase, withDefaults } from "../../../src/pasch/web/static/board/load.js";

test("a board that a busy server refuses is asked for again, each time under another address", async () => {
  const asked = [];
  const waited = [];
  const attempt = async (tries) => {
    asked.push(tries);
    if (asked.length < 3) throw new TypeError("503");
    return "board";
  };
  assert.equal(await load(attempt, async (ms) => waited.push(ms)), "board");
  assert.equal(new Set(asked).size, 3);
  assert.equal(waited.length, 2);
  assert.ok(waited[0] >= 1000 && waited[1] > waited[0]);
  // what cannot be had at all is said, not waited for for ever
  await assert.rejects(load(() => Promise.reject(new TypeError("503")), async () => {}), /503/);
});

test("a style sheet that is still loading is waited for by everybody who wants it", async () => {
  const links = [];
  globalThis.document = { createElement: () => ({}), head: { append: (link) => links.push(link) } };
  let styled = 0;
  const [first, second] = [loadStyle("/board.css"), loadStyle("/board.css")].map((one) => one.then(() => (styled += 1)));
  await Promise.resolve();
  assert.equal(styled, 0);
  assert.equal(links.length, 1);
  links[0].onload();
  await Promise.all([first, second]);
  assert.equal(styled, 2);
});

test("a board's own words are filled up with the usual ones", () => {
  const own = { sentences: { place: () => "placed" }, prompts: () => ({ place: "Place!" }), growing: ["rows"] };
  const board = withDefaults(own);
  assert.equal(phrase(board.sentences, { event: { seat: 0, place: [] } }), "placed");
  assert.match(phrase(board.sentences, { event: { seat: 0, roll: [3, 5] }, name: "Anna", you: false, before: null, after: null }), /Anna rolls 3 5/);
  assert.equal(board.prompts({ moves: [] }).place, "Place!");
  assert.equal(board.prompts({ moves: [] }).roll, "Your turn: roll.");
  assert.deepEqual(board.growing, ["rows"]);
  assert.equal(typeof board.zone, "function");
});
