// @ts-check
/**
 * How the page reaches the authority over its tables: a server, by HTTP and WebSocket, or a worker of this browser, which
 * answers the same. The rest of the client cannot tell the difference.
 *
 * @typedef {object} Socket what a WebSocket and a connection to the worker have in common
 * @property {number} readyState as that of a WebSocket
 * @property {((event?: any) => void) | null} onopen
 * @property {((event: MessageEvent) => void) | null} onmessage
 * @property {((event?: any) => void) | null} onclose
 * @property {(text: string) => void} send
 * @property {() => void} close
 *
 * @typedef {object} Transport
 * @property {(path: string, init?: RequestInit) => Promise<Response>} request as `fetch`
 * @property {(table: string) => Socket} open a connection to a table
 */
import { LocalSocket, request } from "../offline/engine.js";
import { DEVICE } from "../app/addresses.js";

/** @type {Transport} */
const worker = { request, open: (table) => new LocalSocket(table) };

/**
 * @param {string} home where tables are, see `addresses.js`: on this device, or the origin of a server
 * @returns {Transport}
 */
export function transportTo(home) {
  if (home === DEVICE) return worker;
  return {
    request: (path, init) => fetch(new URL(path, home), init),
    open: (table) => new WebSocket(new URL(`/ws/${table}`, home.replace(/^http/, "ws"))),
  };
}
