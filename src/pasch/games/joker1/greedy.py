"""Würfel Joker 1, greedily: take the choice that is worth most if the turn ended one roll later."""

from __future__ import annotations

from pasch.games.joker1.rules import (
    JOKER_NEXT,
    JOKERS,
    PUSH,
    STOP,
    Agreed,
    Numbers,
    earned,
    joker_dice,
    score,
)


def worth(g: Agreed, s: Numbers, code: int) -> float:
    """Points to expect of the turn when at most one more roll is made after this choice."""
    if s.phase == PUSH:
        slides, dice = s.slides | g.pushed[s.rolled][s.slides][code], g.staying[s.rolled][s.slides][code]
        # of equal prospects the one with more dice is better: more of them survive the next roll
        return max(g.standing[dice][slides], g.one_more_roll[dice][slides]) + dice / 100
    if code == STOP:
        return float(score(g, s.slides, s.jokers))
    if code == JOKERS or s.phase == JOKER_NEXT:
        return one_joker_roll(g, s.slides, s.dice, s.jokers)
    # a turn that has nothing yet has nothing to lose, however poor its prospects are
    return g.one_more_roll[s.dice][s.slides] + 1 / 100


def standing(g: Agreed, slides: int, dice: int) -> float:
    """Stopping at once, or first one roll in the jokers if that promises more: `Agreed.standing`."""
    return max(float(score(g, slides, 0)), one_joker_roll(g, slides, dice, 0))


def one_joker_roll(g: Agreed, slides: int, dice: int, jokers: int) -> float:
    """The mean score of one roll in the jokers."""
    total = 0
    for rolled in range(g.first_roll[dice], g.first_roll[dice + 1]):
        if joker_dice(g, jokers, dice, rolled) > 0:
            total += g.cases[rolled] * score(g, slides, earned(g, jokers, rolled))
    return total / 6.0**dice


def one_more_roll(g: Agreed, slides: int, dice: int) -> float:
    """The mean of one roll more, pushed as well as possible, and then no further: `Agreed.one_more_roll`."""
    total = 0.0
    for rolled in range(g.first_roll[dice], g.first_roll[dice + 1]):
        best = 0.0
        for way in range(g.ways[rolled][slides]):
            pushed, staying = g.pushed[rolled][slides][way], g.staying[rolled][slides][way]
            best = max(best, g.standing[staying][slides | pushed])
        total += g.cases[rolled] * best
    return total / 6.0**dice
