// @ts-check
/** Language, colours, size of text, pace, sound and motion, kept on this device; the network's switch; one's games. */
import { engineHere } from "../app/addresses.js";
import { setSettings, settings } from "../app/device.js";
import { dialog } from "../app/frame.js";
import { currentLanguage, languageNames, t } from "../app/i18n.js";
import { notifySwitch } from "../app/notify.js";
import { playSound } from "../app/sound.js";
import { THEMES, setTheme, themeName } from "../app/theme.js";
import { createKeeping } from "../offline/keeping.js";
import { h } from "../vendor/preact.js";
import { lanSwitch } from "./lan.js";
import { pills } from "./option.js";

/** @typedef {ReturnType<typeof settings>} Settings */

/** @param {string} pace */
function paceName(pace) {
  switch (pace) {
    case "calm": return t("Calm");
    case "quick": return t("Fast");
    default: return t("Normal");
  }
}

/** @param {() => unknown} redrawAll draws everything anew, in another language */
export function openSettings(redrawAll) {
  const keeping = engineHere() ? createKeeping() : null;
  dialog(t("Settings"), (close, redraw) => {
    const now = settings();
    const set = (/** @type {Partial<Settings>} */ changed) => {
      setSettings(changed);
      const { still, large } = settings();
      document.documentElement.classList.toggle("still", still);
      document.documentElement.classList.toggle("large", large);
      redraw();
    };
    const toggle = (/** @type {"sound" | "reactions" | "still" | "large" | "wait"} */ name, /** @type {string} */ text, note = "") =>
      h("label", { class: "switch", key: name }, h("input", { type: "checkbox", checked: now[name], "data-key": name, onChange: (/** @type {Event} */ event) => { set({ [name]: /** @type {HTMLInputElement} */ (event.target).checked }); if (name === "sound") playSound("turn"); } }), h("span", null, text), note && h("small", { class: "muted" }, note));
    const speak = async (/** @type {string} */ language) => {
      setSettings({ language });
      close();
      await redrawAll();
      openSettings(redrawAll);
    };
    const volume = (/** @type {Event} */ event) => {
      set({ volume: /** @type {HTMLInputElement} */ (event.target).valueAsNumber });
      playSound("turn");
    };
    return h(
      "div",
      { class: "stack settings" },
      pills(t("Language"), "language", languageNames(), currentLanguage(), speak),
      pills(t("Colours"), "theme", THEMES.map((theme) => [theme, themeName(theme)]), now.theme, (theme) => { setTheme(/** @type {Settings["theme"]} */ (theme)); redraw(); }),
      toggle("large", t("Larger text")),
      pills(t("How fast others play"), "pace", ["calm", "normal", "quick"].map((pace) => [pace, paceName(pace)]), now.pace, (pace) => set({ pace: /** @type {Settings["pace"]} */ (pace) })),
      toggle("wait", t("The computer waits for a touch"), t("What it has done stays until you go on.")),
      toggle("sound", t("Sounds and vibration")),
      now.sound && h("label", { class: "field", key: "volume" }, h("span", null, t("Volume")), h("input", { type: "range", min: 0, max: 1, step: 0.1, value: now.volume, onChange: volume })),
      notifySwitch(),
      toggle("reactions", t("Show me what others say")),
      toggle("still", t("No animations"), t("If your device asks for less motion, Pasch follows it anyway.")),
      lanSwitch(redraw),
      keeping?.(close, redraw),
    );
  });
}
