// @ts-check
/** Short synthesised sounds; silent unless switched on in the settings. */
import { settings } from "./device.js";

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
  end: () => [523, 659, 784].forEach((pitch, place) => click(pitch, place * 0.13, 0.22)),
};

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (settings().sound) SOUNDS[name]();
}
