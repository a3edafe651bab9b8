"""Values of Würfel Joker 2: exact points of a turn from every position inside it.

A double may be forgone, so a roll can come up again and its value is the solution of an equation in
which it stands itself; the graph of the turn solves it exactly.
"""

from __future__ import annotations

from typing import Any

from pasch.games.joker2.rules import Config
from pasch.games.joker2.ways import ALL
from pasch.solve.turns import EqualTurnValues, RepeatedTurn, worths_at


def place(g: Config, s: Any) -> int:
    """A number that tells the positions of a turn apart."""
    # what has been rolled and the pips are never both there, and two dice have fewer pips than there are rolls
    return ((s.phase * len(g.faces) + s.rolled + s.pips) * 2 + s.fivefold) * (ALL + 1) + s.slides


def move_values(g: Config, v: RepeatedTurn, s: Any, codes: Any, count: int, out: Any) -> None:
    """Write the mover's expected final score after each of the moves."""
    worths_at(v, s, place(g, s), count, out)


class Values(EqualTurnValues):
    """Values of Würfel Joker 2."""

    place = staticmethod(place)
