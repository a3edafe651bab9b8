"""What a position of Crowns promises every seat, looking one roll ahead.

`before_roll` is the exact mean over all rolls of what the best placement leads to by the learned value
(`after_roll`); `after_moves` is `before_roll` of the positions after each move. So moves are compared by one more
roll than the learned value knows of.

With several players the end comes when somebody's last chip is down, so that the learned value also knows the
*pace*, the fewest chips that an opponent has left when one rolls. Who waits is looked at when it will roll next: what
the seat that rolls now does is averaged exactly, those who roll after it are taken to place two chips.

When the rounds may run out before the chips do, only so many chips count as left as can be placed in that
time. That is a rough guess but for the last round, when the score alone counts.

These functions ask the rule functions and are, like them, run as they stand and compiled into batches. `g` is the
config, `s` the state as numbers, `v` what was learned (`model.BoardTables`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pasch.core.rules import apart
from pasch.core.state import OVER
from pasch.games.crowns.learned import PER_ROUND, pace_at_turn, pace_now, turns_after
from pasch.games.crowns.rules import (
    Config,
    cost,
    ends_game,
    following,
    roll_row,
    rounds_after,
    rounds_left,
    score,
)
from pasch.games.crowns.values.kernel import (
    NO_LIMIT,
    Scratch,
    best_of_roll,
    look_ahead,
    new_scratch,
    value_placements,
)
from pasch.games.crowns.values.model import BoardTables
from pasch.games.crowns.values.net import IMPOSSIBLE
from pasch.games.crowns.values.placements import Reals, Whole
from pasch.games.crowns.ways import DICE
from pasch.solve.compiled import compile_plain

#: crowns that a move may look worse than the best one to be looked at itself; some boards that are hardly ever seen are
#: judged badly (docs/values.md)
GAP = 3.5
#: with this gap every move is looked at
EVERY = 1e9


class Futures(NamedTuple):
    """What the roll to come may bring a seat that waits, by the number of chips that it costs."""

    often: Reals  # how likely that is
    turns: Whole  # the turns that the seat has then
    pace: Whole  # the pace when it will roll
    likely: Reals  # how likely these turns and this pace are; 0 if a lower number of chips brings the same


def new_futures() -> Futures:
    """Room for every number of chips that a roll may cost."""
    size = DICE + 1
    return Futures(np.zeros(size), np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size))


# --- horizon ------------------------------------------------------------------------------------------


def horizon_of(v: BoardTables, turns: int) -> int:
    """How many chips can still be of use after the next of so many turns."""
    return min(PER_ROUND * (turns - 1), v.tables.shape[1] - 1)


def horizon_now(g: Config, v: BoardTables, left: Sequence[int], rounds: int, seat: int) -> int:
    """How many chips can be of use to a seat after the roll that it is about to make."""
    return horizon_of(v, 1 + turns_after(g, left, rounds, seat, seat))


# --- a seat that waits --------------------------------------------------------------------------------


def look_further(g: Config, left: list[int], rounds: int, roller: int, seat: int, futures: Futures) -> None:
    """Find what a seat has before it after each way in which the roll to come may end."""
    chips = left[roller]
    for spent in range(len(futures.often)):
        futures.likely[spent] = 0.0
        if futures.often[spent] > 0:
            left[roller] = chips - spent
            turns, pace = turns_after(g, left, rounds, roller, seat), pace_at_turn(g, left, seat, roller)
            same = 0
            while same < spent and (
                futures.often[same] == 0 or futures.turns[same] != turns or futures.pace[same] != pace
            ):
                same += 1
            futures.turns[spent], futures.pace[spent] = turns, pace
            futures.likely[same] += futures.often[spent]
    left[roller] = chips


@compile_plain
def waiting(
    v: BoardTables, board: int, crowns: int, chips: int, futures: Futures, scratch: Scratch
) -> float:
    """What a board is worth to a seat that waits with so many chips; without any turn left its score, `crowns`."""
    total = 0.0
    for spent in range(len(futures.likely)):
        likely, turns = futures.likely[spent], futures.turns[spent]
        if likely > 0 and turns == 0:
            total += likely * crowns
        elif likely > 0:
            horizon = horizon_of(v, turns)
            total += likely * look_ahead(
                v, futures.pace[spent], board, chips, horizon, scratch.often, scratch
            )
    return total


def write_waiting(
    g: Config,
    v: BoardTables,
    boards: Sequence[int],
    left: list[int],
    rounds: int,
    roller: int,
    futures: Futures,
    scratch: Scratch,
    out: Reals,
) -> None:
    """Write what everybody may expect who waits for the roll to come."""
    for seat in range(g.players):
        if seat != roller:
            look_further(g, left, rounds, roller, seat, futures)
            out[seat] = waiting(v, boards[seat], score(g, boards[seat]), left[seat], futures, scratch)


# --- positions ----------------------------------------------------------------------------------------


def before_roll(g: Config, v: BoardTables, s: Any, out: Reals) -> None:
    """Write each seat's expected final score before a roll, or when the game is over."""
    if s.actor == OVER:
        for seat in range(g.players):
            out[seat] = score(g, s.boards[seat])
        return
    scratch, futures, seat = new_scratch(v), new_futures(), s.seat
    pace, horizon = pace_now(g, s.left, seat), horizon_now(g, v, s.left, s.rounds, seat)
    out[seat] = look_ahead(v, pace, s.boards[seat], s.left[seat], horizon, futures.often, scratch)
    write_waiting(g, v, s.boards, s.left, s.rounds, seat, futures, scratch, out)


def after_roll(g: Config, v: BoardTables, s: Any, out: Reals) -> None:
    """Write each seat's expected final score with these dice, by the learned value."""
    scratch, futures, seat, roll = new_scratch(v), new_futures(), s.seat, roll_row(s)
    pace, horizon = pace_now(g, s.left, seat), horizon_now(g, v, s.left, s.rounds, seat)
    value_placements(v, pace, s.boards[seat], s.left[seat], horizon, roll, scratch)
    choice, best = best_of_roll(v.ways, roll, scratch.values, scratch.choices)
    out[seat] = best
    futures.often[v.ways.cost[choice]] = 1.0
    write_waiting(g, v, s.boards, s.left, s.rounds, seat, futures, scratch, out)


def after_moves(
    g: Config, v: BoardTables, s: Any, codes: Sequence[int], count: int, everybody: bool, out: Reals
) -> None:
    """Write [move, seat] expected final scores after each move, of everybody or only of the mover.

    What the others may expect follows from how many chips the mover has left, not from where they lie.
    """
    scratch, futures, mover = new_scratch(v), new_futures(), s.seat
    roller, rounds = following(g, mover), rounds_after(g, s.rounds, mover)
    left = [s.left[seat] for seat in range(g.players)]
    chips, before = -1, 0
    for place in range(count):
        board = s.boards[mover] | g.masks[codes[place]]
        left[mover] = s.left[mover] - cost(g, g.chips[codes[place]])
        if ends_game(g, left, s.rounds, mover):
            for seat in range(g.players):
                out[place, seat] = score(g, board if seat == mover else s.boards[seat])
            continue
        pace, horizon = pace_now(g, left, roller), horizon_now(g, v, left, rounds, roller)
        if roller == mover:
            out[place, mover] = look_ahead(v, pace, board, left[mover], horizon, scratch.often, scratch)
            continue
        if left[mover] != chips:
            chips, before = left[mover], place
            rolling = look_ahead(v, pace, s.boards[roller], left[roller], horizon, futures.often, scratch)
            if everybody:
                write_waiting(g, v, s.boards, left, rounds, roller, futures, scratch, out[place])
                out[place, roller] = rolling
            look_further(g, left, rounds, roller, mover, futures)
        elif everybody:
            for seat in range(g.players):
                out[place, seat] = out[before, seat]
        out[place, mover] = waiting(v, board, score(g, board), chips, futures, scratch)


@apart
def look_at_favourites(
    g: Config, v: BoardTables, s: Any, codes: Sequence[int], count: int, scratch: Scratch, out: Reals
) -> float:
    """Write the values of moves for one who plays alone, from the move that looks best on; how good that one looks.

    Moves are not looked at that look worse by `GAP` than the favourite looks and than the best one so far has turned
    out to be; they are worth what they look.
    """
    board, chips = s.boards[0], s.left[0]
    looks, most, best = np.zeros(count), np.float64(IMPOSSIBLE), np.float64(IMPOSSIBLE)
    # if the rounds may run out, looking ahead alone takes that into account
    gap = GAP if rounds_left(g, s.rounds) >= chips else EVERY
    value_placements(v, 0, board, chips, NO_LIMIT, roll_row(s), scratch)
    for place in range(count):
        looks[place] = out[place] = scratch.values[codes[place]]
    for _ in range(count):
        place = 0
        for other in range(1, count):
            if looks[other] > looks[place]:
                place = other
        most = max(most, looks[place])
        if looks[place] < min(most, best) - gap:
            break
        looks[place] = IMPOSSIBLE
        u = codes[place]
        left, covered = [chips - v.ways.cost[u]], board | v.ways.masks[u]
        if ends_game(g, left, s.rounds, 0):
            out[place] = score(g, covered)
        else:
            horizon = horizon_now(g, v, left, s.rounds + 1, 0)
            out[place] = look_ahead(v, 0, covered, left[0], horizon, scratch.often, scratch)
        best = max(best, out[place])
    return most


@apart
def worths(g: Config, v: BoardTables, s: Any, codes: Sequence[int], count: int, out: Any) -> None:
    """Write the mover's expected final score after each move."""
    found = np.zeros((count, g.players))
    after_moves(g, v, s, codes, count, False, found)
    for place in range(count):
        out[place] = found[place, s.seat]


@apart
def best_worths(g: Config, v: BoardTables, s: Any, codes: Sequence[int], count: int, out: Any) -> None:
    """As `worths`, for the best move: alone, those that look much worse are not looked at further if a net judges."""
    if g.players > 1 or v.net.mix.shape[0] == 0:
        worths(g, v, s, codes, count, out)
    else:
        look_at_favourites(g, v, s, codes, count, new_scratch(v), out)
