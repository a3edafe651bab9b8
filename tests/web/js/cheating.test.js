// A server that cheats while people sit down, against the client's own connection, memory and contribution.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const stored = new Map();
let full = false;
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem(key, value) {
    if (full) throw new Error("QuotaExceededError");
    stored.set(key, value);
  },
  removeItem: (key) => stored.delete(key),
};
globalThis.window = { setTimeout: (call) => later.push(call), setInterval() {}, addEventListener() {}, removeEventListener() {} };
globalThis.document = { visibilityState: "visible", documentElement: { dataset: {} }, addEventListener() {}, removeEventListener() {} };
globalThis.location = { origin: "http://localhost" };
let later = [];

/** What the client sent, with what the device held at that moment. */
let sent = [];
let line = null;
globalThis.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() {
    line = this;
  }
  send(text) {
    const message = JSON.parse(text);
    if (message.type === "contribute") sent.push({ ...message, held: JSON.parse(stored.get("pasch.dice.t") ?? "{}") });
  }
  close() {}
};

const { connect } = await import("../../../src/pasch/web/static/table/socket.js");
const { contribute } = await import("../../../src/pasch/web/static/fair/contribute.js");
const panel = await import("../../../src/pasch/web/static/fair/panel.js");
const { disputes } = await import("../../../src/pasch/web/static/fair/verify.js");
const device = await import("../../../src/pasch/web/static/app/device.js");

const SEAL = "5e".repeat(32);
const OTHER = "0d".repeat(32);
const person = { kind: "here", seat: 0 };
const computer = { kind: "computer", seat: 1 };
const info = (changed = {}) => ({
  id: "t", game: "joker1", players: 2, options: { rounds: 1 }, components: { dice: 3 }, dice: "pasch", given: 0, phase: "waiting",
  commitment: SEAL, seats: [person, person], contributions: [null, null], ...changed,
});

/** The client of an open page: `shows` is what the server says of the table. */
function visit() {
  const socket = connect("t", { tokens: () => [], since: () => null, onMessage() {}, onStatus() {} });
  line.onopen();
  line.onmessage({ data: JSON.stringify({ type: "welcome" }) });
  return {
    shows: (table, yours = [0]) => contribute(table, yours, { version: 0, send: socket.send }),
    answer: (message) => line.onmessage({ data: JSON.stringify(message) }),
    /** The connection breaks, and is there again. */
    again() {
      line.onclose();
      later.splice(0).forEach((call) => call());
      line.onopen();
      line.onmessage({ data: JSON.stringify({ type: "welcome" }) });
    },
  };
}

const doubts = (table) => disputes(table, device.dice("t"));

beforeEach(() => {
  stored.clear();
  sent = [];
  later = [];
  full = false;
});

test("contribution and seal are on the device before anything is sent", () => {
  visit().shows(info());
  assert.equal(sent.length, 1);
  const [{ contribution, held }] = sent;
  assert.match(contribution, /^[0-9a-f]{64}$/);
  assert.equal(held.contribution, contribution);
  assert.equal(held.commitment, SEAL);
  assert.deepEqual(held.seats, [0]);
  assert.deepEqual(held.agreed.options, { rounds: 1 });
  assert.deepEqual(doubts(info()), []);
  assert.deepEqual(doubts(info({ contributions: [contribution, OTHER], phase: "playing" })), []);
});

test("another contribution in the place of ours, none at all, and ours at another seat only", () => {
  const page = visit();
  page.shows(info());
  const [{ id, contribution }] = sent;
  assert.equal(panel.doubts(info()), null);
  const other = info({ contributions: [OTHER, null] });
  assert.deepEqual([doubts(other), panel.doubts(other).props.role], [["other"], "alert"]);
  assert.deepEqual(doubts(info({ contributions: [OTHER, OTHER], phase: "playing" })), ["other"]);
  page.answer({ type: "accepted", id, version: 1 });
  assert.deepEqual(doubts(info({ phase: "playing", contributions: [null, OTHER] })), ["none"]);
  assert.deepEqual(doubts(info({ phase: "playing", contributions: [null, contribution] })), ["none"]);
});

test("a server that loses answers gets the same contribution under the same id, however often", () => {
  const page = visit();
  page.shows(info());
  page.shows(info());
  assert.equal(sent.length, 1);
  page.again();
  assert.equal(sent.length, 2);
  // a page that was loaded anew knows only what the device has kept
  visit().shows(info());
  const lost = visit();
  lost.shows(info());
  lost.answer({ type: "refused", id: sent[0].id, code: "too-fast", reason: { template: "", details: {} } });
  assert.equal(sent.length, 4);
  assert.equal(new Set(sent.map((one) => one.contribution)).size, 1);
  assert.equal(new Set(sent.map((one) => one.id)).size, 1);
});

test("another seal gets nothing, and is said to be another", () => {
  const page = visit();
  page.shows(info(), []);
  assert.equal(sent.length, 0);
  page.shows(info({ commitment: OTHER }));
  assert.equal(sent.length, 0);
  assert.deepEqual(doubts(info({ commitment: OTHER })), ["commitment"]);
  assert.equal(device.dice("t").commitment, SEAL);
});

/** After our contribution: what the table shows then, besides that, and what is disputed. */
const LATER = [
  ["the seal is another one", {}, { commitment: OTHER }, ["commitment"]],
  ["somebody else has added something, and all is well", { contributions: [null, OTHER] }, {}, []],
  ["what somebody else had added is exchanged", { contributions: [null, OTHER] }, { contributions: [null, SEAL] }, ["changed"]],
  ["what somebody else had added is gone", { contributions: [null, OTHER] }, { contributions: [null, null] }, ["changed"]],
  ["a computer adds to the dice", { seats: [person, computer] }, { seats: [person, { ...computer, lent: true }] }, ["computer"]],
  ["it is another game", {}, { game: "joker2" }, ["agreed"]],
  ["there are other options", {}, { options: { rounds: 2 } }, ["agreed"]],
  ["it is another box", {}, { components: { dice: 1 } }, ["agreed"]],
  ["events come from elsewhere", {}, { given: 3 }, ["agreed"]],
  ["the dice are real", {}, { dice: "real" }, ["dice"]],
];
for (const [what, first, then, found] of LATER) {
  test(`later ${what}`, () => {
    const page = visit();
    page.shows(info(first));
    const [, theirs = OTHER] = then.contributions ?? [];
    const table = info({ phase: "playing", ...then, contributions: [sent[0].contribution, theirs] });
    assert.deepEqual(doubts(table), found);
    page.shows(table);
    assert.equal(sent.length, 1);
  });
}

test("what came last of all is exchanged during the game", () => {
  const page = visit();
  page.shows(info());
  const shows = (theirs, phase = "playing") => info({ contributions: [sent[0].contribution, theirs], phase });
  page.shows(shows(OTHER));
  page.shows(shows(SEAL));
  assert.deepEqual(doubts(shows(SEAL, "over")), ["changed"]);
});

test("an option that a later version brings along is no lie", () => {
  visit().shows(info());
  assert.deepEqual(doubts(info({ options: { rounds: 1, first_six: "saves" } })), []);
});

test("a second seat of this device adds the same under another id", () => {
  const page = visit();
  page.shows(info(), [0]);
  const { contribution } = sent[0];
  page.answer({ type: "accepted", id: sent[0].id, version: 1 });
  page.shows(info({ contributions: [contribution, null] }), [0, 1]);
  assert.equal(sent.length, 2);
  assert.equal(sent[1].contribution, contribution);
  assert.notEqual(sent[1].id, sent[0].id);
  assert.deepEqual(device.dice("t").seats, [0, 1]);
});

test("a computer's seat, a game that has begun and real dice need nothing", () => {
  const page = visit();
  page.shows(info({ seats: [{ kind: "computer", seat: 0 }, person] }));
  page.shows(info({ phase: "playing" }));
  page.shows(info({ commitment: null, dice: "real" }));
  assert.equal(sent.length, 0);
});

test("where nothing can be stored it is remembered while the page is open, and that is said", () => {
  full = true;
  const page = visit();
  assert.equal(page.shows(info()), false);
  assert.equal(device.keepsDice("t"), false);
  assert.equal(sent[0].contribution, device.dice("t").contribution);
  assert.deepEqual(doubts(info({ contributions: [OTHER, null] })), ["other"]);
  full = false;
  device.rememberDice("t", {});
  assert.equal(device.keepsDice("t"), true);
});

test("events are remembered as they were first seen, by their numbers", () => {
  device.rememberEvents("t", 1, [{ strip: 1 }, { seat: 0, roll: [1] }]);
  device.rememberEvents("t", 2, [{ seat: 0, roll: [6] }, { seat: 0, next: "stop" }]);
  device.rememberEvents("t", 5, [{ strip: 2 }]);
  assert.deepEqual(device.events("t"), [{ strip: 1 }, { seat: 0, roll: [1] }, { seat: 0, next: "stop" }, null, { strip: 2 }]);
  device.rememberEvents("t", 1999, [{ strip: 3 }, { strip: 4 }, { strip: 5 }]);
  assert.equal(device.events("t").length, 2000);
  device.forgetTable("t");
  assert.deepEqual([...stored.keys()], ["pasch.tables"]);
});
