// @ts-check
/** Ending a game early: how it would be decided is shown before anybody agrees to it. */
import { dialog } from "../app/frame.js";
import { list, number, t } from "../app/i18n.js";
import { h } from "../vendor/preact.js";
import { isYou, seatName, stillToAgree, wantToEnd, whoIs } from "./people.js";

/** @import { Verdict } from "../app/types.js" */
/** @import { Model } from "./controller.js" */

/** Where the verdict is shown as soon as it is known. @param {Model} model */
function verdictBox(model) {
  const { verdict, commands } = model;
  if (!verdict) queueMicrotask(commands.preview);
  const content = verdict?.found
    ? verdictLines(model, verdict.found)
    : h("p", { class: "muted" }, verdict && !verdict.asked ? t("Nobody can say just now who would win.") : t("Pasch works out who would win …"));
  return h("div", { class: "stack", "data-key": "verdict", "aria-live": "polite" }, content);
}

/** @param {Model} model @param {Verdict} verdict */
function verdictLines(model, { winners, value, win, by }) {
  const { info, position } = model;
  const names = winners.map((seat) => whoIs(model, seat));
  const now = (/** @type {number} */ seat) => number(position.scores[seat] ?? 0);
  if (info.players === 1) {
    return h("p", null, value ? t("You have {now} points now, and about {points} at the end.", { now: now(0), points: number(value[0] ?? 0, 0) }) : t("The points as they stand count."));
  }
  const [how, head] = {
    chances: [t("Whoever is most likely to win from here wins. The points so far do not decide it alone."), t("chance to win")],
    value: [t("Whoever would probably have the most points at the end wins."), t("at the end")],
    scores: [t("Whoever has the most points now wins."), ""],
  }[by];
  const shared = by === "chances" && (win ?? []).reduce((sum, one) => sum + one, 0) > 1.005;
  const figure = (/** @type {number} */ seat) => (by === "chances" ? t("{percent} %", { percent: number(100 * (win?.[seat] ?? 0), 0) }) : number(value?.[seat] ?? 0, 1));
  const [first = -1] = winners;
  const wouldWin = winners.length > 1 ? t("{names} would win together.", { names: list(names) }) : isYou(model, first) ? t("You would win.") : t("{name} would win.", { name: names[0] ?? "" });
  return [
    h("p", null, how),
    h(
      "table",
      { class: "standing" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, t("Name")), h("th", { class: "number", scope: "col" }, t("now")), head && h("th", { class: "number", scope: "col" }, head))),
      h(
        "tbody",
        null,
        info.seats.map((_, seat) =>
          h("tr", { key: seat, class: winners.includes(seat) ? "best" : "" }, h("th", { scope: "row" }, winners.includes(seat) && "★ ", whoIs(model, seat)), h("td", { class: "number" }, now(seat)), head && h("td", { class: "number" }, figure(seat))),
        ),
      ),
    ),
    shared && h("p", { class: "muted small" }, t("A shared win counts for everybody who shares it.")),
    h("p", null, h("strong", null, wouldWin)),
  ];
}

/** Somebody else wants to end the game, and we have not agreed yet. @param {Model} model */
export function endCard(model) {
  const { info, mySeats, commands } = model;
  const asking = info.seats.flatMap((seat, number_) => (seat.ends && !mySeats.includes(number_) ? [seatName(info, number_)] : []));
  if (info.phase !== "playing" || !asking.length || !mySeats.some((seat) => !info.seats[seat]?.ends)) return null;
  const others = stillToAgree(info, (seat) => seat.ends || mySeats.includes(seat.seat));
  return h(
    "section",
    { key: "end", class: "sheet stack", "data-key": "asked-to-end" },
    h("p", null, wantToEnd(asking)),
    verdictBox(model),
    h("div", { class: "row" }, h("button", { class: "button danger", type: "button", "data-key": "agree-to-end", onClick: () => commands.command({ type: "adjudicate", agree: true }) }, t("Agree to the end"))),
    others.length > 0 && h("p", { class: "muted small" }, t("Still to agree: {names}", { names: list(others) })),
  );
}

/**
 * Who has agreed to end the game, who is waited for, and a button to agree or to play on.
 * @param {() => Model} current
 * @param {() => void} close
 */
export function endChoice(current, close) {
  const { info, mySeats, maker, commands } = current();
  if (!mySeats.length && !maker) return null;
  const agreed = info.seats.flatMap((seat, number_) => (seat.ends ? [seatName(info, number_)] : []));
  const mine = mySeats.some((seat) => info.seats[seat]?.ends);
  const missing = stillToAgree(info, (seat) => seat.ends);
  const button = (/** @type {string} */ look, /** @type {string} */ text, /** @type {() => void} */ act) => h("button", { class: look, type: "button", onClick: () => { close(); act(); } }, text);
  return h(
    "fieldset",
    { class: "stack" },
    h("legend", null, t("The end")),
    agreed.length > 0 && h("p", { class: "small" }, wantToEnd(agreed)),
    agreed.length > 0 && missing.length > 0 && h("p", { class: "small" }, t("Still to agree: {names}", { names: list(missing) })),
    h(
      "div",
      { class: "row" },
      (!mine || !missing.length) && button("button danger", t("End the game now"), () => endNow(current)),
      mine && button("button", t("Keep playing"), () => commands.command({ type: "adjudicate", agree: false })),
    ),
  );
}

/** @param {() => Model} current */
function endNow(current) {
  let seen = current().position.events;
  let goneOn = false;
  dialog(t("End the game now?"), (close, redraw) => {
    const model = current();
    const others = stillToAgree(model.info, (seat) => seat.ends).length > model.mySeats.length;
    const agree = () => {
      const { events } = current().position;
      if (events !== seen) {
        // what was shown does not hold any more
        [seen, goneOn] = [events, true];
        return redraw();
      }
      close();
      model.commands.command({ type: "adjudicate" });
    };
    return [
      goneOn && h("p", { role: "alert" }, t("The game has moved on. Look again:")),
      verdictBox(model),
      others && h("p", null, t("The game ends as soon as all agree.")),
      h("div", { class: "row" }, h("button", { class: "button danger", type: "button", onClick: agree }, t("End it")), h("button", { class: "button", type: "button", onClick: close }, t("Keep playing"))),
    ];
  });
}
