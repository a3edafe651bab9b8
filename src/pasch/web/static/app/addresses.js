// @ts-check
/**
 * Addresses, in one place. A server has pages below its root (`/t/ID`); a site, which is only files and may lie anywhere,
 * has one page and writes the rest behind the # (`#/t/ID`). A table is at home on a server, or on this device.
 */
import { DEVICE, table } from "./device.js";

export { DEVICE };

/** what a site says of its server if that serves the site as well */
const SELF = "self";

/** where `static/` lies: on a server below the version of its files, on a site at its root */
const FILES_ROOT = new URL("../../", import.meta.url);
/** the root of the server or of the site */
const ROOT = new URL(FILES_ROOT.href.replace(/\/v\/\w+\/$/, "/"));

/** what the page says of itself */
const said = () => document.documentElement.dataset;

/** Whether new tables are played on this device, in a worker, unless they are with friends. */
export function engineHere() {
  return said().engine === "worker";
}

/** Whether the part behind the # selects the page: nobody answers for other addresses than those of files. */
function behindHash() {
  return said().routes === "hash";
}

/** The whole address of a file of the server or site. @param {string} path such as "static/icon.svg" */
export function asset(path) {
  return new URL(path, path.startsWith("static/") ? FILES_ROOT : ROOT).href;
}

/** The page that the address names, such as "/t/ID". */
export function currentPath() {
  if (!behindHash()) return location.pathname.replace(/(.)\/$/, "$1");
  return /^#(\/[^?]*)/.exec(location.hash)?.[1]?.replace(/(.)\/$/, "$1") ?? "/";
}

/** What the address says behind the page's name and a question mark. */
export function currentQuery() {
  return new URLSearchParams(behindHash() ? /\?(.*)$/.exec(location.hash)?.[1] : location.search);
}

/** What to write into the address line, and into links, for a page. @param {string} path */
export function pageAddress(path) {
  return behindHash() ? `#${path}` : path;
}

/** What a link to a section of this page needs. Where the address already uses the hash for pages, it scrolls there instead. @param {string} id */
export function sectionLink(id) {
  if (!behindHash()) return { href: `#${id}` };
  const onClick = (/** @type {Event} */ event) => {
    event.preventDefault();
    document.getElementById(id)?.scrollIntoView();
  };
  return { href: pageAddress(currentPath()), onClick };
}

/** The home of new tables. */
export function usualHome() {
  return engineHere() ? DEVICE : location.origin;
}

/** The server for tables with friends by a link; empty if there is none. */
export function friendsHome() {
  const { server = behindHash() ? "" : SELF } = said();
  return server === SELF ? location.origin : server;
}

/** Where a table is: DEVICE, or the origin of a server. @param {string} id */
export function homeOf(id) {
  return table(id)?.home ?? (friendsHome() === location.origin ? location.origin : DEVICE);
}

/** The page to go to instead, if the one that the address names is elsewhere: a server's site has the tables of this device. */
export function elsewhere() {
  const [, id] = /^\/(?:t|report)\/([\w-]+)$/.exec(currentPath()) ?? [];
  return id && !behindHash() && homeOf(id) === DEVICE ? `${asset("app/")}#${currentPath()}` : null;
}

/** The answers that lie on a site as files: they are the same for everybody. @type {[RegExp, string][]} */
const FILES = [
  [/^\/api\/games\?language=(\w+)$/, "data/games/$1.json"],
  [/^\/api\/rules\/(\w+)\?language=(\w+)$/, "data/rules/$1.$2.json"],
  [/^\/api\/lessons\/(\w+)\?language=(\w+)$/, "data/lessons/$1.$2.json"],
  [/^\/api\/components\/(\w+)$/, "data/components/$1.json"],
  [/^\/(static\/.+)$/, "$1"],
];

/**
 * The file with the answer to a question, on a site; null if there is none, or if a server answers.
 * @param {string} path
 */
export function answerFile(path) {
  if (!engineHere()) return null;
  const found = FILES.find(([pattern]) => pattern.test(path));
  return found ? asset(path.replace(...found)) : null;
}

/**
 * Where the texts are in the best of the languages wanted.
 * @param {readonly string[]} wanted the best first
 * @param {boolean} first only those of the first page
 */
export function catalogueAddress(wanted, first) {
  if (!engineHere()) return `/i18n/${encodeURIComponent(wanted.join(","))}.json${first ? "?first" : ""}`;
  const there = (said().languages ?? "en").split(" ");
  const tags = wanted.map((tag) => tag.trim().toLowerCase().split("-")[0] ?? "");
  return asset(`data/i18n/${tags.find((tag) => there.includes(tag)) ?? "en"}${first ? ".first" : ""}.json`);
}
