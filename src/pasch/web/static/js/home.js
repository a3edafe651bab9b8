// @ts-check
/** The first page: the games, and the games that were begun or finished on this device. */
import { games } from "./api.js";
import { forgetTable, tables } from "./device.js";
import { h } from "./dom.js";
import { icon, link } from "./frame.js";
import { list, currentLanguage, t, tn } from "./i18n.js";
import { thumb } from "./thumb.js";
import { minuteRange, playerRange } from "./words.js";

/** @typedef {import("./device.js").KnownTable} KnownTable */

/** so many tables of a kind are shown at once: the games come first */
const MOST_SHOWN = 3;

/** @type {import("./main.js").Page} */
export async function homePage(main) {
  const all = await games();
  const open = h("section", { class: "section", hidden: true });
  const done = h("section", { class: "section", hidden: true });
  fillTables(open, done);
  const cards = h("ul", { class: "games", "aria-label": t("Games") }, all.map(gameCard));
  main.replaceChildren(
    h(
      "div",
      { class: "hero" },
      h("h1", null, t("What shall we play?")),
      h("p", null, t("Small games of dice and cards: alone, with others, against the computer, or with your own dice on the table.")),
    ),
    ...(open.hidden ? [cards] : [open, h("div", { class: "section" }, cards)]),
    done,
  );
}

/** @param {import("./api.js").GameInfo} game */
function gameCard(game) {
  return h(
    "li",
    { class: "card game", "data-game": game.id },
    h("div", { class: "picture", "aria-hidden": "true" }, thumb(game)),
    h(
      "div",
      null,
      h(
        "div",
        { class: "head" },
        h("h2", null, link(`/new/${game.id}`, { "data-key": game.id }, game.title)),
        link(`/rules/${game.id}`, { class: "rules", "aria-label": t("Rules of {game}", { game: game.title }) }, t("Rules")),
      ),
      h("p", null, game.pitch),
      h(
        "div",
        { class: "facts" },
        h("span", null, playerRange(game.players)),
        h("span", null, minuteRange(game.minutes)),
        game.lesson && link(`/learn/${game.id}`, { class: "learn", "data-key": `learn-${game.id}`, "aria-label": t("{name}: {what}", { name: game.title, what: t("Learn it in three minutes") }) }, t("Learn it in three minutes")),
      ),
    ),
  );
}

/**
 * @param {HTMLElement} open
 * @param {HTMLElement} done
 */
function fillTables(open, done) {
  const known = tables();
  const redraw = () => fillTables(open, done);
  fillList(open, t("Go on playing"), known.filter((one) => !one.over), redraw);
  fillList(done, t("Finished games"), known.filter((one) => one.over), redraw);
}

/**
 * @param {HTMLElement} section
 * @param {string} title
 * @param {KnownTable[]} known
 * @param {() => void} redraw
 */
function fillList(section, title, known, redraw) {
  section.hidden = !known.length;
  const lines = (/** @type {KnownTable[]} */ some) => h("ul", { class: "list" }, some.map((one) => tableLine(one, redraw)));
  const more = known.slice(MOST_SHOWN);
  const open = section.querySelector("details")?.open ?? false;
  section.replaceChildren(h("h2", null, title), lines(known.slice(0, MOST_SHOWN)));
  if (more.length) section.append(h("details", { open }, h("summary", null, tn("{n} more", "{n} more", more.length)), lines(more)));
}

/**
 * @param {KnownTable} one
 * @param {() => void} redraw
 */
function tableLine(one, redraw) {
  const when = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeStyle: "short" }).format(one.seen);
  const forget = () => {
    forgetTable(one.id);
    redraw();
  };
  return h(
    "li",
    { class: "card" },
    h("div", { class: "what" }, h("strong", null, one.title), h("span", { class: "muted small" }, one.names.length ? `${list(one.names)} · ${when}` : when)),
    one.over
      ? link(`/report/${one.id}`, { class: "button" }, t("Look at it"))
      : link(`/t/${one.id}`, { class: "button primary" }, t("Go on")),
    h(
      "button",
      { class: "button plain icon", type: "button", onclick: forget, "aria-label": t("Remove {game} from this list", { game: one.title }) },
      icon("bin"),
    ),
  );
}
