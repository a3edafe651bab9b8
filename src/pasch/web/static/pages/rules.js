// @ts-check
/** A game's rules, its options, where the data of its box come from, and one's own box. */
import { components as askComponents, game as askGame, rules as askRules } from "../app/api.js";
import { loadBoard } from "../board/load.js";
import { boxForm } from "./box.js";
import { diceOf } from "../board/dice.js";
import { h } from "../app/dom.js";
import { link } from "../app/frame.js";
import { list, currentLanguage, t } from "../app/i18n.js";
import { markdown } from "./markdown.js";
import { sectionLink } from "../app/addresses.js";
import { seatName } from "../table/play.js";
import { thumb } from "../board/thumb.js";
import { GUESS, guessNote } from "../app/words.js";

/**
 * @typedef {{section: number, caption: string, table: import("../app/types.js").TableInfo,
 *   recent: Record<string, any>[], roll: number[] | null, position: import("../app/types.js").Position}} Scene
 */

/** @type {import("../app/main.js").Page} */
export async function rulesPage(main, id) {
  const [[game, board], rules, data] = await Promise.all([withBoard(id), askRules(id, currentLanguage()), askComponents(id)]);
  const options = new Set(game.options.map((spec) => spec.name));
  // in the text options have the names of the command line
  const named = rules.markdown.replace(/`(\w+)`/g, (/** @type {string} */ whole, /** @type {string} */ name) => (options.has(name) ? `**${board.word(name)}**` : whole));
  const [title, ...text] = markdown(named);
  const rest = illustrated(text, rules.scenes, board);
  const own = boxSection(game, board, data);
  const contents = tableOfContents([...text, h("h2", { id: "options" }, t("Options")), ...own]);
  main.replaceChildren(
    h(
      "article",
      { class: "prose" },
      h("div", { class: "picture", "aria-hidden": "true" }, thumb(game)),
      title,
      h(
        "p",
        { class: "row" },
        link(`/new/${id}`, { class: "button primary" }, t("Play {game}", { game: game.title })),
        game.lesson && link(`/learn/${id}`, { class: "button" }, t("Learn it in three minutes")),
      ),
      contents,
      rest,
      h("h2", { id: "options" }, t("Options")),
      game.options.length ? optionTable(game.options, board) : h("p", null, t("This game has no options.")),
      own,
    ),
  );
}

/**
 * Links to the sections; those of the text get an id of their own.
 * @param {HTMLElement[]} elements
 */
function tableOfContents(elements) {
  const headings = elements.filter(({ tagName }) => tagName === "H2");
  return h(
    "nav",
    { class: "contents", "aria-label": t("Contents") },
    h("ul", null, headings.map((heading, place) => {
      heading.id ||= `section-${place + 1}`;
      return h("li", null, h("a", sectionLink(heading), heading.textContent));
    })),
  );
}

/**
 * One's own box, if there is anything in it.
 * @param {import("../app/api.js").GameInfo} game
 * @param {import("../board/load.js").Board} board
 * @param {Record<string, any>} data
 */
function boxSection(game, board, data) {
  if (Object.keys(data).every((key) => key === "game" || key === "name")) return [];
  return [
    h("h2", { id: "box" }, t("The box")),
    h("p", null, t("These are the values that Pasch plays with, and where they come from. If your box shows others, enter them and save them: your tables on this device can use them.")),
    boxForm(game, board, data),
  ];
}

/**
 * A game with its drawing.
 * @param {string} id
 * @returns {Promise<[import("../app/api.js").GameInfo, import("../board/load.js").Board]>}
 */
async function withBoard(id) {
  const game = await askGame(id);
  return [game, await loadBoard(game)];
}

/**
 * The text with its drawings, each at the end of its section.
 * @param {HTMLElement[]} text
 * @param {Scene[]} scenes
 * @param {import("../board/load.js").Board} board
 */
function illustrated(text, scenes, board) {
  /** @type {HTMLElement[]} */
  const found = [];
  let section = 0;
  const draw = () => found.push(...scenes.filter((scene) => scene.section === section).map((scene) => drawing(scene, board)));
  for (const element of text) {
    if (element.tagName === "H2") {
      draw();
      section += 1;
    }
    found.push(element);
  }
  draw();
  return found;
}

/**
 * @param {Scene} scene
 * @param {import("../board/load.js").Board} board
 */
function drawing({ caption, table, recent, roll, position }, board) {
  /** @type {import("../table/touch.js").Ctx} */
  const ctx = {
    info: table,
    position,
    yours: [],
    chosen: new Set(),
    possible: new Set(),
    advised: new Set(),
    name: (seat) => seatName(table, seat),
    who: (seat) => seatName(table, seat),
    you: () => false,
    touch: () => {},
    small: true,
    recent: recent.map((event) => ({ event, before: null, after: null })),
  };
  const drawn = board.ownBoards ? board.seatBoard(ctx, 0) : board.common(ctx);
  const note = drawn?.textContent?.includes(GUESS) && h("small", null, " ", guessNote());
  const dice = board.ownBoards && roll && h("div", { class: "dice-row", role: "img", "aria-label": list(roll) }, diceOf(roll, null, 0));
  return h("figure", { class: "scene" }, dice, drawn, h("figcaption", null, caption, note));
}

/**
 * @param {import("../app/api.js").OptionSpec[]} specs
 * @param {import("../board/load.js").Board} board
 */
function optionTable(specs, board) {
  const house = specs.filter((spec) => spec.house);
  return [
    optionList(specs.filter((spec) => !spec.house), board),
    house.length > 0 && h("details", null, h("summary", null, t("House rules")), optionList(house, board)),
  ];
}

/**
 * @param {import("../app/api.js").OptionSpec[]} specs
 * @param {import("../board/load.js").Board} board
 */
function optionList(specs, board) {
  return specs.length > 0 && h(
    "dl",
    { class: "options" },
    specs.map((spec) => [
      h("dt", null, h("strong", null, board.word(spec.name)), " ", h("span", { class: "tag" }, normally(spec, board))),
      h("dd", null, spec.explanation),
    ]).flat(),
  );
}

/**
 * @param {import("../app/api.js").OptionSpec} spec
 * @param {import("../board/load.js").Board} board
 */
function normally(spec, board) {
  if (spec.kind === "switch") return spec.default ? t("normally on") : t("normally off");
  const value = Array.isArray(spec.default) ? spec.default.join(", ") : board.valueName(spec.name, spec.default);
  return t("normally {value}", { value });
}
