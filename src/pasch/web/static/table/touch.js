// @ts-check
/**
 * What can be touched on a board. A control carries the token of a move; touching it narrows the legal moves
 * (see narrow.js). One that no remaining move contains is dimmed, and says why when it is touched.
 *
 * @typedef {object} Ctx
 * @property {import("../app/types.js").TableInfo} info
 * @property {import("../app/types.js").Position} position
 * @property {number[]} yours the seats played on this device
 * @property {Set<string>} chosen the tokens touched so far
 * @property {Set<string>} possible the tokens that could be touched next
 * @property {Set<string>} advised the tokens that the coach advises to touch
 * @property {(seat: number) => string} name
 * @property {(seat: number) => string} who the name, or "You" where that is clear; for where no sentence follows
 * @property {(seat: number) => boolean} you whether a sentence about this seat says "you"
 * @property {(token: string) => void} touch
 * @property {boolean} small whether there is little room
 * @property {Happening[]} recent what has just happened
 *
 * @typedef {object} Happening an event, and the positions before and after it if we saw them
 * @property {Record<string, any>} event
 * @property {import("../app/types.js").Position | null} before
 * @property {import("../app/types.js").Position | null} after
 */
import { t } from "../app/i18n.js";

/** a touch of the same thing so soon after another is a double tap, in milliseconds */
const DOUBLE = 350;
/** what was touched last, and when */
let last = { token: "", at: -Infinity };

/**
 * Make an element a control. Where this client is not to choose, it stays a mere drawing with a name.
 * @template {SVGElement | HTMLElement} E
 * @param {Ctx} ctx
 * @param {string} token
 * @param {string} label
 * @param {E} element
 * @returns {E}
 */
export function touchable(ctx, token, label, element) {
  element.setAttribute("data-token", token);
  if (!ctx.position.moves.length) {
    element.setAttribute("aria-label", label);
    element.setAttribute("role", "img");
    return element;
  }
  const chosen = ctx.chosen.has(token);
  const possible = ctx.possible.has(token);
  // what is seen by its looks is heard by its name
  const heard = chosen ? label : possible ? t("{what}: possible now", { what: label }) : t("{what}: not possible now", { what: label });
  element.setAttribute("aria-label", heard);
  element.classList.add("touchable", chosen ? "chosen" : possible ? "possible" : "dimmed");
  if (ctx.advised.has(token)) {
    element.classList.add("advised");
    element.setAttribute("aria-description", t("advised by the coach"));
  }
  element.setAttribute("role", "button");
  element.setAttribute("tabindex", "0");
  element.setAttribute("aria-pressed", String(chosen));
  // not aria-disabled: touching it is how one learns why it is not possible
  const touch = (/** @type {Event} */ { timeStamp }) => {
    // the second half of a double tap does not undo the first
    if (chosen && token === last.token && timeStamp - last.at < DOUBLE) return;
    last = { token, at: timeStamp };
    ctx.touch(token);
  };
  element.addEventListener("click", touch);
  element.addEventListener("keydown", (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    if (key !== "Enter" && key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    touch(event);
  });
  return element;
}
