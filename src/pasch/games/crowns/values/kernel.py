"""Crowns, compiled: value placements, find the best one of a roll, look a roll ahead.

`g` is the config, `s` the state as numbers, `v` what was learned (`model.Model`); `pace` says which of its tables
is read. Placements and rolls have the numbers of `placements.Ways`, which also has what the rules require.

`quick_values` is the exact mean over all rolls of what the best placement leads to by the learned value, or with the
dice of a roll that placement's; `after_moves` is the same before the next roll, for the positions after each move.

`horizon` is how many of the chips left can still be of use: fewer than are left if the rounds run out, none after the
last round, when only the score counts. That is a rough guess but for the last round.
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
    fits,
    following,
    roll_row,
    rounds_after,
    rounds_left,
    score,
)
from pasch.games.crowns.values.model import Model, Net
from pasch.games.crowns.values.placements import (
    ANY_ROLL,
    NEVER,
    TABLE_GROUPS,
    Floats,
    Groups,
    Number,
    Reals,
    Steps,
    Ways,
    Whole,
)
from pasch.games.crowns.ways import DICE
from pasch.solve.compiled import compile_plain, compiled

IMPOSSIBLE = np.float32(NEVER)
#: more chips than anybody has: the rounds do not run out
NO_LIMIT = 99
#: crowns that a move may look worse than the best one to be looked at itself: by a net, and by tables alone; boards
#: that are hardly ever seen are sometimes judged badly (docs/values.md)
NET_GAP, TABLE_GAP = 3.5, 7.0
#: with this gap every move is looked at
EVERY = 1e9
#: groups of the tables
GROUPS = len(TABLE_GROUPS.base)
#: how many of the net's answers are remembered, as a power of 2: many boards that a move and a roll lead to follow
#: from other moves, too
SLOT_BITS = 13
#: an odd number that scatters boards
SCATTER = np.uint64(0x9E3779B97F4A7C15)


class Scratch(NamedTuple):
    """Buffers for valuing a board."""

    values: Floats  # [placement] value after it
    at: Steps  # [group] the entries that the board selects, of the tables and of the net
    net_at: Steps
    points: Floats  # [chips placed] the best placement of a roll: its value, its number
    code: Whole
    best: Floats  # [roll] the best value, and the placement that has it
    choice: Steps
    often: Reals  # [chips] how often the best placement costs this number
    hidden: Floats  # what the net's first hidden units get
    board: Whole  # [slot] the board and chips left that the net was asked about last, and the answer
    answer: Floats


@compile_plain
@kernel(allocates=True)
def new_scratch(v: Model) -> Scratch:
    """Buffers for valuing boards by one model: the net's answers are remembered in them."""
    one = v.net.chips.shape[1]
    slots = 1 << SLOT_BITS if one > 0 else 0
    return Scratch(
        np.zeros(v.ways.masks.shape[0], dtype=np.float32),
        np.zeros(v.ways.table.base.shape[0], dtype=np.int32),
        np.zeros(v.ways.net.base.shape[0], dtype=np.int32),
        np.zeros(DICE + 1, dtype=np.float32),
        np.zeros(DICE + 1, dtype=np.int64),
        np.zeros(v.ways.cases.shape[0], dtype=np.float32),
        np.zeros(v.ways.cases.shape[0], dtype=np.int32),
        np.zeros(DICE + 1),
        np.zeros(one, dtype=np.float32),
        np.zeros(slots, dtype=np.int64),
        np.zeros(slots, dtype=np.float32),
    )


# --- tables ----------------------------------------------------------------------------------------


@compile_plain
def locate(board: Number, groups: Groups, at: Steps) -> None:
    """Find the entries that a board selects."""
    for group in range(at.shape[0]):
        at[group] = groups.base[group]
    for field in range(groups.fields.shape[0]):
        if board >> field & 1:
            for group in range(at.shape[0]):
                at[group] += groups.fields[field, group]


@compiled(fastmath=True)
def table_value(table: Floats, at: Steps, step: Steps) -> Number:
    """Sum of the entries of a board after a placement."""
    total = np.float32(0.0)
    # the constant lets the compiler unroll the loop, and what has no sign cannot count from the end of the table
    for g in range(GROUPS):
        total += table[np.uint32(at[g] + step[g])]
    return total


# --- what the net adds ------------------------------------------------------------------------------


@compiled(fastmath=True)
def net_value(net: Net, at: Steps, step: Steps, left: int, hidden: Floats) -> Number:
    """What the net adds for a board after a placement, with this many chips left."""
    alone, total = net.chips[left], np.float32(0.0)
    first, second = net.pattern[at[0] + step[0]], net.pattern[at[1] + step[1]]
    for j in range(hidden.shape[0]):
        hidden[j] = alone[j] + first[j] + second[j]
    for g in range(2, at.shape[0], 4):
        a, b = net.pattern[at[g] + step[g]], net.pattern[at[g + 1] + step[g + 1]]
        c, d = net.pattern[at[g + 2] + step[g + 2]], net.pattern[at[g + 3] + step[g + 3]]
        for j in range(hidden.shape[0]):
            hidden[j] += a[j] + b[j] + c[j] + d[j]
    for k in range(net.out.shape[0]):
        row, more = net.mix[k], net.mix_bias[k]
        for j in range(hidden.shape[0]):
            more += row[j] * max(hidden[j], np.float32(0.0))
        total += net.out[k] * max(more, np.float32(0.0))
    return total


@compile_plain
def net_answer(v: Model, board: Number, left: int, step: Steps, scratch: Scratch) -> Number:
    """What the net adds for the board after a placement, which is remembered."""
    # a board and the chips left as one number, which is not 0
    key = board << 8 | left
    slot = np.int32(np.uint64(key) * SCATTER >> np.uint64(64 - SLOT_BITS))
    if scratch.board[slot] != key:
        scratch.board[slot] = key
        scratch.answer[slot] = net_value(v.net, scratch.net_at, step, left, scratch.hidden)
    return scratch.answer[slot]


# --- values of placements ---------------------------------------------------------------------------


@compile_plain
def value_placements(
    v: Model, pace: int, board: Number, chips: int, horizon: int, roll: int, scratch: Scratch
) -> None:
    """Value the placements of a roll, or of any, that fit a board; others get IMPOSSIBLE."""
    ways, values, with_net = v.ways, scratch.values, v.net.mix.shape[0] > 0
    values[:] = IMPOSSIBLE
    locate(board, ways.table, scratch.at)
    if with_net:
        locate(board, ways.net, scratch.net_at)
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        if fits(ways.masks[u], ways.chips[u], board, chips):
            left = max(0, min(chips - ways.cost[u], horizon))
            values[u] = table_value(v.tables[pace, left], scratch.at, ways.table_steps[u])
            if with_net and left > 0:
                values[u] += net_answer(v, board | ways.masks[u], left, ways.net_steps[u], scratch)


# --- the best placement of a roll -------------------------------------------------------------------


@compile_plain
def best_by_chips(ways: Ways, roll: int, scratch: Scratch) -> None:
    """Find the best placement of a roll for each number of chips; IMPOSSIBLE where there is none that is legal."""
    values, points, most = scratch.values, scratch.points, 0
    for placed in range(DICE + 1):
        points[placed] = IMPOSSIBLE
    for i in range(ways.start[roll], ways.start[roll + 1]):
        u = ways.number[i]
        if values[u] > IMPOSSIBLE:
            most = ways.chips[u]
            if values[u] > points[most]:
                points[most], scratch.code[most] = values[u], u
    for placed in range(ways.least[most]):
        points[placed] = IMPOSSIBLE


@compile_plain
def best_of_roll(ways: Ways, roll: int, scratch: Scratch) -> tuple[int, Number]:
    """The best legal placement of a roll, of equal ones the first, and its value."""
    best_by_chips(ways, roll, scratch)
    best = 0
    for placed in range(1, DICE + 1):
        if scratch.points[placed] > scratch.points[best]:
            best = placed
    return scratch.code[best], scratch.points[best]


@compile_plain
def best_of_rolls(ways: Ways, scratch: Scratch) -> None:
    """What `best_of_roll` finds, for all rolls: most of a roll's placements are those of lower rolls.

    As soon as something places as much as can be required, nothing less is legal.
    """
    values, best, choice = scratch.values, scratch.best, scratch.choice
    for roll in range(best.shape[0]):
        found, chosen = IMPOSSIBLE, 0
        for at in range(ways.before_start[roll], ways.before_start[roll + 1]):
            value, u = best[ways.before[at]], choice[ways.before[at]]
            if value > found or (value == found and u < chosen):
                found, chosen = value, u
        for at in range(ways.more_start[roll], ways.more_start[roll + 1]):
            u = ways.more[at]
            if values[u] > found or (values[u] == found and u < chosen):
                found, chosen = values[u], u
        best[roll], choice[roll] = found, chosen
    for roll in range(best.shape[0]):
        # nothing places as much as can be required; a best that has not been found is no other roll's either
        if best[roll] == IMPOSSIBLE:
            choice[roll], best[roll] = best_of_roll(ways, roll, scratch)


# --- one roll ahead -------------------------------------------------------------------------------


@compile_plain
def look_ahead(
    v: Model,
    pace: int,
    board: Number,
    chips: int,
    horizon: int,
    roll: int,
    often: Reals,
    scratch: Scratch,
) -> Number:
    """What the best placement leads to with a roll, or before it: then the mean over all rolls.

    `often` gets how likely that placement costs each number of chips.
    """
    ways, total = v.ways, 0.0
    value_placements(v, pace, board, chips, horizon, roll, scratch)
    for spent in range(often.shape[0]):
        often[spent] = 0.0
    if roll != ANY_ROLL:
        code, best = best_of_roll(ways, roll, scratch)
        often[ways.cost[code]] = 1.0
        return np.float64(best)
    best_of_rolls(ways, scratch)
    for each in range(ways.cases.shape[0]):
        often[ways.cost[scratch.choice[each]]] += ways.cases[each] / ways.total
        total += ways.cases[each] * np.float64(scratch.best[each])
    return total / ways.total


# --- all seats -------------------------------------------------------------------------------------


class Seats(NamedTuple):
    """What is looked at: the boards and chips left of all seats, to be changed."""

    g: Config
    v: Model
    boards: Any
    left: Any
    scratch: Scratch


# --- a seat -------------------------------------------------------------------------------------------


def horizon_of(v: Model, turns: int) -> int:
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
def quick_values(g: Config, v: Model, s: Any, out: Reals) -> None:
    """Write each seat's expected final score by the learned value: before a roll, with its dice, or at the end."""
    seats, often, roller = (
        Seats(g, v, s.boards.copy(), s.left.copy(), new_scratch(v)),
        np.zeros(DICE + 1),
        s.seat,
    )
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
    v: Model,
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
    boards, left, looks = s.boards.copy(), s.left.copy(), np.zeros(count)
    seats = Seats(g, v, boards, left, scratch)
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
def move_values(g: Config, v: Model, s: Any, codes: Any, count: int, out: Any, gap: float = EVERY) -> None:
    """Write the mover's expected final score after each move; those that look worse by `gap` are not looked at."""
    found = np.zeros((count, g.players))
    after_moves(g, v, s, codes, count, False, gap, new_scratch(v), found)
    for place in range(count):
        out[place] = found[place, s.seat]


@kernel(allocates=True)
def best_worths(g: Config, v: Model, s: Any, codes: Any, count: int, out: Any) -> None:
    """As `move_values`, for the best move: those that look much worse are not looked at further."""
    move_values(g, v, s, codes, count, out, NET_GAP if v.net.mix.shape[0] > 0 else TABLE_GAP)
