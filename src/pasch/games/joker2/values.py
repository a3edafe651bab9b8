"""Values of Würfel Joker 2: exact points of a turn from every position inside it.

A double may be forgone, so a roll can come up again and its value is the solution of an equation in
which it stands itself; the graph of the turn solves it exactly.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pasch.core.state import State
from pasch.games.joker2.rules import ENDED, Config, Joker2, end_turn
from pasch.games.joker2.ways import ALL
from pasch.solve.turns import EqualTurns, EqualTurnValues, turn_worths_at, worths_at


def place(g: Config, s: Any) -> int:
    """A number that tells the positions of a turn apart."""
    # what has been rolled and the pips are never both there, and two dice have fewer pips than there are rolls
    return ((s.phase * len(g.faces) + s.rolled + s.pips) * 2 + s.fivefold) * (ALL + 1) + s.slides


def worths(g: Config, v: EqualTurns, s: Any, codes: Any, count: int, out: Any) -> None:
    """Write the mover's expected final score after each of the moves."""
    worths_at(v, s, place(g, s), count, out)


def turn_worths(g: Config, v: EqualTurns, s: Any, codes: Any, count: int, out: Any) -> None:
    """Write the expected points of the turn after each of the moves."""
    turn_worths_at(v, place(g, s), count, out)


class Values(EqualTurnValues):
    """Values of Würfel Joker 2."""

    game: Joker2

    def place(self, s: Any) -> int:
        return place(self.game.config, s)

    @property
    def places(self) -> int:
        return ENDED * len(self.game.config.faces) * 2 * (ALL + 1)

    def end_turn(self, s: Any) -> None:
        end_turn(self.game.config, s, 0, 0, 0)

    def one_turn(self) -> State:
        return Joker2(1, msgspec.structs.replace(self.game.options, rounds=1)).start()
