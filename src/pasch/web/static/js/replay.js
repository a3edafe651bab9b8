// @ts-check
/**
 * A finished game, forwards and back, with values, and a way to try something else from any position.
 *
 * @typedef {{table: import("./types.js").TableInfo, positions: import("./types.js").Position[],
 *   events: Record<string, any>[], options: Record<string, any>}} Replay `positions[n]` is after the first n events
 */
import { Refusal, makeTable } from "./api.js";
import { rememberTable } from "./device.js";
import { h, replace } from "./dom.js";
import { go, icon, toast } from "./frame.js";
import { number, say, t } from "./i18n.js";
import { seatName } from "./play.js";
import { signed } from "./words.js";

/** @typedef {import("./report.js").Report} Report */

/**
 * @param {Replay} replay
 * @param {import("./api.js").GameInfo} game
 * @param {import("./boards.js").Board} board
 * @param {Record<string, string>} held the seats that were ours
 */
export function replayer(replay, game, board, held) {
  const { table: info, positions, events } = replay;
  const ours = Object.keys(held).map(Number);
  let at = positions.length - 1;
  /** @type {Report | null} */
  let report = null;
  /** @type {(event: number) => void} */
  let followed = () => {};
  const name = (/** @type {number} */ seat) => seatName(info, seat);

  /** @param {number} number @returns {import("./touch.js").Ctx} */
  const ctx = (number) => ({
    info,
    position: /** @type {import("./types.js").Position} */ (positions[number]),
    yours: [],
    chosen: new Set(),
    possible: new Set(),
    name,
    who: name,
    touch: () => {},
    small: !matchMedia("(min-width: 60rem)").matches,
    recent: number ? [{ event: events[number - 1] ?? {}, before: positions[number - 1] ?? null, after: positions[number] ?? null }] : [],
  });
  /** An event in words, counted from 1. @param {number} number */
  const tell = (number) => board.tell(ctx(number), events[number - 1] ?? {}, positions[number - 1] ?? null, positions[number] ?? null);

  const shown = h("div", { class: "stack" });
  const slider = h("input", { type: "range", min: 0, max: positions.length - 1, value: at, "aria-label": t("Where in the game"), oninput: () => jump(slider.valueAsNumber, false) });
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
    h("div", { class: "replay-bar" }, step("first", () => 0), step("before", () => at - 1), slider, step("after", () => at + 1), step("last", () => positions.length - 1)),
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
    at = Math.min(positions.length - 1, Math.max(0, event));
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", at ? tell(at) : t("The start"));
    followed(at);
    draw();
    if (scroll) element.scrollIntoView({ block: "nearest" });
  }

  function draw() {
    const position = positions[at];
    if (!position) return;
    const seat = position.actor >= 0 ? position.actor : position.roller ?? (at ? events[at - 1]?.seat : 0) ?? 0;
    const noted = report?.seats.flatMap((one) => one.expensive) ?? [];
    const next = noted.find((one) => one.number === at + 1);
    const values = report?.course[at];
    const common = board.common(ctx(at));
    replace(shown, [
      h("p", { class: "told", role: "status" }, h("strong", null, at ? tell(at) : t("The start")), change()),
      next && h("p", null, t("Next: {what}.", { what: tell(at + 1) }), " ", next.best && t("Better: {move}", { move: board.label(ctx(at), next.best) })),
      next && next.sentences.map((sentence) => h("p", { class: "small muted" }, say(sentence))),
      values && h("p", { class: "row small" }, h("span", { class: "muted" }, t("From here it would end like this on average:")), values.map((points, place) => h("span", { class: "tag" }, t("{name}: {points}", { name: name(place), points: number(points, 1) })))),
      h("div", { class: "look" }, common, h("div", { class: "place" }, info.players > 1 && h("h3", null, name(seat)), board.seatBoard(ctx(at), seat))),
      position.actor !== -2 && h("button", { class: "button", type: "button", "data-key": "try", onclick: () => tryFrom(seat) }, t("Try it from here")),
    ]);
  }

  /** What the event did to the expectation of the seat whose it was. */
  function change() {
    const seat = events[at - 1]?.seat;
    const after = report?.course[at]?.[seat];
    const before = report?.course[at - 1]?.[seat];
    if (after === undefined || before === undefined || Math.abs(after - before) < 0.005) return null;
    const move = (positions[at - 1]?.actor ?? -1) >= 0;
    return h("span", { class: after > before ? "tag good" : move ? "tag bad" : "tag gold" }, signed(after - before, move ? 2 : 1));
  }

  /**
   * A new table that begins here, against the computer.
   * @param {number} seat
   */
  async function tryFrom(seat) {
    const mine = ours.length === 1 ? ours[0] ?? seat : seat;
    const levels = game.levels.map((level) => level.name);
    const level = levels.includes("medium") ? "medium" : levels.at(-1) ?? "";
    try {
      const made = await makeTable({
        game: info.game,
        seats: info.seats.map((one, number) =>
          number === mine
            ? { kind: "here", name: one.kind === "computer" ? "" : one.name }
            : { kind: "computer", level: one.kind === "computer" && one.level ? one.level : level },
        ),
        options: replay.options,
        coach: "moves",
        events: events.slice(0, at),
      });
      rememberTable(made.id, { game: info.game, title: info.title, tokens: made.seats, maker: made.maker, watch: made.watch, invitations: made.invitations });
      go(`/t/${made.id}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      toast(error.message);
    }
  }

  draw();
  return {
    element,
    jump,
    tell,
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
