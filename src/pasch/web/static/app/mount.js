// @ts-check
/** Draws a view into an element, at most once per animation frame. */
import { render } from "../vendor/preact.js";

/** @import { Child } from "../vendor/preact.js" */

/**
 * A keyboard user is never sent to the top of the page: where a control has gone or is none any more, the
 * focus waits at home, and moves to the next thing to do as soon as there is one.
 * @param {Element} root
 * @param {Element} focused what had the focus before
 */
function keepFocus(root, focused) {
  const home = /** @type {HTMLElement | null} */ (root.querySelector("[data-home]"));
  const usable = root.contains(focused) && focused.matches("a[href], button:enabled, input:enabled, select:enabled, textarea, summary, [tabindex]");
  if (!home || (usable && focused !== home)) return;
  const next = /** @type {HTMLElement} */ (home.querySelector("[data-key=primary]:enabled") ?? home);
  if (next !== document.activeElement) next.focus({ preventScroll: true });
}

/** @param {Element} root @param {() => Child} view */
export function mount(root, view) {
  let frame = 0;
  const draw = () => {
    frame = 0;
    const focused = document.activeElement;
    const had = focused instanceof Element && focused !== root && root.contains(focused);
    render(view(), root);
    if (had) keepFocus(root, focused);
  };
  draw();
  return {
    /** Draw in the next frame, however often this is called before. */
    redraw() {
      frame ||= requestAnimationFrame(draw);
    },
    stop() {
      cancelAnimationFrame(frame);
      render(null, root);
    },
  };
}
