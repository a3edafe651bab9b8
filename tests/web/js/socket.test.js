import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { connect } from "../../../src/pasch/web/static/table/socket.js";

/** A browser of which a test keeps the clock. */
let timers, beats, sockets, received;

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
  [timers, beats, sockets, received] = [[], [], [], { messages: [], status: [] }];
  globalThis.WebSocket = FakeSocket;
  globalThis.location = { origin: "http://x" };
  globalThis.document = { ...nothing, documentElement: { dataset: {} } };
  globalThis.window = { ...nothing, setTimeout: (call, ms) => timers.push([call, ms]), setInterval: (call, ms) => beats.push([call, ms]) };
});
afterEach(() => {
  for (const name of ["WebSocket", "location", "document", "window"]) delete globalThis[name];
});

function open() {
  connect("t", {
    tokens: () => ["token"],
    since: () => null,
    onMessage: (message) => received.messages.push(message.type),
    onStatus: (status) => received.status.push(status),
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
  assert.deepEqual(received.messages, []);
  socket.hear({ type: "welcome" });
  assert.deepEqual([received.messages, received.status.at(-1)], [["welcome"], "open"]);
});

test("a table that is full for now is opened again", () => {
  const socket = open();
  socket.hear(refused("full"));
  socket.onclose();
  timers.at(-1)[0]();
  assert.equal(sockets.length, 2);
  assert.deepEqual(received.messages, []);
  // so is one whose server is not there yet
  sockets[1].onclose();
  timers.at(-1)[0]();
  assert.equal(sockets.length, 3);
});

test("what is refused for good is reported", () => {
  open().hear(refused("not-yours"));
  assert.deepEqual(received.messages, ["refused"]);
});

const pings = (socket) => socket.sent.filter((message) => message.type === "ping").length;

test("a connection that gives no sign of life is doubted within five seconds, then opened anew", () => {
  const socket = open();
  socket.hear({ type: "welcome" });
  const [[beat, pause]] = beats;
  assert.ok(2 * pause <= 5000);
  for (const _ of [1, 2, 3]) {
    beat();
    socket.hear({ type: "pong" });
  }
  assert.deepEqual([pings(socket), received.status.at(-1), received.messages], [3, "open", ["welcome"]]);
  beat();
  assert.equal(received.status.at(-1), "open");
  beat();
  assert.equal(received.status.at(-1), "broken");
  // a late one is good enough
  socket.hear({ type: "pong" });
  assert.deepEqual([received.status.at(-1), sockets.length], ["open", 1]);
  for (const _ of [1, 2, 3, 4]) beat();
  assert.deepEqual([received.status.at(-2), received.status.at(-1), sockets.length], ["broken", "connecting", 2]);
  // what the old connection still says does not count
  socket.hear({ type: "pong" });
  assert.equal(received.status.at(-1), "connecting");
});

test("nobody who does not look is asked for", () => {
  const socket = open();
  socket.hear({ type: "welcome" });
  globalThis.document = { ...nothing, visibilityState: "hidden" };
  for (const _ of [1, 2, 3, 4, 5]) beats[0][0]();
  assert.deepEqual([pings(socket), received.status.at(-1), sockets.length], [0, "open", 1]);
});
