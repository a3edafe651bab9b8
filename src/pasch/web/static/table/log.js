// @ts-check
/** What happened, in words: a turn after the other, the latest first, only that one unfolded. */
import { sheet } from "../app/frame.js";
import { currentLanguage, list, number, t, tn } from "../app/i18n.js";
import { coachName, levelName, signed } from "../app/words.js";
import { phrase } from "../board/load.js";
import { badge } from "../board/pieces.js";
import { h } from "../vendor/preact.js";
import { takenBack } from "./controller.js";
import { isYou, seatName, wantToEnd, wantToPlay, whoIs } from "./people.js";

/** @import { Entry } from "../app/types.js" */
/** @import { Model } from "./controller.js" */

/** @typedef {{seat: number | null, entries: Entry[]}} Turn */

/** An event with the positions before and after it, as far as we know them. @param {Model} model @param {Entry} entry @returns {import("../board/model.js").Happening} */
export function happening({ positions }, { version, body }) {
  return { event: body, before: positions.get(version - 1) ?? null, after: positions.get(version) ?? null };
}

/** what was said of an entry, and for which names and language @type {WeakMap<Entry, {key: string, text: string}>} */
const said = new WeakMap();

/** One entry in words. @param {Model} model @param {Entry} entry */
export function sentence(model, entry) {
  const { before, after } = happening(model, entry);
  const key = `${currentLanguage()} ${model.mySeats} ${model.info.seats.map(({ name, kind, level }) => name || kind + level)} ${before !== null} ${after !== null}`;
  const known = said.get(entry);
  if (known?.key === key) return known.text;
  const text = words(model, entry);
  said.set(entry, { key, text });
  return text;
}

/** @param {Model} model @param {Entry} entry @returns {string} */
function words(model, entry) {
  const { kind, body } = entry;
  const { info, board } = model;
  const name = typeof body.seat === "number" ? seatName(info, body.seat) : "";
  /** @type {number[]} */
  const about = body.seats ?? [body.seat];
  const you = about.length === 1 && isYou(model, about[0] ?? -1);
  const names = about.flatMap((seat) => (typeof seat === "number" ? [seatName(info, seat)] : []));
  const level = levelName(body.level ?? "");
  switch (kind) {
    case "event": {
      const { event, before, after } = happening(model, entry);
      return phrase(board.sentences, model.telling(event, before, after)) ?? "";
    }
    case "sit": return t("{name} sits down.", { name: body.name || name });
    case "contribute": return model.game.has_secrets ? t("The cards are shuffled.") : t("The dice are ready.");
    case "name": return t("{name} has a new name.", { name: body.name || name });
    case "computer":
      if (body.failed) return t("{what} The computer ({level}) plays on for it.", { what: failure(name, body.failed), level });
      if (body.absent || body.by_maker) return t("{name} is away. The computer ({level}) plays on.", { name, level });
      return you ? t("The computer ({level}) plays for you now.", { level }) : t("The computer ({level}) plays for {name} now.", { name, level });
    case "person": return you ? t("You play yourself again.") : t("{name} plays again.", { name });
    case "coach": return body.settled ? t("Coach: {mode}", { mode: coachName(body.coach) }) : t("A coach was asked for: {mode}", { mode: coachName(body.coach) });
    case "end":
      if (you) return body.agree ? t("You would like to end the game.") : t("You would rather play on.");
      return body.agree ? wantToEnd(names) : tn("{names} would rather play on.", "{names} would rather play on.", names.length, { names: list(names) });
    case "undo":
      if (body.settled) return t("The last move was taken back.");
      return body.agree ? t("{names}: take the last move back?", { names: list(names) }) : t("The last move stands.");
    case "adjudicate": return earlyEnd(body.by, list(body.winners.map((/** @type {number} */ seat) => whoIs(model, seat))));
    case "again":
      if (you) return body.agree ? t("You would like to play again.") : t("You would rather not play again.");
      return body.agree ? wantToPlay(names) : tn("{names} would rather not play again.", "{names} would rather not play again.", names.length, { names: list(names) });
    case "next": return t("The next game begins.");
  }
}

/** How a game that was ended early was decided. @param {"chances" | "value" | "scores"} by @param {string} names */
function earlyEnd(by, names) {
  switch (by) {
    case "chances": return t("The game was ended early. Most likely to win: {names}.", { names });
    case "value": return t("The game was ended early. Probably the most points at the end: {names}.", { names });
    case "scores": return t("The game was ended early. Most points: {names}.", { names });
  }
}

/** Why a program that somebody has written has lost its seat. @param {string} name @param {string} why */
function failure(name, why) {
  switch (why) {
    case "illegal": return t("{name} tried something that the rules forbid.", { name });
    case "slow": return t("{name} did not answer in time.", { name });
    case "gone": return t("{name} is not there any more.", { name });
    default: return t("The program {name} has crashed.", { name });
  }
}

/** What an entry is about, if the next one about the same replaces it. @param {Entry} entry */
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

/** The entries without those that were superseded before the next event: of a seat's names only the last. @param {readonly Entry[]} entries */
export function merged(entries) {
  /** @type {Entry[]} */
  const kept = [];
  const about = new Set();
  for (const entry of [...entries].reverse()) {
    const its = topic(entry);
    if (entry.kind === "event") about.clear();
    if (its === null || !about.has(its)) kept.push(entry);
    if (its !== null) about.add(its);
  }
  return kept.reverse();
}

/** The entries turn by turn; what belongs to no seat begins one. @param {readonly Entry[]} entries @returns {Turn[]} */
export function turns(entries) {
  /** @type {Turn[]} */
  const found = [];
  for (const entry of entries) {
    const open = found.at(-1);
    const seat = entry.kind === "event" ? entry.body.seat ?? null : open?.seat ?? null;
    const begins = entry.kind === "event" && seat === null && open && open.seat !== null;
    if (open && !begins && (open.seat === null || open.seat === seat)) {
      open.entries.push(entry);
      open.seat = seat;
    } else found.push({ seat, entries: [entry] });
  }
  return found;
}

/** What a turn scored; null where nothing is known or was scored. @param {Model} model @param {Turn} turn */
function scored({ positions }, { seat, entries }) {
  const before = positions.get((entries[0]?.version ?? 0) - 1);
  const after = positions.get(entries.at(-1)?.version ?? 0);
  const points = seat !== null && before && after ? (after.scores[seat] ?? 0) - (before.scores[seat] ?? 0) : 0;
  return points ? signed(points, 0) : null;
}

/** The round of a turn; null where it is not known, or rounds are not written down. @param {Model} model @param {Turn} turn */
export function roundOf({ positions, board }, { entries }) {
  const before = positions.get((entries[0]?.version ?? 0) - 1);
  return board.scorePad && before ? board.scorePad(before.snapshot) + 1 : null;
}

/** Whose turn it was, and in which round. @param {Model} model @param {Turn} turn */
function heading(model, turn) {
  if (turn.seat === null) return t("The table");
  const round = roundOf(model, turn);
  return [whoIs(model, turn.seat), round !== null && ` · ${t("Round {n}", { n: round })}`];
}

/** @param {Model} model */
export function logCard(model) {
  const gone = takenBack(model.entries);
  const judged = new Map(model.judgements.map((one) => [one.version, one]));
  const entries = merged(model.entries);
  const latest = turns(entries.slice(-model.lines)).reverse();
  const more = entries.length > model.lines || model.first > 1;
  const line = (/** @type {Entry} */ entry) => {
    const judgement = judged.get(entry.version);
    const text = sentence(model, entry);
    return h("li", { key: entry.version }, gone.has(entry.version) ? h("s", null, text) : text, entry.stand_in && h("span", { class: "tag gold" }, t("by the computer")), judgement && mark(judgement));
  };
  return sheet(
    t("What happened"), { class: "log", "aria-label": t("What happened"), tabIndex: 0 },
    latest.length === 0 && h("p", { class: "muted" }, t("Nothing yet.")),
    latest.map((turn, at) =>
      h(
        "details",
        { key: turn.entries[0]?.version, class: "turn", open: at === 0 },
        h("summary", null, turn.seat !== null && badge(turn.seat), h("span", null, heading(model, turn)), h("b", null, scored(model, turn))),
        h("ol", { reversed: true }, [...turn.entries].reverse().map(line)),
      ),
    ),
    more && h("button", { class: "link", type: "button", "data-key": "earlier", onClick: model.commands.earlier }, t("Earlier lines")),
  );
}

/** @param {import("../app/types.js").Judgement} judgement */
function mark({ kind, points }) {
  if (kind === "move") return points < 0.05 ? h("span", { class: "tag good", title: t("the best move") }, "✓") : h("span", { class: "tag bad", title: t("points given away") }, signed(-points));
  if (Math.abs(points) < 0.05) return null;
  return h("span", { class: `tag ${points > 0 ? "good" : "gold"}`, title: t("luck of the roll") }, signed(points));
}

/** How everybody stands, for screen readers. @param {Model} model */
export function standing(model) {
  return list(model.position.scores.map((n, seat) => tn("{name}: {n} point", "{name}: {n} points", n, { name: whoIs(model, seat), n: number(n) })));
}
