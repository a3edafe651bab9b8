"""6mal6, compiled: one game as a row of numbers (see `pasch.lab.batch.driver`).

Who lays, draws and pays when is decided by the functions of `pasch.games.sixbysix`, compiled as they stand,
and by tables that it made.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.state import CHANCE, OVER
from pasch.games.sixbysix import DEALT, DRAWN, FIELDS, HIGHEST
from pasch.lab.batch.compiling import bare, inlined, roomy
from pasch.lab.batch.sixbysix import (
    CHIPS,
    HANDS,
    LAID,
    ORDER,
    PILE,
    PLAYERS,
    POT,
    ROUNDS,
    ROWS,
    SEAT,
    TO_DEAL,
    UNSEEN,
    VALUES,
    Tables,
)
from pasch.lab.batch.sixbysix_search import worths as worths
from pasch.players.greedy.sixbysix import ENOUGH, FURTHER, TIDY
from pasch.solve import sixbysix_kernel as solve
from pasch.solve.sixbysix_kernel import (
    bonus_sum,
    draws_after,
    is_over,
    mark_highest,
    pay_out,
    seat_to_lay,
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
KINDS = len(VALUES)

#: it is content with less than a policy and a whole round's work
judge: Any = solve.judge


# --- the course of the game -----------------------------------------------------------------------


@inlined
def reset(T: Tables, s: Ints) -> None:
    s[:] = 0
    s[PLAYERS] = T.seats
    for seat in range(T.seats):
        s[ORDER + seat] = seat
        s[CHIPS + seat] = T.chips
    _shuffle(T, s)


@inlined
def _shuffle(T: Tables, s: Ints) -> None:
    """All cards are in the pile, and those of `ORDER` are to get theirs."""
    for place in range(ROWS, len(s)):
        s[place] = 0
    for card in range(KINDS):
        s[UNSEEN + card] = T.pack[card]
    s[PILE] = T.cards
    s[LAID] = 0
    s[TO_DEAL] = DEALT * s[PLAYERS]
    s[SEAT] = s[ORDER]
    s[0] = CHANCE


@inlined
def cases(T: Tables, s: Ints) -> int:
    """A deal goes card by card; a draw is both its cards at once."""
    number = 1
    for drawn in range(1 if s[TO_DEAL] else DRAWN):
        number *= s[PILE] - drawn
    return number


@inlined
def chance(T: Tables, s: Ints, number: int) -> None:
    if s[TO_DEAL]:
        _deal(s, number)
        return
    for _ in range(DRAWN):
        number, place = divmod(number, s[PILE])
        _give(s, s[SEAT], place)
    s[SEAT] = seat_to_lay(s[ORDER : ORDER + s[PLAYERS]], s[LAID])
    s[0] = s[SEAT]


@inlined
def _deal(s: Ints, place: int) -> None:
    """One card for the seat whose turn it is to get one, from seat 0 on."""
    before = (DEALT * s[PLAYERS] - s[TO_DEAL]) // DEALT
    seat = 0
    while before > 0 or not _plays(s, seat):
        before -= _plays(s, seat)
        seat += 1
    _give(s, seat, place)
    s[TO_DEAL] -= 1
    if s[TO_DEAL] == 0:
        s[0] = s[SEAT]


@inlined
def _plays(s: Ints, seat: int) -> bool:
    """Whether a seat is in this round."""
    found = False
    for place in range(s[PLAYERS]):
        found |= s[ORDER + place] == seat
    return found


@inlined
def _give(s: Ints, seat: int, place: int) -> None:
    """A seat gets the card that lies in this place of the pile, the pile being in order."""
    card = 0
    while place >= s[UNSEEN + card]:
        place -= s[UNSEEN + card]
        card += 1
    s[UNSEEN + card] -= 1
    s[PILE] -= 1
    s[HANDS + seat * KINDS + card] += 1


@inlined
def count(T: Tables, s: Ints) -> int:
    seat, cards, fields = s[SEAT], 0, 0
    for card in range(KINDS):
        cards += s[HANDS + seat * KINDS + card] > 0
    for place in range(FIELDS):
        fields += s[ROWS + seat * FIELDS + place] == 0
    return cards * fields


@inlined
def move(T: Tables, s: Ints, index: int) -> None:
    """The lowest card on each empty field, then the next one."""
    seat, fields = s[SEAT], 0
    row, hand = ROWS + seat * FIELDS, HANDS + seat * KINDS
    for place in range(FIELDS):
        fields += s[row + place] == 0
    nth, at = divmod(index, fields)
    card = _nth(s, hand, nth, False)
    s[row + _nth(s, row, at, True)] = card
    s[hand + card] -= 1
    s[LAID] += 1
    if draws_after(s[LAID], s[PLAYERS]):
        s[0] = CHANCE
    elif s[LAID] < FIELDS * s[PLAYERS]:
        s[SEAT] = seat_to_lay(s[ORDER : ORDER + s[PLAYERS]], s[LAID])
        s[0] = s[SEAT]
    else:
        settle(T, s)


@inlined
def _nth(s: Ints, begin: int, number: int, empty: bool) -> int:
    """Where, counted from `begin`, the number-th zero stands, or the number-th that is none."""
    place = 0
    while number > 0 or (s[begin + place] == 0) != empty:
        number -= (s[begin + place] == 0) == empty
        place += 1
    return place


class Round(NamedTuple):
    """A round at its end, its players counted in their order."""

    rows: Ints
    worth: Ints
    due: Ints
    best: NDArray[np.bool_]
    chips: Ints
    paid: Ints
    taken: Ints


class Streets(NamedTuple):
    """All that settling has to know beside the rows: whether streets count, and what they are worth."""

    streets: bool
    worth: NDArray[np.int16]


@roomy
def settle(T: Tables, s: Ints) -> None:
    """Pay, and deal again or end the game."""
    players = s[PLAYERS]
    ended = Round(
        np.empty((players, FIELDS), np.int64),
        np.empty(players, np.int64),
        np.empty(players, np.int64),
        np.empty(players, np.bool_),
        np.empty(players, np.int64),
        np.empty(players, np.int64),
        np.empty(players, np.int64),
    )
    for place in range(players):
        seat = s[ORDER + place]
        ended.chips[place] = s[CHIPS + seat]
        for field in range(FIELDS):
            ended.rows[place, field] = s[ROWS + seat * FIELDS + field]
    prize = judge(Streets(T.streets, T.worth), ended, T.bonus)
    s[POT] = pay_out(ended.due, ended.best, prize, ended.chips, s[POT], ended.paid, ended.taken)
    still_in = 0
    for place in range(players):
        seat = s[ORDER + place]
        s[CHIPS + seat] += ended.taken[place] - ended.paid[place]
        still_in |= (s[CHIPS + seat] > 0) << seat
    s[ROUNDS] += 1
    if is_over(s[CHIPS : CHIPS + T.seats], s[ROUNDS], T.round_limit):
        s[0] = OVER
        return
    dealer, s[PLAYERS] = s[ORDER + players - 1], 0
    for place in range(T.seats):
        s[ORDER + place] = T.orders[dealer, still_in, place]
        s[PLAYERS] += s[ORDER + place] >= 0
    _shuffle(T, s)


@inlined
def scores(T: Tables, s: Ints, out: Ints) -> None:
    for seat in range(T.seats):
        out[seat] = s[CHIPS + seat]


@roomy
def winners(T: Tables, s: Ints, scores: Ints, out: NDArray[np.bool_]) -> None:
    """Those with most chips among the players of the last round."""
    chips, best = np.empty(s[PLAYERS], np.int64), np.empty(s[PLAYERS], np.bool_)
    for place in range(s[PLAYERS]):
        chips[place] = scores[s[ORDER + place]]
    mark_highest(chips, best)
    out[:] = False
    for place in range(s[PLAYERS]):
        out[s[ORDER + place]] = best[place]


# --- the greedy player, as in pasch.players.greedy.sixbysix ---------------------------------------


class Thoughts(NamedTuple):
    """Room for what the greedy player thinks about."""

    #: the own row, the others' rows, the own hand and the cards not known, by value
    row: Ints
    others: Ints
    hand: Ints
    unseen: Ints
    #: what each card on each field is likely to cost
    risk: Floats
    #: the cards that come if they are spread evenly, by value; a plan, and the cards not yet planned
    draws: Ints
    plan: Ints
    left: Ints
    #: the chance that each card will be there
    coming: Floats


@roomy
def greedy(T: Tables, s: Ints) -> int:
    thoughts = Thoughts(
        np.zeros(FIELDS, np.int64),
        np.zeros((s[PLAYERS] - 1, FIELDS), np.int64),
        np.zeros(KINDS, np.int64),
        np.zeros(KINDS, np.int64),
        np.zeros((FIELDS, KINDS)),
        np.zeros(KINDS, np.int64),
        np.zeros(FIELDS, np.int64),
        np.zeros(KINDS, np.int64),
        np.zeros(KINDS),
    )
    look(s, thoughts)
    empty = -1  # fields to fill after this card
    for place in range(FIELDS):
        empty += thoughts.row[place] == 0
    if not T.streets:
        weigh(T.at_least, thoughts)
        expect(thoughts, DRAWN * empty)
    best, choice, index = -np.inf, 0, 0
    for card in range(1, KINDS):
        if thoughts.hand[card] == 0:
            continue
        for place in range(FIELDS):
            if thoughts.row[place]:
                continue
            if T.streets:
                worth = prospect(T.coming, T.street, T.street_value, T.cards, thoughts, card, place, empty)
            else:
                worth = outcome(T.at_least_sum, T.bonus, thoughts, card, place)
            if worth > best:
                best, choice = worth, index
            index += 1
    return choice


@bare
def look(s: Ints, thoughts: Thoughts) -> None:
    """What the seat to move can see."""
    seat, others = s[SEAT], 0
    for card in range(KINDS):
        thoughts.hand[card] = s[HANDS + seat * KINDS + card]
        thoughts.unseen[card] = s[UNSEEN + card]
    for place in range(FIELDS):
        thoughts.row[place] = s[ROWS + seat * FIELDS + place]
    for turn in range(s[PLAYERS]):
        other = s[ORDER + turn]
        if other == seat:
            continue
        for card in range(KINDS):
            thoughts.unseen[card] += s[HANDS + other * KINDS + card]
        for place in range(FIELDS):
            thoughts.others[others, place] = s[ROWS + other * FIELDS + place]
        others += 1


@bare
def weigh(at_least: Floats, thoughts: Thoughts) -> None:
    """What each card on each field is likely to cost: nothing as soon as somebody lies lower."""
    for place in range(FIELDS):
        for card in range(1, KINDS):
            chance = 1.0
            for other in range(len(thoughts.others)):
                theirs = thoughts.others[other, place]
                if theirs == 0:
                    chance *= at_least[place, card]
                elif theirs < card:
                    chance = 0.0
                    break
            thoughts.risk[place, card] = (place + 1) * chance


@bare
def expect(thoughts: Thoughts, draws: int) -> None:
    """The cards of so many draws if they are spread evenly over those not known."""
    cards = 0
    for card in range(KINDS):
        cards += thoughts.unseen[card]
    for draw in range(draws):
        at, card = (2 * draw + 1) * cards // (2 * draws), 0
        while at >= thoughts.unseen[card]:
            at -= thoughts.unseen[card]
            card += 1
        thoughts.draws[card] += 1


@inlined
def _highest(left: Ints) -> int:
    """The highest card there is; 0 if there is none."""
    card = HIGHEST
    while card > 0 and left[card] == 0:
        card -= 1
    return card


@bare
def outcome(at_least_sum: Floats, bonus: int, thoughts: Thoughts, card: int, place: int) -> float:
    """The chips that the round is likely to bring with this card there."""
    left, planned = thoughts.left, thoughts.plan
    for value in range(KINDS):
        left[value] = thoughts.hand[value] + thoughts.draws[value]
    left[card] -= 1
    for field in range(FIELDS):
        planned[field] = thoughts.row[field]
    planned[place] = card
    for field in range(FIELDS - 1, -1, -1):
        if planned[field] == 0:
            good = _highest(left)
            if 0 < field < FIELDS - 1:
                most, good = thoughts.risk[field, good] + ENOUGH, 1
                while left[good] == 0 or thoughts.risk[field, good] > most:
                    good += 1
            left[good] -= 1
            planned[field] = good
    for field in range(FIELDS - 1, -1, -1):
        if thoughts.row[field] == 0 and field != place and _highest(left) > planned[field]:
            planned[field] = _highest(left)
            left[planned[field]] -= 1
    costs = 0.0
    for field in range(FIELDS):
        costs += thoughts.risk[field, planned[field]]
    chance, mine = 1.0, bonus_sum(planned)
    for other in range(len(thoughts.others)):
        chance *= at_least_sum[mine, thoughts.others[other, 0], thoughts.others[other, FIELDS - 1]]
    return bonus * chance - costs + TIDY * card * (place + 1)


@bare
def prospect(
    chances: Floats, street: Ints, value: Floats, cards: int, thoughts: Thoughts, card: int, place: int,
    empty: int,
) -> float:  # fmt: skip
    """The best street that can be hoped for with this card there, and a little for the others."""
    known, coming, row = cards, thoughts.coming, thoughts.row
    for kind in range(KINDS):
        known -= thoughts.unseen[kind]
    for kind in range(1, KINDS):
        held = thoughts.hand[kind] - (kind == card)
        coming[kind] = 1.0 if held else chances[known, thoughts.unseen[kind], empty]
    row[place] = card
    best, together = 0.0, 0.0
    for number in range(len(street)):
        chance = 1.0
        for step in range(street[number, 2]):
            there, wanted = row[street[number, 0] + step], street[number, 1] + step
            if there == 0:
                chance *= coming[wanted]
            elif there != wanted:
                chance = 0.0
                break
        hope = value[number] * chance
        best = max(best, hope)
        together += hope
    row[place] = 0
    return best + FURTHER * together
