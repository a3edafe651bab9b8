"""Values of Würfel Joker 1: exact points of a turn from every position inside it."""

from __future__ import annotations

from typing import Any

import msgspec

from pasch.games.joker1.rules import (
    ALL,
    ENDED,
    FIRST_ROLL,
    PUSH,
    Agreed,
    Joker1,
    Joker1State,
    Numbers,
    end_turn,
)
from pasch.solve.equal_turns import EqualTurns, EqualTurnValues, turn_worths_at, worths_at


def place(g: Agreed, s: Numbers) -> int:
    """A number that tells the positions of a turn apart: before a push by the roll, else by dice and jokers."""
    if s.phase == PUSH:
        return s.rolled * (ALL + 1) + s.slides
    in_play = (s.phase * (g.dice + 1) + s.dice) * (g.jokers + 1) + s.jokers
    return (g.first_roll[g.dice + 1] + in_play) * (ALL + 1) + s.slides


def worths(g: Agreed, v: EqualTurns, s: Numbers, codes: Any, count: int, out: Any) -> None:
    """Write the mover's expected final score after each of the moves."""
    worths_at(v, s, place(g, s), count, out)


def turn_worths(g: Agreed, v: EqualTurns, s: Numbers, codes: Any, count: int, out: Any) -> None:
    """Write the expected points of the turn after each of the moves."""
    turn_worths_at(v, place(g, s), count, out)


class Values(EqualTurnValues):
    """Values of Würfel Joker 1."""

    game: Joker1

    def place(self, s: Numbers) -> int:
        return place(self.game.agreed, s)

    @property
    def places(self) -> int:
        g = self.game.agreed
        return int((FIRST_ROLL[g.dice + 1] + ENDED * (g.dice + 1) * (g.jokers + 1)) * (ALL + 1))

    def end_turn(self, s: Numbers) -> None:
        end_turn(self.game.agreed, s, 0)

    def one_turn(self) -> Joker1State:
        return Joker1(1, msgspec.structs.replace(self.game.options, rounds=1)).start()
