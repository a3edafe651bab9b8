import assert from "node:assert/strict";
import { test } from "node:test";
import { withDefaults } from "../../../src/pasch/web/static/board/load.js";
import { createTable } from "../../../src/pasch/web/static/table/controller.js";
import { scoreShown } from "../../../src/pasch/web/static/table/ending.js";
import { sentence } from "../../../src/pasch/web/static/table/log.js";
import { statusText } from "../../../src/pasch/web/static/table/controls.js";
import { roundsOf } from "../../../src/pasch/web/static/table/score_pad.js";

const seat = (kind, more = {}) => ({ kind, name: "", level: kind === "computer" ? "easy" : null, online: true, lent: false, away: null, ends: false, again: false, undoes: false, ...more });
const info = { id: "T", game: "x", title: "X", phase: "playing", seats: [seat("here"), seat("computer")], players: 2, components: {}, options: {}, fields: [], must_agree: [0], coach: "off", dice: "pasch", contributions: [] };
const at = (version, more = {}) => ({ version, events: version, actor: 0, as_seat: 0, snapshot: { rolled: [], phase: "roll", seat: 0 }, marks: {}, scores: [0, 0], winners: [], moves: [], awaits: null, roller: null, ask: null, undo: null, held: false, ...more });
const entry = (version, body, kind = "event") => ({ version, kind, body, stand_in: false, events: version });
const welcome = (position, more = {}) => ({ type: "welcome", table: info, yours: [0], invited: [], maker: true, position, entries: [], first: 1, judgements: [], ...more });
const update = (...steps) => ({ type: "update", steps: steps.map(([one, position]) => ({ entry: one, position })), answers: null });
const keep = { event: { seat: 0, keep: ["a"] }, tokens: ["die:a"], uses: null };
const rolled = at(2, { snapshot: { rolled: [1, 2], phase: "keep", seat: 0 }, moves: [keep] });
const settle = () => new Promise((done) => setImmediate(done));

function begin(answers = {}, wishes = {}) {
  const sent = [];
  let now = 10_000;
  const viewing = { pace: "normal", wait: false, still: false, hidden: false, small: false, ...wishes };
  const table = createTable("T", {
    game: { id: "x", has_secrets: false }, board: withDefaults({ scorePad: (state) => state.round ?? 0, sentences: { write: ({ after }) => `${after?.scores} are written` } }), now: () => now, changed() {}, tell() {}, moveToTable: (next) => sent.push({ type: "to", next }), viewing: () => viewing,
    send: async (command) => (sent.push(command), answers[command.type] ?? { type: "accepted", version: 0 }),
  });
  const wait = (ms) => ((now += ms), table.model(), table.tick());
  return { table, sent, wait, viewing };
}

test("a button counts once it was seen; the command is on its way until the update comes", async () => {
  const { table, sent, wait } = begin({ roll: { type: "accepted", version: 2 } });
  table.receive(welcome(at(1, { awaits: "roll", actor: -1, roller: 0 })));
  table.model();
  table.commands.roll();
  assert.equal(sent.length, 0);
  wait(700);
  table.commands.roll();
  await settle();
  assert.deepEqual([sent[0].type, sent[0].version, table.model().busy], ["roll", 1, true]);
  table.receive(update([entry(2, { seat: 0, roll: [1, 2] }), rolled]));
  assert.deepEqual([table.model().moves.length, table.model().busy, table.model().entries.length], [0, false, 0]);
  wait(1100);
  assert.deepEqual([table.model().moves.length, table.model().entries.length], [1, 1]);
});

test("a touch chooses, a refused one says why, a double tap does not undo", async () => {
  const because = { type: "because", reason: { template: "not now", details: {} } };
  const { table, sent, wait } = begin({ why: because });
  table.receive(welcome(rolled));
  await table.commands.touch("die:a");
  await table.commands.touch("die:a");
  assert.deepEqual([...table.model().chosen], ["die:a"]);
  assert.deepEqual(table.model().choice, keep);
  wait(400);
  await table.commands.touch("die:z");
  assert.equal(table.model().refusal, "Not now");
  assert.deepEqual(sent[0].tokens, ["die:a", "die:z"]);
  await table.commands.touch("die:a");
  assert.equal(table.model().chosen.size, 0);
});

test("dice that wait for us come after a while, unless the move is taken back", async () => {
  const held = at(2, { actor: -1, held: true, undo: 0 });
  const first = begin();
  first.table.receive(welcome(at(1)));
  first.table.receive(update([entry(2, { seat: 0, keep: ["a"] }), held]));
  first.wait(1000);
  assert.equal(first.table.model().shown.phase.kind, "hold");
  assert.equal(first.sent.length, 0);
  first.wait(2000);
  assert.deepEqual(first.sent, [{ type: "go", version: 2 }]);
  const second = begin();
  second.table.receive(welcome(at(1)));
  second.table.receive(update([entry(2, { seat: 0, keep: ["a"] }), held]));
  second.wait(400);
  second.wait(700);
  await second.table.commands.takeBack();
  second.wait(5000);
  assert.deepEqual(second.sent.map(({ type }) => type), ["undo"]);
});

test("a reconnect during the count neither repeats nor stops it, and nothing is shown before", () => {
  const { table, wait } = begin();
  const over = at(2, { actor: -2, scores: [3, 5], winners: [1] });
  const final = { ...info, phase: "over" };
  table.receive(welcome(at(1)));
  table.receive(update([entry(2, { seat: 1, keep: [] }), over]));
  table.receive({ type: "table", table: final });
  const scores = () => [0, 1].map((one) => scoreShown(table.model(), one));
  assert.deepEqual(scores(), [0, 0]);
  wait(1200);
  assert.deepEqual([table.model().shown.phase.kind, table.model().shown.counted, scores()], ["count", 0, [0, 0]]);
  table.receive(welcome(over, { table: final }));
  wait(450);
  assert.deepEqual([table.model().shown.counted, scores()], [1, [3, 0]]);
  assert.equal(statusText(table.model()), "The end: time to count.");
  wait(500);
  assert.deepEqual([table.model().shown.settled, scores(), table.model().info.phase], [true, [3, 5], "over"]);
  assert.equal(statusText(table.model()), "Pip wins.");
});

test("two welcomes that overlap, an old update and a changed pace do not move the table back", () => {
  const { table, wait, viewing } = begin();
  table.receive(welcome(at(1)));
  table.receive(welcome(at(3), { entries: [entry(2, { seat: 0, keep: [] }), entry(3, { seat: 1, keep: [] })] }));
  table.receive(update([entry(2, { seat: 0, keep: [] }), at(2)]));
  assert.deepEqual([table.model().position.version, table.model().entries.map(({ version }) => version)], [3, [2, 3]]);
  table.receive(update([entry(4, { seat: 1, keep: [] }), at(4)], [entry(5, { seat: 1, keep: [] }), at(5)]));
  wait(1500);
  const { version } = table.model().position;
  viewing.pace = "calm";
  assert.equal(table.model().position.version, version);
});

test("a single event that was missed is still shown, several are not", () => {
  const { table } = begin();
  table.receive(welcome(at(1)));
  table.receive(welcome(rolled, { entries: [entry(2, { seat: 0, roll: [1, 2] })] }));
  assert.equal(table.model().shown.roll.landed, 0);
  table.receive(welcome(at(4), { entries: [entry(3, { seat: 0, keep: ["a"] }), entry(4, { seat: 1, roll: [1] })] }));
  assert.equal(table.model().shown.settled, true);
});

test("while one's own roll is shown nobody reads that it is not their turn", () => {
  const { table, wait } = begin();
  table.receive(welcome(at(1, { awaits: "roll", actor: -1, roller: 0 })));
  table.receive(update([entry(2, { seat: 0, roll: [1, 2] }), rolled]));
  for (const ms of [0, 500, 300, 300]) {
    wait(ms);
    assert.doesNotMatch(statusText(table.model()), /playing|Not your turn/);
  }
});

test("what a page knew before it was loaded again it knows afterwards", () => {
  const first = begin();
  first.table.receive(welcome(at(1)));
  first.table.receive(update([entry(2, { seat: 0, write: true }), at(2, { scores: [7, 0], actor: 1, snapshot: { rolled: [], phase: "roll", seat: 1 } })]));
  first.table.hide();
  const said = sentence(first.table.model(), first.table.model().entries[0]);
  const second = begin();
  second.table.recall(JSON.parse(JSON.stringify(first.table.memory())));
  second.table.receive(welcome(at(2, { scores: [7, 0], actor: 1, snapshot: { rolled: [], phase: "roll", seat: 1 } }), { entries: [entry(2, { seat: 0, write: true })] }));
  assert.equal(sentence(second.table.model(), second.table.model().entries[0]), said);
  assert.equal(said, "7,0 are written");
  assert.deepEqual(roundsOf(second.table.model().moments, 2), [[7], []]);
});

test("a sentence is made once for an entry, however often the list is drawn", () => {
  const { table } = begin();
  let made = 0;
  table.receive(welcome(at(1)));
  table.receive(update([entry(2, { seat: 0, keep: [] }), at(2)]));
  table.hide();
  const counting = () => {
    const model = table.model();
    return { ...model, board: { ...model.board, sentences: { "": () => `${(made += 1)}` } } };
  };
  const [one] = table.model().entries;
  for (let draw = 0; draw < 5; draw += 1) sentence(counting(), one);
  assert.equal(made, 1);
});

test("the next table is opened, whether a welcome names it or a later message", () => {
  const { table, sent } = begin();
  table.receive(welcome(at(1)));
  table.receive({ type: "table", table: { ...info, next: "N" } });
  assert.deepEqual(sent, [{ type: "to", next: "N" }]);
});

test("while the coach works a hint out the table says so", async () => {
  const { table } = begin();
  table.receive(welcome(rolled));
  const asked = table.commands.hint();
  assert.equal(statusText(table.model()), "The coach is thinking …");
  await asked;
  assert.notEqual(statusText(table.model()), "The coach is thinking …");
});
