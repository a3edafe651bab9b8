// @ts-check
/** Six short reactions: drawn, never written, shown for a moment on the seat of who sends one. */
import { setSettings, settings } from "../app/device.js";
import { dialog, switchField } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { h } from "../vendor/preact.js";

/** @import { Model } from "./controller.js" */

/** @typedef {import("../app/types.js").React["reaction"]} Reaction */

/** @type {Reaction[]} */
const ALL = ["hello", "bravo", "laugh", "oh-no", "luck", "moment"];

/** @param {Reaction} reaction */
export function meaning(reaction) {
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
const path = (d, name = "ink") => h("path", { class: name, d });
/** @param {number} cx @param {number} cy @param {number} r @param {string} name */
const disc = (cx, cy, r, name) => h("circle", { class: name, cx, cy, r });
const face = () => disc(16, 16, 13, "skin");

/** the drawings, in a square of 32 @type {Record<Reaction, () => object[]>} */
const PICTURES = {
  hello: () => [face(), disc(11.5, 13, 1.7, "eye"), disc(20.5, 13, 1.7, "eye"), path("M10 18.5q6 6.5 12 0"), path("M27 3.5l1.5 3M30.5 2.5l.5 3.5M4.5 3.5l-1.5 3M1.5 2.5l-.5 3.5", "ray")],
  bravo: () => [path("M11 15.5l4.5-10.5q3.6.2 3.2 4.2l-.7 4.3h6.5q3 .4 2.6 3.2l-1.7 8.2q-.6 2.2-2.8 2.2H11z", "skin"), path("M4.5 15h5v12.5h-5z", "cuff")],
  laugh: () => [face(), path("M8.5 13.5q2.5-3.5 5 0M18.5 13.5q2.5-3.5 5 0"), path("M8.5 17.5h15q-1.5 8-7.5 8t-7.5-8z", "mouth")],
  "oh-no": () => [face(), path("M8.5 10l4-1.5M23.5 10l-4-1.5"), disc(11.5, 14, 1.7, "eye"), disc(20.5, 14, 1.7, "eye"), h("ellipse", { class: "mouth", cx: 16, cy: 22, rx: 3.2, ry: 4 })],
  luck: () => [path("M16.5 17q1 7-3 12.5", "stem"), disc(11, 10.5, 5.5, "leaf"), disc(21, 10.5, 5.5, "leaf"), disc(11, 19.5, 5.5, "leaf"), disc(21, 19.5, 5.5, "leaf"), path("M16 15l-5-4.5M16 15l5-4.5M16 15l-5 4.5M16 15l5 4.5", "vein")],
  moment: () => [path("M9 5h14v3q0 4-5 8 5 4 5 8v3H9v-3q0-4 5-8-5-4-5-8z", "glass"), path("M11.5 26q0-3 4.5-5 4.5 2 4.5 5zM12 9.5h8q-1 2.5-4 4.5-3-2-4-4.5z", "sand"), path("M7.5 5h17M7.5 27h17")],
};

/** @param {Reaction} reaction */
function picture(reaction) {
  return h("svg", { class: "reaction-picture", viewBox: "0 0 32 32", "aria-hidden": "true" }, ...PICTURES[reaction]());
}

/** Whether other people sit at the table, on devices of their own. @param {Model} model */
export function hasCompany({ mySeats, info }) {
  return mySeats.length > 0 && info.seats.some((seat, number) => !mySeats.includes(number) && (seat.kind === "link" || seat.kind === "here" || seat.lent));
}

/** Let somebody choose a reaction. @param {Model} model */
export function openReactions({ turn, mySeats, commands }) {
  const seat = mySeats.includes(turn) ? turn : mySeats[0] ?? 0;
  dialog(t("Say something"), (close) => [
    h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "reactions" },
        ALL.map((reaction) =>
          h("button", { key: reaction, class: "button", type: "button", "data-key": `react-${reaction}`, onClick: () => { close(); commands.react(seat, reaction); } }, picture(reaction), h("span", null, meaning(reaction))),
        ),
      ),
      switchField("show-reactions", t("Show me what others say"), settings().reactions, (reactions) => setSettings({ reactions })),
    ),
  ]);
}

/** What a seat has just said, unless this device does not want to see any. @param {Model} model @param {number} seat */
export function reactionOf({ reactions, mySeats }, seat) {
  const reaction = reactions.get(seat)?.reaction;
  if (!reaction || (!settings().reactions && !mySeats.includes(seat))) return null;
  return h("span", { key: "reaction", class: "reaction", "data-reaction": reaction, role: "img", "aria-label": meaning(reaction) }, picture(reaction));
}
