// @ts-check
/** Who is away and what is done about it; and, for who comes back, what has happened in the meantime. */
import * as device from "../app/device.js";
import { h } from "../app/dom.js";
import { t, tn } from "../app/i18n.js";
import { line, merged } from "./log.js";
import { acting, nameOf } from "./play.js";
import { levelName } from "../app/words.js";

/** @typedef {import("./play.js").Play} Play */

/** who was away for less than this need not be told what happened, in milliseconds */
const SHORT = 20_000;
/** so many lines of what happened are shown */
const MOST_TOLD = 4;

/** This device does not look at the table any more, or hears nothing from it. @param {Play} play */
export function lookAway(play) {
  if (play.left || !play.yours.length) return;
  play.left = { at: Date.now(), version: play.entries.at(-1)?.version ?? 0 };
  device.rememberTable(play.id, { left: play.left });
}

/** It looks at the table again, and hears from it. @param {Play} play */
export function lookBack(play) {
  const left = play.left ?? device.table(play.id)?.left;
  if (!left) return;
  play.left = null;
  device.rememberTable(play.id, { left: undefined });
  const news = play.entries.some((entry) => entry.kind === "event" && entry.version > left.version);
  if (news && Date.now() - left.at >= SHORT) play.missed = left.version;
}

/** What has happened while this device was away, until the card is closed. @param {Play} play */
export function missedCard(play) {
  const since = play.missed;
  if (since === null) return null;
  const missed = merged(play.entries).filter((entry) => entry.version > since && entry.kind !== "contribute");
  const told = missed.slice(-MOST_TOLD);
  const more = missed.length - told.length;
  const close = () => {
    play.missed = null;
    play.actions.draw();
  };
  return h(
    "section",
    { class: "card stack narrow", "data-key": "missed" },
    h("h2", null, t("While you were away")),
    h(
      "ul",
      { class: "missed" },
      more > 0 && h("li", { class: "muted" }, tn("{n} earlier thing", "{n} earlier things", more)),
      told.map((entry) => h("li", null, line(play, entry))),
    ),
    h("div", { class: "row" }, h("button", { class: "button", type: "button", "data-key": "missed-seen", onclick: close }, t("Close"))),
  );
}

/**
 * What can be done about somebody who is away: when it is their turn, or when the first roll waits for them.
 * @param {Play} play
 */
export function awayCard(play) {
  const { info, yours } = play;
  const due = acting(play);
  const awaited = info.seats.flatMap((seat, number) => {
    const waits = info.phase === "playing" ? number === due : info.phase === "waiting" && info.dice === "pasch" && !info.contributions?.[number];
    return waits && seat.away && !seat.lent && !yours.includes(number) ? [number] : [];
  });
  if (!yours.length && !play.maker) return null;
  return awaited.map((number) =>
    h("section", { class: "card stack narrow", "data-key": "away" }, h("h2", null, t("{name} is away. Let the computer play?", { name: nameOf(play, number) })), lendButton(play, number)),
  );
}

/**
 * Let the computer play for somebody, as soon as they have been away long enough.
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
