"""Every move has one number, in every position and for every seat."""

from __future__ import annotations

import pytest

from pasch.core.errors import IllegalMove
from pasch.core.registry import find_game
from pasch.games.fiese15.rules import Next, Roll
from pasch.lab.actions import actions
from tests.lab.games import CASES, Case, agree, name, states


@pytest.mark.parametrize("case", CASES, ids=name)
def test_every_legal_move_has_a_number(case: Case) -> None:
    numbered = actions(agree(case))
    for state in states(case):
        legal = numbered.legal(state)
        assert legal == sorted(set(legal))
        assert {numbered.move(number, state.actor) for number in legal} == set(state.moves())
        assert [number for number, bit in enumerate(numbered.mask(state)) if bit] == legal


def test_what_is_no_move_is_refused() -> None:
    numbered = actions(find_game("fiese15").agree(1))
    for number in (-1, len(numbered)):
        with pytest.raises(IllegalMove, match="no move number"):
            numbered.move(number, 0)
    for move in (Next(1, "stop"), Roll(0, (1, 2, 3, 4, 5, 6))):
        with pytest.raises(IllegalMove, match="no move of the game"):
            numbered.number(move)
