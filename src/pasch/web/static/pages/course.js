// @ts-check
/** The picture of a game: how many points each seat could expect after every event, with luck and mistakes. */
import { ticks } from "./chart.js";
import { h, svg } from "../app/dom.js";
import { number, t } from "../app/i18n.js";

/**
 * @typedef {import("./sections.js").Noted} Noted
 * @typedef {import("./sections.js").Report} Report
 */

const HEIGHT = 260;
const LEFT = 40;
const RIGHT = 12;
const TOP = 14;
const BOTTOM = 26;

/**
 * @param {Report} report
 * @param {Noted[]} noted what is marked
 * @param {string} label
 * @param {(seat: number) => string} name
 * @param {(event: number) => void} jump show the game at this event
 * @returns {{picture: Element, at: (event: number) => void}}
 */
export function course(report, noted, label, name, jump) {
  const values = report.course;
  // drawn for the room there is, so that its words can be read on a phone too
  const width = window.innerWidth < 600 ? 360 : 620;
  const events = values.length - 1;
  const all = values.flat();
  const least = Math.min(0, ...all);
  const most = Math.max(1, ...all);
  const x = (/** @type {number} */ event) => LEFT + ((width - LEFT - RIGHT) * event) / Math.max(1, events);
  const y = (/** @type {number} */ value) => TOP + ((HEIGHT - TOP - BOTTOM) * (most - value)) / (most - least);
  const now = svg("line", { class: "now", y1: TOP, y2: HEIGHT - BOTTOM, x1: LEFT, x2: LEFT });
  const picture = svg(
    "svg",
    { class: "course", viewBox: `0 0 ${width} ${HEIGHT}`, role: "group", "aria-label": label },
    ticks(least, most).flatMap((value) => [
      svg("line", { class: "axis", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, number(value)),
    ]),
    svg("text", { x: width - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, t("move by move")),
    report.seats.map((_, seat) =>
      svg("path", { class: `line s${seat % 6}`, d: values.map((points, event) => `${event ? "L" : "M"}${x(event).toFixed(1)} ${y(points[seat] ?? 0).toFixed(1)}`).join("") }),
    ),
    now,
    marks(report, noted, name, jump, x, y),
  );
  const bounds = (/** @type {MouseEvent} */ event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * width;
    jump(Math.round(Math.min(1, Math.max(0, (at - LEFT) / (width - LEFT - RIGHT))) * events));
  };
  picture.addEventListener("click", bounds);
  return {
    picture: h("figure", { class: "figure" }, picture, legend(report, name)),
    at(event) {
      now.setAttribute("x1", String(x(event)));
      now.setAttribute("x2", String(x(event)));
    },
  };
}

/**
 * @param {Report} report
 * @param {(seat: number) => string} name
 */
function legend(report, name) {
  const key = (/** @type {string} */ look, /** @type {string} */ text) =>
    h("span", { class: "key" }, svg("svg", { viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" }, shape(look, 6, 6)), text);
  return h(
    "figcaption",
    { class: "row small" },
    report.seats.map((_, seat) =>
      h("span", { class: "key" }, svg("svg", { viewBox: "0 0 20 12", width: 20, height: 12, "aria-hidden": "true" }, svg("path", { class: `line s${seat % 6}`, d: "M1 6H19" })), name(seat)),
    ),
    key("luck", t("good luck")),
    key("unlucky", t("bad luck")),
    key("mistake", t("expensive move")),
  );
}

/**
 * Marks differ in shape as well as in colour.
 * @param {string} look
 * @param {number} x
 * @param {number} y
 */
function shape(look, x, y) {
  const d = look === "luck" ? "M0-5.5 5 4H-5Z" : look === "unlucky" ? "M0 5.5 5-4H-5Z" : "M-4.5 0 0-4.5 4.5 0 0 4.5Z";
  return svg("path", { class: look, d, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
}

/**
 * @param {Report} report
 * @param {Noted[]} noted
 * @param {(seat: number) => string} name
 * @param {(event: number) => void} jump
 * @param {(event: number) => number} x
 * @param {(value: number) => number} y
 */
function marks(report, noted, name, jump, x, y) {
  return [...noted].sort((a, b) => a.number - b.number).map((one) => {
    const seat = one.seat ?? 0;
    const details = { name: name(seat), points: number(Math.abs(one.points), report.digits) };
    const look = one.kind === "move" ? "mistake" : one.points > 0 ? "luck" : "unlucky";
    const label =
      look === "mistake"
        ? t("{name} gives away {points} points", details)
        : look === "luck"
          ? t("{name} is lucky: {points} points", details)
          : t("{name} is unlucky: {points} points", details);
    const show = (/** @type {Event} */ event) => {
      event.stopPropagation();
      jump(one.kind === "move" ? one.number - 1 : one.number);
    };
    const mark = svg(
      "g",
      { class: "mark", role: "button", tabindex: 0, "aria-label": label, "data-key": `mark-${one.number}`, onclick: show },
      svg("title", null, label),
      svg("circle", { class: "hit", cx: x(one.number), cy: y(report.course[one.number]?.[seat] ?? 0), r: 12 }),
      shape(look, x(one.number), y(report.course[one.number]?.[seat] ?? 0)),
    );
    mark.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        show(event);
      }
    });
    return mark;
  });
}
