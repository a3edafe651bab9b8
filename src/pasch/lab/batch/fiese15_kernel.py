"""Fiese 15, compiled: one game as a row of numbers (see `pasch.lab.batch.driver`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pasch.core.state import CHANCE, OVER
from pasch.lab.batch.compiling import bare, inlined, roomy
from pasch.lab.batch.driver import summed
from pasch.lab.batch.fiese15 import (
    ASIDE,
    DICE,
    DRAWN,
    ENDED,
    KEEP,
    KEPT,
    LATER,
    NEXT,
    PHASE,
    PIPS,
    ROLL,
    ROLLED,
    ROUNDS,
    SEAT,
    SETS,
    SIDE,
    STRIP,
    STRIPS,
    TILES,
    TOTALS,
    VALID,
    Tables,
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Menu = NDArray[np.int32]
ALL = SETS - 1


@inlined
def reset(T: Tables, s: Ints) -> None:
    s[:] = 0
    s[0] = CHANCE
    s[PHASE] = STRIPS


@inlined
def cases(T: Tables, s: Ints) -> int:
    if s[PHASE] == STRIPS:
        return int(T.strips - s[ROUNDS])
    return int(T.cases[s[ASIDE]])


@inlined
def chance(T: Tables, s: Ints, number: int) -> None:
    if s[PHASE] == STRIPS:
        _draw_strip(T, s, number)
        return
    side, aside, valid = s[SIDE], s[ASIDE], 0
    for die in range(DICE - 1, -1, -1):
        s[ROLLED + die] = 0
        if not aside >> die & 1:
            face = number % 6 + 1
            number //= 6
            s[ROLLED + die] = face
            valid |= T.valid[side, die, face]
    s[VALID] = valid
    if valid:
        s[PHASE] = KEEP
        s[0] = s[SEAT]
    else:
        _end_turn(T, s, T.consolation[side, aside])


@bare
def _draw_strip(T: Tables, s: Ints, number: int) -> None:
    strip = 0
    while s[DRAWN + strip] or number:
        number -= s[DRAWN + strip] == 0
        strip += 1
    s[DRAWN + strip] = 1
    s[STRIP] = strip
    if T.handicap:
        _give_tiles(T, s)
    s[ROUNDS] += 1
    if len(T.before):
        s[LATER] = np.float64(_later(T, s)).view(np.int64)
    _begin_turn(T, s, 0)


@bare
def _give_tiles(T: Tables, s: Ints) -> None:
    """By the standing: how many seats each is ahead of, as the digits of a number."""
    code = 0
    for seat in range(T.seats):
        ahead = 0
        for other in range(T.seats):
            ahead += s[TOTALS + other] < s[TOTALS + seat]
        code = code * T.seats + ahead
    for seat in range(T.seats):
        s[TILES + seat] = T.tile[code, seat] if s[ROUNDS] else 1


@inlined
def _begin_turn(T: Tables, s: Ints, seat: int) -> None:
    s[0] = CHANCE
    s[PHASE] = ROLL
    s[SEAT] = seat
    s[SIDE] = T.side[s[STRIP], s[TILES + seat]]
    _clear(s)


@inlined
def _clear(s: Ints) -> None:
    """No dice are set aside and none lie on the table."""
    s[ASIDE] = 0
    s[PIPS] = 0
    for die in range(DICE):
        s[KEPT + die] = 0
        s[ROLLED + die] = 0


@inlined
def _end_turn(T: Tables, s: Ints, scored: int) -> None:
    seat = s[SEAT]
    s[TOTALS + seat] += scored
    if seat + 1 < T.seats:
        _begin_turn(T, s, seat + 1)
        return
    over = s[ROUNDS] == T.rounds
    s[0] = OVER if over else CHANCE
    s[PHASE] = ENDED if over else STRIPS
    s[SEAT] = 0
    _clear(s)


@inlined
def count(T: Tables, s: Ints) -> int:
    if s[PHASE] == NEXT:
        return 2
    return int(T.keep_start[s[VALID] + 1] - T.keep_start[s[VALID]])


@inlined
def move(T: Tables, s: Ints, index: int) -> None:
    if s[PHASE] == NEXT:
        if index == 0:
            s[0] = CHANCE
            s[PHASE] = ROLL
        else:
            _end_turn(T, s, T.points[T.size[s[ASIDE]], s[PIPS]])
        return
    more = T.keep[T.keep_start[s[VALID]] + index]
    for die in range(DICE):
        if more >> die & 1:
            s[KEPT + die] = s[ROLLED + die]
            s[PIPS] += s[ROLLED + die]
        s[ROLLED + die] = 0
    s[ASIDE] |= more
    if s[ASIDE] == ALL:
        _end_turn(T, s, T.points[DICE, s[PIPS]])
    else:
        s[PHASE] = NEXT


@bare
def menu(T: Tables, s: Ints, out: Menu) -> None:
    if s[PHASE] == NEXT:
        for index in range(len(T.next_action)):
            out[T.next_action[index]] = index + 1
        return
    first = T.keep_start[s[VALID]]
    for k in range(first, T.keep_start[s[VALID] + 1]):
        out[T.keep_action[T.keep[k]]] = k - first + 1


@inlined
def scores(T: Tables, s: Ints, out: Ints) -> None:
    for seat in range(T.seats):
        out[seat] = s[TOTALS + seat]


# --- choosing ---------------------------------------------------------------------------------------


@inlined
def _prospect(T: Tables, s: Ints, index: int, rolling: Floats) -> float:
    """What a move is worth if `rolling` says what a roll is worth, by side, set of dice and pips."""
    side, aside, pips = s[SIDE], s[ASIDE], s[PIPS]
    if s[PHASE] == NEXT:
        return float(T.points[T.size[aside], pips] if index else rolling[side, aside, pips])
    more = T.keep[T.keep_start[s[VALID]] + index]
    for die in range(DICE):
        if more >> die & 1:
            pips += s[ROLLED + die]
    aside |= more
    worth = np.float64(T.points[T.size[aside], pips])
    return float(worth if aside == ALL else max(worth, rolling[side, aside, pips]))


@bare
def greedy(T: Tables, s: Ints) -> int:
    best, most = 0, -np.inf
    for index in range(count(T, s)):
        worth = _prospect(T, s, index, T.one_more)
        if worth > most:
            best, most = index, worth
    return best


@bare
def worths(T: Tables, s: Ints, out: Floats) -> None:
    rest = s[TOTALS + s[SEAT]] + np.int64(s[LATER]).view(np.float64)
    for index in range(count(T, s)):
        out[index] = rest + _prospect(T, s, index, T.before)


@roomy
def _later(T: Tables, s: Ints) -> float:
    """What a seat expects of the rounds to come: each of the strips left, with each of the tiles."""
    rounds = T.rounds - s[ROUNDS]
    if rounds == 0:
        return 0.0
    fresh = np.empty(T.strips * len(T.later))
    n: Any = np.int64(0)
    for strip in range(T.strips):
        if s[DRAWN + strip] == 0:
            for tile in T.later:
                fresh[n] = T.before[T.side[strip, tile], 0, 0]
                n += 1
    return float(rounds * (summed(fresh, n) / n))
