"""A sensible beginner at Würfel Joker 2, and how beginners err.

It compares two plans and follows the better one. Caution makes one roll more and stops. Courage never stops: it goes
for all nine slides with the help of the five, which pays although it fails often, because the cautious seldom do better
than a small minus. Weaker ones add and subtract, push the dearest slide, and fear the minus.
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache, lru_cache
from typing import Any

from pasch.core.chance import rolls
from pasch.core.lazy import LazyTable
from pasch.core.rolls import ROLL_NUMBERS
from pasch.core.rules import count_bits
from pasch.games.joker2.box import SLIDES
from pasch.games.joker2.rules import (
    FORGO,
    NEXT,
    STOP,
    Config,
    Joker2,
    after_push,
    bust,
    is_complete,
    is_double,
    pips_on_stopping,
    stopped,
)
from pasch.games.joker2.ways import ALL, DICE, ways

#: the game's config and, by slides up and fivefold, what to expect of each plan if one rolls on
GreedyConfig = namedtuple("GreedyConfig", (*Config._fields, "caution", "courage"))  # type: ignore[misc]


@lru_cache(maxsize=32)
def config(game: Joker2) -> Any:
    """What `heuristic` reads: the config of a game with tables of what the plans promise."""
    tables = (
        LazyTable((ALL + 1, 2), lambda slides, multiplied: caution(g, slides, multiplied)),
        LazyTable((ALL + 1, 2), lambda slides, multiplied: courage(g, slides, multiplied)),
    )
    g: Any = GreedyConfig._make((*game.config, *tables))
    return g


def heuristic(g: Any, s: Any, code: int) -> float:
    """Points to expect of the turn by the better of the two plans, beginning with this choice."""
    if s.phase == NEXT and code == STOP:
        return float(stopped(g, s.slides, s.fivefold, s.pips))
    if s.phase == NEXT or code == FORGO:
        return rolling(g, s.slides, s.fivefold)
    slides, multiplied = after_push(g, s.slides, s.fivefold, code)
    return max(float(stopping(g, slides, multiplied, s.rolled)), rolling(g, slides, multiplied))


def stopping(g: Any, slides: int, multiplied: int, rolled: int) -> int:
    """What stopping scores right after a push with this roll."""
    return stopped(g, slides, multiplied, pips_on_stopping(g, multiplied, rolled))


def rolling(g: Any, slides: int, multiplied: int) -> float:
    """What the better plan promises if one rolls on."""
    return max(g.caution[slides][multiplied], g.courage[slides][multiplied])


def caution(g: Any, slides: int, multiplied: int) -> float:
    """One roll more, pushed as well as possible, and then no further."""
    total = 0
    for faces, cases in rolls(DICE):
        rolled = ROLL_NUMBERS[faces]
        found = [
            stopping(g, *after_push(g, slides, multiplied, code), rolled)
            for code in g.pushes[rolled][slides][:-1]
        ]
        if is_double(g, rolled):
            # a double can be forgone, and then things are as they were
            found.append(stopping(g, slides, multiplied, rolled))
        total += cases * max(found, default=bust(g, slides, multiplied, rolled))
    return total / 36


def courage(g: Any, slides: int, multiplied: int) -> float:
    """On to the end, always pushing the slide that comes most rarely."""
    if is_complete(slides):
        return float(stopped(g, slides, multiplied, 0))
    total, counted = 0.0, 0
    for faces, cases in rolls(DICE):
        rolled = ROLL_NUMBERS[faces]
        legal = g.pushes[rolled][slides][:-1]
        if legal:
            chosen = max(legal, key=lambda code: rarities()[g.pushed[code]])
            after, five = after_push(g, slides, multiplied, chosen)
            total += cases * g.courage[after][five]
        elif not is_double(g, rolled):
            total += cases * bust(g, slides, multiplied, rolled)
        else:
            # rolled again, as if it had not been
            continue
        counted += cases
    return total / counted


@cache
def rarities() -> dict[int, int]:
    """The slides by how rarely dice make them with the help of the five; the rare ones are taken when they come."""

    def chances(slide: int) -> int:
        return sum(cases for dice, cases in rolls(DICE) if ways(dice, True)[slide])

    return {slide: place for place, slide in enumerate(sorted(SLIDES, key=chances, reverse=True))}


# --- mistakes ----------------------------------------------------------------------------------------


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: a high slide pushed; stopping, the more slides are up."""
    if s.phase == NEXT:
        return float(count_bits(s.slides)) if code == STOP else 0.0
    return 0.0 if code == FORGO else float(g.pushed[code])


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: multiplying and dividing, the five, and forgoing a double."""
    if s.phase == NEXT:
        return 0
    if code == FORGO:
        return 1
    one, other = g.faces[s.rolled][0], g.faces[s.rolled][1]
    plain = g.pushed[code] == one + other or g.pushed[code] == abs(one - other)
    return 2 if g.with_five[code] else 0 if plain else 1
