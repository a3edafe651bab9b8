"""Pig: first to 100 points. How good is it to begin?

Two turns can pass without a point, so positions come up again, and the general solver has to go round in
circles until nothing changes. The rules are those of the package in `examples/pig`.

The first player wins with a chance of 0.5306 if both play best (Neller and Presser, "Optimal Play of the
Dice Game Pig", The UMAP Journal 25, 2004).

    pip install ./examples/pig
    python examples/solve_pig.py [TARGET]
"""

from __future__ import annotations

import sys

from pasch_pig.rules import Pig, Position

from pasch import Solution, explore


def alike(state: Position) -> tuple[Position, tuple[int, ...]]:
    """Who sits where has no meaning: let seat 0 be the one whose turn it is."""
    if state.seat == 0:
        return state, (0, 1)
    actor = min(state.actor, 0)
    return Position(state.game, actor, state.phase, 0, state.totals[::-1], state.turn), (1, 0)


def solve(target: int = 100) -> Solution[Position]:
    """Everything about Pig for two up to `target` points."""
    start = Pig.agree(2, {"target": target}).start()
    assert isinstance(start, Position)
    graph = explore(start, alike)
    return graph.solve(lambda state: [seat in state.winners() for seat in (0, 1)])


if __name__ == "__main__":
    target = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"the first player wins with a chance of {solve(target).start[0]:.6f}")
