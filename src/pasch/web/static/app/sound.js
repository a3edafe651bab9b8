// @ts-check
/** Short sounds of dice, chips and cards, made by us; off until they are wanted. On phones the same moments are felt. */
import { setSettings, settings } from "./device.js";
import { icon } from "./frame.js";
import { t } from "./i18n.js";
import { h } from "../vendor/preact.js";

/** @type {AudioContext | null} */
let audio = null;

/**
 * A body that is struck: a burst of noise that rings at some pitches and dies away.
 * @param {AudioContext} context
 * @param {{pitches: number[], length: number, hardness: number}} body pitches in hertz, length in seconds, hardness from 0 to 1
 */
function struck(context, { pitches, length, hardness }) {
  const rate = context.sampleRate;
  const buffer = context.createBuffer(1, Math.ceil(rate * length), rate);
  const data = buffer.getChannelData(0);
  for (let at = 0; at < data.length; at += 1) {
    const time = at / rate;
    const click = (Math.random() * 2 - 1) * Math.exp(-time * (90 + 700 * hardness));
    const ring = pitches.reduce((sum, pitch, n) => sum + Math.sin(2 * Math.PI * pitch * time) * Math.exp(-time * (28 + 22 * n) / length / 8), 0) / pitches.length;
    data[at] = (0.7 * hardness * click + (1 - hardness / 2) * ring * Math.exp(-time * 5 / length)) * Math.min(1, at / 24);
  }
  return buffer;
}

const BODIES = {
  die: { pitches: [1830, 2710, 3960], length: 0.07, hardness: 0.9 },
  felt: { pitches: [240, 410], length: 0.09, hardness: 0.5 },
  chip: { pitches: [2900, 4300, 6100], length: 0.11, hardness: 0.6 },
  wood: { pitches: [520, 880], length: 0.12, hardness: 0.6 },
  card: { pitches: [700], length: 0.05, hardness: 1 },
  bell: { pitches: [1047, 1568, 2093], length: 0.5, hardness: 0.05 },
  low: { pitches: [262, 330], length: 0.3, hardness: 0.1 },
};

/** what is struck when, in seconds, and how loudly @type {Record<string, [body: keyof typeof BODIES, after: number, loud: number][]>} */
const SOUNDS = {
  touch: [["card", 0, 0.35]],
  no: [["felt", 0, 0.6]],
  // six hops in any roll: nothing can be heard of what the dice show
  roll: [["die", 0.05, 0.7], ["felt", 0.4, 0.4], ["die", 0.42, 0.8], ["die", 0.5, 0.5], ["felt", 0.62, 0.5], ["die", 0.66, 0.5]],
  place: [["chip", 0, 0.6], ["wood", 0.012, 0.3]],
  turn: [["bell", 0, 0.3]],
  lost: [["low", 0.1, 0.5], ["low", 0.3, 0.3]],
  over: [["low", 0, 0.4]],
  end: [["bell", 0, 0.4], ["bell", 0.18, 0.3], ["bell", 0.36, 0.5]],
};

/** what is felt, in milliseconds @type {Record<string, number[]>} */
const FELT = { roll: [20, 60, 20], no: [35], turn: [30], end: [40, 60, 40] };

/** @type {Map<string, AudioBuffer>} */
const samples = new Map();

/** @param {keyof typeof SOUNDS} name */
export function playSound(name) {
  const { sound, volume } = settings();
  // browsers forbid sounds before somebody has touched the page
  if (!sound || navigator.userActivation?.hasBeenActive === false) return;
  if (FELT[name]) navigator.vibrate?.(FELT[name]);
  const context = (audio ??= new AudioContext());
  for (const [body, after, loud] of SOUNDS[name] ?? []) {
    const sample = samples.get(body) ?? struck(context, BODIES[body]);
    samples.set(body, sample);
    const source = context.createBufferSource();
    const gain = context.createGain();
    gain.gain.value = loud * volume * 0.5;
    source.buffer = sample;
    source.playbackRate.value = 0.94 + Math.random() * 0.12;
    source.connect(gain).connect(context.destination);
    source.start(context.currentTime + after);
  }
}

/** The switch for sounds. @param {() => void} changed */
export function soundButton(changed) {
  const { sound } = settings();
  const flip = () => {
    setSettings({ sound: !sound });
    playSound("turn");
    changed();
  };
  return h("button", { class: "tool", type: "button", "data-key": "sound", "aria-pressed": String(sound), "aria-label": t("Sounds"), onClick: flip }, icon(sound ? "sound" : "silent"));
}
