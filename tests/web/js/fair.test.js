import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, commitment, contribution, outcome, total } from "../../../src/pasch/web/static/js/fair.js";

// made by Python (tests/web/test_fair_client.py); without them only the parts are tested
const file = process.env.PASCH_RECEIPTS;
const receipts = file ? readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
const copy = (receipt) => structuredClone(receipt);
const problems = async (receipt, seen) => (await check(receipt, seen)).findings;

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

  test(`${name}: every roll follows`, async () => {
    const { rolls, findings } = await check(receipt, { commitment: receipt.commitment, contribution: receipt.contributions[0] });
    assert.deepEqual(findings, []);
    assert.equal(rolls, receipt.chance.filter((one) => one.number > receipt.given).length);
    assert.ok(rolls > 0);
  });

  test(`${name}: another seed is found`, async () => {
    const other = copy(receipt);
    other.seed = (other.seed.startsWith("0") ? "1" : "0") + other.seed.slice(1);
    const found = await problems(other);
    assert.deepEqual(found[0], { problem: "seed", event: null });
    // even with a commitment that fits it the dice do not
    other.commitment = await commitment(other.seed);
    assert.equal((await problems(other))[0]?.problem, "roll");
    assert.equal((await problems(other, { commitment: receipt.commitment }))[0]?.problem, "commitment");
  });

  test(`${name}: another contribution is found`, async () => {
    for (const seat of receipt.contributions.keys()) {
      const other = copy(receipt);
      other.contributions[seat] = "ab".repeat(32);
      assert.equal((await problems(other))[0]?.problem, "roll");
    }
    if (receipt.contributions[0]) {
      const other = copy(receipt);
      other.contributions[0] = null;
      assert.equal((await problems(other, { contribution: receipt.contributions[0] }))[0]?.problem, "contribution");
    }
  });

  test(`${name}: a computer has nothing to add`, async () => {
    assert.deepEqual(await problems(receipt, { computers: [1] }), []);
    assert.deepEqual(await problems(receipt, { computers: [1, 2] }), [{ problem: "computer", event: null }]);
  });

  test(`${name}: each changed roll, card and strip is found where it stands`, async () => {
    for (const chance of receipt.chance) {
      if (chance.number <= receipt.given || total(chance) === 1n) continue;
      const other = copy(receipt);
      const event = other.record.events[chance.number - 1];
      event[chance.field] = changed(event[chance.field]);
      assert.deepEqual(await problems(other), [{ problem: "roll", event: chance.number }]);
    }
  });

  test(`${name}: a roll that is not described is found`, async () => {
    const other = copy(receipt);
    const gone = other.chance.splice(-1)[0];
    const again = other.chance.some((one) => one.field === gone.field);
    assert.deepEqual(await problems(other), again ? [{ problem: "missing", event: gone.number }] : []);
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
