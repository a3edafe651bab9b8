// @ts-check
/**
 * The connection to one table. It reconnects by itself, tells the server which version was seen last, and resends
 * commands that were not answered: the server carries a command out once, however often it comes.
 *
 * @typedef {import("../app/types.js").Accepted | import("../app/types.js").Refused | import("../app/types.js").Advice |
 *   import("../app/types.js").Because | import("../app/types.js").Entries | import("../app/types.js").Verdict} Answer
 * @typedef {"connecting" | "open" | "broken"} Status
 *
 * @typedef {object} Handlers
 * @property {() => string[]} tokens the tokens to say hello with
 * @property {() => number | null} since the version seen last
 * @property {(message: FromServer) => void} onMessage called with every message that is no answer to a command
 * @property {(status: Status) => void} onStatus called when the connection opens or breaks
 */
import { homeOf } from "../app/addresses.js";
import { transportTo } from "./transport.js";

/** @import { FromServer } from "../app/types.js" */

/** why a table is refused only for now */
const BUSY = ["too-fast", "full", "storage"];
const FIRST_DELAY_MS = 400;
const MAX_DELAY_MS = 10_000;
/** how often the connection is asked for a sign of life; one that is missing is seen at the next beat */
const PING_INTERVAL_MS = 2_000;
/** after this many beats without one the connection is reopened */
const MAX_QUIET_BEATS = 3;
/** the version of the messages; a server with another one asks to reload the page */
export const PROTOCOL = 2;

/** @param {string} id @param {Handlers} handlers */
export function connect(id, handlers) {
  /** @type {import("./transport.js").Socket | null} */
  let socket = null;
  let closed = false;
  let delay = FIRST_DELAY_MS;
  let greeted = false;
  /** how many beats ago the last message came */
  let quiet = 0;
  /** whether it was said that nothing comes, though no event has reported a broken connection */
  let doubted = false;
  /** @type {number | undefined} */
  let timer;
  /** the box, which is sent once per connection @type {Object<string, any>} */
  let components = {};
  /** @type {Map<string, {command: object, resolve: (answer: Answer) => void, answer: Promise<Answer>}>} */
  const pending = new Map();

  function open() {
    clearTimeout(timer);
    greeted = false;
    quiet = 0;
    handlers.onStatus("connecting");
    const mine = transportTo(homeOf(id)).open(id);
    socket = mine;
    mine.onopen = () => hello();
    mine.onmessage = (event) => {
      if (socket === mine) receive(JSON.parse(event.data));
    };
    mine.onclose = () => {
      if (socket !== mine) return;
      socket = null;
      if (closed) return;
      handlers.onStatus("broken");
      later(open);
    };
  }

  /** Call a function after a delay, which grows each time. @param {() => void} call */
  function later(call) {
    clearTimeout(timer);
    timer = window.setTimeout(call, delay * (0.75 + Math.random() / 2));
    delay = Math.min(delay * 2, MAX_DELAY_MS);
  }

  function hello() {
    socket?.send(JSON.stringify({ type: "hello", tokens: handlers.tokens(), since: handlers.since(), protocol: PROTOCOL }));
  }

  /** @param {FromServer} message */
  function receive(message) {
    quiet = 0;
    if (doubted && greeted) handlers.onStatus("open");
    doubted = false;
    if (message.type === "pong") return;
    clearTimeout(timer);
    if ("table" in message) {
      // later ones say only which box it is, and a table has one
      if (Object.keys(message.table.components).length) ({ components } = message.table);
      message.table.components = components;
    }
    const waiting = "id" in message && message.id ? pending.get(message.id) : undefined;
    if (waiting && "id" in message && message.id) {
      pending.delete(message.id);
      waiting.resolve(/** @type {Answer} */ (message));
      return;
    }
    if (message.type === "welcome" && !greeted) {
      greeted = true;
      delay = FIRST_DELAY_MS;
      handlers.onStatus("open");
      handlers.onMessage(message);
      for (const { command } of pending.values()) socket?.send(JSON.stringify(command));
      return;
    }
    if (message.type === "refused" && !message.id && !greeted && BUSY.includes(message.code)) {
      // either the server closes the connection, and it is opened again, or it waits for another hello
      handlers.onStatus("broken");
      later(hello);
      return;
    }
    if (message.type === "update") {
      const { steps, answers } = message;
      const version = steps.at(-1)?.position.version ?? 0;
      if (answers) {
        pending.get(answers)?.resolve({ type: "accepted", id: answers, version, seat: null, token: null });
        pending.delete(answers);
      }
      // the caller of the command continues first
      if (answers) queueMicrotask(() => handlers.onMessage(message));
      else handlers.onMessage(message);
      return;
    }
    handlers.onMessage(message);
  }

  function wake() {
    if (document.visibilityState !== "visible" || closed) return;
    quiet = 0;
    if (socket) beat();
    else open();
  }

  function doubt() {
    doubted = true;
    handlers.onStatus("broken");
  }

  /**
   * Ask for a sign of life: after a sleep, or when a network or the server's machine has gone, no event says that the
   * connection is broken. What is not looked at can wait.
   */
  function beat() {
    if (!socket || document.visibilityState !== "visible") {
      quiet = 0;
      return;
    }
    if (quiet === 1) doubt();
    if (quiet >= MAX_QUIET_BEATS) {
      socket.onclose = null;
      socket.close();
      open();
      return;
    }
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "ping" }));
    quiet += 1;
  }

  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("offline", doubt);
  const beating = window.setInterval(beat, PING_INTERVAL_MS);
  open();

  return {
    /**
     * Send a command; resolves with its answer, however often the connection breaks in between. One that has an id of its
     * own and is under way already is not sent again.
     * @param {{type: string, version: number, id?: string} & Record<string, unknown>} command
     * @returns {Promise<Answer>}
     */
    send(command) {
      const id = command.id ?? (crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random()}`);
      const under = pending.get(id);
      if (under) return under.answer;
      const whole = { ...command, id };
      /** @type {(answer: Answer) => void} */
      let resolve = () => {};
      const answer = new Promise((/** @type {(answer: Answer) => void} */ done) => { resolve = done; });
      pending.set(id, { command: whole, resolve, answer });
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(whole));
      return answer;
    },
    hello,
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(beating);
      document.removeEventListener("visibilitychange", wake);
      window.removeEventListener("online", wake);
      window.removeEventListener("offline", doubt);
      socket?.close();
    },
  };
}
