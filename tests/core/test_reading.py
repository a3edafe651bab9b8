"""What is read off a real table, and why it cannot be right."""

from __future__ import annotations

import pytest

from pasch import find_game
from pasch.core.errors import IllegalOutcome
from pasch.core.reading import outcome


@pytest.mark.parametrize(
    ("game", "players", "values", "why"),
    [
        ("joker1", 1, (1, 2, 7), "7 cannot lie there: a die shows 1 to 6"),
        ("sixbysix", 2, (1, 2, 3, 12), "12 cannot lie there: no such card is left"),
        ("sixbysix", 6, (1,) * 12, "1 cannot lie there so often: of these cards 9 are not seen yet"),
        ("fiese15", 1, (99,), "99 cannot lie there: it is not among what is left"),
    ],
)
def test_a_value_that_cannot_lie_there_says_why(
    game: str, players: int, values: tuple[int, ...], why: str
) -> None:
    with pytest.raises(IllegalOutcome, match=why):
        outcome(find_game(game).agree(players).start().chance(), values)
