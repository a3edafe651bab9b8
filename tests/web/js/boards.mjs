/** Draws every position of the golden games with the game's board and with the board for games that bring none. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [, , file, served] = process.argv;
const { withDefaults, phrase } = await import(join(served, "board/load.js"));
const { stillModel } = await import(join(served, "board/still.js"));
const { possible, ready, atOnce } = await import(join(served, "table/choose.js"));

const games = JSON.parse(readFileSync(file, "utf-8"));

/** Everything that stands in a drawing, and that no two neighbours have the same key. */
function written(tree, at = "") {
  if (tree === null || tree === undefined || typeof tree === "boolean") return [];
  if (typeof tree === "string" || typeof tree === "number") return [String(tree)];
  if (Array.isArray(tree)) {
    const keys = tree.map((one) => one?.key).filter((key) => key !== undefined && key !== null);
    assert.equal(new Set(keys).size, keys.length, `${at}: equal keys ${keys}`);
    return tree.flatMap((one) => written(one, at));
  }
  const { children, ref, ...props } = tree.props;
  const told = Object.entries(props).flatMap(([name, value]) => {
    if (value === undefined || value === null || typeof value === "boolean" || typeof value === "function") return [];
    return typeof value === "object" ? [`${name}=${JSON.stringify(value)}`] : [`${name}=${value}`];
  });
  return [`<${tree.type}`, ...told, ...written(children, `${at} ${tree.type}.${props.class ?? ""}`)];
}

const WRONG = /undefined|NaN|\[object|null/;
function check(words, where) {
  const found = words.find((word) => WRONG.test(word));
  assert.equal(found, undefined, `${where}: ${found}`);
  return words.join("\n");
}

/** A model in which nothing has been touched, as the table page makes it. */
function modelOf(info, steps, at, more = {}) {
  const { position } = steps[at];
  const before = steps[Math.max(0, at - 1)].position;
  const recent = steps.slice(Math.max(1, at - 3), at + 1).map((step, n, all) => ({ event: step.event, before: steps[at - all.length + n].position, after: step.position }));
  return { ...stillModel({ info, position, before, recent, mySeats: [0] }), ...more };
}

/** What is drawn of a model, and what is said beside it. */
function drawAll(board, model, where) {
  const phase = (table) => Object.values(table(model)).map((word) => word ?? "");
  const seats = Array.from({ length: model.seats }, (_, seat) => seat);
  return check(
    [
      ...written(board.board(model), where), ...written(board.zone(model), where), ...written(board.reference?.(model) ?? null, where),
      ...seats.flatMap((seat) => [...written(board.seatBoard?.(model, seat) ?? null, where), ...written(board.smallBoard?.(model, seat) ?? null, where), board.seatNote(model, seat)]),
      ...phase(board.prompts), ...phase(board.notes), ...phase(board.needs), ...phase(board.chances), board.where(model), board.earned(model), String(board.wide(model)),
    ],
    where,
  );
}

const told = (label) => (typeof label === "string" ? [label] : [label.text, label.sub]);
let drawn = 0;
for (const { name, info, steps } of games) {
  for (const own of [await import(join(served, `games/${info.game}/board.js`)), {}]) {
    const board = withDefaults(own);
    const kind = own === board || Object.keys(own).length ? name : `${name} by default`;
    check(Object.values(board.nouns()), kind);
    for (const [at, { event, position }] of steps.entries()) {
      const where = `${kind}, event ${at}`;
      const before = steps[at - 1]?.position ?? null;
      for (const mine of [true, false]) {
        const tell = (what, offered = position) => ({ event: what, before, after: position, position: offered, name: "Anna", you: mine, who: (seat) => `who${seat}`, isYou: () => mine, box: info.components, options: info.options });
        if (event) check([phrase(board.sentences, tell(event))], where);
        for (const { event: move } of position.moves) check([...told(phrase(board.labels, tell(move))), phrase({ ...board.labels, ...board.shorts }, tell(move)) && ""], where);
      }
      drawAll(board, modelOf(info, steps, at), where);
      drawn += 1;
      if (event) {
        const earlier = (more) => ({ ...modelOf(info, steps, at - 1), ...more });
        if (event.roll) {
          const faces = (change) => (Array.isArray(event.roll) ? event.roll.map(change) : typeof event.roll === "object" ? Object.fromEntries(Object.entries(event.roll).map(([part, face]) => [part, change(face)])) : change(event.roll));
          const air = (roll) => drawAll(board, earlier({ roll: { event: { ...event, roll }, landed: 0, rests: false, after: null } }), `${where}, in the air`);
          assert.equal(air(event.roll), air(faces((face) => (face % 6) + 1)), `${where}: a face can be seen before its die rests`);
          drawAll(board, earlier({ roll: { event, landed: Infinity, rests: true, after: position } }), `${where}, at rest`);
        }
        const beats = board.beats({ event, before, after: position, name: "Anna", you: false, who: String, isYou: () => false, box: info.components, options: info.options, position });
        beats.forEach((_, beat) => {
          const model = earlier({ story: { event, beat, beats: beats.length, after: position } });
          drawAll(board, model, `${where}, beat ${beat}`);
          check([board.storyButton(model)], where);
        });
      }
      // what is touched on the way to a move
      for (const move of [position.moves[0], position.moves.at(-1)].filter(Boolean)) {
        for (let touched = 0; touched <= move.tokens.length; touched += 1) {
          const chosen = new Set(move.tokens.slice(0, touched));
          const model = modelOf(info, steps, at, {
            chooser: position.actor, moves: position.moves, chosen, possible: possible(position.moves, chosen), choice: ready(position.moves, chosen),
            tokens: [...new Set(position.moves.flatMap(({ tokens }) => tokens))].filter((token) => !atOnce(token)), uses: ready(position.moves, chosen)?.uses ?? null,
            touch: (token, label) => ({ class: "can", "data-token": token, "aria-label": label, onClick() {} }),
          });
          const text = drawAll(board, model, `${where}, touched ${[...chosen]}`);
          // whatever a move is made of can be touched somewhere
          const missing = model.tokens.filter((token) => possible(position.moves, chosen).has(token) && !text.includes(`data-token=${token}\n`));
          // a slide of Joker 2 stands for the calculation that makes it
          assert.deepEqual(missing.filter((token) => !token.startsWith("slide:")), [], `${where}: cannot be touched`);
        }
      }
    }
  }
}
console.log(`${games.length} games, ${drawn} positions`);
