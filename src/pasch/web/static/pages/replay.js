// @ts-check
/** The game again: the table as it was, a reel for the whole game, the turning points, and what could be expected from here. */
import { icon, sheet } from "../app/frame.js";
import { number, say, t } from "../app/i18n.js";
import { signed } from "../app/words.js";
import { classes } from "../board/pieces.js";
import { still } from "../board/still.js";
import { pictureOf } from "../table/people.js";
import { h } from "../vendor/preact.js";
import { amount, turningPoints } from "./sections.js";

/** @import { Noted, Report } from "./sections.js" */

/** how long a position stays when the game plays by itself, in milliseconds */
const STEP_MS = 1400;

/** @param {import("./finished.js").Finished} game @param {{redraw: () => void, close: () => void}} page */
export function createReplay(game, { redraw, close }) {
  const { steps, board, info } = game;
  let at = steps.last;
  /** @type {Report | null} */
  let report = null;
  /** @type {number | undefined} */
  let playing;

  /** @param {number} to */
  function jump(to) {
    at = Math.min(steps.last, Math.max(0, Math.round(to)));
    if (at === steps.last) pause();
    const here = at;
    const around = [here, here - 1, here + 1];
    if (!steps.has(...around)) game.need(around, () => at === here).then(redraw);
    redraw();
  }
  function pause() {
    clearInterval(playing);
    playing = undefined;
  }
  function play() {
    if (playing !== undefined) pause();
    else {
      if (at === steps.last) jump(0);
      playing = window.setInterval(() => jump(at + 1), STEP_MS);
    }
    redraw();
  }
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (document.querySelector("dialog[open]") || /** @type {Element} */ (event.target).matches("input, select, textarea") || !document.querySelector(".reel")) return;
    if (event.key === "ArrowLeft") jump(at - 1);
    else if (event.key === "ArrowRight") jump(at + 1);
  };
  document.addEventListener("keydown", pressed);

  /** @param {Noted} one the position in which a move was to be made, or after a roll */
  const moment = ({ kind, number: event }) => (kind === "move" ? event - 1 : event);

  function view() {
    const there = steps.has(at, at - 1, at + 1);
    const position = there ? steps.position(at) : null;
    const next = Math.max(0, position?.actor ?? 0, position?.roller ?? 0);
    // the board of the seat that has just acted, as the sentence says it
    const seat = steps.event(at)?.seat ?? next;
    const points = report ? turningPoints(report) : [];
    return h(
      "div",
      { class: `room replay game-${info.game} of-${info.players}` },
      h("h1", { class: "unseen" }, t("The game once more")),
      points.length > 0 && h("aside", { class: "rail left", "aria-label": t("Turning points") }, turning(points)),
      h(
        "section",
        { class: "mat", "aria-label": t("The game once more") },
        h("div", { class: "play", key: "board" }, position ? still(board, game.model(at), seat) : h("p", { class: "muted", role: "status" }, t("One moment …"))),
        h("div", { class: "dock again" }, h("p", { class: "ask", role: "status" }, h("span", null, there ? (at ? game.sentence(at) : t("The start")) : "…", " ", change())), reel(points, there)),
      ),
      h("aside", { class: "rail right", "aria-label": t("This moment") }, there && position && [thisMoment(next, position.actor === -2), expected()]),
    );
  }

  /** @param {Noted[]} points */
  function turning(points) {
    return sheet(
      t("Turning points"), { class: "turns" },
      h("ol", null, points.map((one) =>
        h(
          "li",
          { key: one.number, class: moment(one) === at ? "now" : "" },
          h("button", { type: "button", onClick: () => jump(moment(one)) }, mark(one), h("span", null, h("b", null, steps.has(one.number - 1, one.number) ? game.sentence(one.number) : "…"))),
        ),
      )),
    );
  }

  /** @param {Noted} one */
  const mark = (one) => h("span", { class: classes("mk", one.kind === "move" ? "gave" : one.points > 0 ? "lucky" : "unlucky") }, amount(one, 0));

  /** @param {Noted[]} points @param {boolean} there */
  function reel(points, there) {
    const place = (/** @type {number} */ event) => ({ left: `${(100 * event) / Math.max(1, steps.last)}%` });
    const tool = (/** @type {Parameters<typeof icon>[0]} */ name, /** @type {string} */ label, /** @type {() => void} */ act) => h("button", { key: name, class: "tool", type: "button", "aria-label": label, "data-key": name, onClick: act }, icon(name));
    return h(
      "div",
      { class: "reel", role: "group", "aria-label": t("Where in the game") },
      h("div", { class: "rtools" }, tool("first", t("To the start"), () => jump(0)), tool("before", t("Back"), () => jump(at - 1)), playing === undefined ? tool("play", t("Play on"), play) : tool("pause", t("Stop"), play), tool("after", t("Forwards"), () => jump(at + 1)), tool("last", t("To the end"), () => jump(steps.last)), tool("list", t("Luck and moves"), close)),
      h(
        "div",
        { class: "track" },
        h("div", { class: "tmarks" }, points.map((one) => h("button", { key: one.number, type: "button", class: classes("mk", one.kind === "move" ? "gave" : one.points > 0 ? "lucky" : "unlucky", moment(one) === at && "now"), style: place(moment(one)), onClick: () => jump(moment(one)) }, amount(one, 0), h("span", { class: "unseen" }, `, ${markWords(one)}`)))),
        h("input", { type: "range", min: 0, max: steps.last, value: at, "aria-label": t("Where in the game"), "aria-valuetext": there && at ? game.sentence(at) : t("The start"), onInput: (/** @type {Event} */ event) => jump(/** @type {HTMLInputElement} */ (event.target).valueAsNumber) }),
      ),
    );
  }

  /** @param {Noted} one */
  function markWords({ kind, seat, points }) {
    const details = { name: game.name(seat ?? 0), points: number(Math.abs(points), report?.digits) };
    const you = game.isYou(seat ?? -1);
    if (kind === "move") return you ? t("You give away {points} points", details) : t("{name} gives away {points} points", details);
    if (points > 0) return you ? t("You are lucky: {points} points", details) : t("{name} is lucky: {points} points", details);
    return you ? t("You are unlucky: {points} points", details) : t("{name} is unlucky: {points} points", details);
  }

  /** What the last event gave away or brought, as in the report; and what it corrected in estimates. */
  function change() {
    const event = at ? report?.events[at - 1] : undefined;
    if (!report || !event || event.seat === null) return null;
    const { digits } = report;
    const seen = (/** @type {number} */ points) => Math.abs(points) >= 0.5 * 10 ** -digits;
    return h("small", null, [seen(event.points) ? amount(event, digits) : "", seen(event.estimates) ? t("estimate corrected by {points}", { points: signed(event.estimates, digits) }) : ""].filter(Boolean).join(" · "));
  }

  /** @param {number} seat @param {boolean} over */
  function thisMoment(seat, over) {
    const next = report?.seats.flatMap(({ expensive }) => expensive).find((one) => one.number === at + 1);
    return sheet(
      t("This moment"), { class: "moment" },
      h("p", null, t("Move {n} of {all}", { n: at, all: steps.last })),
      next && h("p", null, t("Next: {what}", { what: game.sentence(at + 1) }), " ", h("b", { class: "dear" }, amount(next, report?.digits ?? 1))),
      next?.best && h("p", { class: "bet" }, h("span", null, t("better:")), " ", h("b", null, game.label(next.best, at + 1))),
      next && h("p", { class: "why" }, next.sentences.map((sentence) => say(sentence)).join(" ")),
      h("div", { class: "stack" }, !over && h("button", { class: "alt", type: "button", "data-key": "try", onClick: () => game.tryFrom(at, seat) }, t("Try it yourself")), h("button", { class: "alt", type: "button", "data-key": "to-report", onClick: close }, t("Luck and moves"))),
    );
  }

  function expected() {
    // before a round has begun nobody knows what it brings
    const values = report?.events[at]?.rounds ? null : report?.course[at];
    if (!report || !values) return null;
    const { digits, rounds } = report;
    return sheet(
      t("If the game continued from here"), {},
      h("table", { class: "fore" }, h("tbody", null, values.map((points, seat) => h("tr", { key: seat }, h("th", { scope: "row" }, pictureOf(info, seat), game.who(seat)), h("td", { class: "number" }, number(points, digits)))))),
      h("p", { class: "muted small" }, rounds ? t("Points after this round, on average.") : t("Final points, on average.")),
    );
  }

  return {
    view,
    jump,
    /** @param {Report} found */
    judge(found) {
      report = found;
      const wanted = turningPoints(found).flatMap((one) => [one.number - 1, one.number]);
      game.need(wanted).then(redraw);
    },
    stop() {
      pause();
      document.removeEventListener("keydown", pressed);
    },
  };
}
