"""Würfel Joker 2, greedily: compare two plans, caution and courage, and follow the better one.

Caution makes one roll more and stops. Courage never stops: it goes for all nine slides with the help of the
five, which pays although it fails often, because the cautious seldom do better than a small minus.
"""

from __future__ import annotations

from functools import cache, lru_cache

from pasch.core.chance import rolls
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.joker2 import ALL, DICE, SLIDES, Joker2, Joker2State, Next, Push, Way, pushes, ways


def worth(view: State, move: Event) -> float:
    """Points to expect of the turn by the better of the two plans, beginning with this choice."""
    assert isinstance(view, Joker2State) and isinstance(view.game, Joker2)
    game, slides, fivefold = view.game, view.slides, view.fivefold
    if isinstance(move, Push):
        way = next(way for way in pushes(view.rolled, slides) if way.how == move.how)
        slides, fivefold = _pushed(game, slides, fivefold, way)
        stopped = game.score(slides, fivefold)
        return stopped if slides == ALL else max(stopped, _rolling(game, slides, fivefold))
    if isinstance(move, Next) and move.next == "stop":
        return game.score(slides, fivefold)
    return _rolling(game, slides, fivefold)


def _rolling(game: Joker2, slides: int, fivefold: bool) -> float:
    return max(_caution(game, slides, fivefold), _courage(game, slides, fivefold))


def _pushed(game: Joker2, slides: int, fivefold: bool, way: Way) -> tuple[int, bool]:
    slides |= 1 << way.slide - 1
    return slides, game.fivefold(slides, fivefold or way.five)


@lru_cache(maxsize=4096)
def _caution(game: Joker2, slides: int, fivefold: bool) -> float:
    """One roll more, pushed as well as possible, and then no further."""
    stopped = game.score(slides, fivefold)
    total = 0
    for dice, cases in rolls(DICE):
        found = [game.score(*_pushed(game, slides, fivefold, way)) for way in pushes(dice, slides)]
        if dice[0] == dice[1]:
            # a double can be forgone, and then things are as they were
            found.append(stopped)
        total += cases * max(found, default=game.score(slides, fivefold, dice))
    return total / 36


@cache
def _chances(slide: int) -> int:
    """In how many of 36 cases the dice make this slide, with the help of the five."""
    return sum(cases for dice, cases in rolls(DICE) if ways(dice, True)[slide])


#: the slides by how rarely they come; the rare ones have to be taken when they do
_RARITY = {slide: place for place, slide in enumerate(sorted(SLIDES, key=_chances, reverse=True))}


@lru_cache(maxsize=4096)
def _courage(game: Joker2, slides: int, fivefold: bool) -> float:
    """On to the end, always pushing the slide that comes most rarely."""
    if slides == ALL:
        return game.score(slides, fivefold)
    total, counted = 0.0, 0
    for dice, cases in rolls(DICE):
        found = pushes(dice, slides)
        if found:
            way = max(found, key=lambda way: _RARITY[way.slide])
            total += cases * _courage(game, *_pushed(game, slides, fivefold, way))
        elif dice[0] != dice[1]:
            total += cases * game.score(slides, fivefold, dice)
        else:
            # rolled again, as if it had not been
            continue
        counted += cases
    return total / counted
