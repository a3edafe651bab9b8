// @ts-check
/** Paper that falls over the page for some seconds. */
import { h, render } from "../vendor/preact.js";

const PIECES = 70;
const LASTS = 4200;

/** @param {() => number} [random] from 0 to 1 */
export function celebrate(random = Math.random) {
  document.querySelector(".confetti")?.remove();
  const piece = (/** @type {number} */ at) => ({
    left: `${random() * 100}%`, "--drift": `${Math.round(random() * 160 - 80)}px`, "--turn": `${Math.round(random() * 900 - 450)}deg`,
    "--seat": `var(--seat-${at % 6})`, animationDelay: `${Math.round(random() * 900)}ms`, animationDuration: `${Math.round(1900 + random() * 1400)}ms`,
  });
  const paper = Object.assign(document.createElement("div"), { className: "confetti", ariaHidden: "true" });
  render(Array.from({ length: PIECES }, (_, at) => h("i", { style: piece(at) })), paper);
  document.body.append(paper);
  window.setTimeout(() => paper.remove(), LASTS);
}
