"""Pig: first to 100 points. How good is it to begin?

Roll a die as often as you like: a 1 loses the turn's points, any other face is added to them; hold to keep
them. Whoever holds 100 has won. Two turns can pass without a point, so positions come up again, and the
general solver has to go round in circles until nothing changes.

The first player wins with a chance of 0.5306 if both play best (Neller and Presser, "Optimal Play of the
Dice Game Pig", The UMAP Journal 25, 2004).

    python examples/pig.py [GOAL]
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from pasch.core.state import CHANCE, OVER
from pasch.solve.exact import Solution, explore


class Die:
    """One die."""

    total = 6

    def outcomes(self) -> tuple[tuple[int, int], ...]:
        return ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1))


DIE = Die()
FINISHED = -1


class Pig(NamedTuple):
    """The points still needed by seat 0 and seat 1, whose turn it is, and the points of this turn."""

    needs: tuple[int, int]
    seat: int
    turn: int
    rolling: bool

    @property
    def actor(self) -> int:
        if self.turn == FINISHED:
            return OVER
        return CHANCE if self.rolling else self.seat

    def moves(self) -> tuple[str, ...]:
        return ("roll", "hold")

    def chance(self) -> Die:
        return DIE

    def apply(self, event: int | str) -> Pig:
        needs, seat, turn, _ = self
        if isinstance(event, int):
            if event == 1:
                return Pig(needs, 1 - seat, 0, True)
            if turn + event >= needs[seat]:
                return Pig((0, 0), seat, FINISHED, False)
            return Pig(needs, seat, turn + event, False)
        if event == "roll":
            return Pig(needs, seat, turn, True)
        mine = needs[seat] - turn
        return Pig((mine, needs[1]) if seat == 0 else (needs[0], mine), 1 - seat, 0, True)


def alike(pig: Pig) -> tuple[Pig, tuple[int, ...]]:
    """Who sits where has no meaning: let seat 0 be the one whose turn it is."""
    if pig.seat == 0:
        return pig, (0, 1)
    return Pig((pig.needs[1], pig.needs[0]), 0, pig.turn, pig.rolling), (1, 0)


def solve(goal: int = 100) -> Solution[Pig]:
    """Everything about Pig up to `goal` points."""
    graph = explore(Pig((goal, goal), 0, 0, True), alike)
    return graph.solve(lambda pig: (pig.seat == 0, pig.seat == 1))


if __name__ == "__main__":
    goal = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"the first player wins with a chance of {solve(goal).start[0]:.6f}")
