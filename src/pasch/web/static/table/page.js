// @ts-check
/** Connects a table to the browser: socket, drawing, sounds and announcements, keys, title. The only impure part. */
import { game as askGame, replay as askReplay } from "../app/api.js";
import * as device from "../app/device.js";
import { announce, dialog, icon, redrawDialogs, toast } from "../app/frame.js";
import { say, t, word } from "../app/i18n.js";
import { mount } from "../app/mount.js";
import { notify } from "../app/notify.js";
import { linkToken } from "../app/share.js";
import { setShell } from "../app/shell.js";
import { playSound, soundButton } from "../app/sound.js";
import { loadBoard } from "../board/load.js";
import { contribute } from "../fair/contribute.js";
import { witness } from "../fair/witness.js";
import { explain, foldHowto } from "../pages/howto.js";
import { h } from "../vendor/preact.js";
import { celebrate } from "./celebrate.js";
import { createTable } from "./controller.js";
import { labelOf, statusText } from "./controls.js";
import { resultText } from "./ending.js";
import { listen } from "./keys.js";
import { logCard, sentence, standing } from "./log.js";
import { openMenu } from "./menu.js";
import { askAgain, moveToTable } from "./notices.js";
import { isOver, isYou, onlyMine, seatName, whoIs } from "./people.js";
import { hasCompany, meaning, openReactions } from "./reactions.js";
import { connect } from "./socket.js";
import { boardModel, noEntry, tableView } from "./view.js";

/**
 * @typedef {import("./controller.js").Model} Model
 * @typedef {import("../app/types.js").FromServer} FromServer
 */

/** who was away for less than this need not be told what happened, in milliseconds */
const SHORT_ABSENCE = 20_000;
/** below this width there is one column */
const SMALL = "(max-width: 43.99rem)";

/** @type {import("../app/main.js").Page} */
export async function tablePage(root, id) {
  const link = linkToken();
  if (link) device.rememberTable(id, link.what === "invite" ? { invitation: link.token } : { watch: link.token });
  document.body.classList.add("at-table");
  const small = matchMedia(SMALL);
  const reduced = matchMedia("(prefers-reduced-motion: reduce)");
  const recordEvents = witness(id);
  /** what came while the board was being loaded @type {FromServer[]} */
  let early = [];
  /** @type {ReturnType<typeof createTable> | null} */
  let table = null;
  /** @type {import("../app/types.js").Refused | null} */
  let refused = null;
  let loading = false;
  let left = false;
  /** up to which version this page has said and sounded what happened, and asked for a move; what the button offered; whose turn it was, and whether it was over */
  let heard = { version: -1, asked: -1, offer: "", beat: "", turn: -1, over: false };
  let timer = 0;
  let warned = false;

  /** when the dice were last heard */
  let rolling = -1;

  const current = () => (table?.begun() ? table.model() : null);
  const page = mount(root, () => {
    if (refused) return noEntry(refused.code, say(refused.reason));
    const model = current();
    return model
      ? [h("h1", { key: "title", class: "unseen" }, word(model.info.title)), tableView(model, { openLog, hello: () => socket.hello() })]
      : h("p", { class: "muted loading" }, t("One moment …"));
  });

  const socket = connect(id, {
    tokens: () => heldTokens(id),
    since: () => table?.since() ?? null,
    onStatus(status) {
      table?.connection(status !== "broken");
      if (status === "broken") lookAway();
      if (status !== "connecting") setShell({ banner: status === "broken" ? t("No connection. Pasch keeps trying; nothing is lost.") : "" });
      // a welcome, if there is one, comes first
      if (status === "open") queueMicrotask(() => !document.hidden && lookBack());
    },
    onMessage(message) {
      if (table) return receive(message);
      if (message.type === "refused") {
        refused = message;
        socket.close();
        page.redraw();
      } else {
        early.push(message);
        if (message.type === "welcome") load(message.table.game);
      }
    },
  });

  /** Load the game's board; until it is there, what comes waits. @param {string} game */
  async function load(game) {
    if (loading) return;
    loading = true;
    try {
      const info = await askGame(game);
      const board = await loadBoard(info);
      if (left) return;
      table = createTable(id, {
        game: info, board, viewing, changed: pulse, tell: toast, sound: playSound,
        now: () => performance.now(),
        send: (command) => {
          if (command.type === "move" || command.type === "roll" || command.type === "read") foldHowto(/** @type {Model} */ (current()).info);
          return socket.send(command);
        },
        moveToTable: (next) => moveToTable(id, next),
      });
    } catch (error) {
      // browsers do not ask for a module twice: everything is loaded again, see boot.js
      console.error(error);
      window.dispatchEvent(new Event("pasch-not-loaded"));
      return;
    }
    const known = recall(id);
    if (known) table.recall(known);
    const waited = early;
    early = [];
    waited.forEach(receive);
    window.dispatchEvent(new Event("pasch-loaded"));
  }

  function viewing() {
    const { pace, wait, still } = device.settings();
    return { pace, wait, still: still || reduced.matches, hidden: document.hidden, small: small.matches };
  }

  /** @param {FromServer} message */
  function receive(message) {
    if (message.type === "welcome") recordEvents(message.entries, message.position);
    const last = message.type === "update" && message.steps.at(-1)?.position;
    if (message.type === "update" && last) recordEvents(message.steps.map(({ entry }) => entry), last, message.steps.map(({ position }) => position));
    table?.receive(message);
    const model = current();
    if (!model) return;
    if (message.type === "reacted" && (device.settings().reactions || model.mySeats.includes(message.seat))) announce(t("{name}: {what}", { name: seatName(model.info, message.seat), what: meaning(message.reaction) }));
    if (message.type !== "welcome" && message.type !== "table") return;
    const { table: info } = message;
    device.rememberTable(id, { game: info.game, title: word(info.title), names: info.seats.map((_, seat) => (isYou({ ...model, info }, seat) ? "" : whoIs({ ...model, info }, seat))), over: isOver(info) });
    addToDice(info, model);
    if (message.type === "table") return;
    if (!document.hidden) lookBack();
    askAgain(model);
    if (isOver(info) && model.positions.size < 2) recallGame();
  }

  /** The game had ended when we came: ask for its course, so that the end can be shown as it was. */
  async function recallGame() {
    const found = await askReplay(id, -1).catch(() => null);
    if (found) table?.recall({ positions: found.steps.map(({ position }) => position), moments: [] });
  }

  /** @param {import("../app/types.js").TableInfo} info @param {Model} model */
  function addToDice(info, { mySeats, position }) {
    if (contribute(info, mySeats, { version: position.version, send: socket.send }) || warned) return;
    warned = true;
    toast(t("This browser stores nothing. To check the dice after leaving this page, copy the seal and your contribution from the menu."));
  }

  /** Something has changed, or is due: draw, say what may be said by now, and come back when more is due. */
  function pulse() {
    clearTimeout(timer);
    if (left) return;
    page.redraw();
    redrawDialogs();
    const model = current();
    if (!model || !table) return;
    tell(model);
    document.title = [turnText(model), word(model.info.title), "Pasch"].filter(Boolean).join(" · ");
    setShell({ title: word(model.info.title), where: model.board.where(boardModel(model)), tools: tools(model) });
    const due = table.tick();
    if (due < Infinity) timer = window.setTimeout(pulse, Math.max(0, due - performance.now()) + 1);
  }

  /** Say and sound what has just come to be seen. @param {Model} model */
  function tell(model) {
    const { entries, shown, turn, over, mySeats } = model;
    const version = entries.at(-1)?.version ?? 0;
    const before = heard;
    const yourTurn = shown.settled && (model.moves.length > 0 || model.awaits !== null);
    const decided = over && shown.settled;
    const beat = shown.story ? `${version} ${shown.story.beat}` : "";
    const offer = yourTurn && model.choice ? labelOf(model, model.choice.event).text : "";
    heard = { version, asked: yourTurn ? version : before.asked, offer, beat, turn: shown.settled ? (yourTurn ? turn : -1) : before.turn, over: decided || before.over };
    if (shown.roll && !shown.roll.rests && shown.roll.landed === 0 && rolling !== shown.since) {
      rolling = shown.since;
      playSound("roll");
    }
    if (beat && beat !== before.beat) {
      playSound("chips");
      announce(model.board.storyButton(boardModel(model)));
    }
    if (before.version < 0) return void (heard.over = over);
    const news = entries.filter((entry) => entry.version > before.version);
    for (const entry of news) announce(sentence(model, entry));
    if (shown.roll?.rests && news.length) playSound("lost");
    else if (news.some(({ kind, body }) => kind === "event" && !body.roll)) playSound(model.board.placing);
    if (yourTurn && before.asked !== version) announce(statusText(model));
    if (offer !== before.offer) announce(offer);
    if (yourTurn && before.turn !== turn) {
      playSound("turn");
      if (document.hidden) notify(t("It is your turn"), { body: word(model.info.title), tag: `pasch-${id}` });
    }
    if (decided && !before.over) {
      const me = onlyMine(model);
      const won = model.info.players === 1 || me === null || model.position.winners.includes(me);
      announce(`${resultText(model)} ${model.info.players > 1 ? standing(model) : ""}`);
      playSound(won ? "end" : "over");
      // who gives a game up has nothing to celebrate
      if (won && mySeats.length && model.info.phase === "over" && !viewing().still) celebrate();
    }
  }
  /** @param {Model} model */
  function tools(model) {
    const openSettings = () => import("../pages/settings.js").then((module) => module.openSettings(pulse));
    const tool = (/** @type {string} */ key, /** @type {string} */ label, /** @type {Parameters<typeof icon>[0]} */ name, /** @type {() => void} */ onClick, more = "") =>
      h("button", { key, class: `tool ${more}`, type: "button", "aria-label": label, "data-key": key, onClick }, icon(name));
    const now = () => /** @type {Model} */ (current());
    return [
      hasCompany(model) && tool("react", t("Say something"), "smile", () => openReactions(now())),
      tool("log", t("What happened"), "list", openLog, "only-phone"),
      soundButton(pulse),
      tool("howto", t("How it goes"), "help", () => explain(model.game, now().info)),
      tool("menu", t("Table"), "menu", () => openMenu(now, openSettings)),
    ];
  }

  function openLog() {
    dialog(t("What happened"), () => {
      const model = current();
      return model && logCard(model);
    });
  }

  /** This device does not look at the table any more, or hears nothing from it. */
  function lookAway() {
    const model = current();
    if (!model?.mySeats.length || device.table(id)?.left) return;
    device.rememberTable(id, { left: { at: Date.now(), version: table?.since() ?? 0 } });
  }

  /** It looks at the table again, and hears from it. */
  function lookBack() {
    const known = device.table(id)?.left;
    const model = current();
    if (!known || !model) return;
    device.rememberTable(id, { left: undefined });
    const news = model.entries.some((entry) => entry.kind === "event" && entry.version > known.version);
    if (news && Date.now() - known.at >= SHORT_ABSENCE) model.commands.miss(known.version);
  }

  const looked = () => {
    if (document.hidden) {
      table?.hide();
      lookAway();
      if (table) keep(id, table.memory());
    } else lookBack();
    pulse();
  };
  /** A touch beside everything else goes on with what is being shown. @param {Event} event */
  const touched = (event) => {
    const model = current();
    if (model && !model.shown.settled && !(/** @type {Element} */ (event.target).closest("button, a, input, select, summary, .log, form"))) model.commands.skip();
  };
  const leaving = () => table && keep(id, table.memory());
  root.addEventListener("click", touched);
  document.addEventListener("visibilitychange", looked);
  window.addEventListener("pagehide", leaving);
  small.addEventListener("change", pulse);
  const unlisten = listen(root, current);
  return () => {
    left = true;
    lookAway();
    leaving();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", looked);
    window.removeEventListener("pagehide", leaving);
    small.removeEventListener("change", pulse);
    unlisten();
    socket.close();
    page.stop();
  };
}

/** Everything this device can show for a table. @param {string} id */
function heldTokens(id) {
  const known = device.table(id);
  if (!known) return [];
  return [...Object.values(known.tokens), known.maker, known.invitation, known.watch].filter((token) => token !== undefined).slice(0, 8);
}

/** Whose turn it is, for the tab. @param {Model} model */
function turnText(model) {
  const { info, shown, over, turn } = model;
  if (over) return shown.settled ? resultText(model) : "";
  if (info.phase === "waiting") return t("Waiting …");
  if (model.moves.length || model.awaits) return t("● Your turn");
  return turn < 0 || isYou(model, turn) ? "" : t("{name}’s turn", { name: seatName(info, turn) });
}

/** Keep what a page that is loaded again could not know any more. @param {string} id @param {import("./controller.js").Memory} memory */
function keep(id, memory) {
  try {
    sessionStorage.setItem(`pasch.seen.${id}`, JSON.stringify(memory));
  } catch {
    // then the list says less after the page was loaded again
  }
}

/** @param {string} id @returns {import("./controller.js").Memory | null} */
function recall(id) {
  try {
    return JSON.parse(sessionStorage.getItem(`pasch.seen.${id}`) ?? "null");
  } catch {
    return null;
  }
}
