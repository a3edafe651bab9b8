"""Würfel Joker 1, greedily: take the choice that is worth most if the turn ended one roll later."""

from __future__ import annotations

from functools import lru_cache

from pasch.core.chance import rolls
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.joker1 import SIX, Joker1, Joker1State, Next, Push, pushes

Table = tuple[tuple[str, int] | None, ...]


def worth(view: State, move: Event) -> float:
    """Points to expect of the turn when at most one more roll is made after this choice."""
    assert isinstance(view, Joker1State) and isinstance(view.game, Joker1)
    table, jokers = view.game.combinations, view.game.components.jokers
    if isinstance(move, Push):
        slides, dice = next(
            (view.slides | grouping.slides, grouping.dice)
            for grouping in pushes(view.rolled, view.slides)
            if grouping.groups == move.push
        )
        # of equal prospects the one with more dice is better: more of them survive the next roll
        return (
            max(_standing(table, jokers, slides, dice), _rolling(table, jokers, slides, dice)) + dice / 100
        )
    assert isinstance(move, Next)
    if move.next == "stop":
        return view.game.score(view.slides, view.jokers)
    if move.next == "jokers" or view.phase == "joker next":
        return view.game.score(view.slides, 0) * joker_factor(view.dice, view.jokers, jokers)
    # a turn that has nothing yet has nothing to lose, however poor its prospects are
    return _rolling(table, jokers, view.slides, view.dice) + 1 / 100


@lru_cache(maxsize=1024)
def joker_factor(dice: int, earned: int, most: int) -> float:
    """By what one joker roll multiplies a combination, on average: a 1 doubles, a 6 saves."""
    total = 0
    for roll, cases in rolls(dice):
        ones = roll.count(1)
        if ones or SIX in roll:
            total += cases << min(earned + ones, most)
    return total / float(6**dice)


def _standing(table: Table, jokers: int, slides: int, dice: int) -> float:
    """Stopping at once, or first one roll in the jokers if that promises more."""
    standing = table[slides]
    return standing[1] * max(1.0, joker_factor(dice, 0, jokers)) if standing else 0.0


@lru_cache(maxsize=4096)
def _rolling(table: Table, jokers: int, slides: int, dice: int) -> float:
    """One roll more, pushed as well as possible, and then no further."""
    total = 0.0
    for roll, cases in rolls(dice):
        total += cases * max(
            (_standing(table, jokers, slides | pushed, left) for _, pushed, left in pushes(roll, slides)),
            default=0.0,
        )
    return total / float(6**dice)
