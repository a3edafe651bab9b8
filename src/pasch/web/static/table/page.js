// @ts-check
/** Connects a table to the browser: socket, drawing, sounds and announcements, keys, title. The only impure part. */
import { game as askGame, replay as askReplay } from "../app/api.js";
import * as device from "../app/device.js";
import { announce, dialog, icon, toast } from "../app/frame.js";
import { say, t, word } from "../app/i18n.js";
import { notify } from "../app/notify.js";
import { linkToken } from "../app/share.js";
import { openSettings, setShell } from "../app/shell.js";
import { playSound, soundButton } from "../app/sound.js";
import { loadBoard } from "../board/load.js";
import { contribute } from "../fair/contribute.js";
import { witness } from "../fair/witness.js";
import { explain, foldHowto } from "../pages/howto.js";
import { h } from "../vendor/preact.js";
import { celebrate } from "./celebrate.js";
import { createTable } from "./controller.js";
import { labelOf, statusText } from "./controls.js";
import { logCard, standing } from "./log.js";
import { openMenu } from "./menu.js";
import { askAgain, moveToTable } from "./notices.js";
import { isOver, isYou, onlyMine, resultText, seatName, whoIs } from "./people.js";
import { hasCompany, meaning, openReactions } from "./reactions.js";
import { openSession } from "./session.js";
import { connect } from "./socket.js";
import { boardModel, noEntry, tableView } from "./view.js";

/** @import { FromServer } from "../app/types.js" */
/** @import { Model } from "./controller.js" */

/** after a shorter absence nothing is said about what happened, in milliseconds */
const SHORT_ABSENCE = 20_000;

/** @type {import("../app/main.js").Page} */
export async function tablePage(root, id) {
  const link = linkToken();
  if (link) device.rememberTable(id, link.what === "invite" ? { invitation: link.token } : { watch: link.token });
  const recordEvents = witness(id);
  /** what came while the board was being loaded @type {FromServer[]} */
  let early = [];
  /** @type {ReturnType<typeof createTable> | null} */
  let table = null;
  /** @type {import("../app/types.js").Refused | null} */
  let refused = null;
  let loading = false;
  let left = false;
  /** the version in which a move was asked for, what the button offered, whose turn it was, and whether it was over */
  let before = { asked: -1, offer: "", turn: -1, over: false };
  let warned = false;

  const { current, pulse, viewing, ...session } = openSession(root, {
    table: () => table,
    view(model) {
      if (model) return [h("h1", { key: "title", class: "unseen" }, word(model.info.title)), tableView(model, { openLog, hello: () => socket.hello() })];
      return refused ? noEntry(refused.code, say(refused.reason)) : h("p", { class: "muted loading" }, t("One moment …"));
    },
    shown(model, begins) {
      tell(model, begins);
      document.title = [turnText(model), word(model.info.title), "Pasch"].filter(Boolean).join(" · ");
      setShell({ title: word(model.info.title), where: model.board.where(boardModel(model)), tools: tools(model) });
    },
  });

  const socket = connect(id, {
    tokens: () => heldTokens(id),
    since: () => table?.since() ?? null,
    onStatus(status) {
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
        pulse();
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
    table.recall(device.memory(id));
    const waited = early;
    early = [];
    waited.forEach(receive);
    window.dispatchEvent(new Event("pasch-loaded"));
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

  /** Say that it is this person's turn, what the button offers, and how it ended. @param {Model} model @param {boolean} begins */
  function tell(model, begins) {
    const { entries, shown, turn, over, mySeats } = model;
    const version = entries.at(-1)?.version ?? 0;
    const { asked, offer, turn: last, over: known } = before;
    const yourTurn = shown.settled && (model.moves.length > 0 || model.awaits !== null);
    const decided = over && shown.settled;
    before = { asked: yourTurn ? version : asked, offer: yourTurn && model.choice ? labelOf(model, model.choice.event).text : "", turn: shown.settled ? (yourTurn ? turn : -1) : last, over: decided || known };
    if (begins) return void (before.over = over);
    if (yourTurn && asked !== version) announce(statusText(model));
    if (offer !== before.offer) announce(before.offer);
    if (yourTurn && last !== turn) {
      playSound("turn");
      if (document.hidden) notify(t("It is your turn"), { body: word(model.info.title), tag: `pasch-${id}` });
    }
    if (decided && !known) {
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
    const tool = (/** @type {string} */ key, /** @type {string} */ label, /** @type {Parameters<typeof icon>[0]} */ name, /** @type {() => void} */ onClick, more = "") =>
      h("button", { key, class: `tool ${more}`, type: "button", "aria-label": label, "data-key": key, onClick }, icon(name));
    const now = () => /** @type {Model} */ (current());
    return [
      hasCompany(model) && tool("react", t("Say something"), "smile", () => openReactions(now())),
      tool("log", t("What happened"), "list", openLog, "only-phone"),
      soundButton(pulse),
      tool("howto", t("How to play"), "help", () => explain(model.game, now().info)),
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
      leaving();
    } else lookBack();
    pulse();
  };
  const leaving = () => table && device.saveMemory(id, table.memory());
  document.addEventListener("visibilitychange", looked);
  window.addEventListener("pagehide", leaving);
  return () => {
    left = true;
    lookAway();
    leaving();
    document.removeEventListener("visibilitychange", looked);
    window.removeEventListener("pagehide", leaving);
    socket.close();
    session.leave();
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
