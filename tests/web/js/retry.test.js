import assert from "node:assert/strict";
import { test } from "node:test";
import { RETRY_DELAYS_MS, delay, fetchWithRetries } from "../../../src/pasch/web/static/app/retry.js";

/** A server that answers with these one after the other; null cannot be reached. */
function server(...answers) {
  const said = { asked: 0, waited: [], notices: [] };
  const means = {
    fetch: async () => {
      said.asked += 1;
      const answer = answers.shift();
      if (!answer) throw new TypeError("network");
      const [status, headers] = [answer].flat();
      return new Response("{}", { status, headers });
    },
    wait: async (ms) => said.waited.push(ms),
    notice: (begins) => said.notices.push(begins),
  };
  return { said, means };
}

test("what is refused only for now is asked for again, and a notice is shown meanwhile", async () => {
  const { said, means } = server(429, null, 503, 200);
  assert.equal((await fetchWithRetries("/x", means)).status, 200);
  assert.equal(said.asked, 4);
  assert.deepEqual(said.notices, [true, false, true, false, true, false]);
  said.waited.forEach((ms, n) => assert.ok(ms >= RETRY_DELAYS_MS[n] && ms <= RETRY_DELAYS_MS[n] * 1.5));
});

test("what is refused for good is not asked for again", async () => {
  for (const status of [200, 400, 404, 500, 501]) {
    const { said, means } = server(status, 200);
    assert.equal((await fetchWithRetries("/x", means)).status, status);
    assert.deepEqual([said.asked, said.notices], [1, []]);
  }
});

test("the server says how long to wait, within reason", async () => {
  const { said, means } = server([429, { "Retry-After": "7" }], 200);
  await fetchWithRetries("/x", means);
  assert.ok(said.waited.length === 1 && said.waited[0] >= 7000);
  assert.equal(delay(1000, "7", 0), 7000);
  assert.equal(delay(1000, "7", 1), 10_500);
  assert.equal(delay(8000, "1", 0), 8000);
  assert.equal(delay(1000, "100000", 0), 30_000);
  for (const odd of [null, undefined, "", "Wed, 21 Oct 2015 07:28:00 GMT", "-5"]) assert.equal(delay(1000, odd, 0), 1000);
});

test("in the end it gives up with the last answer", async () => {
  const busy = server(...RETRY_DELAYS_MS.map(() => 429), 429);
  assert.equal((await fetchWithRetries("/x", busy.means)).status, 429);
  assert.equal(busy.said.asked, RETRY_DELAYS_MS.length + 1);
  const gone = server();
  await assert.rejects(fetchWithRetries("/x", gone.means), TypeError);
  assert.equal(gone.said.notices.filter(Boolean).length, RETRY_DELAYS_MS.length);
});
