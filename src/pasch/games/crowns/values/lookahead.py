"""What a position of Crowns promises every seat, looking one roll ahead.

`quick_values` is the exact mean over all rolls of what the best placement leads to by the learned value, or with the
dice of a roll that placement's; `after_moves` is the same before the next roll, for the positions after each move. So
moves are compared by one more roll than the learned value knows of.

With several players the end comes when somebody's last chip is down, so that the learned value also knows the
*pace*, the fewest chips that an opponent has left when one rolls. Who waits is looked at when it will roll next: what
the seat that rolls now does is averaged exactly, those who roll after it are taken to place two chips.

When the rounds may run out before the chips do, only as many chips count as left as can be placed in that
time. That is a rough guess but for the last round, when the score alone counts.

These functions ask the rule functions and are, like them, compiled into batches. `g` is the config, `s` the state as
numbers, `v` what was learned (`model.BoardTables`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pasch.core.rules import kernel
from pasch.core.state import OVER
from pasch.games.crowns.learned import PER_ROUND, pace_at_turn, pace_now, turns_after
from pasch.games.crowns.rules import (
    PLACE,
    Config,
    cost,
    ends_game,
    following,
    roll_row,
    rounds_after,
    rounds_left,
    score,
)
from pasch.games.crowns.values.kernel import NO_LIMIT, Scratch, look_ahead, new_scratch, value_placements
from pasch.games.crowns.values.model import BoardTables
from pasch.games.crowns.values.placements import ANY_ROLL, NEVER, Reals
from pasch.games.crowns.ways import DICE

#: crowns that a move may look worse than the best one to be looked at itself: by a net, and by tables alone; boards
#: that are hardly ever seen are sometimes judged badly (docs/values.md)
NET_GAP, TABLE_GAP = 3.5, 7.0
#: with this gap every move is looked at
EVERY = 1e9


class Seats(NamedTuple):
    """What is looked at: the boards and chips left of all seats, to be changed."""

    g: Config
    v: BoardTables
    boards: Any
    left: Any
    scratch: Scratch


@kernel(allocates=True)
def seats_of(g: Config, v: BoardTables, s: Any, scratch: Scratch) -> Seats:
    """The seats of a position."""
    boards, left = np.zeros(g.players, np.int64), np.zeros(g.players, np.int64)
    for seat in range(g.players):
        boards[seat], left[seat] = s.boards[seat], s.left[seat]
    return Seats(g, v, boards, left, scratch)


# --- a seat -------------------------------------------------------------------------------------------


def horizon_of(v: BoardTables, turns: int) -> int:
    """How many chips can still be of use after the next of this many turns."""
    return min(PER_ROUND * (turns - 1), v.tables.shape[1] - 1)


@kernel
def rolling(seats: Seats, rounds: int, seat: int, roll: int, often: Reals) -> float:
    """What a seat may expect that is about to roll, or has rolled; `often` as in `look_ahead`."""
    g, v, boards, left, scratch = seats
    horizon = horizon_of(v, 1 + turns_after(g, left, rounds, seat, seat))
    pace = pace_now(g, left, seat)
    value: float = look_ahead(v, pace, boards[seat], left[seat], horizon, roll, often, scratch)
    return value


@kernel
def waiting(seats: Seats, rounds: int, roller: int, seat: int, often: Reals) -> float:
    """What a seat may expect that waits for a roll, which costs the roller each number of chips this often.

    Without a turn left that is its score. Numbers of chips that leave it the same turns and pace lead to the same.
    """
    g, v, boards, left, scratch = seats
    chips, turns, pace, worth, total = left[roller], -1, -1, 0.0, 0.0
    for spent in range(len(often)):
        if often[spent] > 0:
            left[roller] = chips - spent
            later, then = turns_after(g, left, rounds, roller, seat), pace_at_turn(g, left, seat, roller)
            if later == 0:
                worth = score(g, boards[seat])
            elif later != turns or then != pace:
                asked = then, boards[seat], left[seat], horizon_of(v, later)
                worth = look_ahead(v, *asked, ANY_ROLL, scratch.often, scratch)
            turns, pace = later, then
            total += often[spent] * worth
    left[roller] = chips
    return total


# --- positions ----------------------------------------------------------------------------------------


@kernel(allocates=True)
def quick_values(g: Config, v: BoardTables, s: Any, out: Reals) -> None:
    """Write each seat's expected final score by the learned value: before a roll, with its dice, or at the end."""
    seats, often, roller = seats_of(g, v, s, new_scratch(v)), np.zeros(DICE + 1), s.seat
    roll = roll_row(s) if s.phase == PLACE else ANY_ROLL
    if s.actor != OVER:
        out[roller] = rolling(seats, s.rounds, roller, roll, often)
    for seat in range(g.players):
        if s.actor == OVER:
            out[seat] = score(g, seats.boards[seat])
        elif seat != roller:
            out[seat] = waiting(seats, s.rounds, roller, seat, often)


@kernel(allocates=True)
def after_moves(
    g: Config,
    v: BoardTables,
    s: Any,
    codes: Any,
    count: int,
    everybody: bool,
    gap: float,
    scratch: Scratch,
    out: Reals,
) -> float:
    """Write [move, seat] expected final scores after each move, of everybody or of the mover; how good the best looks.

    Moves are looked at from the one that looks best by the learned value on. Those that look worse by `gap` than that
    one looks and than the best one so far has turned out to be are worth what they look. What the others may expect
    follows from how many chips the mover has left, not from where they lie.
    """
    mover, most, best = s.seat, NEVER, NEVER
    roller, rounds = following(g, mover), rounds_after(g, s.rounds, mover)
    seats, looks = seats_of(g, v, s, scratch), np.zeros(count)
    boards, left = seats.boards, seats.left
    # by chips spent: whether they are known, what the others may expect, and `often` of the next roll
    known, others = np.zeros(DICE + 1, np.bool_), np.zeros((DICE + 1, g.players))
    often = np.zeros((DICE + 1, DICE + 1))
    # if the rounds may run out, looking ahead alone takes that into account
    gap = gap if rounds_left(g, s.rounds) >= left[mover] else EVERY
    pace = pace_now(g, left, mover)
    value_placements(v, pace, boards[mover], left[mover], NO_LIMIT, roll_row(s), scratch)
    for place in range(count):
        looks[place] = out[place, mover] = scratch.values[codes[place]]
    for place in np.argsort(-looks, kind="mergesort"):
        most = max(most, looks[place])
        if looks[place] < min(most, best) - gap:
            break
        spent = cost(g, g.chips[codes[place]])
        boards[mover] = s.boards[mover] | g.masks[codes[place]]
        left[mover] = s.left[mover] - spent
        over = ends_game(g, left, s.rounds, mover)
        if roller != mover and not over and not known[spent]:
            known[spent] = True
            others[spent, roller] = rolling(seats, rounds, roller, ANY_ROLL, often[spent])
            for seat in range(g.players):
                if everybody and seat != roller and seat != mover:
                    others[spent, seat] = waiting(seats, rounds, roller, seat, often[spent])
        for seat in range(g.players):
            out[place, seat] = score(g, boards[seat]) if over else others[spent, seat]
        if not over and roller == mover:
            out[place, mover] = rolling(seats, rounds, mover, ANY_ROLL, scratch.often)
        elif not over:
            out[place, mover] = waiting(seats, rounds, roller, mover, often[spent])
        best = max(best, out[place, mover])
    return most


# --- for batches --------------------------------------------------------------------------------------


@kernel(allocates=True)
def move_values(
    g: Config, v: BoardTables, s: Any, codes: Any, count: int, out: Any, gap: float = EVERY
) -> None:
    """Write the mover's expected final score after each move; those that look worse by `gap` are not looked at."""
    found = np.zeros((count, g.players))
    after_moves(g, v, s, codes, count, False, gap, new_scratch(v), found)
    for place in range(count):
        out[place] = found[place, s.seat]


@kernel(allocates=True)
def best_worths(g: Config, v: BoardTables, s: Any, codes: Any, count: int, out: Any) -> None:
    """As `move_values`, for the best move: those that look much worse are not looked at further."""
    move_values(g, v, s, codes, count, out, NET_GAP if v.net.mix.shape[0] > 0 else TABLE_GAP)
