// @ts-check
/** Requests that are repeated, after growing delays, while the server is busy. */
import { t } from "./i18n.js";

/** what a busy server, or the proxy before it, answers */
const BUSY = new Set([429, 502, 503, 504]);
/** the delays before each further try, in milliseconds */
export const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 16_000];
const MAX_DELAY_MS = 30_000;

/** requests that wait for their next try */
let waiting = 0;

/** Show a notice while any request is repeated. @param {boolean} begins */
function notice(begins) {
  waiting += begins ? 1 : -1;
  document.querySelector(".busy")?.remove();
  if (waiting) {
    const note = Object.assign(document.createElement("p"), { className: "busy banner", textContent: t("The server is busy. Pasch keeps trying …") });
    note.setAttribute("role", "status");
    document.body.append(note);
  };
}

/**
 * The delay before the next try, in milliseconds: as the server says, but spread, so that clients do not come at once.
 * @param {number} planned
 * @param {string | null | undefined} after the header Retry-After
 * @param {number} random between 0 and 1
 */
export function delay(planned, after, random) {
  const wished = Number(after) * 1000 || 0;
  return Math.min(MAX_DELAY_MS, Math.max(planned, wished)) * (1 + random / 2);
}

/**
 * The server's answer, which may still be a refusal; throws if it cannot be reached at all.
 * @param {string} path
 * @param {{fetch?: (path: string) => Promise<Response>, wait?: (ms: number) => Promise<unknown>,
 *   notice?: (begins: boolean) => void}} [means] replaced in tests
 * @returns {Promise<Response>}
 */
export async function fetchWithRetries(path, means = {}) {
  const ask = means.fetch ?? ((/** @type {string} */ asked) => fetch(asked));
  const wait = means.wait ?? ((/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms)));
  const tell = means.notice ?? notice;
  for (const planned of RETRY_DELAYS_MS) {
    const answer = await ask(path).catch(() => null);
    if (answer && !BUSY.has(answer.status)) return answer;
    tell(true);
    await wait(delay(planned, answer?.headers.get("Retry-After"), Math.random()));
    tell(false);
  }
  return ask(path);
}
