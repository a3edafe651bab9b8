// @ts-check
/**
 * The service worker of a server's pages, served as `/sw.js`. It changes nothing while there is a network. Without one
 * it shows the site below `/app/`, if that is on this device, and otherwise says why there is nothing to see.
 */

(() => {
  /** The types of service workers are not among those of pages. @type {any} */
  const worker = self;
  /** @type {string} */
  const scope = worker.registration.scope;
  const CACHE = `pasch offline ${scope}`;
  const PAGE = new URL("static/offline.html", scope).href;
  /** the page and its looks */
  const KEPT = [PAGE, ...["tokens", "base"].map((name) => new URL(`static/css/${name}.css`, scope).href)];
  const APP = new URL("app/", scope).href;

  worker.addEventListener("install", (/** @type {any} */ event) => {
    event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT.map((address) => new Request(address, { cache: "no-cache" })))));
    worker.skipWaiting();
  });

  /** What is shown instead of a page that cannot be reached. @param {string} path */
  async function instead(path) {
    // this is how the site's own service worker calls its versions
    if ((await caches.keys()).some((name) => name.startsWith(`pasch ${APP} `))) return Response.redirect(`${APP}#${path}`);
    return (await caches.match(PAGE)) ?? Response.error();
  }

  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const { request } = event;
    if (request.method !== "GET") return;
    if (KEPT.includes(request.url)) event.respondWith(fetch(request).catch(() => caches.match(request.url)));
    if (request.mode !== "navigate") return;
    event.respondWith(fetch(request).catch(() => instead(new URL(request.url).pathname)));
  });
})();
