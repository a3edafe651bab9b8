"""Every move has one number, whatever the position and whoever makes it."""

from __future__ import annotations

import pytest

from pasch.core.errors import IllegalMove
from pasch.core.registry import all_games, find_game
from pasch.games.fiese15.rules import Next, Roll
from pasch.lab.actions import Actions, actions
from tests.lab.games import CASES, Case, agree, name, states


@pytest.mark.parametrize("case", CASES, ids=name)
def test_every_legal_move_has_a_number(case: Case) -> None:
    numbered = actions(agree(case))
    for state in states(case):
        legal = numbered.legal(state)
        assert legal == sorted(set(legal))
        assert {numbered.move(number, state.actor) for number in legal} == set(state.moves())
        assert [number for number, bit in enumerate(numbered.mask(state)) if bit] == legal


@pytest.mark.parametrize("case", CASES, ids=name)
def test_numbers_and_moves_lead_to_each_other(case: Case) -> None:
    game = agree(case)
    numbered, again = actions(game), Actions(game)
    for seat in range(game.players):
        moves = [numbered.move(number, seat) for number in range(len(numbered))]
        assert len(set(moves)) == len(moves)
        assert [numbered.number(move) for move in moves] == list(range(len(moves)))
        assert moves == [again.move(number, seat) for number in range(len(again))], "stable"


@pytest.mark.parametrize(
    ("game", "players", "options", "size"),
    [
        ("fiese15", 2, {}, 64 + 2),
        ("sixbysix", 2, {}, 9 * 6),
        ("crowns", 2, {}, 924),  # the ways to put up to six dice on six values
        ("crowns", 1, {}, 924),
    ],
)
def test_the_list_holds_nothing_else(
    game: str, players: int, options: dict[str, object], size: int
) -> None:
    assert len(actions(find_game(game).agree(players, options))) == size


def test_what_is_no_move_is_refused() -> None:
    numbered = actions(find_game("fiese15").agree(1))
    for number in (-1, len(numbered)):
        with pytest.raises(IllegalMove, match="no move number"):
            numbered.move(number, 0)
    for move in (Next(1, "stop"), Roll(0, (1, 2, 3, 4, 5, 6))):
        with pytest.raises(IllegalMove, match="no move of the game"):
            numbered.number(move)


def test_nobody_may_choose_when_it_is_nobodys_turn() -> None:
    for found in all_games():
        state = found.agree(max(2, found.seats[0])).start()
        assert actions(state.game).legal(state) == []
        assert not actions(state.game).mask(state).any()


def test_a_seat_whose_turn_it_is_not_has_no_legal_move() -> None:
    state = next(state for state in states(("joker1", 3, {"rounds": 2})) if state.actor == 1)
    numbered = actions(state.game)
    assert numbered.mask(state, 1).any() and not numbered.mask(state, 0).any()
