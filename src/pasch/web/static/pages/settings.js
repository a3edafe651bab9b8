// @ts-check
/** Language, colours, pace, sound and motion, kept on this device. */
import { setSettings, settings } from "../app/device.js";
import { h } from "../app/dom.js";
import { dialog } from "../app/frame.js";
import { languageNames, currentLanguage, t } from "../app/i18n.js";
import { keeping } from "../offline/keeping.js";
import { notifySwitch } from "../app/notify.js";
import { engineHere } from "../app/addresses.js";
import { play } from "../app/sound.js";
import { THEMES, setTheme, themeName } from "../app/theme.js";

/** @type {import("../table/pace.js").Pace[]} */
const PACES = ["calm", "normal", "quick"];

/** @param {import("../table/pace.js").Pace} pace */
function paceName(pace) {
  switch (pace) {
    case "calm": return t("Calm");
    case "quick": return t("Fast");
    default: return t("Normal");
  }
}

/**
 * @param {() => Promise<void>} redraw draw everything anew, in another language
 */
export function openSettings(redraw) {
  dialog(t("Settings"), (close) => [
    h(
      "div",
      { class: "stack" },
      h(
        "fieldset",
        { class: "stack" },
        h("legend", null, t("Language")),
        h(
          "div",
          { class: "choice" },
          languageNames().map(([tag, name]) =>
            h(
              "label",
              { lang: tag },
              h("input", {
                type: "radio",
                name: "language",
                value: tag,
                checked: tag === currentLanguage(),
                onchange: async () => {
                  setSettings({ language: tag });
                  close();
                  await redraw();
                  openSettings(redraw);
                },
              }),
              h("span", null, name),
            ),
          ),
        ),
      ),
      h(
        "fieldset",
        { class: "stack" },
        h("legend", null, t("Colours")),
        h(
          "div",
          { class: "choice" },
          THEMES.map((theme) =>
            h(
              "label",
              null,
              h("input", { type: "radio", name: "theme", value: theme, checked: theme === settings().theme, onchange: () => setTheme(theme) }),
              h("span", null, themeName(theme)),
            ),
          ),
        ),
      ),
      h(
        "fieldset",
        { class: "stack" },
        h("legend", null, t("How fast others play")),
        h(
          "div",
          { class: "choice" },
          PACES.map((pace) =>
            h(
              "label",
              null,
              h("input", { type: "radio", name: "pace", value: pace, checked: pace === settings().pace, onchange: () => setSettings({ pace }) }),
              h("span", null, paceName(pace)),
            ),
          ),
        ),
        h("p", { class: "muted small" }, t("A touch goes on at once.")),
      ),
      h(
        "label",
        { class: "switch" },
        h("input", {
          type: "checkbox",
          checked: settings().sound,
          onchange: (/** @type {Event} */ event) => {
            setSettings({ sound: /** @type {HTMLInputElement} */ (event.target).checked });
            play("turn");
          },
        }),
        h("span", null, t("Small sounds")),
      ),
      notifySwitch(),
      h(
        "label",
        { class: "switch" },
        h("input", {
          type: "checkbox",
          checked: settings().reactions,
          onchange: (/** @type {Event} */ event) => setSettings({ reactions: /** @type {HTMLInputElement} */ (event.target).checked }),
        }),
        h("span", null, t("Show me what others say")),
      ),
      h(
        "label",
        { class: "switch" },
        h("input", {
          type: "checkbox",
          checked: settings().still,
          onchange: (/** @type {Event} */ event) => {
            const still = /** @type {HTMLInputElement} */ (event.target).checked;
            setSettings({ still });
            document.documentElement.classList.toggle("still", still);
          },
        }),
        h("span", null, t("No animations")),
        h("span"),
        h("span", { class: "muted small" }, t("If your device asks for less motion, Pasch follows it anyway.")),
      ),
      engineHere() && keeping(close),
    ),
  ]);
}
