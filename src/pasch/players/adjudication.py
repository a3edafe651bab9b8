"""Adjudication of abandoned games: the winners follow from the value of the position."""

from __future__ import annotations

from typing import Literal

import msgspec

from pasch.core.rules import EQUAL
from pasch.core.state import State
from pasch.solve.valuer import valuer


class Verdict(msgspec.Struct, frozen=True):
    """The winners of an adjudicated game, and the numbers that decided it."""

    winners: tuple[int, ...]
    #: expected final score per seat
    value: tuple[float, ...] | None
    #: chance to win per seat
    win: tuple[float, ...] | None
    #: what decided: the chances to win, the expected scores, or the scores as they stand
    by: Literal["chances", "value", "scores"]


def adjudicate(state: State, *, chances: bool = True) -> Verdict:
    """The verdict on a game that ends now: the seats most likely to win it have won.

    Where the chances to win are not known, or `chances` is false, the expected final scores decide. A finished game
    has its own winners.
    """
    if state.over:
        return Verdict(state.winners(), tuple(map(float, state.scores())), None, "scores")
    if not chances:
        points = valuer(state.game).points(state)
        return Verdict(_best(points), points, None, "value")
    worth = valuer(state.game).worth(state)
    if worth.win is not None:
        return Verdict(_best(worth.win), worth.value, worth.win, "chances")
    if worth.value is not None:
        return Verdict(_best(worth.value), worth.value, None, "value")
    return Verdict(_best(tuple(map(float, state.scores()))), None, None, "scores")


def _best(numbers: tuple[float, ...]) -> tuple[int, ...]:
    best = max(numbers)
    return tuple(seat for seat, number in enumerate(numbers) if number >= best - EQUAL)
