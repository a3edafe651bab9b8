// @ts-check
/** What stands above the boards, one list of cards: who is waited for or away, what was asked or missed, the game explained. */
import { homeOf } from "../app/addresses.js";
import * as device from "../app/device.js";
import { go } from "../app/frame.js";
import { list, say, t, tn, word } from "../app/i18n.js";
import { nameField } from "../app/names.js";
import { notifySwitch } from "../app/notify.js";
import { qrDrawing } from "../app/qr.js";
import { linkRow, tableLink } from "../app/share.js";
import { levelName } from "../app/words.js";
import { doubts } from "../fair/panel.js";
import { howtoCard } from "../pages/howto.js";
import { isLoopback, lanSwitch, reachedAt } from "../pages/lan.js";
import { h } from "../vendor/preact.js";
import { endCard } from "./early_end.js";
import { merged, sentence } from "./log.js";
import { isOver, seatName, stillToAgree, wantToPlay } from "./people.js";

/** @import { Child } from "../vendor/preact.js" */
/** @import { Model } from "./controller.js" */

/** how a server is started that others reach, in whatever language */
const COMMAND = "pasch serve --host 0.0.0.0";
/** how many lines of what was missed are shown */
const MAX_MISSED = 4;

/** @param {Model} model @param {() => void} hello shows what this device may do now @returns {Child} */
export function notices(model, hello) {
  const { info, mySeats, covered, commands } = model;
  const doubt = doubts(info, t("Better stop playing here, and ask whoever runs this server. The menu shows what this device remembers."));
  if (model.invited.length && !mySeats.length) return [doubt, invitationCard(model, hello)];
  const cards = [doubt, ...mySeats.map((seat) => standInCard(model, seat)), !covered && missedCard(model), ...awayCards(model), endCard(model), undoCard(model), againCard(model), waitingCard(model)].filter(Boolean);
  // how it goes can wait while something else is asked
  const explained = cards.length || info.phase !== "playing" || !mySeats.length || covered;
  return explained ? cards : howtoCard(model.game, info, commands.redraw);
}

/** @param {string} key @param {...Child} children */
const sheet = (key, ...children) => h("section", { key, class: "sheet stack", "data-key": key }, ...children);

/** Somebody came by a link, and has not sat down yet. @param {Model} model @param {() => void} hello */
function invitationCard({ id, info, invited: [seat = 0], commands }, hello) {
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("name"));
    const name = input.value.trim();
    const answer = await commands.sit(device.table(id)?.invitation ?? "", name);
    if (answer.type === "accepted") {
      device.rememberNames([name]);
      device.rememberTable(id, { tokens: { ...device.table(id)?.tokens, [String(answer.seat)]: answer.token ?? "" }, invitation: undefined });
      hello();
    } else if (answer.type === "refused") {
      input.setCustomValidity(say(answer.reason));
      input.reportValidity();
    }
  };
  const value = device.names()[0] ?? "";
  return h(
    "form",
    { key: `sit ${id}`, class: "sheet stack", onSubmit: submit },
    h("h2", null, t("You are invited to {game}", { game: word(info.title) })),
    h("p", { class: "muted" }, t("Seat {n} is yours. What shall we call you?", { n: seat + 1 })),
    h("label", { class: "field" }, h("span", null, t("Name")), nameField({ name: "name", required: true, defaultValue: value, "data-key": "sit-name" })),
    h("button", { class: "button primary big", type: "submit", "data-key": "sit" }, t("Sit down")),
  );
}

/** What the computer did on a seat of ours, until the seat is taken back or the card is closed. @param {Model} model @param {number} number */
function standInCard({ info, dismissed, mySeats, commands }, number) {
  const seat = info.seats[number];
  const done = seat?.stand_in;
  if (!done || dismissed.has(done.since)) return null;
  const level = levelName(seat.level ?? "");
  const text = !done.moves
    ? t("The computer ({level}) plays for you.", { level })
    : done.absent
      ? tn("While you were away, the computer ({level}) made {n} move for you.", "While you were away, the computer ({level}) made {n} moves for you.", done.moves, { level })
      : tn("The computer ({level}) has made {n} move for you.", "The computer ({level}) has made {n} moves for you.", done.moves, { level });
  return sheet(`stand-in-${number}`,
    mySeats.length > 1 && h("strong", null, seatName(info, number)),
    h("p", null, text),
    done.moves > 0 && h("p", { class: "muted small" }, t("The list of what happened marks these moves.")),
    h(
      "div",
      { class: "row" },
      info.phase === "playing" && h("button", { class: "button primary", type: "button", "data-key": `take-back-${number}`, onClick: () => commands.command({ type: "person", seat: number }) }, t("Play myself again")),
      h("button", { class: "button", type: "button", "data-key": `seen-${number}`, onClick: () => commands.dismiss(done.since) }, t("Close")),
    ),
  );
}

/** What has happened while this device was away, until the card is closed. @param {Model} model */
function missedCard(model) {
  const { missed: since, entries, commands } = model;
  if (since === null) return null;
  const missed = merged(entries).filter((entry) => entry.version > since && entry.kind !== "contribute");
  const shown = missed.slice(-MAX_MISSED);
  const more = missed.length - shown.length;
  return sheet("missed",
    h("h2", null, t("While you were away")),
    h("ul", { class: "missed" }, more > 0 && h("li", { class: "muted" }, tn("{n} earlier event", "{n} earlier events", more)), shown.map((entry) => h("li", { key: entry.version }, sentence(model, entry)))),
    h("div", { class: "row" }, h("button", { class: "button", type: "button", "data-key": "missed-seen", onClick: () => commands.miss(null) }, t("Close"))),
  );
}

/** What can be done about somebody who is away: when it is their turn, or when the first roll waits for them. @param {Model} model */
function awayCards(model) {
  const { info, mySeats, maker, turn } = model;
  if (!mySeats.length && !maker) return [];
  return info.seats.map((seat, number) => {
    const waits = info.phase === "playing" ? number === turn : info.phase === "waiting" && info.dice === "pasch" && !info.contributions?.[number];
    if (!waits || !seat.away || seat.lent || mySeats.includes(number)) return null;
    return h("section", { key: `away-${number}`, class: "sheet stack", "data-key": "away" }, h("h2", null, t("{name} is away. Let the computer play?", { name: seatName(info, number) })), lendButton(model, number));
  });
}

/** Let the computer play for somebody, as soon as they have been away long enough. @param {Model} model @param {number} number @param {() => void} [done] */
export function lendButton({ info, commands }, number, done = () => {}) {
  const early = info.seats[number]?.away === "short";
  const lend = () => {
    done();
    commands.command({ type: "computer", seat: number, level: info.stand_in });
  };
  return [
    h("button", { class: "button", type: "button", "data-key": `lend-${number}`, disabled: early, onClick: lend }, t("Let the computer play ({level})", { level: levelName(info.stand_in) })),
    h("p", { class: "muted small" }, early ? t("This is possible after a minute.") : t("{name} can take the seat back at any time.", { name: seatName(info, number) })),
  ];
}

/** Somebody wants to take a move back, and it depends on us too. @param {Model} model */
function undoCard({ info, mySeats, position, commands }) {
  if (info.phase !== "playing" || position.undo === null || !info.seats.some((seat) => seat.undoes)) return null;
  const waiting = h("p", { class: "muted small" }, t("Still to agree: {names}", { names: list(stillToAgree(info, (seat) => seat.undoes)) }));
  if (!mySeats.some((seat) => !info.seats[seat]?.undoes)) return h("section", { key: "undo", class: "sheet stack", "data-key": "undo-asked" }, h("p", null, t("You asked to take your move back.")), waiting);
  const answer = (/** @type {boolean} */ agree) => () => commands.command({ type: "undo", agree });
  return sheet("asked-to-undo",
    h("p", null, t("{name} would like to take the last move back.", { name: seatName(info, position.undo) })),
    h(
      "div",
      { class: "row" },
      h("button", { class: "button primary", type: "button", "data-key": "agree-to-undo", onClick: answer(true) }, t("Agree")),
      h("button", { class: "button", type: "button", "data-key": "refuse-undo", onClick: answer(false) }, t("No, it stands")),
    ),
    waiting,
  );
}

/** Whether we have asked for another game. @param {Model} model */
const askedAgain = ({ mySeats, info }) => mySeats.some((seat) => info.seats[seat]?.again);

/** The button to play again: for those who play, and for who made a table of computers. @param {Model} model */
export function againButton(model) {
  if (!model.mySeats.length && !model.maker) return null;
  return h("button", { key: "again", class: "alt", type: "button", "data-key": "again", disabled: model.busy || askedAgain(model), onClick: () => model.commands.command({ type: "rematch", agree: true }) }, t("Play again"));
}

/** Ask for another game, if somebody came for that. @param {Model} model */
export function askAgain(model) {
  if (!device.table(model.id)?.again) return;
  device.rememberTable(model.id, { again: undefined });
  if (isOver(model.info) && !askedAgain(model)) model.commands.command({ type: "rematch", agree: true });
}

/** Who would like to play again, and who is waited for. @param {Model} model */
function againCard(model) {
  const { info, mySeats, commands } = model;
  if (!isOver(info) || !mySeats.length) return null;
  const others = info.seats.flatMap((seat, number) => (seat.again && !mySeats.includes(number) ? [seatName(info, number)] : []));
  const mine = askedAgain(model);
  if (!mine && !others.length) return null;
  const missing = stillToAgree(info, (seat) => seat.again);
  const answer = (/** @type {boolean} */ agree) => () => commands.command({ type: "rematch", agree });
  return sheet("asked-again",
    others.length > 0 && h("h2", null, wantToPlay(others)),
    mine && missing.length > 0 && h("p", null, t("You play again as soon as all agree. Still to agree: {names}", { names: list(missing) })),
    h(
      "div",
      { class: "row" },
      mine
        ? h("button", { class: "button", type: "button", "data-key": "rather-not", onClick: answer(false) }, t("Rather not"))
        : h("button", { class: "button primary", type: "button", "data-key": "agree-again", onClick: answer(true) }, t("Play again")),
    ),
  );
}

/** Go to the table where the same people play again; what this device may do at the old one it may do there. @param {string} id @param {string} next */
export function moveToTable(id, next) {
  const known = device.table(id);
  if (known && !device.table(next)) {
    const { home, game, title, tokens, maker, watch, names } = known;
    device.rememberTable(next, { home, game, title, tokens, maker, watch, names });
  }
  go(`/t/${next}`, true);
}

/** The links for those who are still missing. @param {Model} model */
function waitingCard(model) {
  const { info, id, mySeats } = model;
  const known = device.table(id);
  if (info.phase !== "waiting" || !info.seats.some((seat) => seat.kind === "open")) return null;
  const open = info.seats.flatMap((seat, number) => {
    const invitation = known?.invitations?.[String(number)];
    return seat.kind === "open" && invitation ? [{ number, invitation }] : [];
  });
  // the table may be at a server that this page was not loaded from
  const home = homeOf(id);
  const here = home === location.origin && isLoopback();
  const reached = here ? reachedAt() : [];
  const origin = reached[0] ?? home;
  return sheet("waiting",
    h("h2", null, t("Waiting for others")),
    open.length > 0 && h("p", { class: "muted" }, t("Send each free seat’s link to one person. It works once.")),
    here && open.length > 0 && reachNote(model),
    // nobody else's camera leads to an address that only this machine knows
    open.map(({ number, invitation }) => inviteRow(number, tableLink(id, "invite", invitation, origin), !here || reached.length > 0, open.length === 1 && !model.small)),
    known?.watch && open.length > 0 && linkRow(t("Link to watch"), tableLink(id, "watch", known.watch, origin)),
    mySeats.length > 0 && notifySwitch(),
  );
}

/** Where others reach this machine, or how to let them in. @param {Model} model */
function reachNote({ commands }) {
  const choice = lanSwitch(commands.redraw);
  if (reachedAt().length) return [h("p", { key: "reached", class: "small", "data-key": "reached" }, t("These links work for everybody in your network.")), choice];
  const only = choice ? t("These links work on this computer only.") : t("These links work on this computer only. To let others in, start Pasch with:");
  return [h("p", { key: "only", class: "small only-here", "data-key": "only-here" }, only, !choice && [" ", h("code", null, COMMAND)]), choice];
}

/** A link with its QR code, which can be folded away. @param {number} seat @param {string} url @param {boolean} code @param {boolean} open */
function inviteRow(seat, url, code, open) {
  const row = linkRow(t("Link for seat {n}", { n: seat + 1 }), url);
  if (!code) return row;
  const drawing = qrDrawing(url, t("QR code for seat {n}", { n: seat + 1 })) ?? t("This link is too long for a QR code.");
  return h("div", { key: seat, class: "stack" }, row, h("details", { open, "data-key": "qr" }, h("summary", null, t("QR code")), h("div", { class: "qr-place" }, drawing)));
}
