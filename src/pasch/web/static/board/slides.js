// @ts-check
/** A tray with slides that are pushed up. */

import { svg } from "../app/dom.js";
import { list, number, t } from "../app/i18n.js";
import { bits, frame, has, motion, moved, range, words } from "./pieces.js";

/** @typedef {import("../table/touch.js").Ctx} Ctx */

/** how far a slide goes, how far where they lie in two rows, and how tall its knob is */
const TRAVEL = 48;
const SHORT = 30;
const KNOB = 46;

export const TRAY_WIDTH = 342;
/** where the slots begin and end */
export const TRAY_TOP = 12;
export const TRAY_BOTTOM = TRAY_TOP + TRAVEL + KNOB + 8;

/**
 * How the slides of the position are drawn: where each begins, how wide it is, which have just moved.
 * @param {Ctx} ctx
 * @param {number} slides how many there are
 * @param {number} [row] how many lie side by side; fewer where all would be too narrow for a finger
 */
export function layout(ctx, slides, row = slides) {
  const up = ctx.position.snapshot.slides;
  const news = moved(ctx, "slides", up);
  const width = (TRAY_WIDTH - 18) / row;
  const travel = row < slides ? SHORT : TRAVEL;
  const height = travel + KNOB + 8;
  const down = (/** @type {number} */ n) => Math.floor((n - 1) / row);
  // a row that is not full lies in the middle
  const indent = (/** @type {number} */ n) => ((row - Math.min(row, slides - down(n) * row)) * width) / 2;
  return {
    width,
    travel,
    height,
    bottom: TRAY_TOP + height + down(slides) * (height + 8),
    left: (/** @type {number} */ n) => 9 + indent(n) + width * ((n - 1) % row),
    top: (/** @type {number} */ n) => TRAY_TOP + down(n) * (height + 8),
    up: (/** @type {number} */ n) => has(up, n - 1),
    moving: (/** @type {number} */ n) => {
      if (!news || has(up, n - 1) === has(news.before, n - 1)) return null;
      return motion(has(up, n - 1) ? "rising" : "falling", news.since);
    },
  };
}

/**
 * One slide in its slot.
 * @param {ReturnType<typeof layout>} places
 * @param {number} n
 * @param {boolean} chosen it is about to be pushed
 */
export function slide(places, n, chosen) {
  const up = places.up(n);
  const width = places.width - 4;
  const { travel, height } = places;
  const y = up ? 4 : chosen ? 4 + travel / 2 : 4 + travel;
  return svg(
    "g",
    { class: `slide${up ? " up" : ""}`, transform: `translate(${places.left(n) + 2} ${places.top(n)})` },
    svg("rect", { class: "slot", width, height, rx: 8 }),
    svg("path", { class: "groove", d: `M${width / 2} 12V${height - 12}` }),
    svg(
      "g",
      { class: "knob", transform: `translate(3 ${y})` },
      svg(
        "g",
        places.moving(n),
        svg("rect", { class: "knob-side", y: 2, width: width - 6, height: KNOB - 2, rx: 7 }),
        svg("rect", { class: "knob-face", width: width - 6, height: KNOB - 4, rx: 7 }),
        words((width - 6) / 2, 28, number(n), "knob-number"),
        svg("path", { class: "grip", d: `M${width / 2 - 11} 36.5h16M${width / 2 - 8} 6.5h10` }),
      ),
    ),
    svg("rect", { class: "hit", x: -1, width: width + 2, height, rx: 8 }),
  );
}

/**
 * The tray with what lies in it.
 * @param {Ctx} ctx
 * @param {number} slides
 * @param {number} height
 * @param {boolean} controls
 * @param {(SVGElement | false)[]} children
 */
export function tray(ctx, slides, height, controls, children) {
  const up = bits(ctx.position.snapshot.slides, slides).map((bit) => bit + 1);
  const label = up.length ? t("Slides up: {slides}", { slides: list(up) }) : t("No slide is up");
  return frame(
    { name: `tray seat-${ctx.position.snapshot.seat}`, label, width: TRAY_WIDTH, height, controls },
    svg("rect", { class: "plate", x: 1, y: 1, width: TRAY_WIDTH - 2, height: height - 2, rx: 12 }),
    children,
  );
}

/**
 * The numbers of the slides.
 * @param {number} slides
 */
export function numbers(slides) {
  return range(1, slides);
}
