"""6mal6 in batches: its rules, and what its quick player has learned, as tables for the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import Cards, Chance
from pasch.games.sixbysix import CARDS_PER_SEAT, DRAWN, FIELDS, HIGHEST, SixBySix, next_order
from pasch.lab.batch.shapes import FloatTable, IntTable, floats, ints
from pasch.players.greedy.sixbysix import STREETS, USUAL, at_least, at_least_sum, chance_to_come
from pasch.solve.sixbysix import WORLDS
from pasch.solve.sixbysix_search import SHARES
from pasch.solve.sixbysix_tables import Policy, learned, ways, worths

KERNEL: Final = "pasch.lab.batch.sixbysix_kernel"
#: valuing moves takes long to compile
VALUES_APART: Final = True
#: searching for every move, a game takes seconds
PART_WITH_VALUES: Final = 1

SEATS: Final = SixBySix.seats[-1]
#: cards are counted by their value, 0 being none
VALUES: Final = range(HIGHEST + 1)

#: where things are in the state: who lays or draws, rounds settled, cards laid, cards still to be dealt,
#: chips in the pot, cards in the pile, players in the round; then their seats in order, chips by seat, the
#: pile by card, and by seat the row, and the hand by card
SEAT, ROUNDS, LAID, TO_DEAL, POT, PILE, PLAYERS, ORDER = 1, 2, 3, 4, 5, 6, 7, 8
CHIPS = ORDER + SEATS
UNSEEN = CHIPS + SEATS
ROWS = UNSEEN + len(VALUES)
HANDS = ROWS + SEATS * FIELDS


class Tables(NamedTuple):
    """The rules of one game and its greedy player."""

    seats: int
    streets: bool
    round_limit: int
    #: chips at the start, and for the highest sum of fields 1 and 6
    chips: int
    bonus: int
    #: how many cards of each value there are, and of all
    pack: IntTable
    cards: int
    #: by dealer and set of seats with chips: who plays the next round, filled up with -1
    orders: IntTable
    #: streets: the worth of every full row, see `pasch.solve.sixbysix_tables`
    worth: NDArray[np.int16]
    #: greedy: the chance that another's card will not be lower, by field and card; and that another's sum
    #: of fields 1 and 6 will not be higher, by the own sum and the other's two cards
    at_least: FloatTable
    at_least_sum: FloatTable
    #: greedy with streets: the chance of a card by cards known, copies not known and fields to fill; for
    #: every street its first field, first card and length, and how good it is
    coming: FloatTable
    street: IntTable
    street_value: FloatTable
    #: values: by number of players, what `pasch.solve.sixbysix_tables.Policy` has; and in how many worlds
    #: moves are tried until the worse half of them is given up
    reach: FloatTable
    open_cost: FloatTable
    hold: FloatTable
    sums: FloatTable
    result: FloatTable
    ways: IntTable
    until: IntTable


def state_size(game: SixBySix) -> int:
    return HANDS + SEATS * len(VALUES)


def most_moves(game: SixBySix) -> int:
    return HIGHEST * FIELDS


def tables(game: SixBySix, greedy: bool, values: bool) -> Tables:
    """The tables of a game; those of greedy players and of values only if they are wanted."""
    sums = range(2 * HIGHEST + 1)
    policies = _policies(game) if values else []
    coming = np.zeros((0, 0, 0))
    if greedy and game.options.streets:
        coming = _coming(game)
    return Tables(
        game.players,
        game.options.streets,
        game.options.round_limit,
        game.components.start.chips,
        game.components.bonus.chips,
        ints((0, *game.pack)),
        sum(game.pack),
        ints(_orders(game.players)),
        worths(game),
        floats([[at_least(card, usual) for card in VALUES] for usual in USUAL]),
        floats([[[at_least_sum(mine, a, b) for b in VALUES] for a in VALUES] for mine in sums]),
        floats(coming),
        ints([(*street[0], len(street)) for street, _ in STREETS]),
        floats([value for _, value in STREETS]),
        _stacked([policy.reach for policy in policies], 4),
        _stacked([policy.open_cost for policy in policies], 4),
        _stacked([policy.hold for policy in policies], 4),
        _stacked([policy.bonus for policy in policies], 5),
        _stacked([policy.result for policy in policies], 2),
        ways(),
        ints([max(1, round(WORLDS * share)) for share in SHARES]),
    )


def steps(chance: Chance, case: int) -> Iterator[int]:
    """A deal goes card by card: the place of each among the cards that are left. A draw is one number."""
    assert isinstance(chance, Cards)
    if sum(chance.sizes) == DRAWN and len(chance.sizes) == 1:
        yield case
        return
    left = sum(number for _, number in chance.pack)
    for dealt in range(sum(chance.sizes)):
        case, place = divmod(case, left - dealt)
        yield place


def _policies(game: SixBySix) -> list[Policy]:
    """What the quick player has learned with 2, 3 ... players; it practises now if it has not yet."""
    return [learned(game, players)[0] for players in range(2, game.players + 1)]


def _stacked(learnt: list[FloatTable], axes: int) -> FloatTable:
    """One of the learned tables for all numbers of players; with as many axes even if there are none."""
    return np.stack(learnt) if learnt else np.zeros((0,) * axes)


def _orders(players: int) -> list[list[tuple[int, ...]]]:
    """By dealer and set of seats that have chips."""
    return [
        [_filled(next_order(dealer, has[::-1])) for has in product((0, 1), repeat=players)]
        for dealer in range(players)
    ]


def _filled(order: tuple[int, ...]) -> tuple[int, ...]:
    return order + (-1,) * (SEATS - len(order))


def _coming(game: SixBySix) -> FloatTable:
    """By cards that a seat knows, copies that it does not, and fields that it has to fill."""
    cards = sum(game.pack)
    known = range(FIELDS * game.players + CARDS_PER_SEAT - FIELDS + 1)
    return floats(
        [
            [
                [chance_to_come(number, cards - gone, DRAWN * empty) for empty in range(FIELDS)]
                for number in range(min(max(game.pack), cards - gone) + 1)
            ]
            + [[0.0] * FIELDS] * max(0, max(game.pack) - (cards - gone))
            for gone in known
        ]
    )
