"""`make sounds`: the samples of dice, chips, slides and cards, made of struck bodies and rubbed ones.

A struck body rings at a few pitches that die away, the higher the sooner, after a click; a rubbed one is noise whose
colour and loudness change. The files are small: 22 kHz, 8 bits.
"""

from __future__ import annotations

import wave
from pathlib import Path
from typing import Any, Final

import numpy as np

FOLDER: Final = Path(__file__).parents[1] / "src" / "pasch" / "web" / "static" / "sounds"
RATE: Final = 22_050
Sound = np.ndarray[Any, np.dtype[np.float64]]


def times(seconds: float) -> Sound:
    return np.arange(int(RATE * seconds)) / RATE


def noise(seconds: float, low: float, high: float, dice: np.random.Generator) -> Sound:
    """Noise between two pitches."""
    length = int(RATE * seconds)
    spectrum = np.fft.rfft(dice.normal(size=length))
    pitches = np.fft.rfftfreq(length, 1 / RATE)
    spectrum *= 1 / (1 + (low / np.maximum(pitches, 1)) ** 4) / (1 + (pitches / high) ** 4)
    found = np.fft.irfft(spectrum, length)
    return np.asarray(found / np.abs(found).max())


def struck(seconds: float, pitches: dict[int, float], ring: float, click: Sound, loud: float) -> Sound:
    """A body of these pitches and their loudness; `ring`: after how many seconds the lowest has faded to a third."""
    time, lowest = times(seconds), min(pitches)
    body = sum(
        share
        * np.sin(2 * np.pi * pitch * time + 7 * share)
        * np.exp(-time / ring * (pitch / lowest) ** 0.7)
        for pitch, share in pitches.items()
    )
    body[: len(click)] += loud * click[: len(body)]
    return np.asarray(body)


def fading(sound: Sound, seconds: float) -> Sound:
    return sound * np.exp(-times(1 + len(sound) / RATE)[: len(sound)] / seconds)


def after(seconds: float, sound: Sound) -> Sound:
    return np.concatenate([np.zeros(int(RATE * seconds)), sound])


def together(*sounds: Sound) -> Sound:
    found = np.zeros(max(map(len, sounds)))
    for sound in sounds:
        found[: len(sound)] += sound
    return found


def made() -> dict[str, Sound]:
    """Every sample by its name."""
    dice = np.random.default_rng(6)
    click = fading(noise(0.02, 1500, 9000, dice), 0.002)
    thud = fading(noise(0.08, 60, 420, dice), 0.018)
    die = {1710: 0.5, 2630: 0.9, 3890: 0.6, 5240: 0.35, 7100: 0.2}
    chip = {3120: 0.8, 4480: 1.0, 6210: 0.5, 8050: 0.3}
    wood = {410: 1.0, 690: 0.7, 1130: 0.5, 1720: 0.3}
    bell = {784: 1.0, 1568: 0.5, 2352: 0.3, 3140: 0.15, 4230: 0.1}
    rub = noise(0.15, 500, 3200, dice) * np.sin(np.pi * times(0.15) / 0.15) ** 1.5
    flick = noise(0.06, 1800, 7000, dice) * np.sin(np.pi * times(0.06) / 0.06) ** 0.7
    return {
        # a die hops on felt: hard body, soft ground
        "die": together(struck(0.09, die, 0.006, click, 1.1), 0.9 * thud),
        # a chip on another one: the second touch comes at once
        "chip": together(
            struck(0.12, chip, 0.014, click, 0.5), after(0.028, 0.5 * struck(0.09, chip, 0.01, click, 0.4))
        ),
        # a slide runs through its groove and stops
        "slide": together(0.35 * rub, after(0.13, struck(0.12, wood, 0.022, fading(thud, 0.01), 0.8))),
        # a card is laid: air, then the table
        "card": together(
            0.6 * flick,
            after(0.045, 0.5 * fading(noise(0.05, 300, 2400, dice), 0.008)),
            after(0.045, 0.3 * thud),
        ),
        "bell": struck(0.55, bell, 0.16, click, 0.1),
        "low": struck(0.4, {196: 1.0, 294: 0.5, 392: 0.3, 590: 0.1}, 0.12, thud, 0.3),
    }


def written(sound: Sound, path: Path) -> None:
    """The sample normalised to nine tenths, without clicks at its ends, dithered to 8 bits."""
    dice = np.random.default_rng(len(sound))
    ends = np.minimum(1, np.minimum(np.arange(len(sound)) / 20, np.arange(len(sound))[::-1] / 200))
    level = 0.9 * sound * ends / np.abs(sound).max() * 127
    quiet = dice.uniform(-0.5, 0.5, len(sound)) * (np.abs(level) > 0.4)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(RATE)
        file.writeframes((np.rint(level + quiet) + 128).clip(0, 255).astype(np.uint8).tobytes())


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, sound in made().items():
        written(sound, FOLDER / f"{name}.wav")


if __name__ == "__main__":
    main()
