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
    default: return t("Same as the system");
  }
}

/** Draw everything in the theme, the size and with the motion that are set; `boot.js` has set the theme before the first drawing. */
export function applySettings() {
  const { theme, still, large } = settings();
  const root = document.documentElement;
  root.classList.toggle("still", still);
  root.classList.toggle("large", large);
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  // what browsers paint around the page
  for (const meta of /** @type {NodeListOf<HTMLMetaElement>} */ (document.querySelectorAll("meta[name=theme-color]"))) {
    const own = (meta.dataset.theme ??= meta.media.includes("dark") ? "dark" : "light");
    meta.media = theme === "system" ? `(prefers-color-scheme: ${own})` : theme === own ? "all" : "not all";
  }
}

/** A button that goes from one theme to the next. @param {() => void} changed */
export function themeButton(changed) {
  const { theme } = settings();
  const next = () => {
    setSettings({ theme: THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system" });
    applySettings();
    changed();
  };
  const label = t("Colours: {theme}", { theme: themeName(theme) });
  return h("button", { class: "tool theme", type: "button", "aria-label": label, title: label, "data-key": "theme", onClick: next }, icon(theme));
}
