// What pages work out without drawing: what decided a game, the game of the day, where a pasted link leads.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { documentElement: { dataset: {} } };
globalThis.location = { origin: "http://localhost", href: "http://localhost/" };

const { averageLuck, headline } = await import("../../../src/pasch/web/static/pages/verdict.js");
const { dayGame } = await import("../../../src/pasch/web/static/pages/days.js");
const { tableAddress } = await import("../../../src/pasch/web/static/pages/join.js");

const people = { isYou: (seat) => seat === 0, name: (seat) => ["NAME", "Grandma", "Pip"][seat] };
const seat = (number, luck, costs, base = 100) => ({ seat: number, score: base + luck - costs, without_luck: base - costs, ledger: { luck, costs } });

test("a sentence about you is never one about a third person with your name in it", () => {
  const amounts = [-9, 0, 9];
  const all = amounts.flatMap((mine) => amounts.flatMap((theirs) => [0, 5].flatMap((myCost) => [1, 8].map((cost) => [seat(0, mine, myCost), seat(1, theirs, cost), seat(2, 1, 4)]))));
  for (const seats of all) {
    const most = Math.max(...seats.map(({ score }) => score));
    const winners = seats.filter(({ score }) => score === most).map(({ seat: number }) => number);
    for (const said of [headline(seats, winners, people), averageLuck(seats, winners, people, 0)]) {
      assert.ok(said && !said.includes("NAME") && !said.includes("{"), said);
      assert.ok(!/\byou (was|has|is|makes|plays)\b/i.test(said), said);
    }
  }
});

test("luck and moves are distinguished", () => {
  assert.equal(headline([seat(0, 20, 9), seat(1, 2, 3)], [0], people), "Luck decided: Grandma made the better moves.");
  assert.equal(headline([seat(0, 20, 3), seat(1, 2, 3)], [0], people), "Luck decided: the moves were equally good.");
  assert.equal(headline([seat(0, 2, 3), seat(1, 2, 3)], [0, 1], people), "A draw: the moves were equally good.");
  assert.equal(headline([seat(0, 2, 3), seat(1, 20, 9)], [1], people), "Luck decided: you made the better moves.");
  assert.equal(headline([seat(0, 5, 1), seat(1, 2, 3)], [0], people), "You played better, and the dice helped.");
  assert.equal(averageLuck([seat(0, 20, 9), seat(1, 2, 3)], [0], people, 0), "With the same luck for everybody, Grandma would have won with 97, ahead of you with 91.");
  assert.equal(headline([seat(0, -3, 0)], [0], people), "Luck was against you; no move could have been better.");
});

test("equal moves are not called better ones", () => {
  const even = [seat(0, 20, 0.5), seat(1, -3, 0.52)];
  assert.equal(headline(even, [0], people), "Luck decided: the moves were equally good.");
  assert.equal(averageLuck(even, [0], people, 1), "With the same luck for everybody, nobody would have been ahead: 99.5 each.");
});

test("what estimates were off does not become a sentence about luck", () => {
  const wild = [{ ...seat(0, -20, 30), without_luck: 41 }, { ...seat(1, 2, 17), without_luck: 38 }];
  assert.equal(averageLuck(wild, [1], people, 1), "How much was luck can only be estimated here.");
});

test("the game of the day is the same for everybody, and another one tomorrow", () => {
  const games = [{ id: "a", typical: [1] }, { id: "b", typical: [] }, { id: "c", typical: [2] }];
  const days = ["2026-12-24", "2026-12-25", "2026-12-26"].map((day) => dayGame(games, day).id);
  assert.deepEqual(new Set(days), new Set(["a", "c"]));
  assert.equal(days[0], days[2]);
  assert.equal(dayGame([games[1]], "2026-12-24"), undefined);
});

test("a link is found in what was pasted, and nothing else is taken for one", () => {
  assert.equal(tableAddress("come: https://games.example/t/a-b_1#invite=xY-z !"), "https://games.example/t/a-b_1#invite=xY-z");
  assert.equal(tableAddress("javascript:alert(1)//t/abc"), null);
  assert.equal(tableAddress("https://games.example/rules/crowns"), null);
});
