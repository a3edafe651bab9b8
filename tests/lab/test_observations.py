"""Observations: of fixed length, within their bounds, and without secrets."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from pasch.core.registry import all_games, find_game
from pasch.games.fiese15.rules import Roll, Strip
from pasch.games.sixbysix.rules import Position
from pasch.lab.observations import bounds, layout, observe
from tests.lab.games import CASES, Case, agree, name, states


@pytest.mark.parametrize("case", CASES, ids=name)
def test_observations_keep_to_their_length_and_bounds(case: Case) -> None:
    game = agree(case)
    parts = layout(game)
    low, high = bounds(game)
    assert len({part.name for part in parts}) == len(parts)
    assert all(part.size >= 1 and part.low < part.high and part.meaning for part in parts)
    for state in states(case):
        for seat in range(game.players):
            seen = observe(state, seat)
            assert seen.shape == low.shape == (sum(part.size for part in parts),)
            assert (low <= seen).all() and (seen <= high).all()


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_bounds_are_tight(game: Any) -> None:
    """No number may be a thousand times larger than those that occur; ±2**24 says nothing."""
    for part in layout(game.agree(2)):
        assert -3000 <= part.low < part.high <= 3000, part


def test_what_may_go_on_for_ever_is_counted_up_to_its_bound() -> None:
    game = find_game("lines").agree(2, {"target": 1})
    long = msgspec.structs.replace(game.start(), round=12345)
    assert (observe(long, 0) <= bounds(game)[1]).all()


@pytest.mark.parametrize("case", CASES, ids=name)
def test_positions_that_a_seat_can_tell_apart_look_different(case: Case) -> None:
    """Where one has to choose, the vector says all that the choice can depend on."""
    seen: dict[bytes, object] = {}
    for state in states(case, games=2):
        if state.actor >= 0:
            moves = frozenset(state.moves())
            look = observe(state, state.actor).tobytes() + bytes([state.actor])
            assert seen.setdefault(look, moves) == moves


def test_every_part_stands_where_the_layout_says() -> None:
    state = find_game("fiese15").agree(2).start().apply(Strip(6)).apply(Roll(0, (5, 4, 3, 6, 6, 6)))
    at, read = 0, {}
    seen = observe(state, 1)
    for part in layout(state.game):
        read[part.name] = seen[at : at + part.size].tolist()
        at += part.size
    assert read["phase"] == [0, 0, 1, 0, 0]
    assert read["seat"] == [0, 1], "seat 1 looks, so seat 0 comes last"
    assert read["targets"] == [5, 4, 3, 1, 1, 1]
    assert read["rolled"] == [5, 4, 3, 6, 6, 6]
    assert [strip for strip, drawn in enumerate(read["strips"]) if drawn] == [6]


def test_seats_in_a_list_begin_with_the_observing_seat() -> None:
    start: Any = find_game("sixbysix").agree(3).start()
    state = msgspec.structs.replace(start, order=(2, 1))
    at = {part.name: place for place, part in enumerate(layout(state.game))}
    sizes = np.cumsum([0, *(part.size for part in layout(state.game))])
    for seat, order in ((0, [0, 1, 1]), (1, [1, 1, 0]), (2, [1, 0, 1])):
        assert observe(state, seat)[sizes[at["order"]] :][:3].tolist() == order


def test_swapping_hidden_cards_with_the_pile_changes_nothing() -> None:
    for state in states(("sixbysix", 4, {"streets": True, "round_limit": 2}), games=1):
        assert isinstance(state, Position)
        hidden = next((seat for seat, hand in enumerate(state.hands) if hand), None)
        if hidden is None:
            continue
        card = state.hands[hidden][0]
        drawn = next(c for c in range(1, 10) if state.unseen[c - 1] and c != card)
        assert card is not None
        unseen = list(state.unseen)
        unseen[card - 1] += 1
        unseen[drawn - 1] -= 1
        hand = tuple(sorted((drawn, *(c for c in state.hands[hidden][1:] if c is not None))))
        hands = (*state.hands[:hidden], hand, *state.hands[hidden + 1 :])
        twin = msgspec.structs.replace(state, hands=hands, unseen=tuple(unseen))
        for seat in range(4):
            assert np.array_equal(observe(state, seat), observe(twin, seat)) == (seat != hidden)
