// A page of a former version, open while its site is updated, finds that out and loads itself again.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.self = globalThis;
globalThis.document = { documentElement: { dataset: {} } };
globalThis.location = { origin: "http://localhost", href: "http://localhost/" };
const dispatched = [];
globalThis.window = { dispatchEvent: ({ type }) => dispatched.push(type) };
const workers = [];
globalThis.Worker = class {
  constructor() {
    workers.push(this);
  }
  postMessage() {}
  terminate() {}
};

test("an engine of another version than the page is not one that cannot be loaded", async () => {
  const { startPython } = await import("../../../src/pasch/web/static/offline/python.js");
  let there = true;
  globalThis.fetch = async (_, how) => {
    // the browser refuses what has another hash than the page says
    if (how.integrity || !there) throw new TypeError("Failed to fetch");
    return { ok: true };
  };
  await assert.rejects(startPython("sha256-former", () => {}), /another version/);
  there = false;
  await assert.rejects(startPython("sha256-former", () => {}), /cannot be loaded/);
});

test("only then the page is loaded again", async (context) => {
  context.mock.method(console, "error", () => {});
  const { startEngine } = await import("../../../src/pasch/web/static/offline/engine.js");
  for (const [reason, events] of [["engine.json cannot be loaded", []], ["the page is of another version than the site", ["pasch-not-loaded"]]]) {
    await startEngine();
    workers.at(-1).onmessage({ data: { did: "failed", reason: `Error: ${reason}` } });
    assert.deepEqual(dispatched, events);
  }
});
