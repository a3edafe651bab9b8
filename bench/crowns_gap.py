"""How much worse the best move of Crowns may look at first: batches look only at moves that are less far behind.

python -m bench.crowns_gap 20000 --players 1 --minimum 1
"""

from __future__ import annotations

import argparse

import numpy as np

from pasch.core.state import CHANCE
from pasch.games.crowns.learned import pace_now
from pasch.games.crowns.rules import Crowns, CrownsOptions, Position, Roll, roll_row
from pasch.games.crowns.values import Values, kernel
from pasch.games.crowns.values.kernel import NET_GAP, TABLE_GAP


def behind(looks: list[float], worth: tuple[float, ...]) -> float:
    """The lesser of the gaps between the best move and the favourite, and the best of those that look better."""
    best = max(worth)
    found = []
    for place, points in enumerate(worth):
        if points >= best - 1e-6:
            before = [worth[other] for other, look in enumerate(looks) if look > looks[place]]
            found.append(min(max(before), max(looks)) - looks[place] if before else 0.0)
    return min(found)


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("decisions", type=int)
    wanted.add_argument("--players", type=int, default=1)
    wanted.add_argument("--minimum", type=int, default=1)
    asked = wanted.parse_args()
    game = Crowns(asked.players, CrownsOptions(solo_minimum=asked.minimum))
    values, random, found = Values(game), np.random.default_rng(1), list[float]()
    v = values.numbers()
    scratch = kernel.new_scratch(v)
    state = game.start()
    while len(found) < asked.decisions:
        assert isinstance(state, Position)
        if state.over:
            state = game.start()
        elif state.actor == CHANCE:
            state = state.apply(Roll(state.seat, tuple(map(int, random.integers(1, 7, size=6)))))
        else:
            seat, roll, worth = state.seat, roll_row(state.unpack()), values.move_points(state)
            position = pace_now(game.config, state.left, seat), state.boards[seat], state.left[seat]
            kernel.value_placements(v, *position, kernel.NO_LIMIT, roll, scratch)
            looks = [float(scratch.values[code]) for code in state.codes()]
            found.append(behind(looks, worth))
            state = state.apply(state.moves()[worth.index(max(worth))])
    far, gap = np.sort(found)[::-1], NET_GAP if game.players == 1 else TABLE_GAP
    print(
        f"{len(far):,} decisions: the best move looks behind by {', '.join(f'{x:.2f}' for x in far[:5])} at most"
    )
    print(f"more than {gap}: {int((far > gap).sum())}; more than {gap - 1}: {int((far > gap - 1).sum())}")


if __name__ == "__main__":
    main()
