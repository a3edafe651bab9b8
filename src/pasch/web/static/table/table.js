// @ts-check
/** The table: follows the server, draws what it says, and sends what people choose. */
import { game as askGame, replay as askReplay } from "../app/api.js";
import { lookAway, lookBack } from "./absence.js";
import { notifyTurn, tabTitle } from "./attention.js";
import { loadBoard } from "../board/load.js";
import { coachCard } from "./coach.js";
import { contribute } from "../fair/contribute.js";
import { controls, statusText } from "./controls.js";
import * as device from "../app/device.js";
import { h, replace } from "../app/dom.js";
import { ending, endingCard, finalPosition } from "./ending.js";
import { doubts } from "../fair/panel.js";
import { announce, icon, link, toast } from "../app/frame.js";
import { guard } from "./guard.js";
import { cover } from "./cover.js";
import { explain, foldHowto } from "../pages/howto.js";
import { say, t, word } from "../app/i18n.js";
import { listen } from "./keys.js";
import { WIDE, boardsClass, docked, focusIn, mainSeat, makeRoom } from "./layout.js";
import { MOST_LINES, line, logCard, merged, takenBack } from "./log.js";
import { openMenu } from "./menu.js";
import { nameField } from "../app/names.js";
import { touched } from "./choose.js";
import { notices } from "./notices.js";
import { acting, contextOf, covered, nameOf, readingParts, sayAt, whoIs, whoseCards, yourTurn } from "./play.js";
import { hasCompany, openReactions, showReaction } from "./reactions.js";
import { askAgain, goOn, isOver } from "./rematch.js";
import { seatRow } from "./seats.js";
import { linkToken } from "../app/share.js";
import { connect } from "./socket.js";
import { soundButton, play as sound } from "../app/sound.js";
import { staging } from "./staging.js";
import { witness } from "../fair/witness.js";
import { GUESS, guessNote } from "../app/words.js";

/**
 * @typedef {import("./play.js").Play} Play
 * @typedef {import("../app/types.js").Welcome} Welcome
 * @typedef {import("./socket.js").Update} Update
 * @typedef {import("../app/types.js").Table} Table
 * @typedef {import("../app/types.js").Choice} Choice
 */

/** how many entries are asked for at once */
const EARLIER = 100;

const AT_POSITION = new Set(["move", "roll", "read"]);

/** @type {import("../app/main.js").Page} */
export async function tablePage(main, id) {
  takeLink(id);
  document.body.classList.add("at-table");
  const parts = skeleton(main);
  const wide = matchMedia(WIDE);
  /** @type {Play | null} */
  let play = null;
  /** the version of the last update that came, shown or not */
  let latest = 0;
  /** what came while the first welcome was being prepared @type {import("./socket.js").News[]} */
  let early = [];
  /** whose turn it was when everything had been seen */
  let last = -1;
  const clock = { later: (/** @type {() => void} */ call, /** @type {number} */ ms) => window.setTimeout(call, ms), cancel: (/** @type {number} */ timer) => clearTimeout(timer) };
  const seen = guard(clock, () => {
    for (const one of parts.bar.querySelectorAll("[aria-disabled]")) one.removeAttribute("aria-disabled");
  });
  const saw = witness(id);
  const stage = staging(clock, { playing: () => play, apply, tell, draw, idle, go: () => play && socket.send({ type: "go", version: play.position.version }) });
  /** @type {HTMLElement | null} */
  let invitation = null;
  /** whether it was said that nothing can be stored */
  let warned = false;

  const socket = connect(id, {
    tokens: () => heldTokens(id),
    since: () => play?.entries.at(-1)?.version ?? null,
    onStatus(status) {
      if (play && status === "broken") lookAway(play);
      // a welcome, if there is one, comes first
      if (status === "open") queueMicrotask(() => play && !document.hidden && lookBack(play));
      showStatus(status);
    },
    onMessage(message) {
      if (message.type === "welcome") welcome(message);
      else if (message.type === "refused") refused(message);
      else if (play) follow(message);
      else early.push(message);
    },
  });

  /** @param {import("./socket.js").News} message */
  function follow(message) {
    if (!play) return;
    if (message.type === "update") {
      saw(message.entries, message.position);
      latest = message.position.version;
      stage.update(message);
    } else if (message.type === "table") {
      // in its turn: that the game is over must not be said before its last event is shown
      stage.add({ hold: 0, begin: () => resettle(message.table) });
    } else if (message.type === "coached") {
      hearCoach(message.judgements);
      draw();
    } else if (message.type === "reacted") showReaction(play, message);
  }

  /** Who sits where has changed, or the game is over. @param {import("../app/types.js").TableInfo} info */
  function resettle(info) {
    if (!play) return;
    if (info.next) {
      goOn(id, info.next);
      return;
    }
    const ends = play.info.phase === "playing" && (info.phase === "over" || info.phase === "adjudicated");
    play.info = info;
    remember(play);
    addToDice();
    if (ends) {
      play.scene = null;
      stage.add(...ending(play, draw));
    }
    draw();
  }

  /** @param {import("../app/types.js").Judgement[]} judgements */
  function hearCoach(judgements) {
    if (!play) return;
    const fresh = new Set(judgements.map((one) => `${one.version} ${one.kind}`));
    const all = [...play.judgements.filter((one) => !fresh.has(`${one.version} ${one.kind}`)), ...judgements];
    play.judgements = all.sort((one, other) => one.version - other.version);
  }

  /** @param {Welcome} message */
  async function welcome(message) {
    const { table: info, position, yours, maker, entries, first, judgements } = message;
    if (info.next) {
      goOn(id, info.next);
      return;
    }
    saw(entries, position);
    latest = position.version;
    if (!play) {
      const game = await askGame(info.game);
      const board = await loadBoard(game);
      play ??= {
        id, game, board, info, position, yours, maker, entries: [], first, lines: MOST_LINES, positions: new Map(), history: null,
        judgements: [], dismissed: new Set(), chosen: new Set(), why: "", busy: false, looking: null, shownTo: null, readings: [], advice: null,
        reactions: new Map(), left: null, missed: null, wide: wide.matches, scene: null, ending: null, actions,
      };
      parts.title.textContent = word(info.title);
      nameTable(word(info.title));
    }
    stage.clear();
    play.scene = null;
    const known = play.entries.at(-1)?.version ?? 0;
    // so much was missed that there is a gap: what was before it is asked for again when somebody wants to see it
    if (first > known + 1) Object.assign(play, { entries: [], first, lines: MOST_LINES, judgements: [] });
    Object.assign(play, { info, yours, maker });
    play.entries.push(...entries.filter((entry) => entry.version > known));
    hearCoach(judgements);
    arrive(position);
    last = acting(play);
    if (!document.hidden) lookBack(play);
    remember(play);
    addToDice();
    askAgain(play);
    invitation = message.invited.length && !yours.length ? invitation ?? invitationCard(message.invited[0] ?? 0, word(info.title)) : null;
    draw();
    stage.resume();
    if (position.actor === -2 && !play.history && play.positions.size < 2) recallEnd();
    const waited = early;
    early = [];
    waited.forEach(follow);
  }

  /** The game had ended when we came: ask for its course, so that the end can be shown as it was. */
  async function recallEnd() {
    const page = await askReplay(id, -1).catch(() => null);
    if (!play || !page) return;
    play.history = page.steps.map((step) => step.position);
    draw();
  }

  /** Add to the dice, if that has to be done now. */
  function addToDice() {
    if (!play) return;
    const { info, yours, position } = play;
    if (contribute(info, yours, { version: position.version, send: socket.send }) || warned) return;
    warned = true;
    toast(t("This browser stores nothing. To check the dice after leaving this page, copy the seal and your contribution from the menu."));
  }

  /** Take over what has happened. @param {Update} message */
  function apply(message) {
    if (!play) return;
    const known = play.entries.at(-1)?.version ?? 0;
    play.entries.push(...message.entries.filter((entry) => entry.version > known));
    const gone = takenBack(play.entries);
    play.judgements = play.judgements.filter((one) => !gone.has(one.version));
    arrive(message.position);
  }

  /** Say what has happened, in words and sounds. @param {Update} message */
  function tell({ entries, position }) {
    if (!play) return;
    const lost = play.scene?.kind === "lost";
    // the sentence needs the position after it
    if (!play.positions.has(position.version)) play.positions.set(position.version, position);
    for (const entry of entries) announce(line(play, entry));
    if (entries.some((entry) => entry.body.roll)) sound("roll");
    else if (entries.some((entry) => entry.kind !== "contribute")) sound("place");
    if (lost) sound("lost");
  }

  /** Everything that happened has been seen. */
  function idle() {
    if (!play) return;
    const turn = acting(play);
    if (yourTurn(play) && last !== turn) {
      sound("turn");
      announce(statusText(play));
      notifyTurn(play);
    }
    last = turn;
    draw();
  }

  /** @param {import("../app/types.js").Position} position */
  function arrive(position) {
    if (!play) return;
    const changed = position.version !== play.position.version || !play.positions.size;
    play.position = position;
    play.positions.set(position.version, position);
    if (!changed) return;
    if (position.as_seat !== play.shownTo) play.shownTo = null;
    Object.assign(play, { busy: false, chosen: new Set(), readings: [], why: "", advice: null, looking: null });
  }

  /** @param {import("../app/types.js").Refused} message */
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
    const { input: name, field } = nameField({ required: true, value: device.names()[0] ?? "", "data-key": "sit-name" });
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
      h("label", { class: "field" }, h("span", null, t("Name")), field),
      h("button", { class: "button primary big", type: "submit", "data-key": "sit" }, t("Sit down")),
    );
  }

  /** The version of the table as it is, though people may not have seen all of it yet. @param {Play} play */
  function latestVersion(play) {
    return Math.max(latest, play.position.version);
  }

  /**
   * Send a command; what the server refuses is said, and nothing has changed.
   * @param {{type: string} & Record<string, unknown>} command
   */
  async function command(command) {
    if (!play || play.busy) return false;
    play.busy = true;
    if (AT_POSITION.has(command.type)) foldHowto(play.info);
    draw();
    // a move is for the position on the screen; whatever else is for the table as it is
    const version = AT_POSITION.has(command.type) ? play.position.version : latestVersion(play);
    // whoever acts has seen what there was to see: what follows is shown at once
    if (version === play.position.version && AT_POSITION.has(command.type)) stage.skip();
    const answer = await socket.send({ ...command, version });
    // once it is done, the old position is no longer there to act on
    play.busy = answer.type === "accepted" && answer.version > play.position.version;
    if (answer.type === "refused" && answer.code !== "old-version") play.why = sayAt(play, answer.reason);
    draw();
    return answer.type === "accepted";
  }

  /** Whether what the bar offers may be chosen: nothing else is being shown, and it was seen long enough. */
  function ready() {
    if (play?.scene?.blocks) stage.skip();
    else if (seen.open) return true;
    return false;
  }

  /** @type {import("./play.js").Actions} */
  const actions = {
    command,
    draw,
    async touch(token) {
      if (!play || play.busy) return;
      foldHowto(play.info);
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
      if (ready()) command({ type: "move", event: choice.event, hold: true });
    },
    roll() {
      if (ready()) command({ type: "roll" });
    },
    async takeBack() {
      if (!play) return;
      // the dice that wait for us shall not come now
      stage.drop();
      await command({ type: "undo" });
    },
    skip: () => stage.skip(),
    read(value, place) {
      if (!play || play.busy) return;
      foldHowto(play.info);
      const { to } = readingParts(play);
      sound("touch");
      const readings = Array.from({ length: to }, (_, at) => play?.readings[at] ?? null);
      readings[place] = value;
      Object.assign(play, { readings, why: "" });
      draw();
    },
    unread(place) {
      if (!play) return;
      play.readings[place] = null;
      draw();
    },
    async confirmRead() {
      if (!play || !ready()) return;
      const { readings } = play;
      if (readings.length < (play.position.ask?.parts.length ?? 0)) {
        // the next hand is another person's
        Object.assign(play, { readings: [...readings, null], shownTo: null });
        draw();
        return;
      }
      if (await command({ type: "read", values: readings })) return;
      // nobody sees another's hand to put it right, so all are read again; a single one is kept
      if (readingParts(play).from > 0) play.readings = [];
      draw();
    },
    look(seat) {
      if (!play) return;
      play.looking = seat;
      draw();
    },
    itsMe() {
      if (!play || !ready()) return;
      play.shownTo = whoseCards(play);
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
    async preview() {
      // a wish that has just been noted makes the version an old one: its own news has come before the refusal
      for (let asked = -1; play && latestVersion(play) > asked;) {
        asked = latestVersion(play);
        const answer = await socket.send({ type: "preview", version: asked });
        if (answer.type === "verdict") return answer;
        if (answer.type !== "refused" || answer.code !== "old-version") return null;
      }
      return null;
    },
    async react(seat, reaction) {
      const answer = await socket.send({ type: "react", version: 0, seat, reaction });
      if (answer.type === "refused") toast(say(answer.reason));
    },
    async hint() {
      if (!play) return;
      // values that have to be worked out take some seconds
      play.asking = true;
      draw();
      const answer = await socket.send({ type: "hint", version: play.position.version });
      play.asking = false;
      if (answer.type === "advice") Object.assign(play, { advice: answer, why: "" });
      else if (answer.type === "refused") play.why = sayAt(play, answer.reason);
      draw();
      const mark = parts.boards.querySelector(".advised");
      // the mark is not left under the bar
      const { top = 0, bottom = 0 } = mark?.getBoundingClientRect() ?? {};
      if (top < 0 || bottom > parts.bar.getBoundingClientRect().top) mark?.scrollIntoView({ block: "center" });
    },
  };

  function draw() {
    if (!play) return;
    const shown = shownSeat(play);
    const hidden = covered(play);
    document.title = tabTitle(play);
    reactButton.hidden = !hasCompany(play);
    for (const one of telling) one.disabled = false;
    replace(parts.seats, seatRow(play, shown));
    replace(parts.notice, [doubts(play.info, t("Better stop playing here, and ask whoever runs this server. The menu shows what this device remembers.")), ...(invitation ? [invitation] : notices(play))]);
    parts.boards.className = boardsClass(play);
    replace(parts.boards, hidden ? [cover(play)] : boards(play, shown), () => parts.bar);
    parts.note.hidden = !parts.boards.textContent?.includes(GUESS);
    replace(parts.note, [guessNote(), " ", link(`/rules/${play.info.game}#box`, {}, t("The box"))]);
    replace(parts.dock, docked(play), () => parts.bar);
    const drawn = new Set([...main.querySelectorAll(".touchable")].map((one) => one.getAttribute("data-token") ?? ""));
    replace(parts.bar, controls(play, drawn), () => focusIn(parts.bar));
    parts.bar.setAttribute("aria-busy", String(play.busy));
    settle(play);
    makeRoom(parts);
    const coach = hidden ? [] : coachCard(play);
    parts.coach.hidden = !coach.length;
    replace(parts.coach, coach);
    parts.log.hidden = false;
    replace(parts.log, logCard(play));
  }

  /** What the bar offers does not count before it was seen for a moment. @param {Play} play */
  function settle({ position, scene }) {
    const main = parts.bar.querySelector(".main");
    seen.saw(`${position.events} ${Boolean(scene?.blocks)} ${main?.textContent}`);
    if (seen.open || scene?.blocks) return;
    for (const one of main?.querySelectorAll("button") ?? []) one.setAttribute("aria-disabled", "true");
  }

  /** A touch skips what is being shown, except where it means something else. @param {Event} event */
  const skipping = (event) => {
    const target = /** @type {Element} */ (event.target);
    if ((play?.scene?.blocks || play?.ending) && !target.closest("button, a, input, select, summary, .log")) stage.skip();
  };
  main.addEventListener("click", skipping);
  const hide = () => document.hidden && stage.flush();
  document.addEventListener("visibilitychange", hide);

  const redraw = () => {
    if (play) play.wide = wide.matches;
    draw();
  };
  const fit = () => makeRoom(parts);
  wide.addEventListener("change", redraw);
  window.addEventListener("resize", fit);
  const unlisten = listen(main, () => play);
  const looked = () => {
    if (!play) return;
    if (document.hidden) lookAway(play);
    else lookBack(play);
    draw();
  };
  document.addEventListener("visibilitychange", looked);
  const tools = document.getElementById("tools");
  const reactButton = h("button", { class: "button plain icon", type: "button", hidden: true, "aria-label": t("Say something"), "data-key": "react", onclick: () => play && openReactions(play) }, icon("smile"));
  // not before the table is there, of which they tell
  const telling = [
    h("button", { class: "button plain icon", type: "button", disabled: true, "aria-label": t("How it goes"), "data-key": "howto", onclick: () => play && explain(play.game, play.info) }, icon("help")),
    h("button", { class: "button plain icon", type: "button", disabled: true, "aria-label": t("Table"), "data-key": "menu", onclick: () => play && openMenu(play) }, icon("menu")),
  ];
  tools?.replaceChildren(reactButton, soundButton(), ...telling);
  function leave() {
    if (play) lookAway(play);
    document.removeEventListener("visibilitychange", looked);
    socket.close();
    stage.clear();
    document.removeEventListener("visibilitychange", hide);
    wide.removeEventListener("change", redraw);
    window.removeEventListener("resize", fit);
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
    dock: h("div", { class: "dock", "data-scope": "dock" }),
    coach: h("section", { class: "card", hidden: true, "data-scope": "coach", "aria-label": t("Coach") }),
    log: h("section", { class: "card", hidden: true }),
    note: h("p", { class: "small muted", hidden: true }),
    bar: h("div", { class: "bar-in", tabindex: "-1", "data-scope": "bar" }, h("div", { class: "idle" }, t("One moment …"))),
  };
  main.replaceChildren(
    parts.title,
    h("div", { class: "table" }, parts.seats, parts.notice, parts.boards, h("div", { class: "side" }, parts.coach, parts.log, parts.note)),
    h("div", { class: "bar", role: "region", "aria-label": t("Your move") }, parts.dock, parts.bar),
  );
  return parts;
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
    names: info.seats.map((_, seat) => whoIs(play, seat)),
    over: isOver(info),
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
  if (play.scene?.seat != null) return play.scene.seat;
  const seat = acting(play);
  return seat >= 0 ? seat : play.yours[0] ?? 0;
}

/**
 * @param {Play} play
 * @param {number} shown
 */
export function boards(play, shown) {
  const ctx = contextOf(play);
  const seats = play.board.docked ? [] : play.wide ? play.info.seats.map((_, seat) => seat) : [shown];
  const turn = acting(play);
  const large = mainSeat(play, shown);
  const final = isOver(play.info);
  // boards of one's own stay; what is common is drawn as it was before the end
  const before = final && !play.board.ownBoards ? finalPosition(play) : null;
  const common = play.board.common(ctx) ?? (before && play.board.common(contextOf(play, before)));
  const { scene } = play;
  return [
    final && endingCard(play),
    common && h("div", { class: `middle${scene?.kind === "lost" ? " lost" : ""}${before ? " final" : ""}` }, common),
    ...seats.map((seat) =>
      h(
        "section",
        { class: `place${seat === turn ? " turn" : ""}${seat === large ? " large" : ""}`, "data-seat": seat, "aria-label": t("Board of {name}", { name: nameOf(play, seat) }) },
        play.info.players > 1 && h("h2", null, scene?.caption && scene.seat === seat ? h("span", { class: "scene-caption" }, scene.caption) : ctx.who(seat)),
        play.board.seatBoard(ctx, seat),
      ),
    ),
  ];
}
