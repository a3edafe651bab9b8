// @ts-check
/** Short synthesised sounds, from the first touch on; a switch beside the menu silences them. */
import { setSettings, settings } from "./device.js";
import { h } from "./dom.js";
import { icon } from "./frame.js";
import { t } from "./i18n.js";

/** @type {AudioContext | null} */
let audio = null;

/**
 * @param {number} pitch in hertz
 * @param {number} after in seconds
 * @param {number} length in seconds
 */
function click(pitch, after, length) {
  audio ??= new AudioContext();
  const start = audio.currentTime + after;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, start);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, start + length);
  volume.gain.setValueAtTime(0.12, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + length);
}

const SOUNDS = {
  touch: () => click(620, 0, 0.05),
  no: () => click(180, 0, 0.12),
  roll: () => [0, 0.06, 0.11, 0.19, 0.24].forEach((after, place) => click(300 + 90 * place, after, 0.05)),
  place: () => click(440, 0, 0.09),
  turn: () => [523, 659].forEach((pitch, place) => click(pitch, place * 0.1, 0.14)),
  lost: () => [330, 247].forEach((pitch, place) => click(pitch, 0.5 + place * 0.16, 0.2)),
  over: () => [523, 440].forEach((pitch, place) => click(pitch, place * 0.16, 0.24)),
  end: () => [[523, 0], [659, 0.12], [784, 0.24], [1047, 0.36], [784, 0.54], [1047, 0.66]].forEach(([pitch = 0, after = 0]) => click(pitch, after, 0.26)),
};

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  // browsers forbid sounds before somebody has touched the page
  if (settings().sound && navigator.userActivation?.hasBeenActive !== false) SOUNDS[name]();
}

/** The switch for sounds. */
export function soundButton() {
  const button = h("button", { class: "button plain icon", type: "button", "data-key": "sound", onclick: flip });
  function flip() {
    setSettings({ sound: !settings().sound });
    draw();
    play("turn");
  }
  function draw() {
    const { sound } = settings();
    button.setAttribute("aria-pressed", String(sound));
    button.setAttribute("aria-label", t("Sounds"));
    button.replaceChildren(icon(sound ? "sound" : "silent"));
  }
  draw();
  return button;
}
