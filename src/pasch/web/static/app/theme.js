// @ts-check
/** Light, dark, or as the system says: kept on this device, and chosen in the header or in the settings. */
import { setSettings, settings } from "./device.js";
import { icon } from "./frame.js";
import { t } from "./i18n.js";
import { h } from "../vendor/preact.js";

/** @typedef {import("./device.js").Settings["theme"]} Theme */

/** @type {Theme[]} */
export const THEMES = ["system", "light", "dark"];

/** @param {Theme} theme */
export function themeName(theme) {
  switch (theme) {
    case "light": return t("Light");
    case "dark": return t("Dark");
    default: return t("As the system");
  }
}

/** Draw everything in the theme that is set; `boot.js` has done the same before the first drawing. */
export function applyTheme() {
  const { theme } = settings();
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  // what browsers paint around the page
  for (const meta of /** @type {NodeListOf<HTMLMetaElement>} */ (document.querySelectorAll("meta[name=theme-color]"))) {
    const own = (meta.dataset.theme ??= meta.media.includes("dark") ? "dark" : "light");
    meta.media = theme === "system" ? `(prefers-color-scheme: ${own})` : theme === own ? "all" : "not all";
  }
}

/** @param {Theme} theme */
export function setTheme(theme) {
  setSettings({ theme });
  applyTheme();
}

/** A button that goes from one theme to the next. @param {() => void} changed */
export function themeButton(changed) {
  const { theme } = settings();
  const next = () => {
    setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system");
    changed();
  };
  const label = t("Colours: {theme}", { theme: themeName(theme) });
  return h("button", { class: "tool theme", type: "button", "aria-label": label, title: label, "data-key": "theme", onClick: next }, icon(theme));
}
