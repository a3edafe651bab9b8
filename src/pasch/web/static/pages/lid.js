// @ts-check
/** The lid of a game's box: its picture on a colour by its place on the shelf. */
import { thumb } from "../board/thumb.js";
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
  return game && h("span", { class: `lid l${place % COLOURS}` }, h("span", { class: "art", "aria-hidden": "true" }, thumb(game)), ...below);
}
