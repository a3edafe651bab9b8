"""6mal6, greedily: lay the card that leaves the best row one can hope for.

For every card and field the player imagines how its row will end if the cards still to come are neither
lucky nor unlucky, and what that row will then pay and take. With streets it counts the streets that can
still be finished instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import exp
from typing import Final

from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.sixbysix import (
    DRAWN,
    FIELDS,
    HIGHEST,
    Card,
    Row,
    SixBySix,
    SixBySixState,
    bonus_sum,
)

#: what players such as this one have on fields 1 to 6 in the end, on average, and how far they are off
USUAL: Final = (7.0, 5.0, 5.7, 6.2, 6.6, 7.5)
SPREAD: Final = 1.0
#: a lower card is good enough for a field if it costs at most this much more, in chips
ENOUGH: Final = 0.6
#: of moves that come to nearly the same, the player takes the high card on the dear field
TIDY: Final = 0.01


def worth(view: State, move: Event) -> float:
    """The chips that the round is likely to bring with this move; usually less than none."""
    assert isinstance(view, SixBySixState) and isinstance(view.game, SixBySix) and isinstance(move, Card)
    row = list(view.rows[move.seat])
    row[move.field - 1] = move.card
    hand = [card for card in view.hands[move.seat] if card is not None]
    hand.remove(move.card)
    if view.game.options.streets:
        return _street_prospect(view, row, hand)
    others = [view.rows[seat] for seat in view.order if seat != move.seat]
    planned = _plan(row, [*hand, *_usual_draws(view.unseen, DRAWN * row.count(0))], others)
    costs = 0.0
    for field, card in enumerate(planned, 1):
        costs += _risk(field, card, others)
    gain = view.game.components.bonus.chips * _bonus_chance(planned, others)
    return gain - costs + TIDY * move.card * move.field


# --- fields ---------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _usual_draws(unseen: tuple[int, ...], draws: int) -> tuple[int, ...]:
    """Cards as they would come if they were spread evenly over those that are not known yet."""
    cards = [card for card, number in enumerate(unseen, 1) for _ in range(number)]
    return tuple(cards[(2 * draw + 1) * len(cards) // (2 * draws)] for draw in range(draws))


def _plan(row: Sequence[int], cards: list[int], others: list[Row]) -> Row:
    """The row filled up: the dearest field first, each with a card that is just good enough there.

    Fields 6 and 1 get the best there is, because their sum may win the bonus.
    """
    planned, left = list(row), sorted(cards)
    empty = [field for field in range(FIELDS, 0, -1) if not row[field - 1]]
    for field in empty:
        card = left[-1]
        if 1 < field < FIELDS:
            most = _risk(field, card, others) + ENOUGH
            card = next(lower for lower in left if _risk(field, lower, others) <= most)
        left.remove(card)
        planned[field - 1] = card
    # good cards that nothing was found for do better on the row than in the hand
    for field in empty:
        if left and left[-1] > planned[field - 1]:
            planned[field - 1] = left.pop()
    return tuple(planned)


def _risk(field: int, card: int, others: list[Row]) -> float:
    """What this card on this field is likely to cost: nothing as soon as somebody lies lower."""
    chance = 1.0
    for row in others:
        theirs = row[field - 1]
        if not theirs:
            chance *= at_least(card, USUAL[field - 1])
        elif theirs < card:
            return 0.0
    return field * chance


@cache
def at_least(card: int, usual: float) -> float:
    """The chance that somebody else's card will not be lower than this one."""
    return 1 / (1 + exp((card - 0.5 - usual) / SPREAD))


def _bonus_chance(row: Row, others: list[Row]) -> float:
    """The chance that nobody has more on fields 1 and 6 together."""
    chance, mine = 1.0, bonus_sum(row)
    for other in others:
        chance *= at_least_sum(mine, other[0], other[-1])
    return chance


@cache
def at_least_sum(mine: int, first: int, last: int) -> float:
    """The chance that somebody with these cards on fields 1 and 6, 0 for none yet, will not have more."""
    missing = (0 if first else USUAL[0]) + (0 if last else USUAL[-1])
    if missing:
        return 1 / (1 + exp((bonus_sum((first, last)) + missing - 0.5 - mine) / SPREAD))
    return float(bonus_sum((first, last)) <= mine)


# --- streets --------------------------------------------------------------------------------------

#: how good it is to have a street of this length, and how much its first number adds
LENGTHS: Final = {3: 3.0, 4: 7.0, 5: 12.0, 6: 18.0}
FIRST: Final = 0.1
#: what all other streets that can still come are worth beside the best one
FURTHER: Final = 0.1

#: all streets that there are: their fields with the cards that belong there, and what they are worth
STREETS: Final = tuple(
    (tuple((place + step, first + step) for step in range(length)), value + FIRST * first)
    for length, value in LENGTHS.items()
    for place in range(FIELDS - length + 1)
    for first in range(1, HIGHEST - length + 2)
)


def _street_prospect(view: SixBySixState, row: list[int], hand: list[int]) -> float:
    """The best street that can be hoped for, and a little for the others: a row should stay open."""
    cards, draws = sum(view.unseen), DRAWN * row.count(0)
    coming = [
        1.0 if card in hand else chance_to_come(n, cards, draws) for card, n in enumerate(view.unseen, 1)
    ]
    best = together = 0.0
    for street, value in STREETS:
        hope = value * _hope(row, street, coming)
        best = max(best, hope)
        together += hope
    return best + FURTHER * together


@cache
def chance_to_come(number: int, cards: int, draws: int) -> float:
    """The chance, roughly, that one of so many draws is one of `number` among so many cards."""
    return 1 - (1 - number / cards) ** draws


def _hope(row: list[int], street: tuple[tuple[int, int], ...], coming: list[float]) -> float:
    """The chance, roughly, to finish this street."""
    chance = 1.0
    for place, card in street:
        if not row[place]:
            chance *= coming[card - 1]
        elif row[place] != card:
            return 0.0
    return chance
