import assert from "node:assert/strict";
import { test } from "node:test";
import { guard, SEEN } from "../../../src/pasch/web/static/table/guard.js";
import { showing, usedUp } from "../../../src/pasch/web/static/table/pace.js";
import { stage } from "../../../src/pasch/web/static/table/stage.js";

/** A clock that a test turns. */
function fakeClock() {
  let now = 0;
  let next = 1;
  const timers = new Map();
  return {
    later(call, ms) {
      timers.set(next, [now + ms, call]);
      return next++;
    },
    cancel: (timer) => timers.delete(timer),
    pass(ms) {
      const until = now + ms;
      for (;;) {
        const due = [...timers].filter(([, [at]]) => at <= until).sort(([, [a]], [, [b]]) => a - b)[0];
        if (!due) break;
        timers.delete(due[0]);
        now = due[1][0];
        due[1][1]();
      }
      now = until;
    },
  };
}

function theatre() {
  const clock = fakeClock();
  const seen = [];
  const show = stage(clock, () => seen.push("idle"));
  const scene = (name, hold, more = {}) => ({ hold, begin: () => seen.push(name), end: () => seen.push(`${name} seen`), ...more });
  return { clock, seen, show, scene };
}

test("one scene follows the other when it has been seen long enough", () => {
  const { clock, seen, show, scene } = theatre();
  show.add(scene("roll", 900), scene("at once", 0), scene("move", 1400));
  assert.deepEqual(seen, ["roll"]);
  clock.pass(899);
  assert.deepEqual(seen, ["roll"]);
  clock.pass(1);
  assert.deepEqual(seen.splice(0), ["roll", "roll seen", "at once", "at once seen", "move"]);
  assert.ok(show.showing);
  clock.pass(1400);
  assert.deepEqual(seen.splice(0), ["move seen", "idle"]);
});

test("a touch skips what is shown, and what belongs together is skipped together", () => {
  const { clock, seen, show, scene } = theatre();
  show.add(scene("a", 900), scene("b", 900), scene("1", 400, { group: "end" }), scene("2", 400, { group: "end" }));
  show.skip();
  assert.deepEqual(seen.splice(0), ["a", "a seen", "b"]);
  clock.pass(900);
  seen.length = 0;
  show.skip();
  assert.deepEqual(seen.splice(0), ["1 seen", "2", "2 seen", "idle"]);
  clock.pass(5000);
  assert.deepEqual(seen, []);
});

test("what is taken back ends without a word, and a hidden page shows all at once", () => {
  const { clock, seen, show, scene } = theatre();
  show.add(scene("held", 2000), scene("next", 10));
  show.drop();
  assert.deepEqual(seen.splice(0), ["held", "next"]);
  show.add(scene("x", 5000), scene("y", 5000));
  show.flush();
  assert.deepEqual(seen.splice(0), ["next seen", "x", "x seen", "y", "y seen", "idle"]);
  show.add(scene("gone", 500), scene("never", 0));
  show.clear();
  clock.pass(9000);
  assert.deepEqual(seen, ["gone"]);
});

test("an action counts only when it has been seen for long enough", () => {
  const clock = fakeClock();
  let opened = 0;
  const seen = guard(clock, () => (opened += 1));
  seen.saw("3 Roll");
  clock.pass(SEEN);
  assert.ok(seen.open && opened === 1);
  for (const gap of [120, 250, 400]) {
    seen.saw(`${gap} Place nothing`);
    clock.pass(gap);
    // drawn again, it is still the same
    seen.saw(`${gap} Place nothing`);
    assert.equal(seen.open, false);
    clock.pass(SEEN - gap);
    assert.equal(seen.open, true);
  }
});

const at = (rolled, more = {}) => ({ snapshot: { rolled }, ...more });
const how = (event, more = {}) => showing(event, { before: at([]), after: at([1]), yours: [0], wide: false, pace: "normal", waiting: 0, waits: false, ...more });

test("another's chip has landed and is seen for a second before anybody goes on, where one board is in sight", () => {
  const move = how({ seat: 1, place: [[5, 3]] });
  assert.deepEqual([move.kind, move.seat, move.blocks], ["move", 1, true]);
  assert.ok(move.hold >= 1400);
  assert.equal(how({ seat: 1, place: [] }, { wide: true }).blocks, false);
  assert.ok(how({ seat: 1, place: [] }, { pace: "calm" }).hold > move.hold);
  assert.equal(how({ seat: 0, place: [] }).blocks, false);
});

test("a roll that loses the turn is read for a second and a half", () => {
  assert.ok(usedUp({ seat: 0, roll: [1, 2] }, at([])) && usedUp({ seat: 0, roll: { red: 1 } }, at([0, 0])));
  assert.ok(!usedUp({ seat: 0, roll: [1] }, at([1])) && !usedUp({ seat: 0, next: "stop" }, at([])));
  for (const pace of ["calm", "normal", "quick"]) {
    const own = how({ seat: 0, roll: [1, 2] }, { after: at([]), pace });
    assert.ok(own.kind === "lost" && own.blocks && own.hold >= 700 + 1500);
  }
});

test("a round of five computers takes a few seconds at most when it shall go fast", () => {
  const round = [1, 2, 3, 4, 5].flatMap((seat) => [how({ seat, roll: [1] }, { pace: "quick" }), how({ seat, place: [] }, { pace: "quick" })]);
  assert.ok(round.reduce((sum, { hold }) => sum + hold, 0) <= 3000);
});

test("a move that can be taken back is held before the dice come that follow it", () => {
  const held = how({ seat: 0, place: [] }, { waits: true });
  assert.ok(held.kind === "held" && held.blocks && held.hold >= 2000);
});
