// Addresses on a server and on a site, which may lie anywhere.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as places from "../../../src/pasch/web/static/app/addresses.js";

const stored = new Map();
globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null };

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
