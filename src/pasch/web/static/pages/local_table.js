// @ts-check
/**
 * A table without a server behind it, for lessons and puzzles: the same controller, drawings, sounds and keys, and a page
 * that answers its commands.
 *
 * @typedef {object} LocalTable
 * @property {import("../app/api.js").GameInfo} game
 * @property {import("../board/model.js").Board} board
 * @property {import("../app/types.js").TableInfo} info
 * @property {string} title of the page
 * @property {string} [where] what stands beside it
 * @property {string} leaving what the button to leave is called
 * @property {(model: Model) => Child} view
 * @property {(event: Record<string, any>) => Sentence | null} move make a move; why it is not wanted, or null
 * @property {() => void} [roll] let chance happen
 * @property {(token: string) => Sentence} why what was touched is not possible
 */
import { icon, link, toast } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { setShell } from "../app/shell.js";
import { playSound, soundButton } from "../app/sound.js";
import { classes } from "../board/pieces.js";
import { createTable } from "../table/controller.js";
import { openSession } from "../table/session.js";
import { h } from "../vendor/preact.js";

/** @import { Child } from "../vendor/preact.js" */
/** @import { Sentence, Step } from "../app/types.js" */
/** @import { Model } from "../table/controller.js" */

/** A sentence that is in the reader's language already. @param {string} template @returns {Sentence} */
export const inWords = (template) => ({ template, details: {} });

/**
 * A lesson or a puzzle drawn: the mat, and what stands beside it.
 * @param {Model} model
 * @param {string} name of the page
 * @param {{more?: string, left: Child, lying: Child, dock: Child, right: Child, labels: [left: string, right: string]}} parts
 */
export const room = ({ info, pace }, name, { more = "", left, lying, dock, right, labels }) =>
  h(
    "div",
    { key: name, class: name },
    h(
      "div",
      { class: classes("room", `game-${info.game}`, `of-${info.players}`, more), style: { "--pace": pace } },
      h("aside", { key: "left", class: "rail left", "aria-label": labels[0] }, left),
      h("section", { key: "mat", class: "mat", "aria-label": t("The table") }, h("div", { key: "play", class: "play", "data-scope": "boards" }, lying), dock),
      h("aside", { key: "right", class: "rail right", "aria-label": labels[1] }, right),
    ),
  );

/** @param {HTMLElement} root @param {LocalTable} what */
export function openLocalTable(root, { game, board, info, title, where = "", leaving, view, move, roll, why }) {
  /** @type {ReturnType<typeof createTable> | null} */
  let table = null;
  /** whether what happens was over before somebody looked */
  let past = false;
  const session = openSession(root, { table: () => (past ? null : table), view: (model) => model && [h("h1", { key: "title", class: "unseen" }, title), view(model)] });
  // what the computer did in a lesson does not wait
  const viewing = () => ({ ...session.viewing(), wait: false, hidden: past });

  /** @param {{type: string} & Record<string, any>} command @returns {Promise<import("../table/socket.js").Answer>} */
  async function send(command) {
    if (command.type === "why") return /** @type {any} */ ({ type: "because", reason: why(command.tokens.at(-1)) });
    const refused = command.type === "move" ? move(command.event) : null;
    if (command.type === "roll") roll?.();
    if (refused) return /** @type {any} */ ({ type: "refused", code: "refused", reason: refused });
    return /** @type {any} */ ({ type: "accepted", version: table?.since() ?? 0 });
  }
  const frame = () => setShell({ title, where, tools: [soundButton(frame), link("/", { key: "leave", class: "tool", "data-key": "leave", "aria-label": leaving }, icon("close"))] });
  frame();

  return {
    pulse: session.pulse,
    leave: session.leave,
    /** Begin anew, from a position and what happened before that is known. @param {import("../app/types.js").Position} position @param {number} seat the reader's @param {{entries?: import("../app/types.js").Entry[], steps?: Step[]}} [before] */
    begin(position, seat, { entries = [], steps = [] } = {}) {
      past = true;
      table = createTable("here", { game, board, now: () => performance.now(), send, changed: session.pulse, viewing, moveToTable() {}, tell: toast, sound: playSound });
      table.receive(/** @type {any} */ ({ type: "welcome", table: info, yours: [seat], invited: [], maker: false, position, entries, first: entries[0]?.version ?? 1, judgements: [] }));
      if (steps.length) table.receive(/** @type {any} */ ({ type: "update", steps }));
      past = false;
      session.begin();
    },
    /** What happens now. @param {Step[]} steps */
    happen: (steps) => table?.receive(/** @type {any} */ ({ type: "update", steps })),
    /** Nothing more is said of what was touched. */
    clear: () => table?.commands.clear(),
  };
}
