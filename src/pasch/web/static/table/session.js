// @ts-check
/**
 * Shows a table to a person, from whatever answers its commands: draws it when something has changed or is due, says and sounds
 * what has come to be seen, listens to keys and touches.
 */
import * as device from "../app/device.js";
import { announce, redrawDialogs } from "../app/frame.js";
import { mount } from "../app/mount.js";
import { playSound } from "../app/sound.js";
import { listen } from "./keys.js";
import { sentence } from "./log.js";
import { boardModel } from "./view.js";

/** @import { Model } from "./controller.js" */

/** below this width there is one column */
const SMALL = "(max-width: 43.99rem)";

/**
 * @param {HTMLElement} root
 * @param {object} what
 * @param {() => ReturnType<typeof import("./controller.js").createTable> | null} what.table null: there is none yet
 * @param {(model: Model | null) => import("../vendor/preact.js").Child} what.view
 * @param {(model: Model, begins: boolean) => void} [what.shown] called after each drawing
 */
export function openSession(root, { table, view, shown = () => {} }) {
  const small = matchMedia(SMALL);
  const reduced = matchMedia("(prefers-reduced-motion: reduce)");
  let timer = 0;
  let left = false;
  /** up to which version this page has said and sounded what happened; null: nothing was shown yet @type {number | null} */
  let announced = null;
  /** the roll, and the part of a story, that were last announced */
  let [rolling, beat] = [-1, ""];

  function current() {
    const now = table();
    return now?.begun() ? now.model() : null;
  }
  document.body.classList.add("at-table");
  const page = mount(root, () => view(current()));

  /** Something has changed, or is due: draw, say what may be said by now, and come back when more is due. */
  function pulse() {
    clearTimeout(timer);
    if (left) return;
    page.redraw();
    redrawDialogs();
    const model = current();
    if (!model) return;
    const begins = announced === null;
    hear(model);
    shown(model, begins);
    const due = table()?.tick() ?? Infinity;
    if (due < Infinity) timer = window.setTimeout(pulse, Math.max(0, due - performance.now()) + 1);
  }

  /** Say and sound what has just come to be seen. @param {Model} model */
  function hear(model) {
    const { entries, shown: { roll, since, story }, board } = model;
    const version = entries.at(-1)?.version ?? 0;
    const known = announced ?? version;
    announced = version;
    if (roll && !roll.rests && roll.landed === 0 && rolling !== since) {
      rolling = since;
      playSound("roll");
    }
    const shownBeat = story ? `${version} ${story.beat}` : "";
    if (shownBeat && shownBeat !== beat) {
      playSound("chips");
      announce(board.storyButton(boardModel(model)));
    }
    beat = shownBeat;
    const news = entries.filter((entry) => entry.version > known);
    for (const entry of news) announce(sentence(model, entry));
    if (roll?.rests && news.length) playSound("lost");
    else if (news.some(({ kind, body }) => kind === "event" && !body.roll)) playSound(board.placing);
  }

  /** A touch beside everything else continues what is being shown. @param {Event} event */
  const touched = (event) => {
    const model = current();
    if (model && !model.shown.settled && !(/** @type {Element} */ (event.target).closest("button, a, input, select, summary, .log, form"))) model.commands.skip();
  };
  root.addEventListener("click", touched);
  small.addEventListener("change", pulse);
  const unlisten = listen(root, current);

  return {
    current,
    pulse,
    /** How this person watches. */
    viewing() {
      const { pace, wait, still } = device.settings();
      return { pace, wait, still: still || reduced.matches, hidden: document.hidden, small: small.matches };
    },
    /** What is on the table now is nothing new. */
    begin() {
      announced = null;
      pulse();
    },
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
