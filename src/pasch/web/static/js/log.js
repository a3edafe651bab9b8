// @ts-check
/** What happened, in words, the latest first. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { around, contextOf, nameOf } from "./play.js";
import { coachName, levelName, signed } from "./words.js";

/**
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("./types.js").Entry} Entry
 */

const MOST_LINES = 40;

/**
 * One entry in words.
 * @param {Play} play
 * @param {Entry} entry
 * @returns {string}
 */
export function line(play, entry) {
  const { kind, body } = entry;
  const name = typeof body.seat === "number" ? nameOf(play, body.seat) : "";
  switch (kind) {
    case "event": {
      const { before, after } = around(play, entry);
      return play.board.tell(contextOf(play), body, before, after);
    }
    case "sit": return t("{name} sits down.", { name: body.name || name });
    case "contribute": return t("The dice are shaken.");
    case "name": return t("{name} has a new name.", { name: body.name || name });
    case "computer":
      if (body.failed) return t("{what} The computer ({level}) plays on for it.", { what: failure(name, body.failed), level: levelName(body.level ?? "") });
      return t("The computer ({level}) plays for {name} now.", { name, level: levelName(body.level ?? "") });
    case "person": return t("{name} plays again.", { name });
    case "coach": return body.settled ? t("Coach: {mode}", { mode: coachName(body.coach) }) : t("A coach was asked for: {mode}", { mode: coachName(body.coach) });
    case "adjudicate": return t("The game was ended early and decided by the position.");
  }
}

/**
 * Why a program that somebody has written has lost its seat.
 * @param {string} name
 * @param {string} why
 */
function failure(name, why) {
  switch (why) {
    case "illegal": return t("{name} wanted to do what the rules forbid.", { name });
    case "slow": return t("{name} has not answered in time.", { name });
    case "gone": return t("{name} is not there any more.", { name });
    default: return t("The program {name} has failed.", { name });
  }
}

/** @param {Play} play */
export function logCard(play) {
  const judged = new Map(play.judgements.map((one) => [one.version, one]));
  const latest = play.entries.slice(-MOST_LINES).reverse();
  return [
    h("h2", null, t("What happened")),
    latest.length === 0 && h("p", { class: "muted" }, t("Nothing yet.")),
    h(
      "ol",
      { class: "log", reversed: true, tabindex: latest.length > 5 ? "0" : null, "aria-label": t("What happened") },
      latest.map((entry) => {
        const judgement = judged.get(entry.version);
        return h("li", null, h("span", null, line(play, entry)), judgement && mark(judgement));
      }),
    ),
  ];
}

/** @param {import("./types.js").Judgement} judgement */
function mark(judgement) {
  const { kind, points } = judgement;
  if (kind === "move") {
    if (points < 0.05) return h("span", { class: "tag good", title: t("the best move") }, "✓");
    return h("span", { class: "tag bad", title: t("points given away") }, signed(-points));
  }
  if (Math.abs(points) < 0.05) return null;
  return h("span", { class: `tag ${points > 0 ? "good" : "gold"}`, title: t("luck of the roll") }, signed(points));
}
