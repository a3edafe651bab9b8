import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, commitment, contribution, outcome, total } from "../../../src/pasch/web/static/fair/verify.js";

// made by Python (tests/web/test_cheating.py); without them only the parts are tested
const file = process.env.PASCH_RECEIPTS;
const { receipts, descriptions } = file ? JSON.parse(readFileSync(file, "utf8")) : { receipts: [], descriptions: {} };
const copy = (receipt) => structuredClone(receipt);
const verdict = (receipt, seen = {}, known = {}) => check(receipt, seen, descriptions[receipt.record.game], known);
const problems = async (...asked) => (await verdict(...asked)).findings;

test("a contribution is 32 random bytes", () => {
  assert.match(contribution(), /^[0-9a-f]{64}$/);
  assert.notEqual(contribution(), contribution());
});

test("the commitment to a known seed", async () => {
  assert.equal(await commitment("00".repeat(32)), "3b2d2f180d016ce217dcd482707b208321604e6ad567a334ac0ecc86bf619131");
});

test("dice are the digits to the base of six, the first die the most significant", () => {
  const dice = { number: 1, field: "roll", kind: "dice", dice: 3, apart: true };
  assert.equal(total(dice), 216n);
  assert.deepEqual(outcome(dice, 0n), [1, 1, 1]);
  assert.deepEqual(outcome(dice, 36n * 5n + 2n), [6, 1, 3]);
  assert.deepEqual(outcome({ ...dice, apart: false }, 36n * 5n + 2n), [1, 3, 6]);
});

test("cards are drawn one after the other from what is left", () => {
  const cards = { number: 1, field: "deal", kind: "cards", pack: [[4, 1], [9, 2]], sizes: [2, 0, 1] };
  assert.equal(total(cards), 6n);
  assert.deepEqual(outcome(cards, 0n), [4, 9, 9]);
  assert.deepEqual(outcome(cards, 4n), [9, 9, 4]);
});

for (const [place, receipt] of receipts.entries()) {
  const name = `${receipt.record.game} ${place}`;
  const chance = new Map(receipt.chance.map((one) => [one.number, one]));

  test(`${name}: every roll follows`, async () => {
    const seen = { commitment: receipt.commitment, contribution: receipt.contributions[0], seats: [0], events: receipt.record.events };
    const { rolls, findings } = await verdict(receipt, seen, { table: "the-table", computers: [1] });
    assert.deepEqual(findings, []);
    assert.equal(rolls, receipt.chance.filter((one) => one.number > receipt.given).length);
    assert.ok(rolls > 0);
  });

  test(`${name}: what the receipt says of its chances is not read`, async () => {
    const other = copy(receipt);
    delete other.chance;
    assert.deepEqual(await problems(other), []);
  });

  test(`${name}: each changed roll, card and strip is found where it stands`, async () => {
    for (const { number, field } of receipt.chance) {
      if (number <= receipt.given || total(chance.get(number)) === 1n) continue;
      const other = copy(receipt);
      const event = other.record.events[number - 1];
      event[field] = changed(event[field]);
      const found = await problems(other);
      assert.equal(found[0]?.event, number);
      assert.ok(["roll", "shape"].includes(found[0].problem));
    }
  });

  test(`${name}: a game that states nothing about its chances is only half checked`, async () => {
    assert.deepEqual(await check(receipt, {}, null), { rolls: null, findings: [] });
    const other = { ...receipt, seed: "00".repeat(32) };
    assert.deepEqual(await check(other, {}, null), { rolls: null, findings: [{ problem: "seed", event: null }] });
  });
}

/** The first number in a value, one more or less. */
function changed(value) {
  if (typeof value === "number") return value > 1 ? value - 1 : value + 1;
  if (Array.isArray(value)) {
    const first = value.findIndex((one) => typeof one === "number" || one.length > 0);
    return value.with(first, changed(value[first]));
  }
  const [name] = Object.keys(value);
  return { ...value, [name]: changed(value[name]) };
}
