// @ts-check
/** The keyboard at the table: arrows move between the things you can touch, letters do what the buttons do. */
import { dialog } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { h } from "../vendor/preact.js";

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
  const found = controls.filter((one) => one !== from).map((one) => {
    const { x, y } = middle(one);
    const ahead = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    return { one, ahead, far: ahead + 2 * aside };
  });
  return found.filter(({ ahead }) => ahead >= 2).sort((a, b) => a.far - b.far)[0]?.one ?? null;
}

/**
 * @param {HTMLElement} main
 * @param {() => import("./controller.js").Model | null} current
 * @returns {() => void} stop listening
 */
export function listen(main, current) {
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const model = current();
    const target = /** @type {Element} */ (event.target);
    if (!model || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (target.matches("input, select, textarea")) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const controls = [...main.querySelectorAll(".touchable")];
      if (!controls.length) return;
      const from = target.matches(".touchable") ? target : null;
      const next = from ? nearest(controls, from, arrow) : main.querySelector(".touchable.can") ?? controls[0];
      if (next) {
        event.preventDefault();
        /** @type {HTMLElement} */ (next).focus();
      }
      return;
    }
    const click = (/** @type {string} */ key) => {
      const found = main.querySelector(`[data-key="${key}"]:not([disabled]):not([aria-disabled])`);
      if (found) /** @type {HTMLElement} */ (found).click();
    };
    const whole = (/** @type {string} */ token) => {
      const move = model.moves.find(({ tokens }) => tokens.includes(token));
      if (move) model.commands.move(move);
    };
    switch (event.key) {
      case "r":
        if (!model.shown.settled) click("skip");
        else if (model.awaits === "roll") model.commands.roll();
        else whole("next:roll");
        break;
      case "s": whole("next:stop"); break;
      case "c": click(model.shown.settled ? "primary" : "skip"); break;
      case "t": click("take-back"); break;
      case "u": click("undo"); break;
      case "h": click("hint"); break;
      case "Escape": model.commands.clear(); break;
      case "?": keysHelp(); break;
      default:
        if (/^[1-9]$/.test(event.key)) /** @type {HTMLElement | null} */ (main.querySelector(`.faces [data-value="${event.key}"]`))?.click();
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
    h("table", null, h("tbody", null, keys.map(([key, what]) => h("tr", { key }, h("th", { scope: "row" }, h("kbd", null, key)), h("td", null, what))))),
  ]);
}
