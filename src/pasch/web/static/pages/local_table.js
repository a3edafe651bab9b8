// @ts-check
/**
 * A table without a server behind it, for lessons and puzzles: the same controller, drawings, sounds and keys, and a page
 * that answers its commands.
 *
 * @typedef {import("../table/controller.js").Model} Model
 * @typedef {import("../app/types.js").Step} Step
 * @typedef {import("../app/types.js").Sentence} Sentence
 *
 * @typedef {object} LocalTable
 * @property {import("../app/api.js").GameInfo} game
 * @property {import("../board/model.js").Board} board
 * @property {import("../app/types.js").TableInfo} info
 * @property {string} title of the page
 * @property {string} [where] what stands beside it
 * @property {string} leaving what the button to leave is called
 * @property {(model: Model) => import("../vendor/preact.js").Child} view
 * @property {(event: Record<string, any>) => Sentence | null} move make a move; why it is not wanted, or null
 * @property {() => void} [roll] let chance happen
 * @property {(token: string) => Sentence} why what was touched is not possible
 */
import * as device from "../app/device.js";
import { announce, icon, link, toast } from "../app/frame.js";
import { mount } from "../app/mount.js";
import { setShell } from "../app/shell.js";
import { playSound, soundButton } from "../app/sound.js";
import { createTable } from "../table/controller.js";
import { listen } from "../table/keys.js";
import { sentence } from "../table/log.js";
import { h } from "../vendor/preact.js";

/** below this width there is one column */
const SMALL = "(max-width: 43.99rem)";

/** A sentence that is in the reader's language already. @param {string} template @returns {Sentence} */
export const inWords = (template) => ({ template, details: {} });

/** @param {HTMLElement} root @param {LocalTable} what */
export function openLocalTable(root, { game, board, info, title, where = "", leaving, view, move, roll, why }) {
  const small = matchMedia(SMALL);
  const reduced = matchMedia("(prefers-reduced-motion: reduce)");
  let table = create();
  let timer = 0;
  let left = false;
  let rolling = -1;
  let heard = 0;
  /** whether what happens was over before somebody looked */
  let past = false;

  function create() {
    return createTable("here", { game, board, now: () => performance.now(), send, changed: () => pulse(), viewing, moveToTable() {}, tell: toast, sound: playSound });
  }

  function viewing() {
    const { pace, still } = device.settings();
    return { pace, wait: false, still: still || reduced.matches, hidden: past, small: small.matches };
  }

  /** @param {{type: string} & Record<string, any>} command @returns {Promise<import("../table/socket.js").Answer>} */
  async function send(command) {
    if (command.type === "why") return /** @type {any} */ ({ type: "because", reason: why(command.tokens.at(-1)) });
    const refused = command.type === "move" ? move(command.event) : null;
    if (command.type === "roll") roll?.();
    if (refused) return /** @type {any} */ ({ type: "refused", code: "refused", reason: refused });
    return /** @type {any} */ ({ type: "accepted", version: table.since() ?? 0 });
  }

  /** Draw, and come back when more is due. */
  function pulse() {
    clearTimeout(timer);
    if (left || !begun) return;
    page.redraw();
    const { shown, entries } = table.model();
    if (shown.roll && shown.roll.landed === 0 && rolling !== shown.since) {
      rolling = shown.since;
      playSound("roll");
    }
    const news = entries.filter(({ version }) => version > heard);
    heard = Math.max(heard, ...news.map(({ version }) => version));
    for (const entry of news) announce(sentence(table.model(), entry));
    if (news.some(({ body }) => !body.roll)) playSound(board.placing);
    const due = table.tick();
    if (due < Infinity) timer = window.setTimeout(pulse, Math.max(0, due - performance.now()) + 1);
  }

  let begun = false;
  document.body.classList.add("at-table");
  const frame = () => setShell({ title, where, tools: [soundButton(frame), link("/", { key: "leave", class: "tool", "data-key": "leave", "aria-label": leaving }, icon("close"))] });
  frame();
  const page = mount(root, () => begun && [h("h1", { key: "title", class: "unseen" }, title), view(table.model())]);
  const unlisten = listen(root, () => (begun ? table.model() : null));
  /** A touch beside everything else goes on with what is being shown. @param {Event} event */
  const touched = (event) => {
    if (begun && !table.model().shown.settled && !(/** @type {Element} */ (event.target).closest("button, a, select"))) table.model().commands.skip();
  };
  root.addEventListener("click", touched);
  small.addEventListener("change", pulse);

  return {
    pulse,
    /** Begin anew, from a position and what happened before that is known. @param {import("../app/types.js").Position} position @param {number} seat the reader's @param {{entries?: import("../app/types.js").Entry[], steps?: Step[]}} [before] */
    begin(position, seat, { entries = [], steps = [] } = {}) {
      table = create();
      past = true;
      begun = false;
      table.receive(/** @type {any} */ ({ type: "welcome", table: info, yours: [seat], invited: [], maker: false, position, entries, first: entries[0]?.version ?? 1, judgements: [] }));
      if (steps.length) table.receive(/** @type {any} */ ({ type: "update", steps }));
      past = false;
      begun = true;
      heard = table.since() ?? 0;
      pulse();
    },
    /** What happens now. @param {Step[]} steps */
    happen: (steps) => table.receive(/** @type {any} */ ({ type: "update", steps })),
    /** Nothing more is said of what was touched. */
    clear: () => table.commands.clear(),
    leave() {
      left = true;
      clearTimeout(timer);
      root.removeEventListener("click", touched);
      small.removeEventListener("change", pulse);
      unlisten();
      page.stop();
    },
  };
}
