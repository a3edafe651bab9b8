"""A sensible beginner at 6mal6, and how beginners err.

For every card and field it imagines how its row will end if the cards still to come are neither lucky nor unlucky, and
what that row will then pay and take. With streets it counts the streets that can still be finished instead. Weaker ones
lay their highest card on the dearest field, and forget the cheap ones.
"""

from __future__ import annotations

from math import exp
from typing import Any, Final

from pasch.core.rules import kernel
from pasch.games.sixbysix.box import DRAWN
from pasch.games.sixbysix.rules import Config
from pasch.games.sixbysix.settling import FIELDS, HIGHEST, bonus_sum

#: what players such as this one have on fields 1 to 6 in the end, on average, and how far they are off
USUAL: Final = (7.0, 5.0, 5.7, 6.2, 6.6, 7.5)
SPREAD: Final = 1.0
#: a lower card is good enough for a field if it costs at most this much more, in chips
ENOUGH: Final = 0.6
#: of moves that come to nearly the same, the player takes the high card on the dear field
TIDY: Final = 0.01


@kernel(allocates=True)
def heuristic(g: Config, s: Any, code: int) -> float:
    """The chips that the round is likely to bring with this move; usually less than none."""
    card, place = code // FIELDS + 1, code % FIELDS
    row, hand, unseen = (
        [s.rows[s.seat][other] for other in range(FIELDS)],
        [0] * (HIGHEST + 1),
        hidden_from(g, s),
    )
    for held in range(s.held[s.seat]):
        hand[s.hands[s.seat][held]] += 1
    row[place] = card
    hand[card] -= 1
    if g.streets:
        return street_prospect(row, hand, unseen)
    return field_prospect(g, s, row, hand, unseen) + TIDY * card * (place + 1)


def hidden_from(g: Config, s: Any) -> list[int]:
    """How many cards of each value the seat to move does not see: in the pile and on the others' hands."""
    unseen = [0] * (HIGHEST + 1)
    for kind in range(HIGHEST):
        unseen[kind + 1] = s.unseen[kind]
    for seat in range(g.players):
        if seat != s.seat:
            for place in range(s.held[seat]):
                if s.hands[seat][place] > 0:
                    unseen[s.hands[seat][place]] += 1
    return unseen


# --- fields ---------------------------------------------------------------------------------------


def field_prospect(g: Config, s: Any, row: list[int], hand: list[int], unseen: list[int]) -> float:
    """The bonus that can be hoped for, less what the row is likely to pay."""
    empty = 0
    for place in range(FIELDS):
        empty += row[place] == 0
    expect_draws(hand, unseen, DRAWN * empty)
    fill_up(g, s, row, hand)
    costs = 0.0
    for place in range(FIELDS):
        costs += risk(s, place, row[place])
    chance = 1.0
    for player in range(s.playing):
        if s.order[player] != s.seat:
            chance *= at_least_sum(bonus_sum(row), s.rows[s.order[player]])
    return g.bonus * chance - costs


def expect_draws(hand: list[int], unseen: list[int], draws: int) -> None:
    """Add to a hand the cards of this many draws as if they were spread evenly over those not known."""
    cards = 0
    for kind in range(HIGHEST + 1):
        cards += unseen[kind]
    for draw in range(draws):
        at, card = (2 * draw + 1) * cards // (2 * draws), 0
        while at >= unseen[card]:
            at -= unseen[card]
            card += 1
        hand[card] += 1


def highest(cards: list[int]) -> int:
    """The highest card there is; 0 if there is none."""
    card = HIGHEST
    while card > 0 and cards[card] == 0:
        card -= 1
    return card


def fill_up(g: Config, s: Any, row: list[int], cards: list[int]) -> None:
    """Fill the row: the dearest field first, each with a card that is just good enough there.

    Fields 6 and 1 get the best there is, because their sum may win the bonus.
    """
    filled = [0] * FIELDS
    for place in range(FIELDS - 1, -1, -1):
        if row[place] == 0:
            card = highest(cards)
            if 0 < place < FIELDS - 1:
                most, card = risk(s, place, card) + ENOUGH, 1
                while cards[card] == 0 or risk(s, place, card) > most:
                    card += 1
            cards[card] -= 1
            row[place] = card
            filled[place] = 1
    # good cards that nothing was found for do better on the row than in the hand
    for place in range(FIELDS - 1, -1, -1):
        if filled[place] and highest(cards) > row[place]:
            row[place] = highest(cards)
            cards[row[place]] -= 1


def risk(s: Any, place: int, card: int) -> float:
    """What this card on this field is likely to cost: nothing once another seat has a lower card there."""
    chance = 1.0
    for player in range(s.playing):
        if s.order[player] != s.seat:
            theirs = s.rows[s.order[player]][place]
            if theirs == 0:
                chance *= 1 / (1 + exp((card - 0.5 - USUAL[place]) / SPREAD))
            elif theirs < card:
                return 0.0
    return (place + 1) * chance


def at_least_sum(mine: int, row: Any) -> float:
    """The chance that a seat with this row, 0 for no card yet, will not have more on fields 1 and 6."""
    missing = 0.0
    if row[0] == 0:
        missing += USUAL[0]
    if row[FIELDS - 1] == 0:
        missing += USUAL[FIELDS - 1]
    if missing > 0:
        return 1 / (1 + exp((bonus_sum(row) + missing - 0.5 - mine) / SPREAD))
    return 1.0 if bonus_sum(row) <= mine else 0.0


# --- streets --------------------------------------------------------------------------------------

#: how good it is to have a street of this length, and how much its first number adds
LENGTHS: Final = (0.0, 0.0, 0.0, 3.0, 7.0, 12.0, 18.0)
FIRST: Final = 0.1
#: what all other streets that can still come are worth beside the best one
FURTHER: Final = 0.1


def street_prospect(row: list[int], hand: list[int], unseen: list[int]) -> float:
    """The best street that can be hoped for, and a little for the others: a row should stay open."""
    cards, draws = 0, 0
    for kind in range(HIGHEST + 1):
        cards += unseen[kind]
    for place in range(FIELDS):
        if row[place] == 0:
            draws += DRAWN
    coming = [0.0] * (HIGHEST + 1)
    for card in range(1, HIGHEST + 1):
        # the chance, roughly, that one of this many draws is this card
        coming[card] = 1.0 if hand[card] else 1 - (1 - unseen[card] / cards) ** draws
    best, together = 0.0, 0.0
    for length in range(3, FIELDS + 1):
        for start in range(FIELDS - length + 1):
            for first in range(1, HIGHEST - length + 2):
                hope = (LENGTHS[length] + FIRST * first) * hope_for(row, start, first, length, coming)
                best = max(best, hope)
                together += hope
    return best + FURTHER * together


def hope_for(row: list[int], start: int, first: int, length: int, coming: list[float]) -> float:
    """The chance, roughly, to finish the street of this length that begins there with this card."""
    chance = 1.0
    for step in range(length):
        if row[start + step] == 0:
            chance *= coming[first + step]
        elif row[start + step] != first + step:
            return 0.0
    return chance


# --- mistakes ----------------------------------------------------------------------------------------


def appeal(g: Config, s: Any, code: int) -> float:
    """How much better a move looks than it is: a high card, on an expensive field."""
    card, place = code // FIELDS + 1, code % FIELDS
    return card * (place + 1) / 54


def ideas(g: Config, s: Any, code: int) -> int:
    """What has to be thought of: that a low card can lie on a field where little is lost."""
    return 1 if code % FIELDS < FIELDS // 2 else 0
