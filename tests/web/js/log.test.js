import assert from "node:assert/strict";
import { test } from "node:test";
import { merged, roundOf, sentence, turns } from "../../../src/pasch/web/static/table/log.js";
import { stillToAgree } from "../../../src/pasch/web/static/table/people.js";

const entry = (version, kind, body) => ({ version, kind, body, stand_in: false });
const shown = (...entries) => merged(entries).map((one) => one.version);

test("of what was superseded before the next event only the last is shown", () => {
  const renamed = [1, 2, 3].map((version) => entry(version, "name", { seat: version % 2, name: "x" }));
  assert.deepEqual(shown(...renamed), [2, 3]);
  const lent = [entry(4, "computer", { seat: 0, level: "hard" }), entry(5, "person", { seat: 0 })];
  assert.deepEqual(shown(...renamed, ...lent), [2, 3, 5]);
  const moved = entry(6, "event", { seat: 0, roll: [1] });
  assert.deepEqual(shown(...renamed, ...lent, moved, entry(7, "name", { seat: 0, name: "y" })), [2, 3, 5, 6, 7]);
  const wishes = [false, false, true].map((settled, place) => entry(8 + place, "coach", { seats: [1], coach: "off", settled }));
  assert.deepEqual(shown(...wishes, entry(11, "end", { seats: [1], agree: true }), entry(12, "end", { seats: [1], agree: false })), [9, 10, 12]);
  assert.deepEqual(shown(entry(13, "contribute", { seats: [0] }), entry(14, "contribute", { seats: [1] })), [13, 14]);
});

test("those who have to agree and have not are named", () => {
  const seats = ["Anna", "Ben", "Cem"].map((name, seat) => ({ seat, kind: "link", name, ends: seat === 0 }));
  assert.deepEqual(stillToAgree({ seats, must_agree: [0, 1] }, (one) => one.ends), ["Ben"]);
});

test("a turn is what one seat does, with what belongs to nobody before it", () => {
  const entries = [entry(1, "contribute", { seats: [0] }), entry(2, "event", { strip: 3 }), entry(3, "event", { seat: 0, roll: [1] }), entry(4, "event", { seat: 0, keep: [] }), entry(5, "event", { seat: 1, roll: [2] }), entry(6, "name", { seat: 0 }), entry(7, "event", { strip: 4 }), entry(8, "event", { seat: 0, roll: [3] })];
  assert.deepEqual(turns(entries).map((one) => [one.seat, one.entries.map(({ version }) => version)]), [[0, [1, 2, 3, 4]], [1, [5, 6]], [0, [7, 8]]]);
  // where rounds are written down, and the position before it is known, the turn says its round
  const scorePad = ({ round }) => round;
  const positions = new Map([[4, { snapshot: { round: 2 } }]]);
  assert.deepEqual(turns(entries).map((one) => roundOf({ positions, board: { scorePad } }, one)), [null, 3, null]);
  assert.deepEqual(turns(entries).map((one) => roundOf({ positions, board: { scorePad: null } }, one)), [null, null, null]);
});

test("somebody without a name who plays alone on a device is spoken to", () => {
  const seats = [{ kind: "here", name: "" }, { kind: "computer", name: "", level: "medium" }];
  const said = (kind, body, mySeats = [0]) => sentence({ info: { seats }, mySeats, positions: new Map() }, entry(1, kind, body));
  assert.equal(said("end", { seats: [0], agree: true }), "You would like to end the game.");
  assert.equal(said("end", { seats: [0], agree: true }, []), "Player 1 would like to end the game.");
  assert.equal(said("again", { seats: [0], agree: false }), "You would rather not play again.");
  assert.equal(said("computer", { seat: 0, level: "hard" }), "The computer (Strong) plays for you now.");
  assert.equal(said("person", { seat: 0 }), "You play yourself again.");
  assert.equal(said("adjudicate", { by: "scores", winners: [0, 1] }), "The game was ended early. Most points: You and Duo.");
});
