// @ts-check
/** The tray of both Würfel Joker games: slides that are pushed up. */

import { svg } from "./dom.js";
import { list, number, t } from "./i18n.js";
import { bits, frame, has, motion, moved, range, words } from "./pieces.js";

/** @typedef {import("./touch.js").Ctx} Ctx */

/** how far a slide goes, and how tall its knob is */
const TRAVEL = 48;
const KNOB = 46;

export const TRAY_WIDTH = 342;
/** where the slots begin and end */
export const TRAY_TOP = 12;
export const TRAY_BOTTOM = TRAY_TOP + TRAVEL + KNOB + 8;

/**
 * How the slides of the position are drawn: where each begins, how wide it is, which have just moved.
 * @param {Ctx} ctx
 * @param {number} slides how many there are
 */
export function layout(ctx, slides) {
  const up = ctx.position.snapshot.slides;
  const news = moved(ctx, "slides", up);
  const width = (TRAY_WIDTH - 18) / slides;
  return {
    width,
    left: (/** @type {number} */ n) => 9 + width * (n - 1),
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
  const y = up ? 4 : chosen ? 4 + TRAVEL / 2 : 4 + TRAVEL;
  return svg(
    "g",
    { class: `slide${up ? " up" : ""}`, transform: `translate(${places.left(n) + 2} ${TRAY_TOP})` },
    svg("rect", { class: "slot", width, height: TRAVEL + KNOB + 8, rx: 8 }),
    svg("path", { class: "groove", d: `M${width / 2} 12V${TRAVEL + KNOB - 4}` }),
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
    // as wide as there is room: on a phone nine slides are narrow
    svg("rect", { class: "hit", x: -1, width: width + 2, height: TRAVEL + KNOB + 8, rx: 8 }),
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
