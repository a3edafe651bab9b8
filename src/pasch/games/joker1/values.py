"""Values of Würfel Joker 1: exact points of a turn from every position inside it."""

from __future__ import annotations

from typing import Any

from pasch.core.rolls import FIRST_ROLL
from pasch.games.joker1.rules import PUSH, Config
from pasch.games.joker1.ways import ALL
from pasch.solve.turns import EqualTurnValues, RepeatedTurn, worths_at


def place(g: Config, s: Any) -> int:
    """A number that tells the positions of a turn apart: before a push by the roll, else by dice and jokers."""
    if s.phase == PUSH:
        return s.rolled * (ALL + 1) + s.slides
    in_play = (s.phase * (g.dice + 1) + s.dice) * (g.jokers + 1) + s.jokers
    return (FIRST_ROLL[g.dice + 1] + in_play) * (ALL + 1) + s.slides


def move_values(g: Config, v: RepeatedTurn, s: Any, codes: Any, count: int, out: Any) -> None:
    """Write the mover's expected final score after each of the moves."""
    worths_at(v, s, place(g, s), count, out)


class Values(EqualTurnValues):
    """Values of Würfel Joker 1."""

    place = staticmethod(place)
