"""Values of Würfel Joker 1: exact points of a turn from every position inside it."""

from __future__ import annotations

from typing import Any

import msgspec

from pasch.core.rolls import FIRST_ROLL
from pasch.core.state import State
from pasch.games.joker1.rules import ENDED, PUSH, Config, Joker1, end_turn
from pasch.games.joker1.ways import ALL
from pasch.solve.turns import EqualTurns, EqualTurnValues, turn_worths_at, worths_at


def place(g: Config, s: Any) -> int:
    """A number that tells the positions of a turn apart: before a push by the roll, else by dice and jokers."""
    if s.phase == PUSH:
        return s.rolled * (ALL + 1) + s.slides
    in_play = (s.phase * (g.dice + 1) + s.dice) * (g.jokers + 1) + s.jokers
    return (FIRST_ROLL[g.dice + 1] + in_play) * (ALL + 1) + s.slides


def worths(g: Config, v: EqualTurns, s: Any, codes: Any, count: int, out: Any) -> None:
    """Write the mover's expected final score after each of the moves."""
    worths_at(v, s, place(g, s), count, out)


def turn_worths(g: Config, v: EqualTurns, s: Any, codes: Any, count: int, out: Any) -> None:
    """Write the expected points of the turn after each of the moves."""
    turn_worths_at(v, place(g, s), count, out)


class Values(EqualTurnValues):
    """Values of Würfel Joker 1."""

    game: Joker1

    def place(self, s: Any) -> int:
        return place(self.game.config, s)

    @property
    def places(self) -> int:
        g = self.game.config
        return int((FIRST_ROLL[g.dice + 1] + ENDED * (g.dice + 1) * (g.jokers + 1)) * (ALL + 1))

    def end_turn(self, s: Any) -> None:
        end_turn(self.game.config, s, 0, 0)

    def one_turn(self) -> State:
        return Joker1(1, msgspec.structs.replace(self.game.options, rounds=1)).start()
