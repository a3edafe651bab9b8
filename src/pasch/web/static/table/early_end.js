// @ts-check
/** Ending a game early: how it would be decided is shown before anybody agrees to it. */
import { dialog } from "../app/frame.js";
import { list, number, t } from "../app/i18n.js";
import { h } from "../vendor/preact.js";
import { isYou, seatName, stillToAgree, wantToEnd, whoIs } from "./people.js";

/**
 * @typedef {import("./controller.js").Model} Model
 * @typedef {import("../app/types.js").Verdict} Verdict
 */

/** Where the verdict is shown as soon as it is known. @param {Model} model */
function verdictBox(model) {
  const { verdict, commands } = model;
  if (!verdict) queueMicrotask(commands.preview);
  const content = verdict?.found
    ? verdictLines(model, verdict.found)
    : h("p", { class: "muted" }, verdict && !verdict.asked ? t("It cannot be said just now who would win.") : t("Pasch works out who would win …"));
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
  const how =
    by === "chances"
      ? t("Who is most likely to win from here, wins. The points until now do not decide it alone.")
      : by === "value"
        ? t("Who would probably have the most points at the end, wins.")
        : t("Who has the most points now, wins.");
  const shared = by === "chances" && (win ?? []).reduce((sum, one) => sum + one, 0) > 1.005;
  const head = by === "chances" ? t("chance to win") : by === "value" ? t("at the end") : "";
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
    shared && h("p", { class: "muted small" }, t("A win that is shared counts for all who share it.")),
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
  const playOn = () => {
    close();
    commands.command({ type: "adjudicate", agree: false });
  };
  const ask = () => {
    close();
    endNow(current);
  };
  return h(
    "fieldset",
    { class: "stack" },
    h("legend", null, t("The end")),
    agreed.length > 0 && h("p", { class: "small" }, wantToEnd(agreed)),
    agreed.length > 0 && missing.length > 0 && h("p", { class: "small" }, t("Still to agree: {names}", { names: list(missing) })),
    h(
      "div",
      { class: "row" },
      (!mine || !missing.length) && h("button", { class: "button danger", type: "button", onClick: ask }, t("End the game now")),
      mine && h("button", { class: "button", type: "button", onClick: playOn }, t("Go on playing")),
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
      goneOn && h("p", { role: "alert" }, t("The game has gone on. Look again:")),
      verdictBox(model),
      others && h("p", null, t("The game ends as soon as all agree.")),
      h("div", { class: "row" }, h("button", { class: "button danger", type: "button", onClick: agree }, t("End it")), h("button", { class: "button", type: "button", onClick: close }, t("Go on playing"))),
    ];
  });
}
