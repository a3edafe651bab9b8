// @ts-check
/** The first page: play at once, go on with what was begun, look at what is finished, or choose a game. */
import { Refusal, games } from "../app/api.js";
import { begin, usualTable } from "../app/begin.js";
import { forgetTable, forgotten, last, tables } from "../app/device.js";
import { die } from "../board/dice.js";
import { h, svg } from "../app/dom.js";
import { icon, link, toast } from "../app/frame.js";
import { homeExtras } from "./home_extras.js";
import { list, currentLanguage, t, tn } from "../app/i18n.js";
import { engineHere } from "../app/addresses.js";
import { thumb } from "../board/thumb.js";
import { levelName, minuteRange, playerRange } from "../app/words.js";

/**
 * @typedef {import("../app/device.js").KnownTable} KnownTable
 * @typedef {import("../app/api.js").GameInfo} GameInfo
 */

/** so many unfinished and finished games are shown at once, where there is little room and where there is more */
const FEW = { open: 2, done: 1 };
const MORE = { open: 3, done: 2 };

/** @type {import("../app/main.js").Page} */
export async function homePage(main) {
  const all = await games();
  const begun = h("section", { class: "begun", hidden: true });
  const done = h("section", { class: "begun", hidden: true });
  const room = matchMedia("(min-width: 48rem)");
  const fill = () => fillTables(begun, done, room.matches ? MORE : FEW);
  fill();
  room.addEventListener("change", fill);
  main.replaceChildren(
    h(
      "div",
      { class: "home" },
      h(
        "div",
        { class: "start" },
        h(
          "div",
          { class: "hero" },
          h("div", { class: "hero-words" },
            h("h1", null, t("What shall we play?")),
            h("p", null, t("Small games of dice and cards: alone, with others, against the computer, or with your own dice on the table.")),
          ),
          scatter(),
          playNow(all),
        ),
        h("div", { class: "mine" }, homeExtras(), begun, done),
      ),
      h("ul", { class: "games", "aria-label": t("Games") }, all.map(gameCard)),
    ),
  );
  // only somebody who has games can lose them
  if (engineHere() && (tables().length || forgotten().length)) {
    import("../offline/keeping.js").then(async ({ askToKeep, deleteForgotten, mayBeDeleted }) => {
      deleteForgotten();
      if (tables().length && !(await askToKeep())) main.append(mayBeDeleted());
    });
  }
  return () => room.removeEventListener("change", fill);
}

/** Dice that have just been thrown; only a picture. */
function scatter() {
  /** @type {[number, string, number, number, number, number][]} face, colour, place, size, angle */
  const dice = [[5, "ivory", 10, 22, 62, -14], [3, "red", 84, 4, 52, 11], [6, "blue", 146, 36, 58, -6], [2, "yellow", 214, 8, 48, 18], [4, "green", 270, 34, 54, -10]];
  return svg(
    "svg",
    { class: "scatter", viewBox: "0 0 336 104", "aria-hidden": "true" },
    dice.map(([face, colour, x, y, size, angle]) =>
      svg("g", { transform: `rotate(${angle} ${x + size / 2} ${y + size / 2})` }, die(face, { colour, x, y, size, rolling: true })),
    ),
  );
}

/**
 * One large button: the last game with the same opponents, or a short one against the computer.
 * @param {GameInfo[]} all
 */
function playNow(all) {
  const before = last();
  const known = all.find(({ id }) => id === before?.game);
  const game = known ?? [...all].sort((one, other) => one.minutes[0] - other.minutes[0] || one.minutes[1] - other.minutes[1])[0];
  if (!game) return null;
  const wish = (known && before) || usualTable(game);
  const start = async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    button.disabled = true;
    try {
      await begin(game, wish);
    } catch (error) {
      button.disabled = false;
      if (!(error instanceof Refusal)) throw error;
      toast(error.message);
    }
  };
  return h(
    "div",
    { class: "play-now" },
    h("button", { class: "button primary big", type: "button", "data-key": "play-now", "aria-describedby": "play-what", onclick: start }, h("span", { class: "triangle", "aria-hidden": "true" }), t("Play now")),
    h("p", { id: "play-what" }, h("strong", null, game.title), h("span", { class: "muted" }, opponents(wish))),
  );
}

/** Who sits at a table that is to be made. @param {import("../app/types.js").NewTable} wish */
function opponents({ seats }) {
  const first = seats.findIndex(({ kind }) => kind === "here");
  return list(seats.map(({ kind, name, level }, place) => {
    if (kind === "computer") return t("Computer ({level})", { level: levelName(level ?? "") });
    if (kind === "link") return t("somebody by link");
    return name || (place === first ? t("You") : t("Player {n}", { n: place + 1 }));
  }));
}

/** @param {GameInfo} game */
function gameCard(game) {
  return h(
    "li",
    { class: "card game", "data-game": game.id },
    h("div", { class: "picture", "aria-hidden": "true" }, thumb(game)),
    h(
      "div",
      { class: "about" },
      h("h2", null, link(`/new/${game.id}`, { "data-key": game.id }, game.title)),
      h("p", null, game.pitch),
      h("div", { class: "facts" }, h("span", null, playerRange(game.players)), h("span", null, minuteRange(game.minutes))),
    ),
    h(
      "div",
      { class: "ways" },
      link(`/rules/${game.id}`, { class: "rules", "aria-label": t("Rules of {game}", { game: game.title }) }, t("Rules")),
      game.lesson && link(`/learn/${game.id}`, { class: "learn", "data-key": `learn-${game.id}`, "aria-label": t("{name}: {what}", { name: game.title, what: t("Learn it in three minutes") }) }, t("Learn it in three minutes")),
    ),
  );
}

/**
 * @param {HTMLElement} open
 * @param {HTMLElement} done
 * @param {typeof FEW} most
 */
function fillTables(open, done, most) {
  const known = tables();
  const redraw = () => fillTables(open, done, most);
  fillList(open, t("Go on playing"), known.filter((one) => !one.over), most.open, redraw);
  fillList(done, t("Finished games"), known.filter((one) => one.over), most.done, redraw);
}

/**
 * @param {HTMLElement} section
 * @param {string} title
 * @param {KnownTable[]} known
 * @param {number} most
 * @param {() => void} redraw
 */
function fillList(section, title, known, most, redraw) {
  section.hidden = !known.length;
  const lines = (/** @type {KnownTable[]} */ some) => h("ul", { class: "list" }, some.map((one) => tableLine(one, redraw)));
  const more = known.slice(most);
  const open = section.querySelector("details")?.open ?? false;
  section.replaceChildren(h("h2", null, title), lines(known.slice(0, most)));
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
    if (forgotten().length) import("../offline/keeping.js").then((keeping) => keeping.deleteForgotten());
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
