// @ts-check
/** Draws a view into an element, at most once per animation frame. */
import { render } from "../vendor/preact.js";

/** @typedef {import("../vendor/preact.js").Child} Child */

/**
 * @param {Element} root
 * @param {() => Child} view
 */
export function mount(root, view) {
  let frame = 0;
  const draw = () => {
    frame = 0;
    render(view(), root);
  };
  draw();
  return {
    /** Draw in the next frame, however often this is called before. */
    redraw() {
      frame ||= requestAnimationFrame(draw);
    },
    /** Draw now: what follows needs what is drawn. */
    draw() {
      cancelAnimationFrame(frame);
      draw();
    },
    stop() {
      cancelAnimationFrame(frame);
      render(null, root);
    },
  };
}
