// @ts-check
/**
 * The page's side of the worker in which Pasch's Python runs (`worker.js`): requests and connections like those to a server.
 *
 * @typedef {{stage: "waiting" | "loading" | "starting" | "ready" | "failed", done: number, total: number}} Progress
 */

import { ready } from "./install.js";

/** @import { FromPage, ToPage } from "./worker.js" */

/** after how many losses in a row the page says so instead of starting again */
const MAX_LOSSES = 3;

/** @type {Worker | null} */
let worker = null;
/** messages for a worker whose files are still being fetched; null if none is being started @type {FromPage[] | null} */
let early = null;
let count = 0;
let losses = 0;
/** @type {Map<string, (answer: Response) => void>} */
const asked = new Map();
/** @type {Map<string, LocalSocket>} */
const sockets = new Map();
/** @type {Progress} */
let progress = { stage: "waiting", done: 0, total: 1 };
/** @type {Set<(progress: Progress) => void>} */
const watchers = new Set();

/** @param {Progress} now */
function tell(now) {
  progress = now;
  for (const watcher of watchers) watcher(now);
}

/**
 * Call back with the engine's progress, at once and whenever it changes.
 * @param {(progress: Progress) => void} watcher
 * @returns {() => void} call it to stop
 */
export function watchEngine(watcher) {
  watchers.add(watcher);
  watcher(progress);
  return () => watchers.delete(watcher);
}

/** Start the engine, unless it has been started. */
export async function startEngine() {
  if (worker || early) return;
  early = [];
  await ready((done, total) => tell({ stage: "loading", done, total }));
  worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: `authority ${document.documentElement.dataset.engineHash ?? ""}` });
  worker.onmessage = ({ data }) => take(data);
  worker.onerror = (event) => {
    fail(event.message);
  };
  for (const message of early) worker.postMessage(message);
  early = null;
}

/** The engine cannot be started, or has ended. @param {string} reason for developers */
function fail(reason) {
  console.error(reason);
  end();
  // the site was updated since the page was loaded (see python.js): loaded again, both are of one version
  if (reason.includes("another version")) window.dispatchEvent(new Event("pasch-not-loaded"));
  tell({ stage: "failed", done: 0, total: 1 });
}

/** End the worker; callers that wait for it ask again. */
function end() {
  worker?.terminate();
  worker = null;
  for (const resolve of asked.values()) resolve(new Response(null, { status: 503 }));
  asked.clear();
  for (const socket of [...sockets.values()]) socket.end();
}

/** @param {FromPage} message */
function send(message) {
  startEngine();
  if (worker) worker.postMessage(message);
  else early?.push(message);
}

/** @param {ToPage} message */
function take(message) {
  if (message.did === "answer") {
    losses = 0;
    const { status, headers, body } = message;
    asked.get(message.id)?.(new Response(status === 304 ? null : /** @type {BodyInit} */ (body), { status, headers }));
    asked.delete(message.id);
  } else if (message.did === "opened") sockets.get(message.id)?.begin();
  else if (message.did === "text") sockets.get(message.id)?.onmessage?.(new MessageEvent("message", { data: message.text }));
  else if (message.did === "closed") sockets.get(message.id)?.end();
  else if (message.did === "progress") tell(/** @type {Progress} */ (message));
  else if (message.did === "failed") fail(message.reason);
  else if (++losses > MAX_LOSSES) fail("other tabs take the tables over");
  else {
    // another tab has become the authority; a new worker asks it
    end();
    startEngine();
  }
}

/**
 * As `fetch`, for the paths that the authority over the tables answers.
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<Response>}
 */
export function request(path, init) {
  const id = String(++count);
  return new Promise((resolve) => {
    asked.set(id, resolve);
    send({ do: "request", id, method: init?.method ?? "GET", path, body: init?.body instanceof Uint8Array ? init.body : String(init?.body ?? "") });
  });
}

/** A connection to a table in the worker, with the parts of a WebSocket that are used. */
export class LocalSocket {
  /** as WebSocket.CONNECTING, OPEN and CLOSED @type {0 | 1 | 3} */
  readyState = 0;
  /** @type {(() => void) | null} */
  onopen = null;
  /** @type {((event: MessageEvent) => void) | null} */
  onmessage = null;
  /** @type {(() => void) | null} */
  onclose = null;

  /** @param {string} table */
  constructor(table) {
    this.id = String(++count);
    sockets.set(this.id, this);
    send({ do: "open", id: this.id, table });
  }

  /** The connection is open. */
  begin() {
    this.readyState = 1;
    this.onopen?.();
  }

  /** The connection has ended. */
  end() {
    if (!sockets.delete(this.id)) return;
    this.readyState = 3;
    this.onclose?.();
  }

  /** @param {string} text */
  send(text) {
    send({ do: "text", id: this.id, text });
  }

  close() {
    if (sockets.has(this.id)) send({ do: "close", id: this.id });
    this.end();
  }
}
