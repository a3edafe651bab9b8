// @ts-check
/** Ending a game early: how it would be decided is shown before anybody agrees to it. */
import { h, replace } from "../app/dom.js";
import { dialog } from "../app/frame.js";
import { list, number, t } from "../app/i18n.js";
import { wantToEnd } from "./log.js";
import { isYou, nameOf, stillToAgree, whoIs } from "./play.js";

/**
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("../app/types.js").Verdict} Verdict
 */

/** what was answered for which number of events @type {WeakMap<Play, {events: number, verdict: Promise<Verdict | null>}>} */
const asked = new WeakMap();

/**
 * How the game would be decided now; null if nobody can say. Asked once for a position.
 * @param {Play} play
 * @returns {Promise<Verdict | null>}
 */
function verdictNow(play) {
  const { events } = play.position;
  const known = asked.get(play);
  if (known?.events === events) return known.verdict;
  const verdict = play.actions.preview();
  asked.set(play, { events, verdict });
  verdict.then((found) => {
    if (!found && asked.get(play)?.verdict === verdict) asked.delete(play);
  });
  return verdict;
}

/** A place where the verdict is shown as soon as it is known. @param {Play} play */
function verdictBox(play) {
  const box = h("div", { class: "stack", "data-key": "verdict", "aria-live": "polite" }, h("p", { class: "muted" }, t("Pasch works out who would win …")));
  verdictNow(play).then((found) => replace(box, found ? verdictLines(play, found) : [h("p", null, t("It cannot be said just now who would win."))]));
  return box;
}

/** @param {Play} play @param {Verdict} verdict @returns {import("../app/dom.js").Child[]} */
function verdictLines(play, { winners, value, win, by }) {
  const names = winners.map((seat) => whoIs(play, seat));
  if (play.info.players === 1) {
    return [h("p", null, value ? t("You have {now} points now, and about {points} at the end.", { now: number(play.position.scores[0] ?? 0), points: number(value[0] ?? 0, 0) }) : t("The points as they stand count."))];
  }
  const how =
    by === "chances"
      ? t("Who is most likely to win from here, wins. The points until now do not decide it alone.")
      : by === "value"
        ? t("Who would probably have the most points at the end, wins.")
        : t("Who has the most points now, wins.");
  const shared = by === "chances" && (win ?? []).reduce((sum, one) => sum + one, 0) > 1.005;
  const head = by === "chances" ? t("chance to win") : by === "value" ? t("at the end") : "";
  const figure = (/** @type {number} */ seat) => (by === "chances" ? t("{percent} %", { percent: number(100 * (win?.[seat] ?? 0), 0) }) : number(value?.[seat] ?? 0, 1));
  const wouldWin = () => {
    if (winners.length > 1) return t("{names} would win together.", { names: list(names) });
    return isYou(play, winners[0] ?? -1) ? t("You would win.") : t("{name} would win.", { name: names[0] ?? "" });
  };
  return [
    h("p", null, how),
    h(
      "table",
      { class: "standing" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, t("Name")), h("th", { class: "number", scope: "col" }, t("now")), head && h("th", { class: "number", scope: "col" }, head))),
      h(
        "tbody",
        null,
        play.info.seats.map((_, seat) =>
          h("tr", { class: winners.includes(seat) ? "best" : null }, h("th", { scope: "row" }, winners.includes(seat) && "★ ", whoIs(play, seat)), h("td", { class: "number" }, number(play.position.scores[seat] ?? 0)), head && h("td", { class: "number" }, figure(seat))),
        ),
      ),
    ),
    shared && h("p", { class: "muted small" }, t("A win that is shared counts for all who share it.")),
    h("p", null, h("strong", null, wouldWin())),
  ];
}

/** Somebody else wants to end the game, and we have not agreed yet. @param {Play} play */
export function endCard(play) {
  const { info, yours } = play;
  const asking = info.seats.flatMap((seat, number) => (seat.ends && !yours.includes(number) ? [nameOf(play, number)] : []));
  if (info.phase !== "playing" || !asking.length || !yours.some((seat) => !info.seats[seat]?.ends)) return null;
  const agree = () => play.actions.command({ type: "adjudicate", agree: true });
  const others = stillToAgree(play, (seat) => seat.ends || yours.includes(seat.seat));
  return h(
    "section",
    { class: "card stack narrow", "data-key": "asked-to-end" },
    h("p", null, wantToEnd(asking)),
    verdictBox(play),
    h("div", { class: "row" }, h("button", { class: "button danger", type: "button", "data-key": "agree-to-end", onclick: agree }, t("Agree to the end"))),
    others.length > 0 && h("p", { class: "muted small" }, t("Still to agree: {names}", { names: list(others) })),
  );
}

/**
 * Who has agreed to end the game, who is waited for, and a button to agree or to play on.
 * @param {Play} play
 * @param {() => void} close
 */
export function endChoice(play, close) {
  const { seats } = play.info;
  if (!play.yours.length && !play.maker) return null;
  const agreed = seats.flatMap((seat, number) => (seat.ends ? [nameOf(play, number)] : []));
  const mine = play.yours.some((seat) => seats[seat]?.ends);
  const missing = stillToAgree(play, (seat) => seat.ends);
  const playOn = () => { close(); play.actions.command({ type: "adjudicate", agree: false }); };
  const ask = () => { close(); endNow(play); };
  return h(
    "fieldset",
    { class: "stack" },
    h("legend", null, t("The end")),
    agreed.length > 0 && h("p", { class: "small" }, wantToEnd(agreed)),
    agreed.length > 0 && missing.length > 0 && h("p", { class: "small" }, t("Still to agree: {names}", { names: list(missing) })),
    h(
      "div",
      { class: "row" },
      (!mine || !missing.length) && h("button", { class: "button danger", type: "button", onclick: ask }, t("End the game now")),
      mine && h("button", { class: "button", type: "button", onclick: playOn }, t("Go on playing")),
    ),
  );
}

/** @param {Play} play */
function endNow(play) {
  const others = stillToAgree(play, (seat) => seat.ends).length > play.yours.length;
  let seen = play.position.events;
  const shown = h("div", null, verdictBox(play));
  const agree = (/** @type {() => void} */ close) => {
    if (play.position.events === seen) {
      close();
      play.actions.command({ type: "adjudicate" });
      return;
    }
    // what was shown does not hold any more
    seen = play.position.events;
    shown.replaceChildren(h("p", { role: "alert" }, t("The game has gone on. Look again:")), verdictBox(play));
  };
  dialog(t("End the game now?"), (close) => [
    shown,
    others && h("p", null, t("The game ends as soon as all agree.")),
    h(
      "div",
      { class: "row" },
      h("button", { class: "button danger", type: "button", onclick: () => agree(close) }, t("End it")),
      h("button", { class: "button", type: "button", onclick: close }, t("Go on playing")),
    ),
  ]);
}
