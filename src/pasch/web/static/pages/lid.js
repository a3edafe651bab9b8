// @ts-check
/** The lid of a game's box: its picture, or the first letter of its title, on a colour by its place on the shelf. */
import { asset } from "../app/addresses.js";
import { words } from "../board/pieces.js";
import { h } from "../vendor/preact.js";

/** how many colours there are */
const COLOURS = 6;

/**
 * @param {import("../app/api.js").GameInfo[]} all
 * @param {string} id
 * @param {...import("../vendor/preact.js").Child} below what stands under the picture
 */
export function lid(all, id, ...below) {
  const place = all.findIndex((game) => game.id === id);
  const game = all[place];
  if (!game) return null;
  const picture = game.files.includes("thumb.svg")
    ? h("img", { class: "thumb", src: asset(`static/games/${id}/thumb.svg`), alt: "" })
    : h("svg", { class: "thumb", viewBox: "0 0 96 96" }, h("rect", { class: "plate", x: 8, y: 8, width: 80, height: 80, rx: 18 }), words(48, 66, game.title.charAt(0), "letter"));
  return h("span", { class: `lid l${place % COLOURS}` }, h("span", { class: "art", "aria-hidden": "true" }, picture), ...below);
}
