// @ts-check
/** A small picture of a game: its own, or the first letter of its title. Decorative: the title stands beside it. */
import { asset } from "../app/addresses.js";
import { h } from "../vendor/preact.js";
import { words } from "./pieces.js";

/** @param {import("../app/api.js").GameInfo} game */
export function thumb({ id, title, files }) {
  if (files.includes("thumb.svg")) return h("img", { class: "thumb", src: asset(`static/games/${id}/thumb.svg`), alt: "" });
  return h(
    "svg",
    { class: "thumb", viewBox: "0 0 96 96", "aria-hidden": "true" },
    h("rect", { class: "plate", x: 8, y: 8, width: 80, height: 80, rx: 18 }),
    words(48, 66, title.charAt(0), "letter"),
  );
}
