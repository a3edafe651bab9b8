// @ts-check
/** Six short reactions: drawn, never written, shown for a moment on the seat of who sends one. */
import { setSettings, settings } from "../app/device.js";
import { h, svg } from "../app/dom.js";
import { announce, dialog } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { acting, nameOf } from "./play.js";

/**
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("../app/types.js").React["reaction"]} Reaction
 */

/** how long a reaction is seen, in milliseconds */
const SHOWN = 4_000;

/** @type {Reaction[]} */
const ALL = ["hello", "bravo", "laugh", "oh-no", "luck", "moment"];

/** @param {Reaction} reaction */
function meaning(reaction) {
  switch (reaction) {
    case "hello": return t("Hello!");
    case "bravo": return t("Well done!");
    case "laugh": return t("Ha ha!");
    case "oh-no": return t("Oh no!");
    case "luck": return t("What luck!");
    case "moment": return t("One moment!");
  }
}

/** @param {string} d @param {string} [name] */
const path = (d, name = "ink") => svg("path", { class: name, d });
/** @param {number} cx @param {number} cy @param {number} r @param {string} name */
const disc = (cx, cy, r, name) => svg("circle", { class: name, cx, cy, r });
const face = () => disc(16, 16, 13, "skin");

/** the drawings, in a square of 32 @type {Record<Reaction, () => SVGElement[]>} */
const PICTURES = {
  hello: () => [face(), disc(11.5, 13, 1.7, "eye"), disc(20.5, 13, 1.7, "eye"), path("M10 18.5q6 6.5 12 0"), path("M27 3.5l1.5 3M30.5 2.5l.5 3.5M4.5 3.5l-1.5 3M1.5 2.5l-.5 3.5", "ray")],
  bravo: () => [path("M11 15.5l4.5-10.5q3.6.2 3.2 4.2l-.7 4.3h6.5q3 .4 2.6 3.2l-1.7 8.2q-.6 2.2-2.8 2.2H11z", "skin"), path("M4.5 15h5v12.5h-5z", "cuff")],
  laugh: () => [face(), path("M8.5 13.5q2.5-3.5 5 0M18.5 13.5q2.5-3.5 5 0"), path("M8.5 17.5h15q-1.5 8-7.5 8t-7.5-8z", "mouth")],
  "oh-no": () => [face(), path("M8.5 10l4-1.5M23.5 10l-4-1.5"), disc(11.5, 14, 1.7, "eye"), disc(20.5, 14, 1.7, "eye"), svg("ellipse", { class: "mouth", cx: 16, cy: 22, rx: 3.2, ry: 4 })],
  luck: () => [path("M16.5 17q1 7-3 12.5", "stem"), disc(11, 10.5, 5.5, "leaf"), disc(21, 10.5, 5.5, "leaf"), disc(11, 19.5, 5.5, "leaf"), disc(21, 19.5, 5.5, "leaf"), path("M16 15l-5-4.5M16 15l5-4.5M16 15l-5 4.5M16 15l5 4.5", "vein")],
  moment: () => [path("M9 5h14v3q0 4-5 8 5 4 5 8v3H9v-3q0-4 5-8-5-4-5-8z", "glass"), path("M11.5 26q0-3 4.5-5 4.5 2 4.5 5zM12 9.5h8q-1 2.5-4 4.5-3-2-4-4.5z", "sand"), path("M7.5 5h17M7.5 27h17")],
};

/** @param {Reaction} reaction */
function picture(reaction) {
  return svg("svg", { class: "reaction-picture", viewBox: "0 0 32 32", "aria-hidden": "true" }, ...PICTURES[reaction]());
}

/** Whether other people sit at the table, on devices of their own. @param {Play} play */
export function hasCompany(play) {
  return play.yours.length > 0 && play.info.seats.some((seat, number) => !play.yours.includes(number) && (seat.kind === "link" || seat.kind === "here" || seat.lent));
}

/** Let somebody choose a reaction. @param {Play} play */
export function openReactions(play) {
  const turn = acting(play);
  const seat = play.yours.includes(turn) ? turn : play.yours[0] ?? 0;
  dialog(t("Say something"), (close) => [
    h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "reactions" },
        ALL.map((reaction) =>
          h("button", { class: "button", type: "button", "data-key": `react-${reaction}`, onclick: () => { close(); play.actions.react(seat, reaction); } }, picture(reaction), h("span", null, meaning(reaction))),
        ),
      ),
      h(
        "label",
        { class: "switch" },
        h("input", {
          type: "checkbox",
          checked: settings().reactions,
          "data-key": "show-reactions",
          onchange: (/** @type {Event} */ event) => setSettings({ reactions: /** @type {HTMLInputElement} */ (event.target).checked }),
        }),
        h("span", null, t("Show me what others say")),
      ),
    ),
  ]);
}

/**
 * Show a reaction for a moment, unless this device does not want to see any.
 * @param {Play} play
 * @param {import("../app/types.js").Reacted} message
 */
export function showReaction(play, { seat, reaction }) {
  if (!settings().reactions && !play.yours.includes(seat)) return;
  announce(t("{name}: {what}", { name: nameOf(play, seat), what: meaning(reaction) }));
  play.reactions.set(seat, reaction);
  play.actions.draw();
  window.setTimeout(() => {
    if (play.reactions.get(seat) !== reaction) return;
    play.reactions.delete(seat);
    play.actions.draw();
  }, SHOWN);
}

/** What a seat has just said. @param {Play} play @param {number} seat */
export function reactionOf(play, seat) {
  const reaction = play.reactions.get(seat);
  return reaction ? h("span", { class: "reaction", "data-reaction": reaction, role: "img", "aria-label": meaning(reaction) }, picture(reaction)) : null;
}
