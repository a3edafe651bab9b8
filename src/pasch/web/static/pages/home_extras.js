// @ts-check
/** On the first page: the puzzle of the day, mistakes that are due, and how one gets on. */
import { inARow, today } from "../app/days.js";
import { mistakes, puzzleDays, summaries, tables } from "../app/device.js";
import { h } from "../app/dom.js";
import { link } from "../app/frame.js";
import { t, tn } from "../app/i18n.js";
import { due } from "./leitner.js";

/** @returns {HTMLElement} */
export function homeExtras() {
  const days = puzzleDays();
  const done = days[today()];
  const row = inARow(days);
  const waiting = due(mistakes(), Date.now()).length;
  const played = summaries().some((one) => one.seats.length) || tables().some((one) => one.over);
  return h(
    "nav",
    { class: "extras row", "aria-label": t("To get better") },
    link("/puzzle", { class: "button", "data-key": "puzzle" }, t("Puzzle of the day"), done !== undefined && h("span", { class: done ? "tag good" : "tag" }, done ? t("solved") : t("tried")), row > 1 && h("span", { class: "tag" }, tn("{n} day in a row", "{n} days in a row", row))),
    waiting > 0 && link("/puzzle/mistakes", { class: "button", "data-key": "mistakes" }, t("My mistakes"), h("span", { class: "tag" }, waiting)),
    played && link("/progress", { class: "button", "data-key": "progress" }, t("My progress")),
  );
}
