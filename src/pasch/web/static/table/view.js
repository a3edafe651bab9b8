// @ts-check
/** The table page, drawn from a model; no state of its own. */
import { link, messageCard, sheet } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { guessNote } from "../app/words.js";
import { stillModel } from "../board/still.js";
import { h } from "../vendor/preact.js";
import { atOnce, remaining } from "./choose.js";
import { advised, coachCard } from "./coach.js";
import { controls, looksAtAll, looksAway } from "./controls.js";
import { ending } from "./ending.js";
import { happening, logCard } from "./log.js";
import { notices } from "./notices.js";
import { onlyMine, seatName } from "./people.js";
import { scorePad } from "./score_pad.js";
import { seats } from "./seats.js";

/** @import { BoardModel } from "../board/model.js" */
/** @import { Child } from "../vendor/preact.js" */
/** @import { Model } from "./controller.js" */

/** What happened in this turn, or in the last one while nobody acts in the next. @param {Model} model @returns {import("../board/model.js").Happening[]} */
function recent(model) {
  const found = [];
  for (let at = model.entries.length - 1; at >= 0; at -= 1) {
    const entry = model.entries[at];
    if (entry?.kind !== "event") continue;
    const [later] = found;
    if (later && later.body.seat !== undefined && entry.body.seat !== later.body.seat) break;
    found.unshift(entry);
    if (entry.body.seat === undefined && found.some(({ body }) => body.seat !== undefined)) break;
  }
  return found.map((entry) => happening(model, entry));
}

/** what boards are drawn from, of models whose position is on the table @type {WeakMap<Model, BoardModel>} */
const made = new WeakMap();

/** What the boards on the table are drawn from, made once for a model. @param {Model} model */
export function boardModel(model) {
  const known = made.get(model) ?? boardModelAt(model);
  made.set(model, known);
  return known;
}

/**
 * What a board is drawn from.
 * @param {Model} model
 * @param {import("../app/types.js").Position} [position] another one than that on the table, only to look at
 * @param {ReadonlySet<string>} [marked] the tokens that are marked there
 * @returns {BoardModel}
 */
export function boardModelAt(model, position = model.position, marked) {
  const { info, shown, commands } = model;
  const here = position === model.position;
  const moves = here ? model.moves : [];
  const chosen = marked ?? model.chosen;
  const exact = here ? model.choice : position.moves.find(({ tokens }) => tokens.length === chosen.size && tokens.every((token) => chosen.has(token)));
  const best = here ? advised(model) : null;
  const wanted = new Set(best?.tokens.filter((token) => !chosen.has(token)));
  return {
    ...stillModel({ info, position, before: here ? shown.before : null, recent: here ? recent(model) : [], mySeats: model.mySeats }),
    turn: model.turn, over: model.over, roll: here ? shown.roll : null, story: here ? shown.story : null, chooser: moves.length ? position.actor : null, awaits: here && model.awaits === "roll", moves, chosen, possible: here ? model.possible : chosen,
    tokens: [...new Set(moves.flatMap(({ tokens }) => tokens))].filter((token) => !atOnce(token)), choice: exact ?? null, uses: exact?.uses ?? null, small: model.small,
    touch(token, label) {
      const is = chosen.has(token) ? "picked" : moves.length && model.possible.has(token) ? "can" : "cannot";
      // where nothing is to be chosen, it stays a mere drawing with a name
      if (!moves.length) return { class: is === "picked" ? "picked" : "", "data-token": token, role: "img", "aria-label": label };
      // without eyes one cannot see what a touch would put back
      const instead = is === "can" && chosen.size > 0 && !remaining(moves, new Set([...chosen, token])).length;
      const spoken = instead ? t("{what}: possible instead", { what: label }) : is === "can" ? t("{what}: possible now", { what: label }) : is === "cannot" ? t("{what}: not possible now", { what: label }) : label;
      const best = wanted.has(token);
      return {
        class: `touchable ${is}${best ? " advised" : ""}`, role: "button", tabindex: 0, "data-token": token, "aria-label": spoken, "aria-pressed": String(is === "picked"),
        "aria-description": best ? t("advised by the coach") : null,
        // not aria-disabled: touching it is how one learns why it is not possible
        onClick: () => commands.touch(token),
        onKeyDown(/** @type {KeyboardEvent} */ event) {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          event.stopPropagation();
          commands.touch(token);
        },
      };
    },
  };
}

/** The seat whose board is the large one. @param {Model} model */
export function largeSeat(model) {
  const { looking, shown, turn, followMine } = model;
  const mine = onlyMine(model);
  if (typeof looking === "number") return looking;
  if (followMine && mine !== null) return mine;
  const acting = shown.settled ? turn : shown.roll?.event.seat ?? model.entries.findLast(({ kind }) => kind === "event")?.body.seat ?? turn;
  return acting >= 0 ? acting : mine ?? 0;
}

/** Several people at one screen: the hand stays hidden until the next person confirms to be there. @param {Model} model */
function cover({ info, cardsOf, position }) {
  const name = seatName(info, cardsOf ?? 0);
  return h(
    "section",
    { key: "cover", class: "cover cardboard" },
    h("h2", null, position.awaits === "read" ? t("Now {name} enters their cards", { name }) : t("Now it is {name}’s turn", { name })),
    h("p", null, t("Hand the screen to {name}. The cards stay hidden until you say that it is you.", { name })),
  );
}

/** What lies on the mat above the controls. @param {Model} model @param {BoardModel} [drawn] @returns {Child} */
export function play(model, drawn = boardModel(model)) {
  const { board, info, over, shown } = model;
  if (model.covered) return cover(model);
  // who waits for others needs space for their links, who is invited for a name
  if (info.phase === "waiting" && info.seats.some(({ kind }) => kind === "open")) return null;
  const counts = over && (shown.settled || shown.phase?.kind === "count" || info.phase === "adjudicated");
  if (counts && !board.seatBoard) return ending(model);
  if (looksAtAll(model)) return h("div", { key: "overview", class: "overview" }, seats(model));
  const { seatBoard } = board;
  const large = largeSeat(model);
  return [
    counts && ending(model),
    h("div", { key: "board", class: "board" }, board.board(drawn)),
    seatBoard &&
      h(
        "div",
        { key: "boards", class: "boards" },
        info.seats.map((_, seat) => {
          const names = `place${seat === large ? " large" : ""}${seat === model.turn ? " turn" : ""}`;
          return (info.players <= 2 || !board.smallBoard || seat === large) && h("section", { key: seat, class: names, "data-seat": seat, "aria-label": t("Board of {name}", { name: seatName(info, seat) }) }, seatBoard(drawn, seat));
        }),
      ),
    !counts && h("div", { key: "zone", class: `zone${shown.roll?.rests ? " lost" : ""}` }, board.zone(drawn)),
  ];
}

/** The tokens of all controls in a drawing. @param {any} drawing @param {Set<string>} [found] */
export function tokensIn(drawing, found = new Set()) {
  if (Array.isArray(drawing)) for (const one of drawing) tokensIn(one, found);
  else if (drawing && typeof drawing === "object") {
    if (drawing.props?.["data-token"]) found.add(drawing.props["data-token"]);
    tokensIn(drawing.props?.children, found);
  }
  return found;
}

/** Which board is large, where there are many. @param {Model} model */
function largeChoice({ followMine, commands }) {
  const choice = (/** @type {boolean} */ mine, /** @type {string} */ text) =>
    h("button", { type: "button", role: "radio", "aria-checked": String(followMine === mine), class: followMine === mine ? "on" : "", onClick: () => commands.follow(mine) }, text);
  return sheet(t("Large board"), { key: "large", class: "sw" }, h("div", { class: "seg", role: "radiogroup", "aria-label": t("Large board") }, choice(false, t("Who moves")), choice(true, t("Always mine"))));
}

/** @param {Model} model @param {{openLog: () => void, hello: () => void}} page @returns {Child} */
export function tableView(model, { openLog, hello }) {
  const { board, info } = model;
  const drawn = boardModel(model);
  const wide = board.wide(drawn) && (!board.smallBoard || info.players <= 2);
  const several = board.smallBoard && info.players > 2;
  const lying = play(model);
  const guesses = Object.keys(info.components).length > 0 && JSON.stringify(info.components).includes("reconstructed");
  return h(
    "div",
    { class: `room game-${info.game} of-${info.players}${wide ? " wide" : ""}${model.over ? " over" : ""}${several ? " many" : ""}${looksAway(model) ? " looking" : ""}`, style: { "--pace": model.pace } },
    h("aside", { key: "left", class: "rail left", "aria-label": board.scorePad ? t("Score pad") : t("Seats") }, board.scorePad ? scorePad(model) : seats(model)),
    h(
      "section",
      { key: "mat", class: "mat", "aria-label": t("The table") },
      h("div", { key: "notices", class: "notices" }, notices(model, hello)),
      h("div", { key: "play", class: "play", "data-scope": "boards" }, lying),
      controls(model, tokensIn(lying)),
    ),
    h(
      "aside",
      { key: "right", class: "rail right" },
      !model.covered && coachCard(model),
      several && onlyMine(model) !== null && largeChoice(model),
      board.reference && h("div", { key: "reference" }, board.reference(drawn)),
      wide ? h("button", { key: "fold", type: "button", class: "fold", onClick: openLog }, h("span", null, t("What happened"))) : logCard(model),
      guesses && !wide && h("p", { key: "guess", class: "small muted" }, guessNote(), " ", link(`/rules/${info.game}#box`, {}, t("The box"))),
    ),
  );
}

/** Why somebody may not come in. @param {import("../app/types.js").Refused["code"]} code @param {string} why */
export function noEntry(code, why) {
  const [title, reason, help] =
    code === "no-table"
      ? [t("There is no such table"), t("Perhaps the link is not complete, or the table is kept elsewhere."), t("Open the whole link again, or begin a new game.")]
      : code === "not-yours"
        ? [t("This table is closed to you"), t("The link has been used already, or it is not for this table."), t("Ask whoever made the table for a link.")]
        : [t("This table cannot be opened now"), why, t("Try again in a moment.")];
  return messageCard(title, [reason, help], link("/", { class: "button primary" }, t("To the games")));
}
