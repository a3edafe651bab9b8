"""A sensible beginner at Fiese 15: looks one roll ahead and counts points."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.fiese15 import COLOURS, Fiese15State, Keep, Next, Six, consolation, points
from pasch.games.fiese15 import worth as scored


def worth(view: State, move: Event) -> float:
    """The points to expect if the turn ends here, or after one more roll where that is better.

    Keeping little leaves a large consolation, keeping much brings the bonus near; the expectation
    weighs the two. What the others have does not matter to a beginner.
    """
    if not isinstance(view, Fiese15State):
        raise TypeError("this player knows Fiese 15 only")
    if isinstance(move, Keep):
        kept = tuple(
            view.rolled[die] if colour in move.keep else view.kept[die]
            for die, colour in enumerate(COLOURS)
        )
        if 0 not in kept:
            return scored(kept)
        return max(scored(kept), one_more_roll(view.targets, kept, view.game.options.gambler))
    if isinstance(move, Next) and move.next == "roll":
        return one_more_roll(view.targets, view.kept, view.game.options.gambler)
    return scored(view.kept)


def one_more_roll(targets: Six, kept: tuple[int, ...], gambler: bool) -> float:
    """The mean score of rolling the missing dice once, setting aside all that is valid, and stopping.

    A die with target t is valid with probability t/6 and then shows (1 + t)/2 on average. So it is enough
    to follow, die by die, how probable each number of valid dice is and how many pips they bring.
    """
    chances, pips = [1.0], [0.0]
    for target, face in zip(targets, kept, strict=True):
        if face:
            continue
        hit = target / 6
        mean = (1 + target) / 2
        # a miss leaves the number of valid dice as it is, a hit makes it one larger
        pips = [
            one * (1 - hit) + (before + chance * mean) * hit
            for one, before, chance in zip([*pips, 0.0], [0.0, *pips], [0.0, *chances], strict=True)
        ]
        chances = [
            one * (1 - hit) + before * hit
            for one, before in zip([*chances, 0.0], [0.0, *chances], strict=True)
        ]
    there, base = 6 - kept.count(0), sum(kept)
    expected = chances[0] * consolation(targets, kept, gambler)
    for valid in range(1, len(chances)):
        if chances[valid]:
            expected += chances[valid] * points(there + valid, base + pips[valid] / chances[valid])
    return expected
