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
    values = valuer(state.game)
    worth = values.worth(state) if chances else None
    value, win = (worth.value, worth.win) if worth else (values.points(state), None)
    by: Literal["chances", "value", "scores"]
    if win is not None:
        by, deciding = "chances", win
    elif value is not None:
        by, deciding = "value", value
    else:
        by, deciding = "scores", tuple(map(float, state.scores()))
    most = max(deciding)
    winners = tuple(seat for seat, number in enumerate(deciding) if number >= most - EQUAL)
    return Verdict(winners, value, win, by)
