// @ts-check
/** The table: follows the server, draws what it says, and sends what people choose. */
import { game as askGame } from "./api.js";
import { loadBoard } from "./boards.js";
import { coachCard } from "./coach.js";
import { contribute } from "./contribute.js";
import { controls, statusText } from "./controls.js";
import * as device from "./device.js";
import { h, replace } from "./dom.js";
import { doubts } from "./fairness.js";
import { announce, icon, link, toast } from "./frame.js";
import { cover } from "./handover.js";
import { explain } from "./howto.js";
import { say, t, word } from "./i18n.js";
import { listen } from "./keys.js";
import { MOST_LINES, line, logCard, merged } from "./log.js";
import { openMenu } from "./menu.js";
import { touched } from "./narrow.js";
import { notices } from "./notices.js";
import { acting, contextOf, covered, nameOf, sayAt, seatName, yourTurn } from "./play.js";
import { seatRow } from "./seats.js";
import { linkToken } from "./share.js";
import { connect } from "./socket.js";
import { play as sound } from "./sound.js";

/**
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("./types.js").Welcome} Welcome
 * @typedef {import("./types.js").Update} Update
 * @typedef {import("./types.js").Table} Table
 * @typedef {import("./types.js").Choice} Choice
 */

/** how long people see one event before the next one is shown, in milliseconds */
const PACE = 850;
/** the same when a lot has piled up */
const HURRY = 200;

/** how many entries are asked for at once */
const EARLIER = 100;

const AT_POSITION = new Set(["move", "roll", "read"]);

/** @type {import("./main.js").Page} */
export async function tablePage(main, id) {
  takeLink(id);
  document.body.classList.add("at-table");
  const parts = skeleton(main);
  const wide = matchMedia("(min-width: 60rem)");
  /** @type {Play | null} */
  let play = null;
  /** @type {(Update | Table)[]} */
  let queue = [];
  /** what came while the first welcome was being prepared @type {import("./types.js").FromServer[]} */
  let early = [];
  /** @type {number | undefined} */
  let pacing;
  /** @type {HTMLElement | null} */
  let invitation = null;
  /** whether it was said that nothing can be stored */
  let warned = false;

  /** The game needs no explanation here any more. */
  function understood() {
    if (!play) return;
    device.rememberExplained(play.info.game);
    draw();
  }

  const socket = connect(id, {
    tokens: () => heldTokens(id),
    since: () => play?.entries.at(-1)?.version ?? null,
    onStatus: showStatus,
    onMessage(message) {
      if (message.type === "welcome") welcome(message);
      else if (message.type === "refused") refused(message);
      else if (play) follow(message);
      else early.push(message);
    },
  });

  /** @param {import("./types.js").FromServer} message */
  function follow(message) {
    if (!play) return;
    if (message.type === "update" || message.type === "table") {
      if (message.type === "update") witness(message.entries, message.position);
      // in order: that the game is over must not be said before its last event is shown
      queue.push(message);
      if (pacing === undefined) next();
    } else if (message.type === "coached") {
      hearCoach(message.judgements);
      draw();
    }
  }

  /** @param {import("./types.js").Judgement[]} judgements */
  function hearCoach(judgements) {
    if (!play) return;
    const fresh = new Set(judgements.map((one) => `${one.version} ${one.kind}`));
    const all = [...play.judgements.filter((one) => !fresh.has(`${one.version} ${one.kind}`)), ...judgements];
    play.judgements = all.sort((one, other) => one.version - other.version);
  }

  /** @param {Welcome} message */
  async function welcome(message) {
    const { table: info, position, yours, maker, entries, first, judgements } = message;
    witness(entries, position);
    if (!play) {
      const game = await askGame(info.game);
      const board = await loadBoard(game);
      play ??= {
        id, game, board, info, position, yours, maker, entries: [], first, lines: MOST_LINES, positions: new Map(),
        judgements: [], dismissed: new Set(), chosen: new Set(), why: "", busy: false, looking: null, shownTo: null, readings: [], advice: null,
        wide: wide.matches, actions,
      };
      document.title = `${word(info.title)} · Pasch`;
      parts.title.textContent = word(info.title);
      nameTable(word(info.title));
    }
    queue = [];
    clearTimeout(pacing);
    pacing = undefined;
    const seen = play.entries.at(-1)?.version ?? 0;
    // so much was missed that there is a gap: what was before it is asked for again when somebody wants to see it
    if (first > seen + 1) Object.assign(play, { entries: [], first, lines: MOST_LINES, judgements: [] });
    Object.assign(play, { info, yours, maker });
    play.entries.push(...entries.filter((entry) => entry.version > seen));
    hearCoach(judgements);
    arrive(position);
    remember(play);
    addToDice();
    invitation = message.invited.length && !yours.length ? invitation ?? invitationCard(message.invited[0] ?? 0, word(info.title)) : null;
    draw();
    const waited = early;
    early = [];
    waited.forEach(follow);
  }

  /** Add to the dice, if that has to be done now. */
  function addToDice() {
    if (!play) return;
    const { info, yours, position } = play;
    if (contribute(info, yours, { version: position.version, send: socket.send }) || warned) return;
    warned = true;
    toast(t("This browser stores nothing. To check the dice after leaving this page, copy the seal and your contribution from the menu."));
  }

  /**
   * Remember the game's events as this device sees them: the receipt has to have the same ones.
   * @param {import("./types.js").Entry[]} entries
   * @param {import("./types.js").Position} position the one after them
   */
  function witness(entries, position) {
    const events = entries.filter((entry) => entry.kind === "event").map((entry) => entry.body);
    device.rememberEvents(id, position.events - events.length + 1, events);
  }

  /** Show the next thing that happened; what follows at once waits until people have seen it. */
  function next() {
    pacing = undefined;
    const message = queue.shift();
    if (!message || !play) return;
    if (message.type === "table") {
      play.info = message.table;
      remember(play);
      addToDice();
      draw();
      next();
      return;
    }
    const seen = play.entries.at(-1)?.version ?? 0;
    const fresh = message.entries.filter((entry) => entry.version > seen);
    play.entries.push(...fresh);
    const before = acting(play);
    const ends = play.position.actor !== -2 && message.position.actor === -2;
    arrive(message.position);
    for (const entry of fresh) announce(line(play, entry));
    if (fresh.some((entry) => entry.body.roll)) sound("roll");
    else if (fresh.some((entry) => entry.kind !== "contribute")) sound("place");
    if (ends) sound("end");
    if (yourTurn(play) && before !== acting(play)) {
      sound("turn");
      announce(statusText(play));
    }
    draw();
    const quiet = fresh.every((entry) => entry.kind === "contribute");
    if (document.hidden || quiet) next();
    else pacing = window.setTimeout(next, queue.length > 8 ? HURRY : PACE);
  }

  /** @param {import("./types.js").Position} position */
  function arrive(position) {
    if (!play) return;
    const changed = position.version !== play.position.version || !play.positions.size;
    play.position = position;
    play.positions.set(position.version, position);
    if (!changed) return;
    if (position.as_seat !== play.shownTo) play.shownTo = null;
    Object.assign(play, { busy: false, chosen: new Set(), readings: [], why: "", advice: null, looking: null });
  }

  /** @param {import("./types.js").Refused} message */
  function refused(message) {
    const why = say(message.reason);
    if (play) {
      toast(why);
      return;
    }
    leave();
    main.replaceChildren(noEntry(message.code, why));
  }

  /**
   * @param {number} seat
   * @param {string} title
   */
  function invitationCard(seat, title) {
    const name = h("input", { type: "text", maxlength: 24, required: true, value: device.names()[0] ?? "", autocomplete: "off", "data-key": "sit-name" });
    const sit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const invitation = device.table(id)?.invitation ?? "";
      const answer = await socket.send({ type: "sit", version: play?.position.version ?? 0, invitation, name: name.value.trim() });
      if (answer.type !== "accepted") {
        if (answer.type === "refused") toast(say(answer.reason));
        return;
      }
      device.rememberNames([name.value]);
      const tokens = { ...device.table(id)?.tokens, [String(answer.seat)]: answer.token ?? "" };
      device.rememberTable(id, { tokens, invitation: undefined });
      socket.hello();
    };
    return h(
      "form",
      { class: "card stack narrow", onsubmit: sit },
      h("h2", null, t("You are invited to {game}", { game: title })),
      h("p", { class: "muted" }, t("Seat {n} is yours. What shall we call you?", { n: seat + 1 })),
      h("label", { class: "field" }, h("span", null, t("Name")), name),
      h("button", { class: "button primary big", type: "submit", "data-key": "sit" }, t("Sit down")),
    );
  }

  /**
   * Send a command; what the server refuses is said, and nothing has changed.
   * @param {{type: string} & Record<string, unknown>} command
   */
  async function command(command) {
    if (!play || play.busy) return false;
    play.busy = true;
    if (AT_POSITION.has(command.type)) device.rememberExplained(play.info.game);
    draw();
    // a move is for the position on the screen; whatever else is for the table as it is
    const updates = queue.flatMap((message) => (message.type === "update" ? [message] : []));
    const latest = updates.at(-1)?.position.version ?? play.position.version;
    const version = AT_POSITION.has(command.type) ? play.position.version : latest;
    if (version === play.position.version && latest === version) {
      // whoever acts has seen what there was to see: what follows is shown at once
      clearTimeout(pacing);
      pacing = undefined;
    }
    const answer = await socket.send({ ...command, version });
    // once it is done, the old position is no longer there to act on
    play.busy = answer.type === "accepted" && answer.version > play.position.version;
    if (answer.type === "refused" && answer.code !== "old-version") play.why = sayAt(play, answer.reason);
    draw();
    return answer.type === "accepted";
  }

  /** @type {import("./play.js").Actions} */
  const actions = {
    command,
    draw,
    async touch(token) {
      if (!play || play.busy) return;
      const chosen = touched(play.position.moves, play.chosen, token);
      if (chosen) {
        sound("touch");
        Object.assign(play, { chosen, why: "" });
        draw();
        return;
      }
      sound("no");
      const { version } = play.position;
      const answer = await socket.send({ type: "why", version, tokens: [...play.chosen, token] });
      if (play.position.version !== version) return;
      if (answer.type === "because" || answer.type === "refused") play.why = sayAt(play, answer.reason);
      draw();
    },
    undo() {
      if (!play) return;
      Object.assign(play, { chosen: new Set([...play.chosen].slice(0, -1)), why: "" });
      draw();
    },
    clear() {
      if (!play) return;
      Object.assign(play, { chosen: new Set(), readings: [], why: "" });
      draw();
    },
    move(choice) {
      command({ type: "move", event: choice.event });
    },
    roll() {
      command({ type: "roll" });
    },
    read(value) {
      const parts = play?.position.ask?.parts.length ?? 0;
      if (!play || play.readings.length >= parts) return;
      sound("touch");
      play.readings = [...play.readings, value];
      draw();
    },
    unread(place) {
      if (!play) return;
      play.readings = play.readings.slice(0, place);
      draw();
    },
    async confirmRead() {
      if (!play) return;
      const values = play.readings;
      if (!(await command({ type: "read", values }))) {
        play.readings = [];
        draw();
      }
    },
    look(seat) {
      if (!play) return;
      play.looking = seat;
      draw();
    },
    itsMe() {
      if (!play) return;
      play.shownTo = play.position.as_seat;
      draw();
      announce(statusText(play));
    },
    async earlier() {
      if (!play) return;
      play.lines += MOST_LINES;
      if (play.first > 1 && merged(play.entries).length < play.lines) {
        const answer = await socket.send({ type: "earlier", version: play.position.version, before: play.first, count: EARLIER });
        // nothing else may have been put in front of them meanwhile
        if (answer.type === "entries" && (answer.entries.at(-1)?.version ?? 0) < play.first) {
          play.entries.unshift(...answer.entries);
          play.first = answer.first;
          hearCoach(answer.judgements);
        } else if (answer.type === "refused") toast(say(answer.reason));
      }
      draw();
    },
    async hint() {
      if (!play) return;
      const answer = await socket.send({ type: "hint", version: play.position.version });
      if (answer.type === "advice") play.advice = answer;
      else if (answer.type === "refused") play.why = sayAt(play, answer.reason);
      draw();
    },
  };

  function draw() {
    if (!play) return;
    const shown = shownSeat(play);
    const hidden = covered(play);
    replace(parts.seats, seatRow(play, shown));
    replace(parts.notice, [doubts(play.info, t("Better stop playing here, and ask whoever runs this server. The menu shows what this device remembers.")), ...(invitation ? [invitation] : notices(play, understood))]);
    parts.boards.className = boardsClass(play);
    replace(parts.boards, hidden ? [cover(play)] : boards(play, shown), () => parts.bar.querySelector("[data-key=primary]"));
    const drawn = new Set([...parts.boards.querySelectorAll(".touchable")].map((one) => one.getAttribute("data-token") ?? ""));
    replace(parts.bar, controls(play, drawn), () => parts.bar.querySelector("button:not([disabled])"));
    parts.bar.setAttribute("aria-busy", String(play.busy));
    makeRoom(parts);
    const coach = hidden ? [] : coachCard(play);
    parts.coach.hidden = !coach.length;
    replace(parts.coach, coach);
    parts.log.hidden = false;
    replace(parts.log, logCard(play));
  }

  const redraw = () => {
    if (play) play.wide = wide.matches;
    draw();
  };
  wide.addEventListener("change", redraw);
  const unlisten = listen(main, () => play);
  const tools = document.getElementById("tools");
  tools?.replaceChildren(
    h("button", { class: "button plain icon", type: "button", "aria-label": t("How it goes"), "data-key": "howto", onclick: () => play && explain(play.game, play.info) }, icon("help")),
    h("button", { class: "button plain icon", type: "button", "aria-label": t("Table"), "data-key": "menu", onclick: () => play && openMenu(play) }, icon("menu")),
  );
  function leave() {
    socket.close();
    clearTimeout(pacing);
    wide.removeEventListener("change", redraw);
    unlisten();
    tools?.replaceChildren();
    nameTable("Pasch");
    document.getElementById("banner")?.replaceChildren();
  }
  return leave;
}

/** What stands at the top, beside the sign. @param {string} title */
function nameTable(title) {
  document.querySelector(".brand span")?.replaceChildren(title);
}

/** @param {HTMLElement} main */
function skeleton(main) {
  const parts = {
    title: h("h1", { class: "unseen" }, t("Table")),
    seats: h("div", { class: "seats", role: "group", "aria-label": t("Seats"), "data-scope": "seats" }),
    notice: h("div", { class: "notice" }),
    boards: h("div", { class: "boards", "data-scope": "boards" }),
    coach: h("section", { class: "card", hidden: true, "data-scope": "coach", "aria-label": t("Coach") }),
    log: h("section", { class: "card", hidden: true }),
    bar: h("div", { class: "bar-in", "data-scope": "bar" }, h("div", { class: "idle" }, t("One moment …"))),
  };
  main.replaceChildren(
    parts.title,
    h("div", { class: "table" }, parts.seats, parts.notice, parts.boards, h("div", { class: "side" }, parts.coach, parts.log)),
    h("div", { class: "bar", role: "region", "aria-label": t("Your move") }, parts.bar),
  );
  return parts;
}

/**
 * Boards are as large as fits between what is above them and the bar, so that nobody has to scroll to touch.
 * @param {{boards: HTMLElement, bar: HTMLElement}} parts
 */
export function makeRoom(parts) {
  const board = parts.boards.querySelector(".place > svg");
  if (!board) return;
  const top = board.getBoundingClientRect().top + window.scrollY;
  const below = (parts.bar.parentElement?.offsetHeight ?? 0) + 12;
  parts.boards.style.setProperty("--room", `${Math.round(window.innerHeight - top - below)}px`);
}

/** The token of a link that led here is kept on the device. @param {string} id */
function takeLink(id) {
  const found = linkToken();
  if (found) device.rememberTable(id, found.what === "invite" ? { invitation: found.token } : { watch: found.token });
}

/** Everything this device can show for a table. @param {string} id */
function heldTokens(id) {
  const known = device.table(id);
  if (!known) return [];
  return [...Object.values(known.tokens), known.maker, known.invitation, known.watch].filter((token) => token !== undefined).slice(0, 8);
}

/** @param {Play} play */
function remember(play) {
  const { info } = play;
  device.rememberTable(play.id, {
    game: info.game,
    title: word(info.title),
    names: info.seats.map((_, seat) => seatName(info, seat)),
    over: info.phase === "over" || info.phase === "adjudicated",
  });
}

/** @param {import("./socket.js").Status} status */
function showStatus(status) {
  const banner = document.getElementById("banner");
  const text = status === "broken" ? t("No connection. Pasch keeps trying; nothing is lost.") : "";
  if (banner && status !== "connecting") banner.replaceChildren(...(text ? [h("div", { class: "banner" }, text)] : []));
}

/**
 * @param {string} code
 * @param {string} why
 */
function noEntry(code, why) {
  const [title, reason, help] =
    code === "no-table"
      ? [t("There is no such table"), t("Perhaps the link is not complete, or the table is kept elsewhere."), t("Open the whole link again, or begin a new game.")]
      : code === "not-yours"
        ? [t("This table is closed to you"), t("The link has been used already, or it is not for this table."), t("Ask whoever made the table for a link.")]
        : [t("This table cannot be opened now"), why, t("Try again in a moment.")];
  return h(
    "section",
    { class: "card narrow stack" },
    h("h1", null, title),
    h("p", null, reason),
    h("p", { class: "muted" }, help),
    link("/", { class: "button primary" }, t("To the games")),
  );
}

/** The seat whose board is shown where there is room for one. @param {Play} play */
function shownSeat(play) {
  if (play.looking !== null) return play.looking;
  const seat = acting(play);
  return seat >= 0 ? seat : play.yours[0] ?? 0;
}

/** @param {Play} play */
export function boardsClass({ wide, info, game }) {
  if (wide) return info.players > 1 ? `boards of-${info.players}` : "boards";
  // many rows of cards push the hand out of sight
  return game.has_secrets && info.players > 2 ? "boards hand-first" : "boards";
}

/**
 * @param {Play} play
 * @param {number} shown
 */
export function boards(play, shown) {
  const ctx = contextOf(play);
  const seats = play.wide ? play.info.seats.map((_, seat) => seat) : [shown];
  const turn = acting(play);
  const common = play.board.common(ctx);
  return [
    common && h("div", { class: "middle" }, common),
    ...seats.map((seat) =>
      h(
        "section",
        { class: seat === turn ? "place turn" : "place", "data-seat": seat, "aria-label": t("Board of {name}", { name: nameOf(play, seat) }) },
        play.info.players > 1 && h("h3", null, ctx.who(seat)),
        play.board.seatBoard(ctx, seat),
      ),
    ),
  ];
}
