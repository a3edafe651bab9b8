// @ts-check
/** What happened, in words, the latest first. */
import { h } from "../app/dom.js";
import { list, t, tn } from "../app/i18n.js";
import { around, contextOf, isYou, nameOf, whoIs } from "./play.js";
import { wantToPlay } from "./rematch.js";
import { coachName, levelName, signed } from "../app/words.js";

/**
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("../app/types.js").Entry} Entry
 */

/** so many lines are shown at first, and more each time they are asked for */
export const MOST_LINES = 40;

/**
 * One entry in words.
 * @param {Play} play
 * @param {Entry} entry
 * @returns {string}
 */
export function line(play, entry) {
  const { kind, body } = entry;
  const name = typeof body.seat === "number" ? nameOf(play, body.seat) : "";
  const about = body.seats ?? [body.seat];
  const you = about.length === 1 && isYou(play, about[0]);
  switch (kind) {
    case "event": {
      const { before, after } = around(play, entry);
      return play.board.tell(contextOf(play), body, before, after);
    }
    case "sit": return t("{name} sits down.", { name: body.name || name });
    case "contribute": return play.game.has_secrets ? t("The cards are shuffled.") : t("The dice are ready.");
    case "name": return t("{name} has a new name.", { name: body.name || name });
    case "computer":
      if (body.failed) return t("{what} The computer ({level}) plays on for it.", { what: failure(name, body.failed), level: levelName(body.level ?? "") });
      if (body.absent || body.by_maker) return t("{name} is away. The computer ({level}) plays on.", { name, level: levelName(body.level ?? "") });
      if (you) return t("The computer ({level}) plays for you now.", { level: levelName(body.level ?? "") });
      return t("The computer ({level}) plays for {name} now.", { name, level: levelName(body.level ?? "") });
    case "person": return you ? t("You play yourself again.") : t("{name} plays again.", { name });
    case "coach": return body.settled ? t("Coach: {mode}", { mode: coachName(body.coach) }) : t("A coach was asked for: {mode}", { mode: coachName(body.coach) });
    case "end": {
      /** @type {string[]} */
      const names = body.seats.map((/** @type {number} */ seat) => nameOf(play, seat));
      if (you) return body.agree ? t("You would like to end the game.") : t("You would rather play on.");
      return body.agree ? wantToEnd(names) : tn("{names} would rather play on.", "{names} would rather play on.", names.length, { names: list(names) });
    }
    case "undo": {
      /** @type {string[]} */
      const names = body.seats.map((/** @type {number} */ seat) => nameOf(play, seat));
      if (body.settled) return t("The last move was taken back.");
      return body.agree ? t("{names}: take the last move back?", { names: list(names) }) : t("The last move stands.");
    }
    case "adjudicate": return earlyEnd(body.by, list(body.winners.map((/** @type {number} */ seat) => whoIs(play, seat))));
    case "again": {
      /** @type {string[]} */
      const names = body.seats.map((/** @type {number} */ seat) => nameOf(play, seat));
      if (you) return body.agree ? t("You would like to play again.") : t("You would rather not play again.");
      return body.agree ? wantToPlay(names) : tn("{names} would rather not play again.", "{names} would rather not play again.", names.length, { names: list(names) });
    }
    case "next": return t("The next game begins.");
  }
}

/**
 * How a game that was ended early was decided.
 * @param {"chances" | "value" | "scores"} by
 * @param {string} names
 */
function earlyEnd(by, names) {
  switch (by) {
    case "chances": return t("The game was ended early. Most likely to win: {names}.", { names });
    case "value": return t("The game was ended early. Probably the most points at the end: {names}.", { names });
    case "scores": return t("The game was ended early. Most points: {names}.", { names });
  }
}

/** @param {string[]} names */
export function wantToEnd(names) {
  return tn("{names} would like to end the game.", "{names} would like to end the game.", names.length, { names: list(names) });
}

/**
 * Why a program that somebody has written has lost its seat.
 * @param {string} name
 * @param {string} why
 */
function failure(name, why) {
  switch (why) {
    case "illegal": return t("{name} tried something that the rules forbid.", { name });
    case "slow": return t("{name} has not answered in time.", { name });
    case "gone": return t("{name} is not there any more.", { name });
    default: return t("The program {name} has crashed.", { name });
  }
}

/**
 * What an entry is about, if the next one about the same replaces it.
 * @param {Entry} entry
 */
function topic({ kind, body }) {
  switch (kind) {
    case "name": return `name ${body.seat}`;
    case "computer":
    case "person": return `plays ${body.seat}`;
    case "coach":
    case "again":
    case "end": return `${kind} ${body.settled} ${body.seats}`;
    default: return null;
  }
}

/**
 * The entries without those that were superseded before the next event: of a seat's names only the last.
 * @param {Entry[]} entries
 */
export function merged(entries) {
  /** @type {Entry[]} */
  const kept = [];
  const said = new Set();
  for (const entry of [...entries].reverse()) {
    const about = topic(entry);
    if (entry.kind === "event") said.clear();
    if (about === null || !said.has(about)) kept.push(entry);
    if (about !== null) said.add(about);
  }
  return kept.reverse();
}

/**
 * The versions of the events that were taken back: each such line cuts the last event before it.
 * @param {readonly Entry[]} entries
 */
export function takenBack(entries) {
  /** @type {number[]} */
  const events = [];
  const gone = new Set();
  for (const { kind, version, body } of entries) {
    if (kind === "event") events.push(version);
    else if (kind === "undo" && body.settled) gone.add(events.pop());
  }
  return gone;
}

/** @param {Play} play */
export function logCard(play) {
  const gone = takenBack(play.entries);
  const judged = new Map(play.judgements.map((one) => [one.version, one]));
  const lines = merged(play.entries);
  const latest = lines.slice(-play.lines).reverse();
  const more = lines.length > play.lines || play.first > 1;
  return [
    h("h2", null, t("What happened")),
    latest.length === 0 && h("p", { class: "muted" }, t("Nothing yet.")),
    h(
      "ol",
      { class: "log", reversed: true, tabindex: latest.length > 5 ? "0" : null, "aria-label": t("What happened") },
      latest.map((entry) => {
        const judgement = judged.get(entry.version);
        const computer = entry.stand_in && h("span", { class: "tag gold" }, t("by the computer"));
        return h("li", null, h(gone.has(entry.version) ? "s" : "span", null, line(play, entry)), h("span", { class: "tags" }, computer, judgement && mark(judgement)));
      }),
      more && h("li", null, h("button", { class: "button plain", type: "button", "data-key": "earlier", onclick: play.actions.earlier }, t("Earlier lines"))),
    ),
  ];
}

/** @param {import("../app/types.js").Judgement} judgement */
function mark(judgement) {
  const { kind, points } = judgement;
  if (kind === "move") {
    if (points < 0.05) return h("span", { class: "tag good", title: t("the best move") }, "✓");
    return h("span", { class: "tag bad", title: t("points given away") }, signed(-points));
  }
  if (Math.abs(points) < 0.05) return null;
  return h("span", { class: `tag ${points > 0 ? "good" : "gold"}`, title: t("luck of the roll") }, signed(points));
}
