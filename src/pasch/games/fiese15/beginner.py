"""A sensible beginner at Fiese 15, and how beginners err.

It looks one roll ahead and counts points. Weaker ones set aside every valid die, and stop as soon as there is something
to lose.
"""

from __future__ import annotations

from typing import Any

from pasch.core.rules import count_bits, kernel
from pasch.games.fiese15.rules import NEXT, STOP, Config, consolation, is_valid, points, valid_dice, worth


@kernel(allocates=True)
def heuristic(g: Config, s: Any, code: int) -> float:
    """The points to expect if the turn ends here, or after one more roll where that is better.

    Keeping little leaves a large consolation, keeping much brings the bonus near; the expectation weighs the two.
    What the others have does not matter to a beginner.
    """
    kept = [0] * 6
    missing = 0
    for die in range(6):
        kept[die] = s.kept[die]
        if s.phase != NEXT and code >> die & 1:
            kept[die] = s.rolled[die]
        missing += kept[die] == 0
    stopped = float(worth(kept))
    if s.phase == NEXT:
        return stopped if code == STOP else one_more_roll(g, s.targets, kept)
    return stopped if missing == 0 else max(stopped, one_more_roll(g, s.targets, kept))


def one_more_roll(g: Config, targets: list[int], kept: list[int]) -> float:
    """The mean score of rolling the missing dice once, setting aside all that is valid, and stopping.

    Each die is valid or not for itself. So it is enough to follow, die by die, how probable each number of valid
    dice is and how many pips they bring.
    """
    chances, pips = [0.0] * 7, [0.0] * 7
    chances[0] = 1.0
    there, base = 0, 0
    for die in range(6):
        if kept[die]:
            there += 1
            base += kept[die]
            continue
        hits, shown = 0, 0
        for face in range(1, 7):
            if is_valid(face, targets[die]):
                hits += 1
                shown += face
        hit, mean = hits / 6, shown / max(1, hits)
        # a miss leaves the number of valid dice as it is, a hit makes it one larger
        for valid in range(6, 0, -1):
            pips[valid] = pips[valid] * (1 - hit) + (pips[valid - 1] + chances[valid - 1] * mean) * hit
            chances[valid] = chances[valid] * (1 - hit) + chances[valid - 1] * hit
        pips[0] *= 1 - hit
        chances[0] *= 1 - hit
    expected = chances[0] * consolation(g, targets, kept)
    for valid in range(1, 7):
        if chances[valid] > 0:
            expected += chances[valid] * points(there + valid, base + pips[valid] / chances[valid])
    return expected


# --- mistakes ----------------------------------------------------------------------------------------


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: a point for each die set aside; stopping, the more there is to lose."""
    if s.phase == NEXT:
        return worth(s.kept) / 8 if code == STOP else 0.0
    return float(count_bits(code))


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: that a valid die may be rolled again."""
    return 0 if s.phase == NEXT or code == valid_dice(s.rolled, s.targets) else 1
