import assert from "node:assert/strict";
import { test } from "node:test";
import { PACES, flush, shownAt, skip, stage } from "../../../src/pasch/web/static/table/timeline.js";

const info = { phase: "playing", seats: [{ kind: "here" }, { kind: "computer" }], players: 2 };
const at = (version, more = {}) => ({ version, events: version, actor: 0, as_seat: 0, snapshot: { rolled: [1, 2], phase: "roll" }, marks: {}, scores: [0, 0], winners: [], moves: [], awaits: null, roller: null, undo: null, held: false, ...more });
const entry = (version, body, kind = "event") => ({ version, kind, body });
const viewing = { pace: "normal", wait: false, still: false, mySeats: [0], beats: [], backlog: 0 };
const past = (position) => ({ entry: null, position, info, arrived: -Infinity, phases: [], lost: false });

/** A step as the controller makes it. */
function step(version, body, { position = at(version), before = at(version - 1), arrived = 0, ...more } = {}) {
  const bare = { entry: entry(version, body), position, info };
  return { ...bare, arrived, ...stage(bare, before, { ...viewing, ...more }) };
}

test("nothing of a roll is known before its dice rest, one after the other", () => {
  const steps = [past(at(1)), step(2, { seat: 0, roll: [1, 2, 3, 4, 5, 6] }, { arrived: 1000 })];
  const air = shownAt(steps, 1500);
  assert.equal(air.version, 1);
  assert.equal(air.position.version, 1);
  assert.deepEqual([air.roll.landed, air.roll.rests, air.roll.after, air.settled], [0, false, null, false]);
  assert.equal(air.until, 1760);
  assert.deepEqual([1760, 1819, 1820, 2059, 2060].map((now) => shownAt(steps, now).roll.landed), [1, 1, 2, 5, 6]);
  assert.equal(shownAt(steps, 2199).version, 1);
  const rest = shownAt(steps, 2200);
  assert.deepEqual([rest.position.version, rest.version, rest.roll, rest.settled], [2, Infinity, null, true]);
});

test("a roll that lost the turn lies on the board as it was until it was read", () => {
  const lost = at(2, { snapshot: { rolled: [0, 0], phase: "roll" }, actor: 1 });
  const steps = [past(at(1)), step(2, { seat: 0, roll: [1, 2] }, { position: lost })];
  const read = shownAt(steps, 1500);
  assert.deepEqual([read.position.version, read.version, read.roll.rests, read.roll.after.version, read.settled], [1, 2, true, 2, false]);
  assert.equal(shownAt(steps, 4000).position.version, 2);
});

test("a computer's turn stays for a while, shorter with many computers, or until it is touched", () => {
  const hold = (more, seats) => {
    const bare = { entry: entry(2, { seat: 1, keep: [] }), position: at(2), info: { ...info, seats } };
    return stage(bare, at(1, { actor: 1 }), { ...viewing, ...more }).phases.find(({ kind }) => kind === "hold")?.length;
  };
  const computer = { kind: "computer" };
  assert.equal(hold({}, info.seats), 3500);
  assert.equal(hold({}, [...info.seats, computer, computer, computer, computer]), 700);
  assert.equal(hold({ wait: true }, info.seats), Infinity);
  assert.equal(hold({ pace: "none" }, info.seats), undefined);
  assert.equal(hold({ mySeats: [] }, info.seats), undefined);
});

test("a story advances beat by beat, and a touch ends one beat or all of them", () => {
  const story = () => [past(at(1)), step(2, { seat: 0, card: 3 }, { beats: [500, Infinity, 700] })];
  const steps = story();
  assert.deepEqual(shownAt(steps, 400).story, { event: { seat: 0, card: 3 }, beat: 0, beats: 3, after: at(2) });
  assert.equal(shownAt(steps, 400).version, 1);
  assert.equal(shownAt(steps, 99_999).story.beat, 1);
  skip(steps, 99_999, [0]);
  assert.equal(shownAt(steps, 99_999).story.beat, 2);
  assert.equal(shownAt(steps, 100_700).settled, true);
  const other = story();
  skip(other, 100, [0], true);
  assert.equal(shownAt(other, 100).settled, true);
});

test("the end is counted row by row", () => {
  const over = at(2, { actor: -2, scores: [3, 5] });
  const steps = [past(at(1)), step(2, { seat: 0, keep: [] }, { position: over })];
  assert.deepEqual([400, 900, 1279, 1280].map((now) => shownAt(steps, now).counted), [0, 1, 1, Infinity]);
  flush(steps);
  assert.equal(shownAt(steps, 0).settled, true);
});

test("whatever arrives when, it is never shown backwards, and in the end all of it is", () => {
  // random courses: every input varies: pace, wishes, seats, beats, backlog, reconnects, tables, skips, hidden pages
  let seed = 7;
  const random = (n) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % n;
  for (let course = 0; course < 1500; course += 1) {
    const steps = [past(at(1))];
    let now = 0;
    let last = 0;
    let announced = 0;
    for (let n = 2; n < 12; n += 1) {
      now += random(1500);
      const over = n === 11;
      const position = at(n, { actor: over ? -2 : random(2), held: !random(6), snapshot: { rolled: random(2) ? [1] : [], phase: "x" } });
      const more = { pace: Object.keys(PACES)[random(4)], wait: !random(3), still: !random(3), mySeats: [[0], [], [0, 1]][random(3)], beats: random(5) ? [] : [random(500), Infinity], backlog: random(20_000) };
      const kind = random(6);
      if (kind === 0) steps.push({ ...past(position), arrived: random(2) ? now : -Infinity });
      else steps.push(step(n, { seat: random(2), ...(random(2) ? { roll: [1, 2] } : { keep: [] }) }, { ...more, position, before: steps.at(-1).position, arrived: now }));
      if (!random(9)) flush(steps);
      const stop = now + 2000;
      for (let when = now; when < stop; when += 97) {
        if (!random(12)) skip(steps, when, more.mySeats, !random(2));
        const { position: shown, until, version } = shownAt(steps, when);
        assert.ok(shown.version >= last, "never backwards");
        assert.ok(Math.min(version, 99) >= announced, "what was said stays said");
        assert.ok(until > when, "what is due is due later");
        [last, announced] = [shown.version, Math.min(version, n)];
        now = when;
      }
    }
    for (let touches = 0; touches < 60 && !shownAt(steps, now + 60_000).settled; touches += 1) skip(steps, now + 60_000, [0]);
    const end = shownAt(steps, now + 60_000);
    assert.equal(end.settled && end.position.version, 11);
  }
});
