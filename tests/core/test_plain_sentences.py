"""What people read is plain: no names of fields, no words of a library, seats counted from 1, right plurals."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pasch.core.errors import IllegalMove, PaschError
from pasch.core.registry import AnyGame, all_games, find_game
from pasch.core.words import Sentence, percent, say, shown

#: what stands in records and files, and means nothing to people
FIELDS = "roll|push|how|keep|cover|place|discard|deal|draw|next|options|components|players|seat|what|key"


@pytest.mark.parametrize(
    ("number", "said"), [(2.0, "2"), (12.345, "12.3"), (0.123, "0.12"), (-0.5, "-0.5"), (0.999, "1")]
)
def test_numbers_are_rounded_as_people_say_them(number: float, said: str) -> None:
    assert str(say("{n}", n=number)) == said


def test_chances_near_nothing_and_certainty_keep_a_digit() -> None:
    assert (percent(0.5), percent(0.012), percent(0.9954), percent(1.0)) == (50, 1.2, 99.5, 100)
    assert shown([1, 2.5]) == "1 and 2.5"


def sentence(error: PaschError) -> str:
    """What the browser shows: the sentence without what is for programmers."""
    return str(Sentence(error.template, error.details))


MALFORMED: list[Any] = [
    7,
    {},
    {"seat": 0},
    {"seat": "first", "roll": [1, 2, 3]},
    {"seat": 0, "roll": "three"},
    {"seat": 0, "next": "jump"},
    {"seat": 0, "card": 99, "field": 7},
    {"seat": 0, "card": 3, "field": 7},
    {"seat": 0, "push": 3, "how": "3+x"},
    {"seat": 0, "cover": [[0]]},
    {"plan": "one"},
    {"seat": 0, "place": [[9, 9]]},
    {"seat": 0, "keep": ["pink"]},
]


@pytest.mark.parametrize("written", MALFORMED, ids=str)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_what_is_no_event_is_refused_in_plain_words(game: AnyGame, written: Any) -> None:
    try:
        game.read_event(written)
    except PaschError as error:
        said = sentence(error)
        assert not re.search(r"[`${}\[\]]|Expected|Invalid|Object", said), said
        assert not re.search(rf"\b(?:{FIELDS}): ", said), said


def test_seats_are_counted_from_1_in_sentences_and_from_0_in_details() -> None:
    state = find_game("joker2").agree(2).start()
    rolled = state.apply(state.chance().pick(3))
    refused = rolled.misplaced(find_game("joker2").read_event({"seat": 1, "next": "stop"}))
    assert str(refused) == "it is seat 1’s turn, not seat 2’s"
    assert (refused.details["turn"], refused.details["seat"]) == (0, 1)
    assert str(IllegalMove("deal", "cards go to the seats {seats}", seats=[0, 2])) == (
        "cards go to the seats 1 and 3"
    )
    wrong = rolled.misplaced(find_game("joker2").read_event({"seat": 0, "next": "stop"}))
    assert sentence(wrong) == "that is not what 0 has to choose now", "the browser puts the name there"
    assert str(wrong) == "that is not what seat 1 has to choose now (expected how and push)"
