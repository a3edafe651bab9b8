// @ts-check
/**
 * Starts Python in a worker from the files in `engine/`, each of which has to be what `engine.json` says.
 *
 * @typedef {{sha256: string, size: number}} FileInfo a file's hash, in Base64, and how many bytes it has
 * @typedef {{files: Record<string, FileInfo>, values: Record<string, FileInfo>}} Manifest
 * @typedef {(stage: "loading" | "starting" | "ready", done: number, total: number) => void} Report how far the start is, in bytes
 * @typedef {any} Pyodide
 */

/** the folder in which the page lies */
export const ROOT = new URL("../../", import.meta.url);
const ENGINE = new URL("engine/", ROOT);
/** where our own Python lies in the worker's file system, and where tables of values are looked for */
const PACKAGE = "pasch.zip";
const HOME = "/pasch";
const VALUES = "/values";

/** A file's hash, as `fetch` takes it. @param {FileInfo} info */
const integrity = ({ sha256 }) => `sha256-${sha256}`;

/**
 * What the engine is made of.
 * @param {string} expected the hash of this list, as the page says it; empty: any
 * @returns {Promise<Manifest>}
 */
async function manifest(expected) {
  const address = new URL("engine.json", ENGINE);
  const answer = await fetch(address, expected ? { integrity: expected } : {}).catch(() => null);
  if (answer?.ok) return answer.json();
  const other = await fetch(address, { cache: "no-store" }).catch(() => null);
  throw new Error(other?.ok ? "the page is of another version than the site" : "engine.json cannot be loaded");
}

/**
 * Python with our package, ready to import from; throws if a file is missing or is not the right one.
 * @param {string} expected the hash of `engine.json`
 * @param {Report} report
 * @returns {Promise<{python: Pyodide, values: Manifest["values"]}>}
 */
export async function startPython(expected, report) {
  const { files, values } = await manifest(expected);
  const total = Object.values(files).reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const plain = self.fetch.bind(self);
  /** A file of the engine, checked by the browser. @param {string} name */
  const load = async (name) => {
    const info = files[name];
    if (!info) throw new Error(`${name} is not in engine.json`);
    const answer = await plain(new URL(name, ENGINE), { integrity: integrity(info) }).catch(() => null);
    if (!answer?.ok) throw new Error(`${name} cannot be loaded, or is not the right one`);
    // it is all there, since its hash was checked; the answer itself is passed on, because browsers keep compiled code only with it
    done += info.size;
    report("loading", done, total);
    return answer;
  };
  // whatever Pyodide asks for by itself is checked in the same way
  self.fetch = (asked, init) => {
    const address = new URL(asked instanceof Request ? asked.url : String(asked), ENGINE);
    return address.href.startsWith(ENGINE.href) ? load(address.href.slice(ENGINE.href.length)) : plain(asked, init);
  };
  report("loading", 0, total);
  const ours = Object.keys(files).filter((name) => name.endsWith(".whl") || name === PACKAGE);
  const archives = ours.map(async (name) => ({ name, bytes: await (await load(name)).arrayBuffer() }));
  // modules are checked before they are imported, because an import cannot say what it expects
  await Promise.all(Object.keys(files).filter((name) => name.endsWith(".mjs")).map(async (name) => (await load(name)).arrayBuffer()));
  const { loadPyodide } = await import(new URL("pyodide.mjs", ENGINE).href);
  const python = await loadPyodide({ indexURL: ENGINE.href, env: { HOME, PASCH_CACHE: VALUES, PYTHONDONTWRITEBYTECODE: "1" } });
  report("starting", total, total);
  for (const { name, bytes } of await Promise.all(archives)) {
    if (name === PACKAGE) python.unpackArchive(bytes, "zip", { extractDir: HOME });
    else python.unpackArchive(bytes, "wheel");
  }
  python.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(HOME)})`);
  return { python, values };
}

/**
 * A table of values, by its file's name; undefined if it cannot be had. The request is synchronous, because the caller needs
 * the values is in the middle of a calculation.
 * @param {string} name
 */
export function loadValues(name) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(`values/${name}`, ROOT), false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch {
    return undefined;
  }
  return request.status === 200 ? new Uint8Array(request.response) : undefined;
}
