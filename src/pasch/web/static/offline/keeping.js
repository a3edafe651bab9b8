// @ts-check
/** The games of this device, on a site without a server: whether the browser keeps them, and how to take them elsewhere. */
import { deleteGames, loadGames, orToast, saveGames } from "../app/api.js";
import { adoptTables, forgotten, rememberDeleted, tables } from "../app/device.js";
import { go, redrawDialogs, toast } from "../app/frame.js";
import { t, tn } from "../app/i18n.js";
import { saveBlob } from "../app/share.js";
import { h } from "../vendor/preact.js";

/** Ask the browser to keep the games even when storage is short; return whether it does. */
export async function askToKeep() {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist());
  } catch {
    return false; // without https there is no such promise
  }
}

/** Delete the games that were removed from the list: they are nowhere else, and would be in every file. */
export async function deleteForgotten() {
  const ids = forgotten();
  // what cannot be deleted now is tried again when the page is opened next
  if (ids.length) rememberDeleted(await deleteGames(ids).catch(() => []));
}

/** Save all games to a file that the browser downloads. */
async function save() {
  saveBlob("pasch-games.sqlite", await saveGames(JSON.stringify(tables())));
}

/** Add the games of a file. @param {Blob} file */
async function load(file) {
  const { new: added, known, note } = await loadGames(new Uint8Array(await file.arrayBuffer()));
  adoptTables(note ? JSON.parse(note) : []);
  const here = known ? ` ${tn("{n} was here already.", "{n} were here already.", known)}` : "";
  toast(tn("{n} game added.", "{n} games added.", added) + here);
}

/** A part of the settings. @returns {(close: () => void) => import("../vendor/preact.js").Child} */
export function createKeeping() {
  /** whether the browser keeps the games; null: not known yet @type {boolean | null} */
  let kept = null;
  askToKeep().then((does) => {
    kept = does;
    redrawDialogs();
  });
  return (close) => {
    const chosen = async (/** @type {Event} */ { target }) => {
      const [file] = /** @type {HTMLInputElement} */ (target).files ?? [];
      if (!file) return;
      await load(file);
      close();
      go("/");
    };
    const choose = () => document.getElementById("games-file")?.click();
    return h(
      "fieldset",
      { class: "stack", key: "keeping" },
      h("legend", null, t("Your games")),
      h("p", { class: "small" }, t("Your games are on this device only, in this browser.")),
      kept !== null && h("p", { class: "muted small" }, kept ? t("This browser keeps your games.") : t("This browser may delete your games when it runs out of space.")),
      h(
        "div",
        { class: "row" },
        h("button", { class: "button", type: "button", "data-key": "save-games", onClick: () => orToast(save) }, t("Save all to a file")),
        h("button", { class: "button", type: "button", "data-key": "load-games", onClick: choose }, t("Add games from a file")),
        h("input", { type: "file", class: "unseen", id: "games-file", tabIndex: -1, "aria-label": t("A file with games"), onChange: (event) => orToast(() => chosen(event)) }),
      ),
    );
  };
}
