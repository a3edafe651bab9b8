// @ts-check
/** What stands above the boards: who is waited for, who is away, what the computer did for us, the game explained. */
import * as device from "./device.js";
import { h } from "./dom.js";
import { howtoCard, isNew } from "./howto.js";
import { list, t, tn } from "./i18n.js";
import { wantToEnd } from "./log.js";
import { acting, covered, nameOf, stillToAgree } from "./play.js";
import { linkRow, tableLink } from "./share.js";
import { levelName } from "./words.js";

/** @typedef {import("./play.js").Play} Play */

/**
 * @param {Play} play
 * @param {() => void} understood the game needs no explanation here any more
 */
export function notices(play, understood) {
  const howto = play.info.phase === "playing" && play.yours.length > 0 && !covered(play) && isNew(play.game);
  return [
    ...play.yours.map((seat) => standInCard(play, seat)),
    awayCard(play),
    endCard(play),
    howto && howtoCard(play.game, play.info, understood),
    waitingCard(play),
  ];
}

/**
 * What the computer did on a seat of ours, until the seat is taken back or the card is closed.
 * @param {Play} play
 * @param {number} number
 */
function standInCard(play, number) {
  const seat = play.info.seats[number];
  const done = seat?.stand_in;
  if (!done || play.dismissed.has(done.since)) return null;
  const level = levelName(seat.level ?? "");
  const text = !done.moves
    ? t("The computer ({level}) plays for you.", { level })
    : done.by_maker
      ? tn("While you were away, the computer ({level}) made {n} move for you.", "While you were away, the computer ({level}) made {n} moves for you.", done.moves, { level })
      : tn("The computer ({level}) has made {n} move for you.", "The computer ({level}) has made {n} moves for you.", done.moves, { level });
  const close = () => {
    play.dismissed.add(done.since);
    play.actions.draw();
  };
  const back = () => play.actions.command({ type: "person", seat: number });
  return h(
    "section",
    { class: "card stack narrow", "data-key": `stand-in-${number}` },
    play.yours.length > 1 && h("strong", null, nameOf(play, number)),
    h("p", null, text),
    done.moves > 0 && h("p", { class: "muted small" }, t("The list of what happened marks these moves.")),
    h(
      "div",
      { class: "row" },
      play.info.phase === "playing" && h("button", { class: "button primary", type: "button", "data-key": `take-back-${number}`, onclick: back }, t("Play myself again")),
      h("button", { class: "button", type: "button", "data-key": `seen-${number}`, onclick: close }, t("Close")),
    ),
  );
}

/** The maker is told what can be done about somebody who is away when it is their turn. @param {Play} play */
function awayCard(play) {
  const number = acting(play);
  const seat = play.info.seats[number];
  if (!play.maker || play.info.phase !== "playing" || !seat?.away || seat.lent || play.yours.includes(number)) return null;
  return h("section", { class: "card stack narrow", "data-key": "away" }, h("h2", null, t("{name} is away", { name: nameOf(play, number) })), lendButton(play, number));
}

/**
 * The maker lets the computer play for somebody, as soon as they have been away long enough.
 * @param {Play} play
 * @param {number} number
 * @param {() => void} [done]
 */
export function lendButton(play, number, done = () => {}) {
  const { stand_in: level, seats } = play.info;
  const early = seats[number]?.away === "short";
  const lend = () => {
    done();
    play.actions.command({ type: "computer", seat: number, level });
  };
  return [
    h("button", { class: "button", type: "button", "data-key": `lend-${number}`, disabled: early, onclick: lend }, t("Let the computer play ({level})", { level: levelName(level) })),
    h("p", { class: "muted small" }, early ? t("This is possible after a minute.") : t("{name} can take the seat back at any time.", { name: nameOf(play, number) })),
  ];
}

/** Somebody else wants to end the game, and we have not agreed yet. @param {Play} play */
function endCard(play) {
  const { info, yours } = play;
  const asking = info.seats.flatMap((seat, number) => (seat.ends && !yours.includes(number) ? [nameOf(play, number)] : []));
  if (info.phase !== "playing" || !asking.length || !yours.some((seat) => !info.seats[seat]?.ends)) return null;
  const agree = () => play.actions.command({ type: "adjudicate", agree: true });
  const others = stillToAgree(play, (seat) => seat.ends || yours.includes(seat.seat));
  return h(
    "section",
    { class: "card stack narrow", "data-key": "asked-to-end" },
    h("p", null, wantToEnd(asking), " ", t("It would be decided by how it stands.")),
    h("div", { class: "row" }, h("button", { class: "button danger", type: "button", "data-key": "agree-to-end", onclick: agree }, t("Agree to the end"))),
    others.length > 0 && h("p", { class: "muted small" }, t("Still to agree: {names}", { names: list(others) })),
  );
}

/** The links for those who are still missing. @param {Play} play */
function waitingCard(play) {
  const known = device.table(play.id);
  if (play.info.phase !== "waiting" || !play.info.seats.some((seat) => seat.kind === "open")) return null;
  const links = play.info.seats.flatMap((seat, number) => {
    const invitation = known?.invitations?.[String(number)];
    return seat.kind === "open" && invitation ? [linkRow(t("Link for seat {n}", { n: number + 1 }), tableLink(play.id, "invite", invitation))] : [];
  });
  return h(
    "section",
    { class: "card stack narrow" },
    h("h2", null, t("Waiting for others")),
    links.length > 0 && h("p", { class: "muted" }, t("Send each free seat’s link to one person. It works once.")),
    links,
    known?.watch && links.length > 0 && linkRow(t("Link to watch"), tableLink(play.id, "watch", known.watch)),
  );
}
