import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { connect } from "../../../src/pasch/web/static/js/socket.js";

/** A browser of which a test keeps the clock. */
let timers, sockets, told;

class FakeSocket {
  static OPEN = 1;
  readyState = 1;
  sent = [];
  constructor() {
    sockets.push(this);
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  hear(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  close() {}
}

const refused = (code) => ({ type: "refused", id: null, code, reason: { template: "busy", details: {} }, version: null });
const nothing = { addEventListener() {}, removeEventListener() {}, visibilityState: "visible" };

beforeEach(() => {
  [timers, sockets, told] = [[], [], { messages: [], status: [] }];
  globalThis.WebSocket = FakeSocket;
  globalThis.location = { protocol: "http:", host: "x" };
  globalThis.document = nothing;
  globalThis.window = { ...nothing, setTimeout: (call, ms) => timers.push([call, ms]) };
});
afterEach(() => {
  for (const name of ["WebSocket", "location", "document", "window"]) delete globalThis[name];
});

function open() {
  connect("t", {
    tokens: () => ["token"],
    since: () => null,
    onMessage: (message) => told.messages.push(message.type),
    onStatus: (status) => told.status.push(status),
  });
  sockets[0].onopen();
  return sockets[0];
}

test("a hello that is refused for now is said again, after growing pauses", () => {
  const socket = open();
  for (const _ of [1, 2, 3]) {
    socket.hear(refused("too-fast"));
    timers.at(-1)[0]();
  }
  assert.equal(socket.sent.filter((message) => message.type === "hello").length, 4);
  const pauses = timers.map(([, ms]) => ms);
  assert.ok(pauses[2] > pauses[0]);
  assert.deepEqual(told.messages, []);
  socket.hear({ type: "welcome" });
  assert.deepEqual([told.messages, told.status.at(-1)], [["welcome"], "open"]);
});

test("a table that is full for now is opened again", () => {
  const socket = open();
  socket.hear(refused("full"));
  socket.onclose();
  timers.at(-1)[0]();
  assert.equal(sockets.length, 2);
  assert.deepEqual(told.messages, []);
});

test("what is refused for good is told", () => {
  open().hear(refused("not-yours"));
  assert.deepEqual(told.messages, ["refused"]);
});
