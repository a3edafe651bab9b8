import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Misshapen, follow } from "../../../src/pasch/web/static/fair/shapes.js";

// made by Python (tests/web/test_client.py): descriptions by game, and games with what the engine says of their chances
const file = process.env.PASCH_SHAPES;
const { descriptions, games } = file ? JSON.parse(readFileSync(file, "utf8")) : { descriptions: {}, games: [] };

test("the shapes of all games are the engine's", () => {
  for (const { game, options, players, events, chance } of games) {
    const next = follow(descriptions[game], options, players);
    const found = events.map((event, place) => next(place + 1, event)).filter(Boolean);
    assert.deepEqual(found, chance, `${game} ${JSON.stringify(options)}`);
  }
});

const one = { game: "one", box: { strips: ["a", "b"], deck: [{ card: 9, number: 1 }, { card: 2, number: 2 }], dice: 2 } };
const described = (keys, shape, ...more) => ({ ...one, events: [{ keys, shape }, { keys: ["keep", "seat"], shape: null }, ...more] });
const refused = (description, ...events) => {
  const next = follow(description, {}, 2);
  const last = events.pop();
  events.forEach((event, place) => next(place + 1, event));
  assert.throws(() => next(events.length + 1, last));
};

test("an event that the game does not have is none", () => {
  const dice = described(["roll", "seat"], { kind: "dice", least: 2, most: null, names: [], aside: null });
  assert.throws(() => follow(dice, {}, 2)(1, { roll: [1, 2] }), Misshapen);
  assert.throws(() => follow(dice, {}, 2)(1, { seat: 0, roll: [1, 2], more: 1 }), Misshapen);
  assert.throws(() => follow(dice, {}, 2)(1, {}), Misshapen);
});

test("more or fewer dice than the game has are none", () => {
  const exactly = described(["roll", "seat"], { kind: "dice", least: 2, most: null, names: [], aside: null });
  for (const roll of [[], [6], [1, 2, 3], 6, null, { length: 2 }]) refused(exactly, { seat: 0, roll });
  const upTo = described(["roll", "seat"], { kind: "dice", least: 1, most: ["dice"], names: [], aside: null });
  for (const roll of [[], [1, 2, 3]]) refused(upTo, { seat: 0, roll });
  assert.equal(follow(upTo, {}, 2)(1, { seat: 0, roll: [6] })?.total, undefined);
});

test("dice that were set aside are not rolled, and all others are", () => {
  const dice = described(["roll", "seat"], { kind: "dice", least: 1, most: 3, names: ["red", "blue", "green"], aside: "keep" });
  const keep = { seat: 0, keep: ["blue"] };
  const next = follow(dice, {}, 2);
  assert.deepEqual(next(1, { seat: 0, roll: { green: 1, red: 2, blue: 3 } })?.names, ["red", "blue", "green"]);
  next(2, keep);
  assert.deepEqual(next(3, { seat: 0, roll: { green: 1, red: 2 } })?.names, ["red", "green"]);
  assert.deepEqual(next(4, { seat: 1, roll: { green: 1, red: 2, blue: 3 } })?.dice, 3);
  for (const roll of [{ red: 1 }, { red: 1, blue: 2 }, { red: 1, green: 2, blue: 3 }, { red: 1, pink: 2 }, {}]) refused(dice, keep, { seat: 0, roll });
});

test("each thing of a pile comes once, and a pack has the cards it has", () => {
  const pile = described(["strip"], { kind: "pile", box: "strips" });
  refused(pile, { strip: 2 });
  refused(pile, { strip: 1 }, { strip: 1 });
  refused(pile, { strip: 1 }, { strip: 0 }, { strip: 0 });
  const pack = described(["draw", "seat"], { kind: "pack", box: "deck", cards: 1, shuffled: false });
  for (const draw of [[3], [2, 2], [], 2, [[2]]]) refused(pack, { seat: 0, draw });
  refused(pack, { seat: 0, draw: [9] }, { seat: 1, draw: [9] });
  const deal = described(["deal"], { kind: "pack", box: "deck", cards: 1, shuffled: true });
  for (const hands of [[[2]], [[2], [2], [2]], [[2, 2], []], [2, 2]]) refused(deal, { deal: hands });
  assert.deepEqual(follow(deal, {}, 2)(1, { deal: [[], [9]] }), { number: 1, field: "deal", kind: "cards", pack: [[2, 2], [9, 1]], sizes: [0, 1] });
});
