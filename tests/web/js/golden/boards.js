// Shows the golden games of a file to a table, and looks at everything that its board draws and says on the way.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { phrase, withDefaults } from "../../../../src/pasch/web/static/board/load.js";
import { createTable } from "../../../../src/pasch/web/static/table/controller.js";
import { boardModel } from "../../../../src/pasch/web/static/table/view.js";

const WRONG = /undefined|NaN|\[object|\bnull\b|\{\w+\}|Infinity/;
const SAID = ["aria-label", "title", "alt", "aria-description"];

/** All vnodes of a tree, with the text in it. Siblings of one list have different keys. */
function walk(child, see, where = "") {
  if (Array.isArray(child)) {
    const keys = child.filter((one) => one?.key !== undefined && one?.key !== null).map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length, `${where}: keys ${keys}`);
    for (const one of child) walk(one, see, where);
  } else if (typeof child === "string" || typeof child === "number") {
    assert.doesNotMatch(String(child), WRONG, where);
  } else if (child && typeof child === "object") {
    const { type, props } = child;
    assert.equal(typeof type, "string", where);
    const here = `${where} ${type}.${props.class ?? ""}`;
    assert.doesNotMatch(String(props.class ?? ""), WRONG, here);
    for (const name of SAID) if (props[name]) assert.doesNotMatch(String(props[name]), WRONG, here);
    see(child, here);
    walk(props.children, see, here);
  }
}

const text = (child) => (Array.isArray(child) ? child.map(text).join("") : child && typeof child === "object" ? text(child.props.children) : typeof child === "string" || typeof child === "number" ? String(child) : "");
const drawn = (board, model) => [board.board(model), board.zone(model), ...Array.from({ length: model.seats }, (_, seat) => [board.seatBoard?.(model, seat), board.smallBoard?.(model, seat)]), board.reference?.(model)];
/** Other faces for the same dice. */
const others = (roll) => (Array.isArray(roll) ? roll.map(others) : typeof roll === "number" ? (roll % 6) + 1 : Object.fromEntries(Object.entries(roll).map(([name, face]) => [name, face && (face % 6) + 1])));
const plain = (tree) => JSON.stringify(tree, (name, value) => (typeof value === "function" || name.startsWith("__") ? undefined : value));

/** The tokens that can be touched in a tree. */
function tokensIn(tree) {
  const found = new Set();
  walk(tree, ({ props }) => props["data-token"] && found.add(props["data-token"]));
  return found;
}

/** Look at the table as it is now. */
function look(table, board) {
  const model = table.model();
  const shown = boardModel(model);
  const { roll } = shown;
  let flying = 0;
  const tree = drawn(board, shown);
  walk(tree, (vnode, here) => {
    if (vnode.type === "button" || vnode.props.role === "button") assert.ok(vnode.props["aria-label"] || text(vnode), `${here}: no name`);
    const names = String(vnode.props.class ?? "").split(" ");
    if (names.includes("rolls")) {
      flying += 1;
      assert.doesNotMatch(plain(vnode), /#p[1-6]|showing|\d die/, here);
    }
  });
  const said = [...Object.values(board.prompts(shown)), ...Object.values(board.notes(shown)), ...Object.values(board.needs(shown)), ...Object.values(board.chances(shown)), board.where?.(shown) ?? "", board.earned?.(shown) ?? ""];
  for (const choice of model.moves.slice(0, 40)) {
    for (const label of [phrase(board.labels, model.telling(choice.event, model.position)), phrase(board.shorts, model.telling(choice.event, model.position)) ?? "–"]) {
      assert.ok(typeof label === "string" ? label : label.text, JSON.stringify(choice.event));
      said.push(typeof label === "string" ? label : `${label.text} ${label.sub ?? ""}`);
    }
  }
  for (const sentence of said) assert.doesNotMatch(sentence, WRONG);
  if (roll && !roll.rests) {
    const dice = Object.values(typeof roll.event.roll === "object" ? roll.event.roll : [roll.event.roll]).filter(Boolean).length;
    assert.equal(flying, dice - roll.landed, "dice in the air");
    // nothing that is drawn depends on what has not landed yet
    if (roll.landed === 0) assert.equal(plain(drawn(board, { ...shown, roll: { ...roll, event: { ...roll.event, roll: others(roll.event.roll) } } })), plain(tree));
  } else assert.equal(flying, 0, "dice in the air");
  return model;
}

let positions = 0;
/** Play a game before somebody's eyes. */
function play({ game, yours, table: info, first, steps }, board) {
  let now = 0;
  const viewing = () => ({ pace: "normal", wait: false, still: false, hidden: false, small: false });
  const table = createTable("golden", { game, board, now: () => now, send: async () => ({ type: "accepted", version: 0 }), changed() {}, viewing, moveToTable() {}, tell() {} });
  table.receive({ type: "welcome", table: { ...info, phase: "playing" }, position: first, entries: [], first: 1, judgements: [], yours, invited: [], maker: false });
  look(table, board);
  for (const { entry, position } of steps) {
    table.receive({ type: "update", steps: [{ entry, position }] });
    for (let due = table.tick(), looks = 0; looks < 60; looks += 1) {
      look(table, board);
      if (due === Infinity) table.commands.skip();
      now = due === Infinity ? now + 1 : due;
      due = table.tick();
      if (due === Infinity && table.model().shown.settled) break;
    }
    const model = look(table, board);
    assert.ok(model.shown.settled, JSON.stringify(entry.body));
    const sentence = phrase(board.sentences, model.telling(entry.body, model.positions.get(entry.version - 1) ?? null, position));
    assert.ok(sentence, JSON.stringify(entry.body));
    assert.doesNotMatch(sentence, WRONG);
    assert.doesNotMatch(sentence, /\b[Yy]ou \w+s\b(?<!across)/, sentence);
    // everything that a move is made of can be touched, but for slides of Joker 2, which stand for the calculation
    const touchable = tokensIn(drawn(board, boardModel(model)));
    const parts = boardModel(model).tokens.filter((token) => !touchable.has(token) && !token.startsWith("slide:"));
    assert.deepEqual(parts, [], `${entry.version}: cannot be touched`);
    // what a touch of the last move draws
    const [choice] = model.moves.filter(({ tokens }) => tokens.length).slice(-1);
    if (choice) {
      table.commands.choose(choice);
      look(table, board);
      table.commands.clear();
    }
    positions += 1;
  }
}

for (const one of JSON.parse(readFileSync(process.argv[2], "utf-8"))) {
  play(one, withDefaults(await import(`../../../../src/pasch/games/${one.game.id}/board.js`)));
  // as if it brought no board
  play(one, withDefaults({}));
}
console.log(JSON.stringify({ positions }));
