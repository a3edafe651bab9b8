"""Crowns, compiled: one game as a row of numbers (see `pasch.lab.batch.driver`).

The placements of the rolls, what scores and when the game ends come from `pasch.games.crowns`; moves are
valued as `pasch.solve.crowns_outlook` does it, with the functions of `pasch.solve.crowns_kernel` and the
paces of `pasch.solve.crowns_race`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.state import CHANCE, OVER
from pasch.games import crowns
from pasch.lab.batch.compiling import bare, inlined, roomy
from pasch.lab.batch.crowns import BOARDS, LEFT, ROLL, ROUNDS, SEAT, Tables
from pasch.solve.crowns_kernel import (
    Scratch,
    entries_of,
    expected_value,
    new_scratch,
    required,
    rolls_ahead,
    table_value,
)
from pasch.solve.crowns_model import PACES, Steps
from pasch.solve.crowns_outlook import PER_ROUND
from pasch.solve.crowns_race import fewest_of_others, pace_at_turn, pace_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

is_over: Any = bare(crowns.is_over)


# --- the course of the game -----------------------------------------------------------------------


@inlined
def reset(T: Tables, s: Ints) -> None:
    s[:] = 0
    s[0] = CHANCE
    for seat in range(T.seats):
        s[LEFT + seat] = T.chips


@inlined
def cases(T: Tables, s: Ints) -> int:
    return len(T.lottery)


@inlined
def chance(T: Tables, s: Ints, number: int) -> None:
    s[ROLL] = T.lottery[number]
    s[0] = s[SEAT]


@inlined
def move(T: Tables, s: Ints, index: int) -> None:
    seat, least = s[SEAT], fewest(T, s)
    if T.minimum and least == 0:
        s[LEFT + seat] -= 1  # nothing can be placed, which costs a chip
    else:
        way = placement(T, s, least, index)
        s[BOARDS + seat] |= T.masks[way]
        s[LEFT + seat] -= T.placed[way]
    s[0] = CHANCE
    s[SEAT] = seat + 1
    if seat + 1 == T.seats:
        s[SEAT] = 0
        s[ROUNDS] += 1
        if is_over(s[LEFT : LEFT + T.seats], s[ROUNDS], T.round_limit):
            s[0] = OVER


@inlined
def scores(T: Tables, s: Ints, out: Ints) -> None:
    for seat in range(T.seats):
        out[seat] = score(T.fields, T.crowns, s[BOARDS + seat])


@bare
def score(fields: Ints, worth: Ints, board: int) -> int:
    """The crowns that count on a board."""
    total = 0
    for i in range(len(fields)):
        if fields[i] & ~board == 0:
            total += worth[i]
    return total


# --- moves ----------------------------------------------------------------------------------------


@inlined
def fits(T: Tables, s: Ints, way: int, least: int) -> bool:
    """Whether a placement of the roll is a move, `least` chips having to be placed."""
    seat = s[SEAT]
    fitting = (T.masks[way] & s[BOARDS + seat] == 0) & (T.placed[way] <= s[LEFT + seat])
    return bool(fitting & (T.placed[way] >= least))


@inlined
def fewest(T: Tables, s: Ints) -> int:
    """How many chips have to be placed. Alone, none at all means that nothing can be."""
    if not T.minimum:
        return 0
    way = T.start[s[ROLL] + 1] - 1
    while not fits(T, s, way, 0):
        way -= 1
    return required(T.minimum, T.placed[way])


@inlined
def count(T: Tables, s: Ints) -> int:
    least = fewest(T, s)
    if T.minimum and least == 0:
        return 1
    number = 0
    for way in range(T.start[s[ROLL]], T.start[s[ROLL] + 1]):
        number += fits(T, s, way, least)
    return number


@inlined
def placement(T: Tables, s: Ints, least: int, index: int) -> int:
    """Which placement the move with this number is."""
    way = T.start[s[ROLL]]
    while index > 0 or not fits(T, s, way, least):
        index -= fits(T, s, way, least)
        way += 1
    return int(way)


@bare
def menu(T: Tables, s: Ints, out: NDArray[np.int32]) -> None:
    least, index = fewest(T, s), 1
    if T.minimum and least == 0:
        out[T.discard] = index
        return
    for way in range(T.start[s[ROLL]], T.start[s[ROLL] + 1]):
        if fits(T, s, way, least):
            out[T.action[way]] = index
            index += 1


# --- the greedy player, as in pasch.players.greedy.crowns -----------------------------------------


class Wishes(NamedTuple):
    """What could still be completed, what promises most for a chip first."""

    per_chip: Floats
    promise: Floats
    missing: Ints


@roomy
def greedy(T: Tables, s: Ints) -> int:
    room = len(T.fields)
    wishes = Wishes(np.empty(room), np.empty(room), np.empty(room, np.int64))
    board, chips, least = s[BOARDS + s[SEAT]], s[LEFT + s[SEAT]], fewest(T, s)
    best, choice, index = -np.inf, 0, 0
    for way in range(T.start[s[ROLL]], T.start[s[ROLL] + 1]):
        if not fits(T, s, way, least):
            continue
        left = chips - T.placed[way]
        worth = expectation(T, board | T.masks[way], left, turns_to_come(T, s, left), wishes)
        if not T.minimum:
            worth -= T.idle * left
        if worth > best:
            best, choice = worth, index
        index += 1
    return choice


@inlined
def turns_to_come(T: Tables, s: Ints, left: int) -> int:
    """How often the seat will probably roll again."""
    if left == 0:
        return 0
    chips = left
    if T.seats > 1:
        chips = fewest_of_others(s[LEFT : LEFT + T.seats], s[SEAT])
    return int(min(T.turns[chips], T.round_limit - s[ROUNDS] - 1))


@bare
def expectation(T: Tables, board: int, left: int, turns: int, wishes: Wishes) -> float:
    """Crowns that are sure, and those of the plan with their chances."""
    sure, number = 0.0, 0
    for i in range(len(T.fields)):
        missing = T.fields[i] & ~board
        if missing == 0:
            sure += T.crowns[i]
            continue
        needed, chance = 0, 1.0
        for part in T.parts[i]:
            if part >= 0 and missing >> part & 1:
                needed += 1
                chance *= T.chances[turns, part]
        if T.crowns[i] and needed <= left:
            promise = T.crowns[i] * chance
            add_wish(wishes, number, promise / needed, promise, missing)
            number += 1
    plan = np.int64(0)
    for i in range(number):
        if bits(plan | wishes.missing[i]) <= left:
            plan |= wishes.missing[i]
            sure += wishes.promise[i]
    return sure


@inlined
def add_wish(wishes: Wishes, number: int, per_chip: float, promise: float, missing: int) -> None:
    """Put a wish in its place among `number` others."""
    at = number
    while at > 0 and precedes(wishes, at - 1, per_chip, promise, missing):
        wishes.per_chip[at] = wishes.per_chip[at - 1]
        wishes.promise[at] = wishes.promise[at - 1]
        wishes.missing[at] = wishes.missing[at - 1]
        at -= 1
    wishes.per_chip[at], wishes.promise[at], wishes.missing[at] = per_chip, promise, missing


@inlined
def precedes(wishes: Wishes, at: int, per_chip: float, promise: float, missing: int) -> bool:
    """Whether a wish comes before the one there, in the order of the three numbers."""
    if per_chip != wishes.per_chip[at]:
        return bool(per_chip > wishes.per_chip[at])
    if promise != wishes.promise[at]:
        return bool(promise > wishes.promise[at])
    return bool(missing > wishes.missing[at])


@inlined
def bits(board: int) -> int:
    """How many fields these are."""
    number = 0
    while board:
        board &= board - 1
        number += 1
    return number


# --- values ---------------------------------------------------------------------------------------

#: ways in which a seat's future is told beside the paces: nothing more comes, or one last roll
OVER_FOR_IT, LAST_ROLL = PACES, PACES + 1


class Work(NamedTuple):
    """Room for valuing moves."""

    scratch: Scratch
    #: the entries of the mover's board, of the tables and of the net
    at: Steps
    net_at: Steps
    #: chips by seat; how often the next seat places so many, and what future that gives the mover
    left: Ints
    often: Floats
    future: Ints
    #: by future, what the board is worth
    value: Floats


@roomy
def worths(T: Tables, s: Ints, out: Floats) -> None:
    board, rules = s[BOARDS + s[SEAT]], T.rules
    work = Work(
        new_scratch(rules, T.net),
        entries_of(board, rules.masks, rules.table_steps, rules.table_base),
        entries_of(board, rules.masks, rules.net_steps, rules.net_base),
        s[LEFT : LEFT + T.seats].copy(),
        np.zeros(crowns.DICE + 1),
        np.zeros(crowns.DICE + 1, np.int64),
        np.zeros(PACES + 2),
    )
    least, index, placed = fewest(T, s), 0, -1
    for way in range(T.start[s[ROLL]], T.start[s[ROLL] + 1]):
        if not fits(T, s, way, least):
            continue
        if T.placed[way] != placed:  # those that place equally many chips stand together
            placed = T.placed[way]
            look_round(T, s, work, T.rules.cost[T.rules.number[way]])
        out[index] = 0.0
        work.value[:] = np.nan
        for more in range(len(work.often)):
            if work.often[more]:
                told = work.future[more]
                if np.isnan(work.value[told]):
                    work.value[told] = value_in(T, s, work, way, told)
                out[index] += work.often[more] * work.value[told]
        index += 1


@roomy
def look_round(T: Tables, s: Ints, work: Work, cost: int) -> None:
    """What the mover's future may be after a move that costs so many chips, wherever they lie.

    In a race the next seat takes its best roll; then the mover is looked at when it will roll next.
    """
    seat, left, often = s[SEAT], work.left, work.often
    left[seat] = s[LEFT + seat] - cost
    then = (seat + 1) % T.seats
    rounds = s[ROUNDS] + (then == 0)
    often[:] = 0.0
    if T.seats == 1 or (then == 0 and is_over(left, rounds, T.round_limit)):
        often[0] = 1.0
        work.future[0] = OVER_FOR_IT if rounds == T.round_limit or T.seats > 1 else 0
        return
    pace = pace_of(fewest_of_others(left, then))
    choices, _ = rolls_ahead(
        s[BOARDS + then], left[then], horizon(T, rounds), T.tables[pace], T.net, T.rules
    )
    for roll in range(len(choices)):
        often[T.rules.chips[choices[roll]]] += T.rules.cases[roll]
    for placed in range(len(often)):
        if often[placed]:
            often[placed] /= len(T.lottery)
            left[then] -= placed
            work.future[placed] = future(T, left, seat, then, rounds)
            left[then] += placed


@bare
def future(T: Tables, left: Ints, seat: int, then: int, rounds: int) -> int:
    """What lies before a seat, `then` having had its turn: a pace, or one of the two ways to end."""
    turns, ended = T.round_limit - rounds - (seat < then), False
    for own in left:
        ended |= own == 0
    if turns == 0 or (ended and seat < then):
        return OVER_FOR_IT
    return LAST_ROLL if ended else pace_at_turn(left, seat, then)


@inlined
def horizon(T: Tables, rounds: int) -> int:
    """How many chips can still be of use after the roll to come, so many rounds being complete."""
    return min(PER_ROUND * (T.round_limit - rounds - 1), T.chips)


@roomy
def value_in(T: Tables, s: Ints, work: Work, way: int, told: int) -> float:
    """What the mover's board after a placement is worth in such a future, looking at its next roll."""
    seat, rules, u = s[SEAT], T.rules, T.rules.number[way]
    if told == OVER_FOR_IT:
        return float(table_value(T.tables[0, 0], work.at, rules.table_steps[u]))
    # when the mover rolls again, one round more will be complete
    rounds = T.round_limit - 1 if told == LAST_ROLL else s[ROUNDS] + 1
    worth: float = expected_value(
        s[BOARDS + seat] | rules.masks[u], work.at + rules.table_steps[u], work.net_at + rules.net_steps[u],
        work.left[seat], horizon(T, rounds), T.tables[0 if told == LAST_ROLL else told], T.net, rules,
        work.scratch,
    )  # fmt: skip
    return worth
