import assert from "node:assert/strict";
import { test } from "node:test";
import { stepsOf } from "../../../src/pasch/web/static/table/steps.js";

const SIZE = 10;

/** A game with this number of events, as the server gives it out. */
function game(events) {
  const asked = [];
  const load = async (from) => {
    asked.push(from);
    const first = Math.floor(from / SIZE) * SIZE;
    const last = Math.min(events, first + SIZE - 1);
    const steps = [];
    for (let n = first; n <= last; n += 1) steps.push({ event: n ? { n } : null, position: { version: n } });
    return { table: {}, options: {}, events, first, next: last < events ? last + 1 : null, steps };
  };
  return { asked, load };
}

test("pages are loaded when they are needed, each once", async () => {
  const { asked, load } = game(34);
  const steps = stepsOf(await load(34), load);
  assert.equal(steps.last, 34);
  assert.deepEqual(steps.event(34), { n: 34 });
  assert.ok(steps.has(34, 33, 35) && !steps.has(29) && steps.has(-1));
  await Promise.all([steps.need([29, 30]), steps.need([28, 29]), steps.need([0])]);
  assert.deepEqual(asked, [34, 29, 0]);
  assert.equal(steps.event(0), null);
  assert.deepEqual(steps.position(29), { version: 29 });
});

test("what is no longer wanted is not loaded", async () => {
  const { asked, load } = game(34);
  const steps = stepsOf(await load(34), load);
  await steps.need([5], () => false);
  assert.deepEqual(asked, [34]);
});

test("a page that is refused is an error for who asked, and the next one is still loaded", async () => {
  const { load } = game(34);
  let broken = true;
  const steps = stepsOf(await load(34), async (from) => {
    if (broken) throw new Error("busy");
    return load(from);
  });
  await assert.rejects(steps.need([5]), /busy/);
  broken = false;
  await steps.need([5]);
  assert.deepEqual(steps.event(5), { n: 5 });
});
