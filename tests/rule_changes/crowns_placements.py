"""The values of Crowns choose among the placements that the rules allow, also where a rule was changed."""

from __future__ import annotations

from random import Random

from tests.solve.proofs import walk

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.games.crowns.box import mask
from pasch.games.crowns.rules import Crowns, Place, Position, fits, roll_row
from pasch.games.crowns.values import Values, kernel


def check(game: Crowns) -> None:
    """Of every roll the best placement is a legal move, and each legal move can be the best one."""
    v = Values(game).numbers()
    ways, scratch, random = v.ways, kernel.new_scratch(v), Random(1)
    order = {int(fields): u for u, fields in enumerate(ways.masks)}
    for state in [state for _ in range(3) for state in walk(game, KeyedGenerator(seed_key("legal")))]:
        assert isinstance(state, Position)
        if state.phase != "place":
            continue
        board, left = state.boards[state.seat], state.left[state.seat]
        moves = state.moves()
        legal = {mask(move.place) if isinstance(move, Place) else 0 for move in moves}
        costs = {left - state.apply(move).left[state.seat] for move in moves}
        values = scratch.values
        values[:] = kernel.IMPOSSIBLE
        fitting = [u for u, n in enumerate(ways.chips) if fits(ways.masks[u], n, board, left)]
        for favourite in (None, order[random.choice(sorted(legal))]):
            values[fitting] = [random.random() for _ in fitting]
            if favourite is not None:
                values[favourite] = 2.0
            choice, value = kernel.best_of_roll(ways, roll_row(state.unpack()), scratch)
            assert int(ways.masks[choice]) in legal, "values: a placement that is not legal"
            assert int(ways.cost[choice]) in costs
            assert favourite is None or choice == favourite
            assert value == max(values[order[fields]] for fields in legal)
