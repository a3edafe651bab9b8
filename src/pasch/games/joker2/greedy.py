"""Würfel Joker 2, greedily: compare two plans, caution and courage, and follow the better one.

Caution makes one roll more and stops. Courage never stops: it goes for all nine slides with the help of the
five, which pays although it fails often, because the cautious seldom do better than a small minus.
"""

from __future__ import annotations

from functools import cache

from pasch.core.chance import rolls
from pasch.games.joker2.box import SLIDES
from pasch.games.joker2.rules import (
    DICE,
    FORGO,
    NEXT,
    STOP,
    Agreed,
    Numbers,
    bust,
    is_complete,
    is_double,
    pips_on_stopping,
    pushed,
    stopped,
    ways,
)


def worth(g: Agreed, s: Numbers, code: int) -> float:
    """Points to expect of the turn by the better of the two plans, beginning with this choice."""
    if s.phase == NEXT:
        if code == STOP:
            return float(stopped(g, s.slides, s.fivefold, s.pips))
        return rolling(g, s.slides, s.fivefold)
    if code == FORGO:
        return rolling(g, s.slides, s.fivefold)
    slides, multiplied = pushed(g, s.slides, s.fivefold, s.rolled, code - 1)
    return max(float(stopping(g, slides, multiplied, s.rolled)), rolling(g, slides, multiplied))


def stopping(g: Agreed, slides: int, multiplied: int, rolled: int) -> int:
    """What stopping scores right after a push with this roll."""
    return stopped(g, slides, multiplied, pips_on_stopping(g, multiplied, rolled))


def rolling(g: Agreed, slides: int, multiplied: int) -> float:
    """What the better plan promises if one rolls on."""
    return max(g.caution[slides][multiplied], g.courage[slides][multiplied])


def caution(g: Agreed, slides: int, multiplied: int) -> float:
    """One roll more, pushed as well as possible, and then no further: `Agreed.caution`."""
    total = 0
    for rolled in range(1, len(g.faces)):
        found = []
        for way in range(g.ways[rolled][slides]):
            found.append(stopping(g, *pushed(g, slides, multiplied, rolled, way), rolled))
        if is_double(g, rolled):
            # a double can be forgone, and then things are as they were
            found.append(stopping(g, slides, multiplied, rolled))
        total += g.cases[rolled] * max(found, default=bust(g, slides, multiplied, rolled))
    return total / 36


def courage(g: Agreed, slides: int, multiplied: int) -> float:
    """On to the end, always pushing the slide that comes most rarely: `Agreed.courage`."""
    if is_complete(slides):
        return float(stopped(g, slides, multiplied, 0))
    total, counted = 0.0, 0
    for rolled in range(1, len(g.faces)):
        rarest, chosen = -1, -1
        for way in range(g.ways[rolled][slides]):
            rarity = rarities()[g.pushed[rolled][slides][way]]
            if rarity > rarest:
                rarest, chosen = rarity, way
        if chosen >= 0:
            after, five = pushed(g, slides, multiplied, rolled, chosen)
            total += g.cases[rolled] * g.courage[after][five]
        elif not is_double(g, rolled):
            total += g.cases[rolled] * bust(g, slides, multiplied, rolled)
        else:
            # rolled again, as if it had not been
            continue
        counted += g.cases[rolled]
    return total / counted


@cache
def rarities() -> dict[int, int]:
    """The slides by how rarely dice make them with the help of the five; the rare ones are taken when they come."""

    def chances(slide: int) -> int:
        return sum(cases for dice, cases in rolls(DICE) if ways(dice, True)[slide])

    return {slide: place for place, slide in enumerate(sorted(SLIDES, key=chances, reverse=True))}
