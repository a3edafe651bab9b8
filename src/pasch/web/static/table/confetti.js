// @ts-check
/** Paper that falls over the page for some seconds; nothing moves where somebody wants no motion. */
import { settings } from "../app/device.js";
import { h } from "../app/dom.js";

const PIECES = 70;
const LASTS = 4200;

/** @param {() => number} [random] from 0 to 1 */
export function confetti(random = Math.random) {
  if (settings().still || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  document.querySelector(".confetti")?.remove();
  const pieces = Array.from({ length: PIECES }, (_, at) =>
    h("i", {
      class: `seat-${at % 6}`,
      style: {
        left: `${random() * 100}%`,
        "--drift": `${Math.round(random() * 160 - 80)}px`,
        "--turn": `${Math.round(random() * 900 - 450)}deg`,
        "animation-delay": `${Math.round(random() * 900)}ms`,
        "animation-duration": `${Math.round(1900 + random() * 1400)}ms`,
      },
    }),
  );
  const paper = h("div", { class: "confetti", "aria-hidden": "true" }, pieces);
  document.body.append(paper);
  window.setTimeout(() => paper.remove(), LASTS);
}
