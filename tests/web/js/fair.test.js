import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, total } from "../../../src/pasch/web/static/fair/verify.js";

// made by Python (tests/web/test_cheating.py), which runs this file with them
const file = process.env.PASCH_RECEIPTS;
const { receipts, descriptions } = file ? JSON.parse(readFileSync(file, "utf8")) : { receipts: [], descriptions: {} };
const copy = (receipt) => structuredClone(receipt);
const verdict = (receipt, seen = {}, known = {}) => check(receipt, seen, descriptions[receipt.record.game], known);
const problems = async (...asked) => (await verdict(...asked)).findings;

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
