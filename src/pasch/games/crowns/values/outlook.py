"""What a position of Crowns promises every seat, looking one roll ahead.

`before_roll` is the exact mean over all rolls of what the best placement leads to by the learned value
(`after_roll`); `after_moves` is `before_roll` of the positions after each move. So moves are compared by one more
roll than the learned value knows of.

With several players the end comes when somebody's last chip is down, so that the learned value also knows the
*pace*, the fewest chips that an opponent has left when one rolls. Who waits is looked at when it will roll next: what
the seat that rolls now does is averaged exactly, those who roll after it are taken to place two chips.

When the rounds may run out before the chips do, only so many chips count as left as can be placed in that
time. That is a rough guess but for the last round, when the score alone counts.

These functions ask the rule functions and are, like them, run as they stand and compiled into batches. `g` is what was
agreed, `s` the state as numbers, `v` what was learned (`model.BoardTables`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.rules import apart
from pasch.core.state import OVER
from pasch.games.crowns.learned import PER_ROUND, pace_at_turn, pace_now
from pasch.games.crowns.rules import (
    Agreed,
    Numbers,
    cost,
    ends_game,
    following,
    rounds_after,
    score,
    turns_after,
)
from pasch.games.crowns.values.kernel import (
    ENDLESS,
    LOWEST,
    WorkingMemory,
    best_of_roll,
    board_value,
    expected_value,
    is_solved,
    new_memory,
    rolls_ahead,
    value_placements,
)
from pasch.games.crowns.values.model import BoardTables, Whole
from pasch.games.crowns.ways import DICE

Reals = NDArray[np.float64]

#: crowns below the favourite that a move may be to be looked at a roll ahead, where values are solved
GAP = np.float32(2.0)


class Futures(NamedTuple):
    """What the roll to come may bring a seat that waits, by the number of chips that it costs."""

    often: Reals  # how likely that is
    turns: Whole  # the turns that the seat has then
    pace: Whole  # the pace when it will roll
    value: Reals  # what its board is worth


def new_futures() -> Futures:
    """Room for every number of chips that a roll may cost."""
    size = DICE + 1
    return Futures(np.zeros(size), np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size))


# --- horizon ------------------------------------------------------------------------------------------


def horizon_of(v: BoardTables, turns: int) -> int:
    """How many chips can still be of use after the next of so many turns."""
    return min(PER_ROUND * (turns - 1), v.tables.shape[1] - 1)


def horizon_now(g: Agreed, v: BoardTables, left: Sequence[int], rounds: int, seat: int) -> int:
    """How many chips can be of use to a seat after the roll that it is about to make."""
    return horizon_of(v, 1 + turns_after(g, left, rounds, seat, seat))


# --- a seat that waits --------------------------------------------------------------------------------


def look_further(g: Agreed, left: list[int], rounds: int, roller: int, seat: int, futures: Futures) -> None:
    """Find what a seat has before it after each way in which the roll to come may end."""
    chips = left[roller]
    for spent in range(len(futures.often)):
        if futures.often[spent] > 0:
            left[roller] = chips - spent
            futures.turns[spent] = turns_after(g, left, rounds, roller, seat)
            futures.pace[spent] = pace_at_turn(g, left, seat, roller)
    left[roller] = chips


def waiting_value(
    g: Agreed, v: BoardTables, board: int, chips: int, futures: Futures, memory: WorkingMemory
) -> float:
    """What a board is worth to a seat that waits with so many chips; without any turn left its score."""
    total = 0.0
    for spent in range(len(futures.often)):
        if futures.often[spent] > 0:
            turns, pace = futures.turns[spent], futures.pace[spent]
            same = 0
            while same < spent and (
                futures.often[same] == 0 or futures.turns[same] != turns or futures.pace[same] != pace
            ):
                same += 1
            if same < spent:
                futures.value[spent] = futures.value[same]
            elif turns == 0:
                futures.value[spent] = score(g, board)
            else:
                futures.value[spent] = expected_value(v, pace, board, chips, horizon_of(v, turns), memory)
            total += futures.often[spent] * futures.value[spent]
    return total


def write_waiting(
    g: Agreed,
    v: BoardTables,
    boards: Sequence[int],
    left: list[int],
    rounds: int,
    roller: int,
    futures: Futures,
    memory: WorkingMemory,
    out: Reals,
) -> None:
    """Write what everybody may expect who waits for the roll to come."""
    for seat in range(g.players):
        if seat != roller:
            look_further(g, left, rounds, roller, seat, futures)
            out[seat] = waiting_value(g, v, boards[seat], left[seat], futures, memory)


# --- positions ----------------------------------------------------------------------------------------


def before_roll(g: Agreed, v: BoardTables, s: Numbers, out: Reals) -> None:
    """Write each seat's expected final score before a roll, or when the game is over."""
    if s.actor == OVER:
        for seat in range(g.players):
            out[seat] = score(g, s.boards[seat])
        return
    memory, futures, seat = new_memory(v), new_futures(), s.seat
    pace, horizon = pace_now(g, s.left, seat), horizon_now(g, v, s.left, s.rounds, seat)
    out[seat] = rolls_ahead(v, pace, s.boards[seat], s.left[seat], horizon, futures.often, memory)
    write_waiting(g, v, s.boards, s.left, s.rounds, seat, futures, memory, out)


def after_roll(g: Agreed, v: BoardTables, s: Numbers, out: Reals) -> None:
    """Write each seat's expected final score with these dice, by the learned value."""
    memory, futures, seat = new_memory(v), new_futures(), s.seat
    pace, horizon = pace_now(g, s.left, seat), horizon_now(g, v, s.left, s.rounds, seat)
    value_placements(v, pace, s.boards[seat], s.left[seat], horizon, memory)
    choice, best = best_of_roll(v.ways, s.roll, memory.values)
    out[seat] = best
    futures.often[v.ways.cost[choice]] = 1.0
    write_waiting(g, v, s.boards, s.left, s.rounds, seat, futures, memory, out)


def after_moves(
    g: Agreed, v: BoardTables, s: Numbers, codes: Sequence[int], count: int, everybody: bool, out: Reals
) -> None:
    """Write [move, seat] expected final scores after each move, of everybody or only of the mover.

    The others' outlook follows from how many chips the mover has left, not from where they lie.
    """
    memory, futures, mover = new_memory(v), new_futures(), s.seat
    roller, rounds = following(g, mover), rounds_after(g, s.rounds, mover)
    left = [s.left[seat] for seat in range(g.players)]
    chips, before = -1, 0
    quick, most = np.full(count, LOWEST), LOWEST
    for place in range(count):
        board = s.boards[mover] | g.masks[s.roll][codes[place]]
        left[mover] = s.left[mover] - cost(g, g.chips[s.roll][codes[place]])
        if ends_game(g, left, s.rounds, mover):
            for seat in range(g.players):
                out[place, seat] = score(g, board if seat == mover else s.boards[seat])
            continue
        pace, horizon = pace_now(g, left, roller), horizon_now(g, v, left, rounds, roller)
        if roller == mover:
            if is_solved(v):
                quick[place] = board_value(v, pace, board, left[mover], memory)
                most = max(most, quick[place])
            else:
                out[place, mover] = expected_value(v, pace, board, left[mover], horizon, memory)
            continue
        if left[mover] != chips:
            chips, before = left[mover], place
            rolling = rolls_ahead(v, pace, s.boards[roller], left[roller], horizon, futures.often, memory)
            if everybody:
                write_waiting(g, v, s.boards, left, rounds, roller, futures, memory, out[place])
                out[place, roller] = rolling
            look_further(g, left, rounds, roller, mover, futures)
        elif everybody:
            for seat in range(g.players):
                out[place, seat] = out[before, seat]
        out[place, mover] = waiting_value(g, v, board, chips, futures, memory)
    # by solved values only the moves that look best have to be looked at further
    for place in range(count):
        if quick[place] > LOWEST:
            out[place, mover] = quick[place]
            if quick[place] >= most - GAP:
                board = s.boards[mover] | g.masks[s.roll][codes[place]]
                chips = s.left[mover] - cost(g, g.chips[s.roll][codes[place]])
                out[place, mover] = expected_value(v, 0, board, chips, ENDLESS, memory)


@apart
def worths(g: Agreed, v: BoardTables, s: Numbers, codes: Sequence[int], count: int, out: Any) -> None:
    """Write the mover's expected final score after each move."""
    found = np.zeros((count, g.players))
    after_moves(g, v, s, codes, count, False, found)
    for place in range(count):
        out[place] = found[place, s.seat]
