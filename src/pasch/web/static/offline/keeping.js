// @ts-check
/** The games of this device, on a site without a server: whether the browser keeps them, and how to take them elsewhere. */
import { Refusal, deleteGames, loadGames, saveGames } from "../app/api.js";
import { adoptTables, forgotten, rememberDeleted, tables } from "../app/device.js";
import { h } from "../app/dom.js";
import { go, toast } from "../app/frame.js";
import { t, tn } from "../app/i18n.js";

/** Ask the browser to keep the games even when room is short; whether it does. */
export async function askToKeep() {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist());
  } catch {
    return false; // without https there is no such promise
  }
}

/** Say plainly that the browser may delete the games. */
export function mayBeDeleted() {
  return h("p", { class: "small", role: "note", "data-key": "may-be-deleted" }, t("This browser may delete your games when it needs room. Save them to a file now and then: you find that in the settings."));
}

/** Delete the games that were removed from the list: they are nowhere else, and would be in every file. */
export async function deleteForgotten() {
  const ids = forgotten();
  // what cannot be deleted now is tried again when the page is opened next
  if (ids.length) rememberDeleted(await deleteGames(ids).catch(() => []));
}

/** Save all games to a file that the browser downloads. */
async function save() {
  const file = await saveGames(JSON.stringify(tables()));
  const link = h("a", { href: URL.createObjectURL(file), download: "pasch-games.sqlite" });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Take over the games of a file. @param {Blob} file */
async function read(file) {
  const { new: added, known, note } = await loadGames(new Uint8Array(await file.arrayBuffer()));
  adoptTables(note ? JSON.parse(note) : []);
  const here = known ? ` ${tn("{n} was here already.", "{n} were here already.", known)}` : "";
  toast(tn("{n} game added.", "{n} games added.", added) + here);
}

/**
 * A part of the settings.
 * @param {() => void} close
 */
export function keeping(close) {
  const state = h("p", { class: "muted small" });
  askToKeep().then((kept) => {
    state.textContent = kept ? t("This browser keeps your games.") : t("This browser may delete your games when it needs room.");
  });
  const trying = (/** @type {() => Promise<void>} */ work) => async () => {
    try {
      await work();
    } catch (error) {
      toast(error instanceof Refusal ? error.message : t("Something went wrong."));
    }
  };
  const chosen = h("input", { type: "file", class: "unseen", id: "games-file", tabindex: "-1", "aria-label": t("A file with games") });
  chosen.onchange = trying(async () => {
    const [file] = chosen.files ?? [];
    if (!file) return;
    await read(file);
    close();
    go("/");
  });
  return h(
    "fieldset",
    { class: "stack" },
    h("legend", null, t("Your games")),
    h("p", { class: "small" }, t("Your games are on this device only, in this browser.")),
    state,
    h(
      "div",
      { class: "row" },
      h("button", { class: "button", type: "button", "data-key": "save-games", onclick: trying(save) }, t("Save all to a file")),
      h("button", { class: "button", type: "button", "data-key": "load-games", onclick: () => chosen.click() }, t("Add games from a file")),
      chosen,
    ),
  );
}
