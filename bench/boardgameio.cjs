// A game of three dice for boardgame.io with the steps of Würfel Joker 1: roll, push, stop.
// node boardgameio.cjs PORT memory|FOLDER, from a folder in which boardgame.io is installed
const { createRequire } = require("node:module");
const { Server, FlatFile, Origins } = createRequire(process.cwd() + "/")("boardgame.io/server");

const game = {
  name: "bench",
  setup: () => ({ step: "roll", dice: [], slides: [0, 0, 0, 0, 0, 0], totals: [0, 0] }),
  moves: {
    roll: ({ G, random }) => {
      G.dice = random.D6(3);
      G.step = "push";
    },
    push: ({ G }) => {
      for (const die of G.dice) G.slides[die - 1] = 1;
      G.step = "stop";
    },
    stop: ({ G, ctx, events }) => {
      G.totals[Number(ctx.currentPlayer)] += G.slides.reduce((sum, up) => sum + up, 0);
      G.slides = [0, 0, 0, 0, 0, 0];
      G.dice = [];
      G.step = "roll";
      events.endTurn();
    },
  },
};

const [port, store] = process.argv.slice(2);
const db = store === "memory" ? undefined : new FlatFile({ dir: store });
Server({ games: [game], db, origins: [Origins.LOCALHOST] }).run(Number(port));
