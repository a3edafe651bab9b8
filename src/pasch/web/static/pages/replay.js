// @ts-check
/** A finished game, forwards and back, with values, and a way to try something else from any position. */
import { Refusal, makeTable } from "../app/api.js";
import { rememberTable } from "../app/device.js";
import { h, replace } from "../app/dom.js";
import { go, icon, toast } from "../app/frame.js";
import { number, say, t, word } from "../app/i18n.js";
import { levelsFor, usualLevel } from "../app/levels.js";
import { usualHome } from "../app/addresses.js";
import { isYou, seatName, whoIs } from "../table/play.js";
import { amount } from "./sections.js";
import { stepsOf } from "../table/steps.js";
import { signed } from "../app/words.js";

/** @typedef {import("./sections.js").Report} Report */

/**
 * @param {import("../table/steps.js").ReplayPage} page the last one
 * @param {(from: number) => Promise<import("../table/steps.js").ReplayPage>} load another one
 * @param {import("../app/api.js").GameInfo} game
 * @param {import("../board/load.js").Board} board
 * @param {Record<string, string>} held the seats that were ours
 */
export function replayer(page, load, game, board, held) {
  const { table: info } = page;
  const steps = stepsOf(page, load);
  const ours = Object.keys(held).map(Number);
  let at = steps.last;
  /** @type {Report | null} */
  let report = null;
  /** @type {(event: number) => void} */
  let followed = () => {};
  const me = { info, yours: ours };
  const name = (/** @type {number} */ seat) => seatName(info, seat);
  const who = (/** @type {number} */ seat) => whoIs(me, seat);

  /** @param {number} number @returns {import("../table/touch.js").Ctx} */
  const ctx = (number) => ({
    info,
    position: /** @type {import("../app/types.js").Position} */ (steps.position(number)),
    yours: [],
    chosen: new Set(),
    possible: new Set(),
    advised: new Set(),
    name,
    who,
    you: (seat) => isYou(me, seat),
    touch: () => {},
    small: !matchMedia("(min-width: 60rem)").matches,
    recent: number ? [{ event: steps.event(number) ?? {}, before: steps.position(number - 1), after: steps.position(number) }] : [],
  });
  /** An event in words, counted from 1. @param {number} number */
  const tell = (number) => board.tell(ctx(number), steps.event(number) ?? {}, steps.position(number - 1), steps.position(number));
  /** An event in words, as soon as it is there. @param {number} number */
  const telling = (number) => {
    const words = h("span", null, steps.has(number - 1, number) ? tell(number) : "…");
    if (!steps.has(number - 1, number)) {
      steps.need([number - 1, number]).then(() => words.replaceChildren(tell(number)), failed);
    }
    return words;
  };
  /** @param {unknown} error */
  function failed(error) {
    if (!(error instanceof Refusal)) throw error;
    toast(error.message);
  }

  const shown = h("div", { class: "stack" });
  const slider = h("input", { type: "range", min: 0, max: steps.last, value: at, "aria-label": t("Where in the game"), oninput: () => jump(slider.valueAsNumber, false) });
  /**
   * @param {keyof typeof labels} which
   * @param {() => number} to
   */
  const step = (which, to) => h("button", { class: "button icon", type: "button", "aria-label": labels[which], onclick: () => jump(to(), false) }, icon(which));
  const labels = { first: t("To the start"), before: t("Back"), after: t("Forwards"), last: t("To the end") };
  const element = h(
    "section",
    { class: "card stack replay", id: "replay", tabindex: "-1", "aria-label": t("The game again") },
    h("h2", null, t("The game again")),
    h("div", { class: "replay-bar" }, step("first", () => 0), step("before", () => at - 1), slider, step("after", () => at + 1), step("last", () => steps.last)),
    shown,
  );

  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (document.querySelector("dialog[open]") || /** @type {Element} */ (event.target).matches("input, select, textarea")) return;
    if (event.key === "ArrowLeft") jump(at - 1, false);
    else if (event.key === "ArrowRight") jump(at + 1, false);
  };
  document.addEventListener("keydown", pressed);

  /**
   * @param {number} event
   * @param {boolean} [scroll]
   */
  function jump(event, scroll = true) {
    at = Math.min(steps.last, Math.max(0, event));
    slider.value = String(at);
    followed(at);
    draw();
    if (scroll) element.scrollIntoView({ block: "nearest" });
  }

  /** Draw the position, as soon as it and its neighbours are there. */
  function draw() {
    const here = at;
    const around = [here, here - 1, here + 1];
    const position = steps.position(at);
    if (!position || !steps.has(...around)) {
      replace(shown, [h("p", { class: "muted", role: "status" }, t("One moment …"))]);
      steps.need(around, () => at === here).then(() => at === here && draw(), failed);
      return;
    }
    slider.setAttribute("aria-valuetext", at ? tell(at) : t("The start"));
    const seat = position.actor >= 0 ? position.actor : position.roller ?? steps.event(at)?.seat ?? 0;
    const noted = report?.seats.flatMap((one) => one.expensive) ?? [];
    const next = noted.find((one) => one.number === at + 1);
    // before a round has begun nobody knows what it brings
    const values = report?.events[at]?.rounds ? null : report?.course[at];
    const common = board.common(ctx(at)) ?? last(position);
    replace(shown, [
      h("p", { class: "told", role: "status" }, h("strong", null, at ? tell(at) : t("The start")), change()),
      next && h("p", null, t("Next: {what}.", { what: tell(at + 1) }), " ", next.best && t("Better: {move}", { move: board.label(ctx(at), next.best) })),
      next && next.sentences.map((sentence) => h("p", { class: "small muted" }, say(sentence))),
      values && h("p", { class: "row small" }, h("span", { class: "muted" }, report?.rounds ? t("After this round it would stand like this on average:") : t("From here it would end like this on average:")), values.map((points, place) => h("span", { class: "tag" }, t("{name}: {points}", { name: who(place), points: number(points, report?.digits) })))),
      h("div", { class: "look" }, common, h("div", { class: "place" }, info.players > 1 && h("h3", null, who(seat)), board.seatBoard(ctx(at), seat))),
      position.actor !== -2 && h("button", { class: "button", type: "button", "data-key": "try", onclick: () => tryFrom(seat) }, t("Try it from here")),
    ]);
  }

  /** What lay on the table before the end, if it is not on the boards; it stays. @param {import("../app/types.js").Position} position */
  function last({ actor }) {
    const before = steps.position(at - 1);
    if (actor !== -2 || board.ownBoards || !before) return null;
    return h("div", { class: "middle final" }, board.common({ ...ctx(at), position: { ...before, moves: [], awaits: null } }));
  }

  /** What the event gave away or brought, as in the report; and what it corrected in estimates. */
  function change() {
    const event = at ? report?.events[at - 1] : undefined;
    if (!report || !event || event.seat === null) return null;
    const { digits } = report;
    const seen = (/** @type {number} */ points) => Math.abs(points) >= 0.5 * 10 ** -digits;
    return [
      seen(event.points) && amount(event, digits),
      seen(event.estimates) && h("span", { class: "small muted" }, t("estimate corrected by {points}", { points: signed(event.estimates, digits) })),
    ];
  }

  /**
   * A new table that begins here, against the computer.
   * @param {number} seat
   */
  async function tryFrom(seat) {
    const mine = ours.length === 1 ? ours[0] ?? seat : seat;
    const levels = levelsFor(game, page.options, usualHome());
    const level = usualLevel(levels);
    const until = at;
    try {
      const before = Array.from({ length: until }, (_, number) => number + 1);
      await steps.need(before);
      const made = await makeTable({
        game: info.game,
        seats: info.seats.map((one, number) =>
          number === mine
            ? { kind: "here", name: one.kind === "computer" ? "" : one.name }
            : { kind: "computer", level: levels.find(({ name }) => one.kind === "computer" && name === one.level)?.name ?? level },
        ),
        options: page.options,
        coach: "moves",
        events: before.map((number) => steps.event(number) ?? {}),
      });
      rememberTable(made.id, { game: info.game, title: word(info.title), tokens: made.seats, maker: made.maker, watch: made.watch, invitations: made.invitations });
      go(`/t/${made.id}`);
    } catch (error) {
      failed(error);
    }
  }

  draw();
  return {
    element,
    jump,
    telling,
    /** @param {Report} found */
    judge(found) {
      report = found;
      draw();
    },
    /** @param {(event: number) => void} call called with the event shown, whenever it changes */
    follow(call) {
      followed = call;
      call(at);
    },
    stop: () => document.removeEventListener("keydown", pressed),
  };
}
