// @ts-check
/** Short sounds of dice, chips and cards, made by us; off until they are wanted. On phones the same moments are felt. */
import { asset } from "./addresses.js";
import { setSettings, settings } from "./device.js";
import { icon } from "./frame.js";
import { t } from "./i18n.js";
import { h } from "../vendor/preact.js";

/** @type {AudioContext | null} */
let audio = null;
/** the samples of tools/sounds.py, loaded when the first of them is wanted @type {Map<string, Promise<AudioBuffer | null>>} */
const samples = new Map();

/** which samples are played when, in seconds, and how loudly @type {Record<string, [sample: string, after: number, loud: number][]>} */
const SOUNDS = {
  touch: [["card", 0, 0.35]],
  no: [["low", 0, 0.35]],
  // the same number of hops in every roll: the sound gives nothing away
  roll: [["die", 0.05, 0.6], ["die", 0.4, 0.9], ["die", 0.45, 0.6], ["die", 0.56, 0.5], ["die", 0.64, 0.7], ["die", 0.7, 0.3]],
  die: [["die", 0, 0.8]],
  chip: [["chip", 0, 0.7]],
  chips: [["chip", 0.95, 0.6], ["chip", 1.06, 0.5], ["chip", 1.17, 0.6]],
  slide: [["slide", 0, 0.8]],
  card: [["card", 0, 0.9]],
  turn: [["bell", 0, 0.3]],
  lost: [["low", 0.1, 0.6], ["low", 0.3, 0.4]],
  over: [["low", 0, 0.5]],
  end: [["bell", 0, 0.4], ["bell", 0.18, 0.3], ["bell", 0.36, 0.5]],
};

/** what is felt, in milliseconds @type {Record<string, number[]>} */
const FELT = { roll: [20, 60, 20], no: [35], turn: [30], end: [40, 60, 40] };

/** @param {AudioContext} context @param {string} name @returns {Promise<AudioBuffer | null>} */
async function load(context, name) {
  try {
    const answer = await fetch(asset(`static/sounds/${name}.wav`));
    return answer.ok ? await context.decodeAudioData(await answer.arrayBuffer()) : null;
  } catch {
    // a game without this sound is better than none
    return null;
  }
}

/** @param {string} name */
export async function playSound(name) {
  const { sound, volume } = settings();
  // browsers forbid sounds before somebody has touched the page
  if (!sound || navigator.userActivation?.hasBeenActive === false) return;
  if (FELT[name]) navigator.vibrate?.(FELT[name]);
  const context = (audio ??= new AudioContext());
  const asked = context.currentTime;
  for (const [sample, after, loud] of SOUNDS[name] ?? []) {
    const loading = samples.get(sample) ?? load(context, sample);
    samples.set(sample, loading);
    const buffer = await loading;
    if (!buffer) continue;
    const source = context.createBufferSource();
    const gain = context.createGain();
    gain.gain.value = loud * volume;
    source.buffer = buffer;
    source.playbackRate.value = sample === "bell" ? 1 : 0.94 + Math.random() * 0.12;
    source.connect(gain).connect(context.destination);
    source.start(Math.max(context.currentTime, asked + after));
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
