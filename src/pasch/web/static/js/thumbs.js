// @ts-check
/** A small drawing of each game, for the list of games. They say nothing that the text beside them does not. */

import { chip, range, thumbnail, words } from "./chips.js";
import { die } from "./dice.js";
import { svg } from "./dom.js";

/** A corner of the board: light fields, the dark edge, a complete line. */
export function crowns() {
  const crown = (/** @type {number} */ x, /** @type {number} */ y) =>
    svg("path", { class: "crown", d: "M-6.5 4.5-7-3.5-3.2-.5 0-5.5 3.2-.5 7-3.5 6.5 4.5Z", transform: `translate(${x} ${y})` });
  return thumbnail(
    range(0, 8).map((at) => {
      const [across, down] = [at % 3, Math.floor(at / 3)];
      const edge = across === 2 || down === 2;
      return svg(
        "g",
        { class: `crown-field${edge ? " edge" : ""}` },
        svg("rect", { class: "field-face", x: 4 + 30 * across, y: 4 + 30 * down, width: 28, height: 28, rx: 5 }),
        crown(18 + 30 * across, 18 + 30 * down),
      );
    }),
    svg("path", { class: "complete-line", d: "M18 18 48 48" }),
    chip(0, 18, 18, 11),
    chip(0, 48, 48, 11),
    chip(0, 78, 48, 11),
  );
}

/**
 * @param {number} n how many slides
 * @param {readonly number[]} up which of them are up
 */
function slides(n, up) {
  const width = 84 / n;
  return range(1, n).map((slide) => {
    const x = 6 + width * (slide - 1);
    const raised = up.includes(slide);
    return svg(
      "g",
      { class: `slide${raised ? " up" : ""} seat-${n === 6 ? 0 : 2}` },
      svg("rect", { class: "slot", x: x + 1, y: 8, width: width - 2, height: 48, rx: 4 }),
      svg("rect", { class: "knob-face", x: x + 2, y: raised ? 10 : 32, width: width - 4, height: 22, rx: 3 }),
    );
  });
}

/** Slides in a pattern, and the dice. */
export function joker1() {
  return thumbnail(
    slides(6, [1, 6]),
    [1, 6, 3].map((face, at) => die(face, { x: 5 + 30 * at, y: 63, size: 26 })),
  );
}

/** Nine slides, and a calculation. */
export function joker2() {
  return thumbnail(
    slides(9, [2, 5, 8]),
    die(4, { x: 8, y: 63, size: 26 }),
    words(48, 84, "×", "thumb-sign"),
    die(2, { x: 62, y: 63, size: 26 }),
  );
}

/** A six-pointed star, one of its lines complete. */
export function lines() {
  const at = (/** @type {number} */ turn, /** @type {number} */ radius) =>
    [48 + radius * Math.sin(turn * 2 * Math.PI), 48 - radius * Math.cos(turn * 2 * Math.PI)].map((x) => x.toFixed(1));
  const tips = range(0, 5).map((i) => at(i / 6, 38));
  const inner = range(0, 5).map((i) => at((i + 0.5) / 6, 22));
  const line = (/** @type {number} */ i) => `M${tips[i]?.join(" ")}L${tips[(i + 2) % 6]?.join(" ")}`;
  const full = [tips[0], inner[0], inner[1], tips[2]];
  return thumbnail(
    svg("path", { class: "plan-line", d: range(1, 5).map(line).join("") }),
    svg("path", { class: "complete-line", d: line(0) }),
    [...tips, ...inner].map((point) =>
      full.includes(point)
        ? chip(1, Number(point[0]), Number(point[1]), 8)
        : svg("circle", { class: "number-disc", cx: point[0], cy: point[1], r: 7.5 }),
    ),
  );
}

/** Coloured dice on coloured squares. */
export function fiese15() {
  const strip = [["red", 3, 4], ["blue", 0, 2], ["yellow", 2, 3], ["black", 0, 1], ["white", 5, 5], ["green", 0, 6]];
  return thumbnail(
    strip.map(([colour, face, target], at) => {
      const [x, y] = [4 + 30 * (at % 3), 12 + 38 * Math.floor(at / 3)];
      return svg(
        "g",
        { class: `target die-${colour}` },
        svg("rect", { class: "square", x, y, width: 28, height: 34, rx: 5 }),
        face
          ? die(Number(face), { colour: String(colour), x: x + 1.5, y: y + 4.5, size: 25 })
          : words(x + 14, y + 24, Number(target), "target-number"),
      );
    }),
  );
}

/** Cards on fields, the lowest marked. */
export function sixbysix() {
  const values = [7, 2, 9, 4, 0, 6];
  return thumbnail(
    values.map((value, at) => {
      const [x, y] = [19 + 29 * (at % 3), 27 + 42 * Math.floor(at / 3)];
      return svg(
        "g",
        { transform: `translate(${x} ${y})` },
        !value && svg("rect", { class: "card-place", x: -13, y: -19, width: 26, height: 38, rx: 5 }),
        value > 0 && [
          svg("g", { class: "card-front" }, svg("rect", { class: "card-face", x: -12, y: -18, width: 24, height: 36, rx: 4 })),
          words(0, 8, value, "card-number"),
        ],
        value === 2 && svg("rect", { class: "mark-ring", x: -13, y: -19, width: 26, height: 38, rx: 5 }),
      );
    }),
  );
}
