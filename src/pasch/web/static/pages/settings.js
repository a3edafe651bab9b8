// @ts-check
/** Language, colours, size of text, pace, sound and motion, kept on this device; the network's switch; one's games. */
import { engineHere } from "../app/addresses.js";
import { setSettings, settings } from "../app/device.js";
import { dialog, switchField } from "../app/frame.js";
import { currentLanguage, languageNames, t } from "../app/i18n.js";
import { notifySwitch } from "../app/notify.js";
import { playSound } from "../app/sound.js";
import { THEMES, applySettings, themeName } from "../app/theme.js";
import { createKeeping } from "../offline/keeping.js";
import { h } from "../vendor/preact.js";
import { lanSwitch } from "./lan.js";
import { pills } from "./option.js";

/** @typedef {ReturnType<typeof settings>} Settings */

/** @param {() => unknown} redrawAll draws everything anew, in another language */
export function openSettings(redrawAll) {
  const keeping = engineHere() ? createKeeping() : null;
  dialog(t("Settings"), (close, redraw) => {
    const now = settings();
    const set = (/** @type {Partial<Settings>} */ changed) => {
      setSettings(changed);
      if (changed.sound || changed.volume) playSound("turn");
      applySettings();
      redraw();
    };
    const toggle = (/** @type {"sound" | "reactions" | "still" | "large" | "wait"} */ name, /** @type {string} */ text, note = "") =>
      switchField(name, text, now[name], (checked) => set({ [name]: checked }), note && h("small", { class: "muted" }, note));
    const speak = async (/** @type {string} */ language) => {
      setSettings({ language });
      close();
      await redrawAll();
      openSettings(redrawAll);
    };
    return h(
      "div",
      { class: "stack settings" },
      pills(t("Language"), "language", languageNames(), currentLanguage(), speak),
      pills(t("Colours"), "theme", THEMES.map((theme) => [theme, themeName(theme)]), now.theme, (theme) => set({ theme: /** @type {Settings["theme"]} */ (theme) })),
      toggle("large", t("Larger text")),
      pills(t("How fast others play"), "pace", [["calm", t("Calm")], ["normal", t("Normal")], ["quick", t("Fast")]], now.pace, (pace) => set({ pace: /** @type {Settings["pace"]} */ (pace) })),
      toggle("wait", t("The computer waits for a touch"), t("What it has done stays until you continue.")),
      toggle("sound", t("Sounds and vibration")),
      now.sound && h("label", { class: "field", key: "volume" }, h("span", null, t("Volume")), h("input", { type: "range", min: 0, max: 1, step: 0.1, value: now.volume, onChange: ({ target }) => set({ volume: target.valueAsNumber }) })),
      notifySwitch(),
      toggle("reactions", t("Show me what others say")),
      toggle("still", t("No animations"), t("If your device asks for less motion, Pasch respects that anyway.")),
      lanSwitch(redraw),
      keeping?.(close),
    );
  });
}
