// @ts-check
/**
 * A board without a table behind it, for lessons and puzzles: the very same drawings, touches and buttons, and a card
 * with a remark. Nothing is sent to the server.
 *
 * @typedef {import("../table/play.js").Play} Play
 * @typedef {import("../app/dom.js").Child} Child
 *
 * @typedef {object} Desk
 * @property {string} title of the page, for screen readers
 * @property {string} label what the card is called
 * @property {string} leaving what the button to leave is called
 * @property {import("../app/api.js").GameInfo} game
 * @property {import("../board/load.js").Board} board
 * @property {import("../app/types.js").TableInfo} info
 * @property {import("../app/types.js").Position} position
 * @property {number} seat the reader's
 * @property {Pick<import("../table/play.js").Actions, "touch" | "move"> & Partial<import("../table/play.js").Actions>} actions
 * @property {() => Child[]} remark what the card says
 * @property {() => Child[]} [below] what stands below the boards, if anything
 * @property {() => Child[] | null} buttons instead of those of a move, if there is nothing to touch
 * @property {() => void} [drawn] called after each drawing
 */
import { controls } from "../table/controls.js";
import { h, replace } from "../app/dom.js";
import { icon, link } from "../app/frame.js";
import { t } from "../app/i18n.js";
import { listen } from "../table/keys.js";
import { WIDE, boardsClass, docked, focusIn, makeRoom } from "../table/layout.js";
import { seatRow } from "../table/seats.js";
import { boards } from "../table/table.js";

/**
 * @param {HTMLElement} main
 * @param {Desk} desk
 * @returns {{play: Play, draw: () => void, leave: () => void}}
 */
export function openDesk(main, desk) {
  const { game, seat } = desk;
  const wide = matchMedia(WIDE);
  const parts = skeleton(main, desk);
  /** @param {Set<string>} chosen */
  const choose = (chosen) => {
    Object.assign(play, { chosen, why: "" });
    draw();
  };
  /** @type {Play} */
  const play = {
    id: "desk", game, board: desk.board, info: desk.info, position: desk.position, yours: [seat], maker: false, entries: [],
    first: 1, lines: 0, dismissed: new Set(), positions: new Map(), history: null, judgements: [], chosen: new Set(), why: "", busy: false,
    looking: seat, shownTo: null, readings: [], advice: null, reactions: new Map(), left: null, missed: null, wide: wide.matches,
    scene: null, ending: null,
    actions: {
      draw,
      undo: () => choose(new Set([...play.chosen].slice(0, -1))),
      clear: () => choose(new Set()),
      look(other) {
        play.looking = other;
        draw();
      },
      roll() {},
      read() {},
      unread() {},
      confirmRead() {},
      itsMe() {},
      hint() {},
      earlier() {},
      takeBack() {},
      skip() {},
      preview: async () => null,
      react() {},
      command: async () => false,
      ...desk.actions,
    },
  };

  function draw() {
    replace(parts.remark, desk.remark(), () => parts.bar);
    replace(parts.seats, desk.info.players > 1 ? seatRow(play, play.looking ?? seat) : []);
    parts.boards.className = boardsClass(play);
    replace(parts.boards, boards(play, play.looking ?? seat), () => parts.bar);
    replace(parts.dock, docked(play), () => parts.bar);
    const below = desk.below?.() ?? [];
    parts.below.hidden = !below.length;
    replace(parts.below, below);
    const drawn = [...main.querySelectorAll(".touchable")];
    const names = new Set(drawn.map((one) => one.getAttribute("data-token") ?? ""));
    replace(parts.bar, desk.buttons() ?? controls(play, names), () => focusIn(parts.bar));
    desk.drawn?.();
    makeRoom(parts);
  }

  const redraw = () => {
    play.wide = wide.matches;
    draw();
  };
  const fit = () => makeRoom(parts);
  wide.addEventListener("change", redraw);
  window.addEventListener("resize", fit);
  const unlisten = listen(main, () => play);
  document.body.classList.add("at-table");
  const tools = document.getElementById("tools");
  tools?.replaceChildren(link("/", { class: "button plain icon", "data-key": "leave", "aria-label": desk.leaving }, icon("close")));
  return {
    play,
    draw,
    leave() {
      wide.removeEventListener("change", redraw);
      window.removeEventListener("resize", fit);
      unlisten();
      tools?.replaceChildren();
    },
  };
}

/**
 * A button of the bar.
 * @param {string} text
 * @param {() => void} onclick
 * @param {string} key
 * @param {string} [kind]
 */
export function barButton(text, onclick, key, kind = "button primary") {
  return h("button", { class: kind, type: "button", "data-key": key, onclick }, text);
}

/**
 * @param {HTMLElement} main
 * @param {Desk} desk
 */
function skeleton(main, { title, label }) {
  const parts = {
    seats: h("div", { class: "seats", role: "group", "aria-label": t("Seats"), "data-scope": "seats" }),
    remark: h("section", { class: "card lesson", "aria-label": label, "data-scope": "remark" }),
    boards: h("div", { class: "boards", "data-scope": "boards" }),
    below: h("section", { class: "card below", "aria-label": t("The solution"), hidden: true }),
    dock: h("div", { class: "dock", "data-scope": "dock" }),
    bar: h("div", { class: "bar-in", tabindex: "-1", "data-scope": "bar", "aria-busy": "false" }),
  };
  main.replaceChildren(
    h("h1", { class: "unseen" }, title),
    h("div", { class: "table learning" }, parts.remark, parts.seats, parts.boards, parts.below),
    h("div", { class: "bar", role: "region", "aria-label": t("Your move") }, parts.dock, parts.bar),
  );
  return parts;
}
