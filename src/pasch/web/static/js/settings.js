// @ts-check
/** Language, sound and motion, kept on this device. */
import { setSettings, settings } from "./device.js";
import { h } from "./dom.js";
import { dialog } from "./frame.js";
import { languageNames, currentLanguage, t } from "./i18n.js";
import { play } from "./sound.js";

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
    ),
  ]);
}
