"""A sensible beginner at Würfel Joker 1, and how beginners err.

It takes the choice that is worth most if the turn ended one roll later. Weaker ones push as many slides as they can,
miss sums, and take what stands.
"""

from __future__ import annotations

from collections import namedtuple
from functools import lru_cache
from typing import Any

from pasch.core.chance import rolls
from pasch.core.lazy import LazyTable
from pasch.core.rolls import ROLL_NUMBERS
from pasch.core.rules import count_bits
from pasch.games.joker1.rules import (
    JOKER_NEXT,
    JOKERS,
    PUSH,
    STOP,
    Config,
    Joker1,
    earned,
    joker_dice,
    score,
    staying,
)
from pasch.games.joker1.ways import ALL

#: the game's config and, by number of dice and slides up, what to expect of rolling no more and of rolling once more;
#: by jokers, number of dice and slides up, what to expect of one joker roll
GreedyConfig = namedtuple(  # type: ignore[misc]
    "GreedyConfig", (*Config._fields, "standing", "one_more_roll", "one_joker_roll")
)


@lru_cache(maxsize=32)
def config(game: Joker1) -> Any:
    """What `heuristic` reads: the config of a game with tables of what follows from a choice."""
    sizes = game.config.dice + 1, ALL + 1
    tables = (
        LazyTable(sizes, lambda dice, slides: standing(g, slides, dice)),
        LazyTable(sizes, lambda dice, slides: one_more_roll(g, slides, dice)),
        LazyTable((game.config.jokers, *sizes), lambda *place: one_joker_roll(g, *place)),
    )
    g: Any = GreedyConfig._make((*game.config, *tables))
    return g


def heuristic(g: Any, s: Any, code: int) -> float:
    """Points to expect of the turn when at most one more roll is made after this choice."""
    if s.phase == PUSH:
        slides, dice = s.slides | g.pushed[code], staying(g, s.rolled, code)
        # of equal prospects the one with more dice is better: more of them survive the next roll
        return max(g.standing[dice][slides], g.one_more_roll[dice][slides]) + dice / 100
    if code == STOP:
        return float(score(g, s.slides, s.jokers))
    if code == JOKERS or s.phase == JOKER_NEXT:
        return g.one_joker_roll[s.jokers][s.dice][s.slides]
    # a turn that has nothing yet has nothing to lose, however poor its prospects are
    return g.one_more_roll[s.dice][s.slides] + 1 / 100


def standing(g: Any, slides: int, dice: int) -> float:
    """Stopping at once, or first one roll in the jokers if that promises more."""
    return max(float(score(g, slides, 0)), g.one_joker_roll[0][dice][slides])


def one_joker_roll(g: Any, jokers: int, dice: int, slides: int) -> float:
    """The mean score of one roll in the jokers."""
    total = 0
    for faces, cases in rolls(dice):
        rolled = ROLL_NUMBERS[faces]
        if joker_dice(g, jokers, dice, rolled) > 0:
            total += cases * score(g, slides, earned(g, jokers, rolled))
    return total / 6.0**dice


def one_more_roll(g: Any, slides: int, dice: int) -> float:
    """The mean of one roll more, pushed as well as possible, and then no further."""
    total = 0.0
    for faces, cases in rolls(dice):
        rolled, best = ROLL_NUMBERS[faces], 0.0
        for code in g.pushes[rolled][slides][:-1]:
            best = max(best, g.standing[staying(g, rolled, code)][slides | g.pushed[code]])
        total += cases * best
    return total / 6.0**dice


# --- mistakes ----------------------------------------------------------------------------------------


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: a point for each slide pushed; stopping, the more there is to lose."""
    if s.phase == PUSH:
        return float(count_bits(g.pushed[code]))
    return score(g, s.slides, s.jokers) / 5 if code == STOP else 0.0


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: adding dice up, leaving a six alone, and the jokers."""
    if s.phase == PUSH:
        return 1 if staying(g, s.rolled, code) > count_bits(g.pushed[code]) else 0
    return 1 if code == JOKERS else 0
