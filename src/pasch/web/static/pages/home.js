// @ts-check
/** The first page: the game that waits for you, or one to play at once; the game of the day; six boxes on a shelf. */
import { games, replay } from "../app/api.js";
import { begin, usualTable } from "../app/begin.js";
import * as device from "../app/device.js";
import { icon, link } from "../app/frame.js";
import { date, list, number, t, tn } from "../app/i18n.js";
import { mount } from "../app/mount.js";
import { engineHere, homeOf } from "../app/addresses.js";
import { minuteRange, pipsOf, pipsOfName, playerName, playerRange } from "../app/words.js";
import { chip, face } from "../board/pieces.js";
import { lid } from "./lid.js";
import { h } from "../vendor/preact.js";
import { dayGame, dayWish, inARow, today } from "./days.js";
import { joinDialog } from "./join.js";
import { due } from "./leitner.js";

/** @import { GameInfo } from "../app/api.js" */
/** @import { KnownTable } from "../app/device.js" */
/** @import { NewTable } from "../app/types.js" */

/**
 * @typedef {object} Home
 * @property {GameInfo[]} all
 * @property {Map<string, boolean>} turns of tables with others elsewhere: whether it is our turn there
 * @property {"new" | "real" | "learn"} shelf what a lid leads to
 * @property {{score: number, below: number | null} | null} day today's result, if the game of the day is finished
 * @property {boolean} busy whether a table is being made
 * @property {boolean} mayBeDeleted whether this browser may delete the games
 */

/** how many tables with others elsewhere are asked whose turn it is */
const MAX_ASKED = 5;
const ANSWER_TIMEOUT_MS = 8000;

/** @type {import("../app/main.js").Page} */
export async function homePage(main) {
  /** @type {Home} */
  const state = { all: await games(), turns: new Map(), shelf: "new", day: null, busy: false, mayBeDeleted: false };
  const redraw = () => page.redraw();
  const page = mount(main, () => view(state, redraw));
  askTurns(state, redraw);
  askDay(state, redraw);
  // only somebody who has games can lose them
  if (engineHere() && (device.tables().length || device.forgotten().length)) {
    import("../offline/keeping.js").then(async ({ askToKeep, deleteForgotten }) => {
      deleteForgotten();
      state.mayBeDeleted = device.tables().length > 0 && !(await askToKeep());
      redraw();
    });
  }
  return page.stop;
}

/** Whether people sit elsewhere at a table, so that the turn may have passed since it was seen. @param {KnownTable} table */
const isShared = ({ invitation, invitations }) => invitation !== undefined || Object.keys(invitations ?? {}).length > 0;

/** Whether this device is to play there, as far as is known. @param {Home} state @param {KnownTable} table */
const isOurTurn = ({ turns }, table) => Object.keys(table.tokens).length > 0 && (isShared(table) ? turns.get(table.id) === true : true);

/** Ask the servers whose turn it is. @param {Home} state @param {() => void} redraw */
async function askTurns(state, redraw) {
  const asked = device.tables().filter((one) => !one.over && isShared(one) && Object.keys(one.tokens).length);
  if (!asked.length) return;
  const [{ PROTOCOL }, { transportTo }] = await Promise.all([import("../table/socket.js"), import("../table/transport.js")]);
  for (const { id, tokens } of asked.slice(0, MAX_ASKED)) {
    const socket = transportTo(homeOf(id)).open(id);
    const timer = window.setTimeout(() => socket.close(), ANSWER_TIMEOUT_MS);
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", tokens: Object.values(tokens), since: null, protocol: PROTOCOL }));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      clearTimeout(timer);
      socket.close();
      if (message.type !== "welcome") return;
      const { position, yours, table } = message;
      state.turns.set(id, table.phase === "playing" && yours.includes(position.actor >= 0 ? position.actor : position.roller));
      if (table.phase === "over" || table.phase === "adjudicated") device.rememberTable(id, { over: true });
      redraw();
    };
  }
}

/** Ask how today's game of the day ended on this device. @param {Home} state @param {() => void} redraw */
async function askDay(state, redraw) {
  const played = device.tables().find((one) => one.day === today() && one.over);
  const last = played && (await replay(played.id, -1).catch(() => null))?.steps.at(-1)?.position;
  if (!last) return;
  state.day = { score: last.scores[0] ?? 0, below: last.marks.below ?? null };
  redraw();
}

/** @param {Home} state @param {() => void} redraw */
function view(state, redraw) {
  const open = device.tables().filter((one) => !one.over);
  const waiting = open.find((one) => isOurTurn(state, one) && state.all.some(({ id }) => id === one.game));
  return h(
    "div",
    { class: "room homepage" },
    waiting && h("h1", { class: "unseen" }, t("What shall we play?")),
    h("div", { class: "hero" }, waiting ? turnPanel(state, waiting) : playPanel(state, redraw), dayPanel(state, redraw)),
    shelf(state),
    also(state, redraw),
    tableList(t("Keep playing"), open.filter((one) => one !== waiting), redraw),
    tableList(t("Finished games"), device.tables().filter((one) => one.over), redraw),
    state.mayBeDeleted && h("p", { class: "muted small", role: "note", "data-key": "may-be-deleted" }, t("This browser may delete your games when it runs out of space. Save them to a file now and then, in the settings.")),
  );
}

// --- what to play now -----------------------------------------------------------------------------

/** @param {Home} state @param {string} id */
const art = ({ all }, id) => h("span", { class: "mini-art" }, lid(all, id));

/** The game in which it is our turn. @param {Home} state @param {KnownTable} table */
function turnPanel(state, table) {
  const others = table.names.filter((_, seat) => table.tokens[seat] === undefined && table.names[seat]);
  const title = state.all.find(({ id }) => id === table.game)?.title ?? table.title;
  return h(
    "section",
    { class: "panel turnp", "data-key": "your-turn" },
    h("span", { class: "tagl" }, t("Your turn")),
    h(
      "div",
      { class: "run" },
      art(state, table.game),
      h("div", null, h("h2", null, others.length ? t("{game} with {names}", { game: title, names: list(others) }) : title), h("p", null, t("Last seen {when}.", { when: date(table.seen, "time") })), h("span", { class: "people" }, table.names.map((name, seat) => (pipsOfName(name) ? face(pipsOfName(name)) : chip(seat))))),
    ),
    link(`/t/${table.id}`, { class: "go", "data-key": "go-on" }, icon("play"), h("span", null, t("Take your turn"))),
  );
}

/** The last table again, or a short game against the computer. @param {Home} state @param {() => void} redraw */
function playPanel(state, redraw) {
  const before = device.last();
  const known = state.all.find(({ id }) => id === before?.game);
  const game = known ?? [...state.all].sort((one, other) => one.minutes[0] - other.minutes[0] || one.minutes[1] - other.minutes[1])[0];
  if (!game) return null;
  const wish = (known && before) || usualTable(game);
  return h(
    "section",
    { class: "panel turnp" },
    h(
      "div",
      { class: "run" },
      art(state, game.id),
      h(
        "div",
        null,
        h("h1", null, t("What shall we play?")),
        h("p", { id: "play-what" }, known ? t("Last time: {game}, {who}.", { game: game.title, who: opponents(wish) }) : t("{game}, {who}.", { game: game.title, who: opponents(wish) })),
        h("span", { class: "people" }, wish.seats.map(({ kind, level }, seat) => (kind === "computer" ? face(pipsOf(level ?? "")) : chip(seat)))),
      ),
    ),
    h("button", { class: "go", type: "button", "data-key": "play-now", "aria-describedby": "play-what", disabled: state.busy, onClick: () => begin(state, redraw, game, wish) }, icon("play"), h("span", null, t("Play now"))),
  );
}

/** Who sits at a table that is to be made. @param {NewTable} wish */
function opponents({ seats }) {
  const others = seats.slice(1);
  if (!others.length) return t("alone");
  const names = others.map(({ kind, name, level }, place) => (kind === "computer" ? playerName(level ?? "") : kind === "link" ? t("somebody by link") : name || t("Player {n}", { n: place + 2 })));
  return others.every(({ kind }) => kind === "computer") ? t("against {names}", { names: list(names) }) : t("with {names}", { names: list(names) });
}

/** The same dice for everybody, and how typical games end. @param {Home} state @param {() => void} redraw */
function dayPanel(state, redraw) {
  const game = dayGame(state.all, today());
  if (!game) return null;
  const begun = device.tables().find((one) => one.day === today());
  const button = begun
    ? link(begun.over ? `/report/${begun.id}` : `/t/${begun.id}`, { class: "alt", "data-key": "day" }, begun.over ? t("Look at it") : t("Continue"))
    : h("button", { class: "alt", type: "button", "data-key": "day", disabled: state.busy, onClick: () => begin(state, redraw, game, dayWish(game, today())) }, t("Play it"));
  return h(
    "section",
    { class: "panel day" },
    h("div", null, h("h2", null, t("Game of the day")), h("p", null, dayWords(state, game))),
    h("span", { class: "mini-art" }, lid(state.all, game.id)),
    button,
  );
}

/** @param {Home} state @param {GameInfo} game */
function dayWords({ day }, game) {
  if (!day) return t("{game} alone, the same dice for everybody.", { game: game.title });
  const points = tn("You scored {n} point.", "You scored {n} points.", day.score);
  return day.below === null ? points : `${points} ${t("{n} of 100 typical games score less.", { n: number(Math.round(100 * day.below)) })}`;
}

// --- the shelf, and what else there is ---------------------------------------------------------------

/** @param {Home} state */
function shelf({ all, shelf }) {
  const shown = shelf === "learn" ? all.filter(({ lesson }) => lesson) : all;
  const heading = { new: "", real: t("Which box lies on your table?"), learn: t("Which game would you like to learn?") }[shelf];
  const address = (/** @type {string} */ id) => ({ new: `/new/${id}`, real: `/new/${id}?dice=real`, learn: `/learn/${id}` })[shelf];
  return h(
    "section",
    { class: "shelf-place", "aria-label": t("Games") },
    heading && h("h2", { id: "shelf-heading" }, heading),
    h(
      "ul",
      { class: "shelf" },
      shown.map((game) =>
        h(
          "li",
          { key: game.id, "data-game": game.id },
          link(
            address(game.id),
            { class: "lid-link", "data-key": game.id },
            lid(all, game.id, h("span", { class: "label" }, h("b", null, game.title), h("small", null, game.pitch)), h("span", { class: "meta" }, h("span", null, playerRange(game.players, true)), h("span", null, minuteRange(game.minutes)))),
          ),
        ),
      ),
    ),
  );
}

/** @param {Home} state @param {() => void} redraw */
function also(state, redraw) {
  const show = (/** @type {Home["shelf"]} */ what) => () => {
    state.shelf = state.shelf === what ? "new" : what;
    redraw();
  };
  const days = device.puzzleDays();
  const done = days[today()];
  const row = inARow(days);
  const mistakes = due(device.mistakes(), Date.now()).length;
  const played = device.summaries().some((one) => one.seats.length) || device.tables().some((one) => one.over);
  const button = (/** @type {Home["shelf"]} */ what, /** @type {string} */ text) => h("button", { class: "link", type: "button", "data-key": what, "aria-pressed": String(state.shelf === what), onClick: show(what) }, text);
  return h(
    "nav",
    { class: "also", "aria-label": t("To get better") },
    button("real", t("Real dice, real box")),
    link("/puzzle", { "data-key": "puzzle" }, t("Puzzle of the day"), done !== undefined && h("span", { class: "tag" }, done ? t("solved") : t("tried")), row > 1 && h("span", { class: "tag" }, tn("{n} day in a row", "{n} days in a row", row))),
    button("learn", t("Learn a game in three minutes")),
    mistakes > 0 && link("/puzzle/mistakes", { "data-key": "mistakes" }, t("My mistakes"), h("span", { class: "tag" }, number(mistakes))),
    played && link("/progress", { "data-key": "progress" }, t("My progress")),
    h("button", { class: "link", type: "button", "data-key": "join", onClick: joinDialog }, t("Join with a link")),
  );
}

/** @param {string} title @param {KnownTable[]} known @param {() => void} redraw */
function tableList(title, known, redraw) {
  if (!known.length) return null;
  const forget = (/** @type {KnownTable} */ { id }) => {
    device.forgetTable(id);
    if (device.forgotten().length) import("../offline/keeping.js").then((keeping) => keeping.deleteForgotten());
    redraw();
  };
  return h(
    "details",
    { class: "sheet begun", key: title },
    h("summary", null, title, " ", h("span", { class: "tag" }, number(known.length))),
    h(
      "ul",
      { class: "list" },
      known.map((one) =>
        h(
          "li",
          { key: one.id },
          h("span", { class: "what" }, h("b", null, one.title), h("small", { class: "muted" }, [...one.names.filter(Boolean), date(one.seen, "time")].join(" · "))),
          one.over ? link(`/report/${one.id}`, { class: "button" }, t("Look at it")) : link(`/t/${one.id}`, { class: "button" }, t("Continue")),
          h("button", { class: "tool", type: "button", "aria-label": t("Remove {game} from this list", { game: one.title }), onClick: () => forget(one) }, icon("bin")),
        ),
      ),
    ),
  );
}
