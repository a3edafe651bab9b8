// @ts-check
/** A game's rules with drawings, its options, and the way to one's own box. */
import { components as askComponents, game as askGame, games, rules as askRules } from "../app/api.js";
import { currentQuery, sectionLink } from "../app/addresses.js";
import { link } from "../app/frame.js";
import { currentLanguage, list, t } from "../app/i18n.js";
import { mount } from "../app/mount.js";
import { guessNote } from "../app/words.js";
import { loadBoard } from "../board/load.js";
import { still, stillModel } from "../board/still.js";
import { h } from "../vendor/preact.js";
import { createBox, hasBox } from "./box.js";
import { lid } from "./lid.js";
import { markdown } from "./markdown.js";
import { noun, valueName } from "./option.js";

/** @import { OptionSpec } from "../app/api.js" */
/** @import { Board } from "../board/model.js" */
/** @import { Child } from "../vendor/preact.js" */

/**
 * @typedef {{section: number, caption: string, table: import("../app/types.js").TableInfo,
 *   recent: Record<string, any>[], roll: number[] | null, position: import("../app/types.js").Position}} Scene
 */

/** @type {import("../app/main.js").Page} */
export async function rulesPage(main, id) {
  const game = await askGame(id);
  const [all, board, rules, data] = await Promise.all([games(), loadBoard(game), askRules(id, currentLanguage()), askComponents(id)]);
  if (currentQuery().has("box") && hasBox(data)) {
    const redraw = () => page.redraw();
    const box = createBox(game, board, data, redraw);
    const page = mount(main, () => h("div", { class: "prose" }, h("h1", null, t("{game}: my own box", { game: game.title })), box(), h("p", { class: "row2" }, link(`/new/${id}`, null, t("Play {game}", { game: game.title })), link(`/rules/${id}`, null, t("Rules")))));
    return page.stop;
  }
  const options = new Set(game.options.map(({ name }) => name));
  // in the text options have the names of the command line
  const named = rules.markdown.replace(/`(\w+)`/g, (/** @type {string} */ whole, /** @type {string} */ name) => (options.has(name) ? `**${noun(board, name)}**` : whole));
  const [title, ...text] = markdown(named);
  const headings = text.filter(({ type }) => type === "h2");
  headings.forEach(({ props }, place) => Object.assign(props, { id: `section-${place + 1}` }));
  /** @type {[string, string][]} */
  const contents = [...headings.map(({ props }, place) => /** @type {[string, string]} */ ([`section-${place + 1}`, plainText(props.children)])), ["options", t("Options")]];
  if (hasBox(data)) contents.push(["box", t("The box")]);
  const page = mount(main, () =>
    h(
      "article",
      { class: "prose" },
      h("header", { class: "rules-head" }, lid(all, id), h("div", null, title, h("p", { class: "row2" }, link(`/new/${id}`, { class: "button primary" }, t("Play {game}", { game: game.title })), game.lesson && link(`/learn/${id}`, { class: "button" }, t("Learn it in three minutes")), h("button", { class: "button no-print", type: "button", onClick: () => window.print() }, t("Print"))))),
      h("nav", { class: "contents no-print", "aria-label": t("Contents") }, h("ul", null, contents.map(([section, name]) => h("li", { key: section }, h("a", sectionLink(section), name))))),
      illustrated(text, rules.scenes, board),
      h("h2", { id: "options" }, t("Options")),
      game.options.length ? optionTable(game.options, board) : h("p", null, t("This game has no options.")),
      hasBox(data) && [
        h("h2", { id: "box" }, t("The box")),
        h("p", null, t("Some values of the printed boxes we could not see, and guessed. If your box shows others, enter them: your tables on this device then use them.")),
        h("p", null, link(`/rules/${id}?box`, { class: "button", "data-key": "own-box" }, t("Enter my own box"))),
      ],
    ),
  );
  return page.stop;
}

/** What stands in a drawing or a text. @param {any} child @returns {string} */
function plainText(child) {
  if (Array.isArray(child)) return child.map(plainText).join("");
  if (child && typeof child === "object") return plainText(child.props?.children);
  return typeof child === "string" || typeof child === "number" ? String(child) : "";
}

/** The text with its drawings, each at the end of its section. @param {ReturnType<typeof markdown>} text @param {Scene[]} scenes @param {Board} board */
function illustrated(text, scenes, board) {
  /** @type {Child[]} */
  const found = [];
  let section = 0;
  const draw = () => found.push(...scenes.filter((scene) => scene.section === section).map((scene) => drawing(scene, board)));
  for (const element of text) {
    if (element.type === "h2") {
      draw();
      section += 1;
    }
    found.push(element);
  }
  draw();
  return found;
}

/** @param {Scene} scene @param {Board} board */
function drawing({ caption, table, recent, position }, board) {
  const model = stillModel({ info: table, position, recent: recent.map((event) => ({ event, before: null, after: null })) });
  const guessed = JSON.stringify(table.components).includes("reconstructed");
  return h("figure", { class: `scene game-${table.game}` }, h("div", { class: "mini", inert: true }, still(board, model, 0)), h("figcaption", null, caption, guessed && h("small", null, " ", guessNote())));
}

/** @param {OptionSpec[]} specs @param {Board} board */
function optionTable(specs, board) {
  const some = (/** @type {boolean} */ house) => specs.filter((spec) => spec.house === house);
  return [optionList(some(false), board), some(true).length > 0 && h("details", null, h("summary", null, t("House rules")), optionList(some(true), board))];
}

/** @param {OptionSpec[]} specs @param {Board} board */
function optionList(specs, board) {
  return h("dl", { class: "options" }, specs.map((spec) => [h("dt", null, h("strong", null, noun(board, spec.name)), " ", h("span", { class: "tag" }, normally(spec, board))), h("dd", null, spec.explanation)]));
}

/** @param {OptionSpec} spec @param {Board} board */
function normally(spec, board) {
  if (spec.kind === "switch") return spec.default ? t("normally on") : t("normally off");
  return t("normally {value}", { value: list([spec.default].flat().map((value) => valueName(board, spec.name, value))) });
}
