// @ts-check
/**
 * The service worker of a site: it keeps all files, so that the page opens at once and without a network.
 *
 * Each version has a cache of its own. An update takes over what has not changed, fetches the rest, checks every hash,
 * and serves nothing before all is there; until then, and if anything fails, the former version stays as it is. It is
 * removed when the new one has taken over.
 *
 * Files are kept under their own addresses, because browsers keep compiled code only with those.
 *
 * `pasch site` writes `self.SITE` before this file.
 * @typedef {[hash: string, bytes: number, type: string]} FileInfo the hash as for `integrity`
 * @typedef {{version: string, files: Record<string, FileInfo>, later: Record<string, FileInfo>}} Site `later`: files
 *   that are kept once they were wanted
 */

(() => {
  /** The types of service workers are not among those of pages. @type {any} */
  const worker = self;
  /** @type {Site} */
  const { version, files, later } = worker.SITE;
  /** @type {string} */
  const scope = worker.registration.scope;
  const CACHES = `pasch ${scope}`;
  const CACHE = `${CACHES} ${version}`;
  /** the files that are fetched at the same time */
  const AT_ONCE = 6;
  /** by which a file that is kept says what it is */
  const HASH = "x-pasch-hash";

  /** Where a file is. @param {string} path */
  const place = (path) => new URL(path, scope).href;

  /** Fetch a file past the browser's own cache; fails unless it is the right one. @param {string} path @param {FileInfo} info */
  async function get(path, [hash, , type]) {
    const answer = await fetch(new Request(place(path), { cache: "no-cache", integrity: hash }));
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    // a new answer: web spaces differ in the types they know, and a redirected answer cannot be a page
    return new Response(await answer.blob(), { headers: { "content-type": type, [HASH]: hash } });
  }

  /** The names of the caches of this site, of all versions. */
  const versions = async () => (await caches.keys()).filter((name) => name.startsWith(`${CACHES} `));

  /** Take over from other versions what is the same in this one; the paths of what is still missing. */
  async function adopt() {
    const own = await caches.open(CACHE);
    const missing = new Map(Object.entries(files));
    // what an attempt that failed has left is as good; then nothing has to be copied
    for (const name of new Set([CACHE, ...(await versions())])) {
      const cache = await caches.open(name);
      for (const [path, info] of [...missing, ...Object.entries(later)]) {
        const found = await cache.match(place(path));
        if (found?.headers.get(HASH) !== info[0]) continue;
        if (name !== CACHE) await own.put(place(path), found);
        missing.delete(path);
      }
    }
    // the largest first, because the others come while these are on their way
    return [...missing].sort(([, [, a]], [, [, b]]) => b - a);
  }

  /** Fetch what is not kept yet, and tell the pages how far it is. */
  async function install() {
    const missing = await adopt();
    const cache = await caches.open(CACHE);
    const total = missing.reduce((sum, [, [, bytes]]) => sum + bytes, 0);
    let done = 0;
    const tell = async () => {
      const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
      for (const page of pages) page.postMessage({ type: "progress", version, done, total });
    };
    const next = async () => {
      for (let one = missing.shift(); one; one = missing.shift()) {
        const [path, info] = one;
        await cache.put(place(path), await get(path, info));
        done += info[1];
        await tell();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
  }

  /** Take over all pages, and remove the other versions. */
  async function activate() {
    for (const name of await versions()) if (name !== CACHE) await caches.delete(name);
    await worker.clients.claim();
  }

  /** @param {string} path @param {FileInfo} info */
  async function answer(path, info) {
    const cache = await caches.open(CACHE);
    const found = await cache.match(place(path));
    if (found) return found;
    const got = await get(path, info);
    // where nothing more can be kept it is fetched again next time
    await cache.put(place(path), got.clone()).catch(() => {});
    return got;
  }

  worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
  worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const { request } = event;
    const [address] = request.url.split(/[?#]/);
    if (request.method !== "GET" || !address.startsWith(scope)) return;
    const path = decodeURIComponent(address.slice(scope.length)) || "index.html";
    const info = files[path] ?? later[path];
    if (info) event.respondWith(answer(path, info));
  });
  worker.addEventListener("message", async (/** @type {any} */ event) => {
    if (event.data?.type !== "take-over") return;
    const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    // nobody asked: only where no other page could be in the middle of something
    if (event.data.asked || pages.length <= 1) worker.skipWaiting();
    else event.source?.postMessage({ type: "not-alone" });
  });
})();
