"""Crowns with several players, compiled: races played on to their end, to see who wins.

Everybody plays quickly and for points, by the paces of `pasch.solve.crowns_race`. The dice of a world are
the same for all positions that are compared, so that luck does not decide between them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pasch.games import crowns
from pasch.solve.compiled import compiled
from pasch.solve.crowns_kernel import Scratch, choose, entries_of, new_scratch, table_value
from pasch.solve.crowns_model import Floats, Net, Rules, Steps, Whole
from pasch.solve.crowns_play import draw
from pasch.solve.crowns_race import ALL, fewest_of_others, pace_of

is_over: Any = compiled()(crowns.is_over)


@compiled(fastmath=True)
def play_on(
    boards: Whole,
    left: Whole,
    at: Steps,
    seat: int,
    rounds: int,
    limit: int,
    tables: Floats,
    net: Net,
    rules: Rules,
    scratch: Scratch,
) -> None:
    """The rest of a race in which `seat` is to roll."""
    while not (seat == 0 and is_over(left, rounds, limit)):
        # in the last round the score alone counts, as it does at pace 0
        pace = pace_of(fewest_of_others(left, seat)) if rounds + 1 < limit else 0
        own = at[seat]
        choice, _ = choose(
            boards[seat], own, own, left[seat], draw(rules), tables[pace], net, rules, ALL, scratch
        )
        boards[seat] |= rules.masks[choice]
        left[seat] -= rules.cost[choice]
        own += rules.table_steps[choice]
        seat += 1
        if seat == left.shape[0]:
            seat, rounds = 0, rounds + 1


@compiled(fastmath=True)
def who_wins(
    boards: Whole,
    left: Whole,
    seat: int,
    rounds: int,
    limit: int,
    which: Whole,
    worlds: tuple[int, int],
    seed: int,
    tables: Floats,
    net: Net,
    rules: Rules,
    won: NDArray[np.float64],
) -> None:
    """Play on from each position in `which` in each of these worlds; `won` gets 1 for those who win.

    `boards` and `left` are [position, seat], `won` is [position, world, seat].
    """
    scratch = new_scratch(rules, net)
    seats = left.shape[1]
    for number in which:
        start = np.zeros((seats, rules.table_base.shape[0]), dtype=np.int32)
        for s in range(seats):
            start[s] = entries_of(boards[number, s], rules.masks, rules.table_steps, rules.table_base)
        for world in range(worlds[0], worlds[1]):
            np.random.seed((seed + world) % (1 << 32))
            at, then, chips = start.copy(), boards[number].copy(), left[number].copy()
            play_on(then, chips, at, seat, rounds, limit, tables, net, rules, scratch)
            best = np.float32(-1.0)
            for s in range(seats):
                best = max(best, table_value(tables[0, 0], at[s], scratch.still))
            for s in range(seats):
                won[number, world, s] = table_value(tables[0, 0], at[s], scratch.still) > best - 0.5
