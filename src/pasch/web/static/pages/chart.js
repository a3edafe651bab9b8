// @ts-check
/** Small pictures of numbers over time: dots, a line, and the band in which the true value lies. */
import { number } from "../app/i18n.js";
import { h } from "../vendor/preact.js";

const HEIGHT = 200;
const LEFT = 44;
const RIGHT = 10;
const TOP = 12;
const BOTTOM = 24;
/** of fewer games the band would be as high as the picture */
const FIRST_GAME_SHOWN = 3;

/** Round numbers between two values, about five of them. @param {number} least @param {number} most */
export function ticks(least, most) {
  const rough = (most - least) / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const found = [];
  for (let at = Math.ceil(least / step) * step; at <= most + 1e-9; at += step) found.push(Math.round(at * 100) / 100);
  return found;
}

/**
 * @typedef {object} Series
 * @property {number[]} dots one for each game; not drawn if there are none
 * @property {import("./statistics.js").Interval[]} line one for each game, with its band
 */

/**
 * A chart with its numbers as words: `label` says what it shows, `keys` name dots, line and band.
 * @param {Series} series
 * @param {{label: string, below: string, keys: [look: "dot" | "line" | "band", text: string][], bounds?: [number, number]}} how
 */
export function chart({ dots, line }, { label, below, keys, bounds }) {
  // drawn for the width there is, so that its words can be read on a phone too
  const width = window.innerWidth < 600 ? 330 : 560;
  const games = Math.max(dots.length, line.length);
  const seen = [...dots, ...line.map(({ mean }) => mean)];
  // a band of a few games would be wider than everything else
  const [spread, middle] = [Math.max(...seen) - Math.min(...seen), (Math.max(...seen) + Math.min(...seen)) / 2];
  const reach = Math.max(spread, 1) * 0.75;
  const banded = line.slice(FIRST_GAME_SHOWN - 1).flatMap(({ low, high }) => [Math.max(low, middle - reach), Math.min(high, middle + reach)]);
  const [least, most] = bounds ?? [Math.min(...seen, ...banded), Math.max(...seen, ...banded)];
  const x = (/** @type {number} */ game) => LEFT + ((width - LEFT - RIGHT) * (game + 0.5)) / games;
  const y = (/** @type {number} */ value) => TOP + ((HEIGHT - TOP - BOTTOM) * (most - Math.min(most, Math.max(least, value)))) / (most - least || 1);
  const at = (/** @type {number} */ game, /** @type {number} */ value) => `${x(game).toFixed(1)} ${y(value).toFixed(1)}`;
  const known = line.map((one, game) => ({ ...one, game })).slice(FIRST_GAME_SHOWN - 1);
  return h(
    "figure",
    { class: "figure" },
    h(
      "svg",
      { class: "chart", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label },
      known.length > 1 && h("path", { class: "band", d: `M${known.map(({ game, high }) => at(game, high)).join("L")}L${[...known].reverse().map(({ game, low }) => at(game, low)).join("L")}Z` }),
      ticks(least, most).flatMap((value) => [
        h("line", { class: "axis", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
        h("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, number(value)),
      ]),
      h("text", { x: width - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, below),
      line.length > 1 && h("path", { class: "mean", d: `M${line.map(({ mean }, game) => at(game, mean)).join("L")}` }),
      dots.map((value, game) => h("circle", { class: "dot", cx: x(game), cy: y(value), r: games > 60 ? 2 : 3.5 })),
    ),
    h("figcaption", { class: "row small" }, keys.map(([look, text]) => h("span", { class: "key" }, h("svg", { viewBox: "0 0 20 12", width: 20, height: 12, "aria-hidden": "true" }, sample(look)), text))),
  );
}

/** @param {"dot" | "line" | "band"} look */
function sample(look) {
  if (look === "dot") return h("circle", { class: "dot", cx: 10, cy: 6, r: 3.5 });
  if (look === "line") return h("path", { class: "mean", d: "M1 6H19" });
  return h("rect", { class: "band", x: 1, y: 1, width: 18, height: 10 });
}
