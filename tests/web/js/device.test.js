// The list of tables on this device: what leaves it is forgotten, and where the next game of the same people is played.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const stored = new Map();
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => void stored.set(key, value),
  removeItem: (key) => stored.delete(key),
};
globalThis.document = { documentElement: { dataset: { engine: "worker", routes: "hash", server: "self" } } };
globalThis.location = { origin: "http://localhost" };
globalThis.history = { replaceState() {} };
globalThis.window = { dispatchEvent() {} };
globalThis.PopStateEvent = class {};

const device = await import("../../../src/pasch/web/static/app/device.js");
const { homeOf } = await import("../../../src/pasch/web/static/app/addresses.js");
const { moveToTable } = await import("../../../src/pasch/web/static/table/notices.js");

beforeEach(() => stored.clear());

test("games of the device that leave the list are to be deleted, those of a server are not", () => {
  device.rememberTable("here", { home: device.DEVICE });
  device.rememberTable("there", { home: "https://pasch.example" });
  device.rememberDice("here", {});
  device.forgetTable("here");
  device.forgetTable("there");
  device.forgetTable("unknown");
  assert.deepEqual(device.forgotten(), ["here"]);
  assert.deepEqual([...stored.keys()].sort(), ["pasch.forgotten", "pasch.tables"]);
  device.rememberDeleted(["here"]);
  assert.deepEqual(device.forgotten(), []);
});

test("the list does not grow for ever, and what falls out of it is to be deleted as well", () => {
  for (let number = 0; number < 100; number++) device.rememberTable(`t${number}`, { home: device.DEVICE });
  assert.equal(device.tables().length + device.forgotten().length, 100);
  assert.ok(device.forgotten().length > 0);
});

test("people who play again do so where they have played", () => {
  for (const [id, home] of [["a", device.DEVICE], ["b", "http://localhost"], ["c", "https://pasch.example"]]) {
    device.rememberTable(id, { home });
    moveToTable(id, `${id}-again`);
    assert.equal(homeOf(`${id}-again`), home);
  }
});
