// Addresses on a server and on a site, which may lie anywhere, and the list of tables on this device.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as places from "../../../src/pasch/web/static/app/addresses.js";
import * as device from "../../../src/pasch/web/static/app/device.js";

const stored = new Map();
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => void stored.set(key, value),
  removeItem: (key) => stored.delete(key),
};
globalThis.history = { replaceState() {} };
globalThis.window = { dispatchEvent() {} };
globalThis.PopStateEvent = class {};

/** @param {Record<string, string>} said what the page says of itself @param {string} address */
function at(said, address) {
  globalThis.document = { documentElement: { dataset: said } };
  globalThis.location = new URL(address);
}

const SITE = { engine: "worker", routes: "hash", languages: "de en" };
const remember = (id, home) => stored.set("pasch.tables", JSON.stringify({ [id]: { id, home } }));

beforeEach(() => stored.clear());

test("a server has pages below its root, a site behind the #", () => {
  at({}, "https://a.test/t/x/#invite=y");
  assert.equal(places.currentPath(), "/t/x");
  assert.equal(places.pageAddress("/t/x"), "/t/x");
  at(SITE, "https://a.test/~anna/pasch/#/t/x");
  assert.equal(places.currentPath(), "/t/x");
  assert.equal(places.pageAddress("/t/x"), "#/t/x");
  at(SITE, "https://a.test/~anna/pasch/#main");
  assert.equal(places.currentPath(), "/");
});

test("a table is where it was made", () => {
  at({}, "https://a.test/");
  assert.equal(places.homeOf("x"), "https://a.test");
  assert.equal(places.friendsHome(), "https://a.test");
  at(SITE, "https://a.test/");
  assert.deepEqual([places.homeOf("x"), places.friendsHome(), places.usualHome()], [places.DEVICE, "", places.DEVICE]);
  at({ ...SITE, server: "https://b.test" }, "https://a.test/");
  assert.deepEqual([places.homeOf("x"), places.friendsHome()], [places.DEVICE, "https://b.test"]);
  remember("x", "https://b.test");
  assert.equal(places.homeOf("x"), "https://b.test");
});

test("a server's page leads to its site for the tables of this device", () => {
  at({}, "https://a.test/t/x");
  assert.equal(places.elsewhere(), null);
  remember("x", places.DEVICE);
  assert.match(places.elsewhere() ?? "", /app\/#\/t\/x$/);
  at({ ...SITE, server: "self" }, "https://a.test/app/#/t/x");
  assert.equal(places.elsewhere(), null);
});

test("answers that are the same for everybody are files on a site", () => {
  at({}, "https://a.test/");
  assert.equal(places.answerFile("/api/games?language=de"), null);
  assert.equal(places.catalogueAddress(["de-AT", "en"], true), "/i18n/de-AT%2Cen.json?first");
  at(SITE, "https://a.test/");
  assert.match(places.answerFile("/api/games?language=de") ?? "", /\/data\/games\/de\.json$/);
  assert.match(places.answerFile("/api/rules/joker1?language=en") ?? "", /\/data\/rules\/joker1\.en\.json$/);
  assert.equal(places.answerFile("/api/tables/x/record"), null);
  assert.match(places.catalogueAddress(["fr", "de-AT"], false), /\/data\/i18n\/de\.json$/);
  assert.match(places.catalogueAddress(["fr"], true), /\/data\/i18n\/en\.first\.json$/);
});

test("games of the device that leave the list are to be deleted, those of a server are not", () => {
  device.rememberTable("here", { home: device.DEVICE });
  device.rememberTable("there", { home: "https://pasch.example" });
  device.rememberDice("here", {});
  device.saveMemory("here", { positions: [1], moments: [2] });
  assert.deepEqual(device.memory("here"), { positions: [], moments: [2] }, "in another tab");
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

test("people who play again do so where they have played", async () => {
  at({ ...SITE, server: "self" }, "http://localhost/");
  const { moveToTable } = await import("../../../src/pasch/web/static/table/notices.js");
  for (const [id, home] of [["a", device.DEVICE], ["b", "http://localhost"], ["c", "https://pasch.example"]]) {
    device.rememberTable(id, { home });
    moveToTable(id, `${id}-again`);
    assert.equal(places.homeOf(`${id}-again`), home);
  }
});
