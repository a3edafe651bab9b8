"""Every move has one number; observations have a fixed length, keep to their bounds and hold no secrets."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from pasch.core.errors import IllegalMove
from pasch.core.registry import all_games, find_game
from pasch.core.state import State
from pasch.games.fiese15.rules import Next, Roll, Strip
from pasch.lab.spaces import actions, bounds, layout, observe
from tests.lab.games import CASES, Case, agree, name, states


def parts_of(state: State, seat: int) -> dict[str, list[float]]:
    """An observation by the names of its parts."""
    parts = layout(state.game)
    pieces = np.split(observe(state, seat), np.cumsum([part.size for part in parts])[:-1])
    return {part.name: piece.tolist() for part, piece in zip(parts, pieces, strict=True)}


@pytest.mark.parametrize("case", CASES, ids=name)
def test_moves_are_numbered_and_positions_observed(case: Case) -> None:
    game = agree(case)
    numbered, parts, (low, high) = actions(game), layout(game), bounds(game)
    assert len({part.name for part in parts}) == len(parts)
    assert all(part.size >= 1 and part.low < part.high and part.meaning for part in parts)
    looks: dict[tuple[int, bytes], list[int]] = {}
    for state in states(case):
        legal = numbered.legal(state)
        assert legal == sorted(set(legal)) == np.flatnonzero(numbered.mask(state)).tolist()
        assert {numbered.move(number, state.actor) for number in legal} == set(state.moves())
        for seat in range(game.players):
            seen = observe(state, seat)
            assert np.array_equal(seen, observe(state.view(seat), seat)), "no secret changes it"
            assert seen.shape == low.shape == (sum(part.size for part in parts),)
            assert (low <= seen).all() and (seen <= high).all()
            if seat == state.actor:  # the vector says all that the choice can depend on
                assert looks.setdefault((seat, seen.tobytes()), legal) == legal


def test_what_is_no_move_is_refused() -> None:
    numbered = actions(find_game("fiese15").agree(1))
    for number in (-1, len(numbered)):
        with pytest.raises(IllegalMove, match="no move number"):
            numbered.move(number, 0)
    for move in (Next(1, "stop"), Roll(0, (1, 2, 3, 4, 5, 6))):
        with pytest.raises(IllegalMove, match="no move of the game"):
            numbered.number(move)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_bounds_are_tight(game: Any) -> None:
    """No number may be a thousand times larger than those that occur; ±2**24 says nothing."""
    for part in layout(game.agree(2)):
        assert -3000 <= part.low < part.high <= 3000, part


def test_what_has_no_bound_is_clipped() -> None:
    game = find_game("lines").agree(2, {"target": 1})
    long = msgspec.structs.replace(game.start(), round=12345)
    assert (observe(long, 0) <= bounds(game)[1]).all()


def test_parts_stand_where_the_layout_says_and_seats_begin_with_the_observing_one() -> None:
    fiese15 = find_game("fiese15").agree(2).start().apply(Strip(6)).apply(Roll(0, (5, 4, 3, 6, 6, 6)))
    seen = parts_of(fiese15, 1)
    assert seen["phase"] == [0, 0, 1, 0, 0] and seen["seat"] == [0, 1]
    assert seen["targets"] == [5, 4, 3, 1, 1, 1] and seen["rolled"] == [5, 4, 3, 6, 6, 6]
    assert np.flatnonzero(seen["strips"]).tolist() == [6]
    start: Any = find_game("sixbysix").agree(3).start()
    state = msgspec.structs.replace(start, order=(2, 1))
    for seat, order in ((0, [0, 1, 1]), (1, [1, 1, 0]), (2, [1, 0, 1])):
        assert parts_of(state, seat)["order"] == order
