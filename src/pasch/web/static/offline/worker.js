// @ts-check
/**
 * The worker in which Pasch's Python runs. Of all tabs of this site one worker is the authority over the tables: the one
 * that has the lock. The others start no Python, and pass what their pages ask on to it. When its tab is closed or does
 * not answer any more, the next one takes over; pages then connect again, as after a server's restart.
 *
 * As "helper" it is the second worker, which does what takes long.
 *
 * @typedef {{do: "request", id: string, method: string, path: string, body: string | Uint8Array}
 *   | {do: "open", id: string, table: string} | {do: "text", id: string, text: string} | {do: "close", id: string}} FromPage
 * @typedef {{did: "answer", id: string, status: number, headers: [string, string][], body: Uint8Array}
 *   | {did: "opened", id: string} | {did: "text", id: string, text: string} | {did: "closed", id: string, code: number}
 *   | {did: "progress", stage: string, done: number, total: number} | {did: "failed", reason: string} | {did: "lost"}} ToPage
 */
import { browserLog } from "./browser_log.js";
import { ROOT, loadValues, startPython } from "./python.js";

/** names that tabs of this site share, and no other site on the same host */
const NAME = `pasch:${ROOT.pathname}`;
/** how long the authority may take to say that it has got a message, in milliseconds */
const ANSWER_TIMEOUT_MS = 15_000;
/** the code with which connections end that can be opened again at once */
const RESTARTED = 1012;

/** what this worker is, and the hash of the list of files that the engine is made of */
const [role, hash = ""] = self.name.split(" ");
/** the name of this worker among all tabs */
const me = crypto.randomUUID();

/** @param {ToPage} message */
const toPage = (message) => self.postMessage(message);

/** @param {string} stage @param {number} done @param {number} total */
const report = (stage, done, total) => toPage({ did: "progress", stage, done, total });

// --- the second worker ----------------------------------------------------------------------------------

/** A worker that answers lines of JSON, started when first needed and again after it was stopped. */
function helperWorker() {
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Promise<void> | null} */
  let started = null;
  /** @type {Map<number, {resolve: (line: string) => void, reject: (error: Error) => void}>} */
  const asked = new Map();
  let count = 0;

  const stop = () => {
    worker?.terminate();
    worker = started = null;
    for (const { reject } of asked.values()) reject(new Error("the helper has ended"));
    asked.clear();
  };

  return {
    start() {
      started ??= new Promise((resolve, reject) => {
        // the next request starts another one
        const fail = (/** @type {string} */ reason) => {
          reject(new Error(reason));
          stop();
        };
        worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: `helper ${hash}` });
        worker.onmessage = ({ data }) => {
          if (data.did === "started") resolve();
          else if (data.did === "failed") fail(data.reason);
          else if (data.did === "answer") {
            asked.get(data.id)?.resolve(data.line);
            asked.delete(data.id);
          }
        };
        worker.onerror = (event) => fail(event.message);
      });
      return started;
    },
    /** @param {string} line */
    ask(line) {
      return new Promise((/** @type {(line: string) => void} */ resolve, reject) => {
        const id = ++count;
        asked.set(id, { resolve, reject });
        worker?.postMessage({ id, line });
      });
    },
    stop,
  };
}

/** Be the second worker. */
async function help() {
  /** @type {{id: number, line: string}[]} */
  const early = [];
  self.onmessage = ({ data }) => early.push(data);
  const { python, values } = await startPython(hash, () => {});
  const hashes = JSON.stringify(Object.fromEntries(Object.entries(values).map(([name, { sha256 }]) => [name, sha256])));
  const answer = python.pyimport("pasch.web.worker_helper").start(loadValues, hashes);
  const reply = (/** @type {{id: number, line: string}} */ { id, line }) => self.postMessage({ did: "answer", id, line: answer(line) });
  self.onmessage = ({ data }) => reply(data);
  self.postMessage({ did: "started" });
  early.forEach(reply);
}

// --- the authority --------------------------------------------------------------------------------------

/**
 * Start Python with the tables of this browser; the answer handles messages of pages, of this one and of others.
 * @returns {Promise<(from: string, message: FromPage, reply: (message: ToPage) => void) => void>}
 */
async function startAuthority() {
  const { python } = await startPython(hash, report);
  const convert = python.pyimport("pyodide.ffi").to_js;
  const module = python.pyimport("pasch.web.worker");
  const local = await module.start(browserLog(NAME), helperWorker(), convert);
  report("ready", 1, 1);
  const encoder = new TextEncoder();
  return async (from, message, reply) => {
    const { id } = message;
    const name = `${from} ${id}`;
    if (message.do === "request") {
      const asked = typeof message.body === "string" ? encoder.encode(message.body) : message.body;
      const [status, headers, body] = await local.ask(message.method, message.path, asked);
      reply({ did: "answer", id, status, headers, body });
    } else if (message.do === "open") {
      const post = (/** @type {string | undefined} */ text) => reply(text === undefined ? { did: "closed", id, code: RESTARTED } : { did: "text", id, text });
      const code = await local.open(name, message.table, post);
      reply(code ? { did: "closed", id, code } : { did: "opened", id });
    } else if (message.do === "text") {
      local.text(name, message.text);
    } else {
      local.disconnect(name);
    }
  };
}

/** Be the worker of a page: the authority, or one that passes on what the page asks. */
async function serve() {
  const channel = new BroadcastChannel(NAME);
  /** what the page has asked for and not got yet, and what it is connected to */
  const asked = new Set();
  const open = new Set();
  /** messages that wait until it is known who answers them, or until Python is there @type {[string, FromPage][]} */
  let early = [];
  /** @type {Awaited<ReturnType<typeof startAuthority>> | null} */
  let authority = null;
  let follows = false;
  let numbers = 0;
  /** messages that the authority has not got yet @type {Map<number, number>} */
  const unanswered = new Map();
  /** other tabs that have asked for something @type {Map<string, Set<string>>} */
  const others = new Map();

  const take = (/** @type {ToPage} */ message) => {
    if (message.did === "answer") asked.delete(message.id);
    if (message.did === "closed") open.delete(message.id);
    toPage(message);
  };
  const replyTo = (/** @type {string} */ to) => (to === me ? take : (/** @type {ToPage} */ message) => channel.postMessage({ to, message }));

  const handle = (/** @type {string} */ from, /** @type {FromPage} */ message) => {
    if (authority) authority(from, message, replyTo(from));
    else early.push([from, message]);
  };

  const passOn = (/** @type {FromPage} */ message) => {
    const number = ++numbers;
    unanswered.set(number, self.setTimeout(steal, ANSWER_TIMEOUT_MS));
    channel.postMessage({ to: "authority", from: me, number, message });
  };

  /** Note what another tab has open, and let go of it when that tab is closed. */
  const notice = (/** @type {string} */ from, /** @type {FromPage} */ message) => {
    let theirs = others.get(from);
    if (!theirs) {
      theirs = new Set();
      others.set(from, theirs);
      navigator.locks.request(`${NAME} ${from}`, () => {
        for (const id of others.get(from) ?? []) handle(from, { do: "close", id });
        others.delete(from);
      });
    }
    if (message.do === "open") theirs.add(message.id);
    if (message.do === "close") theirs.delete(message.id);
  };

  self.onmessage = ({ data }) => {
    const message = /** @type {FromPage} */ (data);
    if (message.do === "request") asked.add(message.id);
    if (message.do === "open") open.add(message.id);
    if (message.do === "close") open.delete(message.id);
    if (follows) passOn(message);
    else handle(me, message);
  };

  channel.onmessage = ({ data }) => {
    if (data.to === "authority" && leads) {
      channel.postMessage({ to: data.from, received: data.number });
      notice(data.from, data.message);
      handle(data.from, data.message);
    } else if (data.to === me && data.received) {
      clearTimeout(unanswered.get(data.received));
      unanswered.delete(data.received);
    } else if (data.to === me) {
      take(data.message);
    } else if (data.to === "everybody" && follows) {
      restart();
    }
  };

  /** There is a new authority: what was asked of the former one is asked again by the page. */
  const restart = () => {
    for (const timer of unanswered.values()) clearTimeout(timer);
    unanswered.clear();
    for (const id of asked) toPage({ did: "answer", id, status: 503, headers: [], body: new Uint8Array() });
    for (const id of open) toPage({ did: "closed", id, code: RESTARTED });
    asked.clear();
    open.clear();
  };

  let leads = false;
  const lead = async () => {
    leads = true;
    if (follows) {
      follows = false;
      restart();
    }
    channel.postMessage({ to: "everybody" });
    try {
      authority = await startAuthority();
    } catch (error) {
      toPage({ did: "failed", reason: String(error) });
      throw error;
    }
    for (const [from, message] of early) handle(from, message);
    early = [];
    await new Promise(() => {}); // for as long as the worker lives
  };

  /** Become the authority as soon as it is possible. @param {LockOptions} [how] */
  const wait = (how = {}) =>
    navigator.locks.request(NAME, how, lead).catch(() => {
      if (leads) toPage({ did: "lost" });
    });

  /** Take over from an authority that does not answer. */
  const steal = () => {
    if (follows) wait({ steal: true });
  };

  // held for as long as this worker lives, by which the authority sees that it does
  await new Promise((/** @type {(held: void) => void} */ held) => {
    navigator.locks.request(`${NAME} ${me}`, () => {
      held();
      return new Promise(() => {});
    });
  });
  await navigator.locks.request(NAME, { ifAvailable: true }, (lock) => {
    if (lock) return lead();
    follows = true;
    report("ready", 1, 1);
    wait();
    for (const [, message] of early) passOn(message);
    early = [];
    return undefined;
  }).catch(() => toPage({ did: "lost" }));
}

if (role === "helper") help().catch((error) => self.postMessage({ did: "failed", reason: String(error) }));
else serve();
