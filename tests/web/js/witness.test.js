import assert from "node:assert/strict";
import { test } from "node:test";
import { takenBack } from "../../../src/pasch/web/static/table/controller.js";
import { witness } from "../../../src/pasch/web/static/fair/witness.js";

const event = (version, body, events = version) => ({ version, kind: "event", body, stand_in: false, events });
const undo = (version, events = 0) => ({ version, kind: "undo", body: { seats: [0], agree: true, settled: true }, stand_in: false, events });

function remembering() {
  const events = [];
  const memory = {
    rememberEvents: (_, number, seen) => seen.forEach((one, place) => (events[number - 1 + place] ??= one)),
    forgetEvents: (_, number) => events.splice(number - 1),
  };
  return { events, saw: witness("t", memory) };
}

test("all events of a message are written at once", () => {
  const written = [];
  const saw = witness("t", { rememberEvents: (_, number, seen) => written.push([number, seen.length]) });
  saw(Array.from({ length: 50 }, (_, place) => event(place + 3, { seat: 0 })), { events: 52, actor: 0 });
  assert.deepEqual(written, [[3, 50]]);
});

test("a move that was taken back is forgotten, and the one in its place remembered", () => {
  const { events, saw } = remembering();
  saw([], { events: 0, actor: -1 });
  saw([event(1, { seat: 0, roll: [1] })], { events: 1, actor: 0 });
  saw([event(2, { seat: 0, place: [] })], { events: 2, actor: -1 });
  saw([undo(3, 1)], { events: 1, actor: 0 });
  saw([event(4, { seat: 0, place: [[1, 1]] }, 2)], { events: 2, actor: -1 });
  assert.deepEqual(events, [{ seat: 0, roll: [1] }, { seat: 0, place: [[1, 1]] }]);
});

test("a roll that was seen stays remembered whatever is said later", () => {
  const { events, saw } = remembering();
  saw([], { events: 0, actor: -1 });
  saw([event(1, { seat: 0, roll: [1] })], { events: 1, actor: 0 });
  saw([undo(2, 0)], { events: 0, actor: -1 });
  saw([event(3, { seat: 0, roll: [6] }, 1)], { events: 1, actor: 0 });
  assert.deepEqual(events, [{ seat: 0, roll: [1] }]);
});

test("the log says which events were taken back", () => {
  const lines = [event(1, {}), event(2, {}), undo(3), event(4, {}), undo(5), undo(6)];
  assert.deepEqual([...takenBack(lines)].sort(), [1, 2, 4]);
});
