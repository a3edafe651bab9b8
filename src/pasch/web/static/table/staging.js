// @ts-check
/**
 * Shows what the server tells, one thing after the other, so that people see it happen: whose board, what is new, why a
 * turn was lost, and for how long.
 *
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("./socket.js").Update} Update
 * @typedef {import("../app/types.js").Position} Position
 *
 * @typedef {object} Staged what is shown besides the position
 * @property {import("./pace.js").Showing["kind"]} kind
 * @property {number | null} seat whose board is shown
 * @property {boolean} blocks whether it has to be seen, or skipped, before somebody acts
 * @property {string} caption
 * @property {Position | null} position another position than the one on the table
 * @property {import("./touch.js").Happening[]} recent with it, what has just happened
 */
import { settings } from "../app/device.js";
import { t } from "../app/i18n.js";
import { showing } from "./pace.js";
import { contextOf, whoIs } from "./play.js";
import { stage } from "./stage.js";

/**
 * Whether dice or cards wait for us to go on, so that our last move can be taken back.
 * @param {Pick<Play, "yours" | "info">} play
 * @param {Position} position
 */
export function waitsForUs({ yours, info }, { actor, awaits, undo, roller }) {
  const person = roller !== null && info.seats[roller]?.kind !== "computer";
  return undo !== null && yours.includes(undo) && actor === -1 && awaits === null && !person && info.dice === "pasch" && info.phase === "playing";
}

/**
 * @param {import("./stage.js").Clock} clock
 * @param {object} table
 * @param {() => Play | null} table.playing
 * @param {(message: Update) => void} table.apply take over what has happened
 * @param {(message: Update) => void} table.tell say it, before or while it is shown
 * @param {() => void} table.draw
 * @param {() => void} table.go let the dice come that wait for us
 * @param {() => void} table.idle everything has been seen
 */
export function staging(clock, { playing, apply, tell, draw, go, idle }) {
  const scenes = stage(clock, () => {
    const play = playing();
    if (play) play.scene = null;
    idle();
  });

  /** @param {Play} play @param {Update} message @param {Position} before */
  function shown(play, message, before) {
    const entry = message.entries.find((one) => one.kind === "event");
    if (!entry || document.hidden) return null;
    const { position: after } = message;
    const { pace } = settings();
    const how = showing(entry.body, { before, after, yours: play.yours, wide: play.wide, pace, waiting: scenes.waiting, waits: waitsForUs(play, after) });
    return { event: entry.body, how };
  }

  /** @param {Play} play @param {Record<string, any>} event @param {Position} before */
  function captionOf(play, event, before) {
    if (typeof event.seat !== "number" || event.roll) return "";
    const what = play.board.short(contextOf(play, before), event);
    return t("{name}: {what}", { name: whoIs(play, event.seat), what });
  }

  return {
    ...scenes,
    get waiting() {
      return scenes.waiting;
    },
    get showing() {
      return scenes.showing;
    },
    /** Show an update in its turn. @param {Update} message */
    update(message) {
      let told = false;
      /** @type {import("./stage.js").Scene} */
      const lost = {
        hold: 0,
        begin() {
          const play = playing();
          const found = play && shown(play, message, play.position);
          if (!play || found?.how.kind !== "lost") return;
          const { event, how } = found;
          const before = play.position;
          told = true;
          tell(message);
          // the dice lie where they were rolled, on the board as it was; the next version is newer than this one
          const position = { ...before, version: message.position.version - 0.5, moves: [], awaits: null };
          play.scene = { kind: "lost", seat: how.seat, blocks: how.blocks, caption: "", position, recent: [{ event, before, after: message.position }] };
          play.busy = false;
          lost.hold = how.hold;
          draw();
        },
      };
      /** @type {import("./stage.js").Scene} */
      const scene = {
        hold: 0,
        begin() {
          const play = playing();
          if (!play) return;
          const before = play.position;
          const found = told ? null : shown(play, message, before);
          apply(message);
          play.scene = found && { ...found.how, caption: captionOf(play, found.event, before), position: null, recent: [] };
          if (!told) tell(message);
          if (found?.how.kind === "held") scene.end = go;
          scene.hold = found?.how.hold ?? 0;
          draw();
        },
      };
      scenes.add(lost, scene);
    },
    /** Dice wait for us since before we came in. */
    resume() {
      const play = playing();
      if (play && waitsForUs(play, play.position)) scenes.add({ hold: 1, begin: () => {}, end: go });
    },
  };
}
