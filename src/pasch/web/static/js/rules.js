// @ts-check
/** A game's rules, its options, where the data of its box come from, and one's own box. */
import { components as askComponents, game as askGame, rules as askRules } from "./api.js";
import { loadBoard } from "./boards.js";
import { boxForm } from "./box.js";
import { h } from "./dom.js";
import { link } from "./frame.js";
import { spoken, t } from "./i18n.js";
import { markdown } from "./markdown.js";
import { optionName, optionValue } from "./words.js";

/** @type {import("./main.js").Page} */
export async function rulesPage(main, id) {
  const [game, rules, data, board] = await Promise.all([askGame(id), askRules(id, spoken()), askComponents(id), loadBoard(id)]);
  const text = markdown(rules.markdown);
  const [title, ...rest] = text;
  main.replaceChildren(
    h(
      "article",
      { class: "prose" },
      h("div", { class: "picture", "aria-hidden": "true" }, board.thumb()),
      title,
      h("p", null, link(`/new/${id}`, { class: "button primary" }, t("Play {game}", { game: game.title }))),
      rest,
      h("h2", null, t("Options")),
      game.options.length ? optionTable(game.options) : h("p", null, t("This game has no options.")),
      h("h2", { id: "box" }, t("The box")),
      h("p", null, t("These are the values that Pasch plays with, and where they come from. If your box shows others, enter them and save them: your tables on this device can use them.")),
      boxForm(game, data),
    ),
  );
}

/** @param {import("./api.js").OptionSpec[]} specs */
function optionTable(specs) {
  return h(
    "dl",
    { class: "options" },
    specs.map((spec) => [
      h("dt", null, h("strong", null, optionName(spec.name)), " ", h("span", { class: "tag" }, normally(spec))),
      h("dd", null, t(spec.explanation)),
    ]).flat(),
  );
}

/** @param {import("./api.js").OptionSpec} spec */
function normally(spec) {
  if (spec.kind === "switch") return spec.default ? t("normally on") : t("normally off");
  const value = Array.isArray(spec.default) ? spec.default.join(", ") : optionValue(spec.default);
  return t("normally {value}", { value });
}
