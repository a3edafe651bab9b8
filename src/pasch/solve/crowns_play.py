"""Crowns alone, compiled: whole games played by value, for learning and for measuring."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.solve.compiled import compiled
from pasch.solve.crowns_kernel import (
    ENDLESS,
    LOWEST,
    MARGIN,
    Scratch,
    choose,
    expected_value,
    new_scratch,
    table_value,
    tempted,
)
from pasch.solve.crowns_model import Floats, Net, Number, Rules, Steps, Whole

#: how many placements are looked at further, and how many crowns below the favourite they may be
WIDTH, GAP = 6, np.float32(2.0)


class Record(NamedTuple):
    """The boards after each turn of a game."""

    table_at: Steps  # [turn, group]
    net_at: Steps
    chips: Whole  # [turn] chips left
    best: Floats  # [turn] value of the roll before the move


@compiled()
def new_record(rules: Rules, turns: int) -> Record:
    """Room for a game of so many turns."""
    return Record(
        np.zeros((turns, rules.table_base.shape[0]), dtype=np.int32),
        np.zeros((turns, rules.net_base.shape[0]), dtype=np.int32),
        np.zeros(turns, dtype=np.int64),
        np.zeros(turns, dtype=np.float32),
    )


@compiled()
def draw(rules: Rules) -> int:
    """A roll."""
    number: int = rules.lottery[np.random.randint(0, rules.lottery.shape[0])]
    return number


@compiled(fastmath=True)
def play(
    tables: Floats, net: Net, rules: Rules, margin: Number, whim: Floats, scratch: Scratch, record: Record
) -> int:
    """One game, kept in `record`; the number of its turns. Led by a whim if there is one."""
    board = np.int64(0)
    chips = tables.shape[0] - 1
    at, net_at = rules.table_base.copy(), rules.net_base.copy()
    turns = 0
    while chips > 0:
        roll = draw(rules)
        choice, best = choose(board, at, net_at, chips, roll, tables, net, rules, margin, scratch)
        record.best[turns] = best
        if whim.shape[0] > 0:
            choice = tempted(roll, rules, whim, scratch.values)
        board |= rules.masks[choice]
        chips -= rules.cost[choice]
        at += rules.table_steps[choice]
        net_at += rules.net_steps[choice]
        record.table_at[turns] = at
        record.net_at[turns] = net_at
        record.chips[turns] = chips
        turns += 1
    return turns


@compiled(fastmath=True)
def quick_scores(games: int, seed: int, tables: Floats, net: Net, rules: Rules) -> Floats:
    """Scores of games in which nobody looks ahead."""
    np.random.seed(seed)
    scratch = new_scratch(rules, net)
    record = new_record(rules, tables.shape[0])
    scores = np.zeros(games, dtype=np.float32)
    no_whim = np.zeros(0, dtype=np.float32)
    for i in range(games):
        turns = play(tables, net, rules, MARGIN, no_whim, scratch, record)
        scores[i] = table_value(tables[0], record.table_at[turns - 1], scratch.still)
    return scores


@compiled(fastmath=True)
def choose_ahead(
    board: Number,
    at: Steps,
    net_at: Steps,
    chips: int,
    roll: int,
    tables: Floats,
    net: Net,
    rules: Rules,
    scratch: Scratch,
    inner: Scratch,
) -> tuple[int, Number, Number]:
    """The best placement looking a roll ahead, its value, and the best value without looking.

    Only the favourites are looked at, to save time; `pasch.solve.crowns` looks at every move.
    """
    choice, quick = choose(board, at, net_at, chips, roll, tables, net, rules, MARGIN, scratch)
    best = np.float64(-1e30)
    first, last = rules.start[roll], rules.start[roll + 1]
    for _ in range(WIDTH):
        favourite = rules.number[first]
        for i in range(first, last):
            if scratch.values[rules.number[i]] > scratch.values[favourite]:
                favourite = rules.number[i]
        if scratch.values[favourite] < quick - GAP:
            break
        scratch.values[favourite] = LOWEST
        value = expected_value(
            board | rules.masks[favourite],
            at + rules.table_steps[favourite],
            net_at + rules.net_steps[favourite],
            chips - rules.cost[favourite],
            ENDLESS,
            tables,
            net,
            rules,
            inner,
        )
        if value > best:
            best, choice = value, favourite
    return choice, best, quick


@compiled(fastmath=True)
def scores_ahead(
    games: int, seed: int, tables: Floats, net: Net, rules: Rules
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Scores of games looking a roll ahead; the same with the luck taken out; errors by chips left.

    The luck of a roll is its quick value less the exact mean over all rolls. It averages zero, so that
    scores without it have the same mean and a much smaller spread. What is then left between the first
    estimate and the score are the estimate's own corrections; by chips left their root mean square is
    how far estimates are off.
    """
    np.random.seed(seed)
    scratch, inner = new_scratch(rules, net), new_scratch(rules, net)
    most = tables.shape[0] - 1
    scores, steady = np.zeros(games), np.zeros(games)
    squares, counts = np.zeros(most + 1), np.zeros(most + 1)
    corrections, seen = np.zeros(most + 1), np.zeros(most + 1, dtype=np.int64)
    start = expected_value(
        np.int64(0), rules.table_base, rules.net_base, most, ENDLESS, tables, net, rules, inner
    )
    for i in range(games):
        board, chips, turns = np.int64(0), most, 0
        at, net_at = rules.table_base.copy(), rules.net_base.copy()
        luck, mean = 0.0, start
        while chips > 0:
            roll = draw(rules)
            choice, value, quick = choose_ahead(
                board, at, net_at, chips, roll, tables, net, rules, scratch, inner
            )
            luck += quick - mean
            corrections[turns] = value - quick
            seen[turns] = chips
            turns += 1
            mean = value
            board |= rules.masks[choice]
            chips -= rules.cost[choice]
            at += rules.table_steps[choice]
            net_at += rules.net_steps[choice]
        scores[i] = table_value(tables[0], at, scratch.still)
        steady[i] = scores[i] - luck
        later = 0.0
        for turn in range(turns - 1, -1, -1):
            later += corrections[turn]
            squares[seen[turn]] += later * later
            counts[seen[turn]] += 1
    return scores, steady, np.sqrt(squares / np.maximum(counts, 1.0))
