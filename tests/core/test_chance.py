"""Chance: exact probabilities, and the numbers of simulated games."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from random import Random

import pytest

from pasch import find_game
from pasch.core.chance import Cards, Hands
from pasch.core.errors import IllegalOutcome, PaschError
from pasch.core.events import Event
from pasch.core.philox import Stream, block, game_key


class Rolled(Event, frozen=True):
    roll: tuple[int, ...]


class Dealt(Event, frozen=True):
    hands: tuple[tuple[int, ...], ...]


def cards(pack: dict[int, int], sizes: tuple[int, ...]) -> Cards:
    def hands(event: Event) -> Hands | None:
        return event.hands if isinstance(event, Dealt) else None

    return Cards(pack.items(), sizes, Dealt, hands)


def test_cards_by_the_hypergeometric_formula() -> None:
    chance = cards({3: 4, 7: 2, 9: 6}, (2, 2))
    seven_seven_then_nine_nine = Fraction(comb(2, 2), comb(12, 2)) * Fraction(comb(6, 2), comb(10, 2))
    assert chance.probability(Dealt(((7, 7), (9, 9)))) == seven_seven_then_nine_nine
    assert chance.cases(Dealt(((7, 7), (7, 9)))) == 0, "there are only two sevens"
    assert chance.cases(Dealt(((7, 7),))) == 0, "two hands are dealt"
    assert chance.cases(Rolled((7, 7))) == 0


def test_every_elementary_case_of_a_small_pack_is_dealt_once() -> None:
    chance = cards({1: 2, 2: 1, 3: 2}, (2, 1))
    counted = Counter(chance.pick(case) for case in range(chance.total))
    assert counted == dict(chance.outcomes())


def test_a_deal_too_large_to_list_is_still_exact() -> None:
    chance = cards(dict.fromkeys(range(1, 10), 9), (2,) * 6)
    assert not chance.listable
    with pytest.raises(PaschError):
        chance.outcomes()
    event = chance.sample(Random(1))
    stepwise = Fraction(1)
    assert isinstance(event, Dealt)
    order = tuple(card for hand in event.hands for card in hand)
    for number, card in enumerate(order):
        steps = dict(chance.step(order[:number]))
        stepwise *= Fraction(steps[card], sum(steps.values()))
    orders = 1
    for hand in event.hands:
        orders *= 2 if hand[0] != hand[1] else 1
    assert chance.probability(event) == stepwise * orders
    assert chance.finish(order) == event


@pytest.mark.parametrize(
    ("game", "players", "values", "why"),
    [
        ("joker1", 1, (1, 2, 7), "7 cannot be there: a die shows 1 to 6"),
        ("sixbysix", 2, (1, 2, 3, 12), "12 cannot be there: no such card is left"),
        ("sixbysix", 6, (1,) * 12, "1 cannot be there that often; cards of this kind not seen yet: 9"),
        ("fiese15", 1, (99,), "99 cannot be there: it is not among what is left"),
    ],
)
def test_a_value_that_cannot_lie_there_says_why(
    game: str, players: int, values: tuple[int, ...], why: str
) -> None:
    with pytest.raises(IllegalOutcome, match=why):
        find_game(game).agree(players).start().chance().read(values)


# --- simulated games ------------------------------------------------------------------------------------

LOW = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("key", "counter", "words"),
    [
        ((0, 0), (0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((LOW, LOW), (LOW, LOW, LOW, LOW), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0xA4093822, 0x299F31D0),
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_the_published_answers_of_philox(
    key: tuple[int, int], counter: tuple[int, int, int, int], words: tuple[int, int, int, int]
) -> None:
    """Those of the authors' library Random123, philox4x32-10."""
    assert block(*key, *counter) == words


def test_a_stream_draws_nothing_for_one_case_and_no_more_than_32_bits() -> None:
    stream = Stream(game_key("even", 0), 0)
    assert stream.randrange(1) == 0 and 0 <= stream.random() < 1
    with pytest.raises(ValueError, match="in steps"):
        stream.randrange(1 << 33)
