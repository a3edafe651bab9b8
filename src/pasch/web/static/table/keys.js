// @ts-check
/** The keyboard at the table: arrows move between the things you can touch, letters do what the buttons do. */
import { h } from "../app/dom.js";
import { dialog } from "../app/frame.js";
import { t } from "../app/i18n.js";

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest control in a direction: how far it is that way, and twice how far it is aside.
 * @param {Element[]} controls
 * @param {Element} from
 * @param {[number, number]} direction
 * @returns {Element | null}
 */
function nearest(controls, from, [dx, dy]) {
  const middle = (/** @type {Element} */ one) => {
    const box = one.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const start = middle(from);
  let best = null;
  let least = Infinity;
  for (const one of controls) {
    const { x, y } = middle(one);
    const ahead = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    if (one === from || ahead < 2 || ahead + 2 * aside >= least) continue;
    least = ahead + 2 * aside;
    best = one;
  }
  return best;
}

/**
 * @param {HTMLElement} main
 * @param {() => import("./play.js").Play | null} playing
 * @returns {() => void} stop listening
 */
export function listen(main, playing) {
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const play = playing();
    const target = /** @type {Element} */ (event.target);
    if (!play || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (target.matches("input, select, textarea")) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const controls = [...main.querySelectorAll(".touchable")];
      if (!controls.length) return;
      const from = target.matches(".touchable") ? target : null;
      const next = from ? nearest(controls, from, arrow) : main.querySelector(".touchable.possible") ?? controls[0];
      if (next) {
        event.preventDefault();
        /** @type {HTMLElement} */ (next).focus();
      }
      return;
    }
    const click = (/** @type {string} */ key) => {
      const found = main.querySelector(`[data-key="${key}"]:not([disabled])`);
      if (found) /** @type {HTMLElement} */ (found).click();
    };
    switch (event.key) {
      case "r":
        if (play.scene?.blocks) click("skip");
        else if (play.position.awaits === "roll") play.actions.roll();
        else {
          const on = play.position.moves.find((choice) => choice.tokens.includes("next:roll"));
          if (on) play.actions.move(on);
        }
        break;
      case "s": {
        const stop = play.position.moves.find((choice) => choice.tokens.includes("next:stop"));
        if (stop) play.actions.move(stop);
        break;
      }
      case "c": click(play.scene?.blocks ? "skip" : "primary"); break;
      case "t": click("take-back"); break;
      case "u": click("undo"); break;
      case "h": click("hint"); break;
      case "Escape": play.actions.clear(); break;
      case "?": keysHelp(); break;
      default:
        if (/^[1-9]$/.test(event.key)) /** @type {HTMLElement | null} */ (main.querySelector(`.faces.next [data-value="${event.key}"]`))?.click();
    }
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

export function keysHelp() {
  const keys = [
    ["r", t("roll, or roll on")],
    ["s", t("stop")],
    ["c", t("the big button")],
    ["u", t("undo the last touch")],
    ["t", t("take back the move you have sent")],
    ["Esc", t("undo all touches")],
    ["← ↑ → ↓", t("move between the things you can touch")],
    ["Enter", t("touch it")],
    ["1–9", t("real dice: tap this value")],
    ["h", t("hint, if the coach gives any")],
    ["?", t("this help")],
  ];
  dialog(t("Keys"), () => [
    h("table", null, h("tbody", null, keys.map(([key, what]) => h("tr", null, h("th", { scope: "row" }, h("kbd", null, key)), h("td", null, what))))),
  ]);
}
