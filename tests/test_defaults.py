"""With nothing but their rules our own games are still played, described, judged and encoded."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random

import pytest

from pasch.core.chance import KeyedGenerator
from pasch.core.errors import PaschError
from pasch.core.events import Roll
from pasch.core.registry import find_game, game_ids
from pasch.core.state import CHANCE, State
from pasch.lab import spaces
from pasch.players import base
from pasch.solve.explore import Budget
from pasch.solve.valuer import valuer
from pasch.table import show as shows
from pasch.terminal import board as boards
from pasch.terminal.conformance import random_match, the_terminal_shows_everything

GAMES = pytest.mark.parametrize("game", game_ids())
#: the modules that look for a game's own part, and what they remember of it
LOOKING = (base, boards, shows, sys.modules["pasch.solve.valuer"])
REMEMBERED = (spaces.actions, shows.show, valuer)


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No game has anything but its rules."""
    for module in LOOKING:
        monkeypatch.setattr(module, "find_part", lambda game, role: None)
    # each of these games takes long to solve, or is too large: here it is always too large
    for budget in ("AT_ONCE", "ONE_POSITION"):
        monkeypatch.setattr(
            f"pasch.solve.solved.{budget}", Budget(positions=500, mebibytes=50, seconds=5.0)
        )
    for remembered in REMEMBERED:
        remembered.cache_clear()
    yield
    for remembered in REMEMBERED:
        remembered.cache_clear()


def states(game: str, most: int, seed: int = 1) -> list[State]:
    """The first positions of a random game for two."""
    match = random_match(find_game(game)(2), Random(seed), most - 1)
    return [match.at(number) for number in range(len(match) + 1)]


@GAMES
def test_the_greedy_player_chooses_by_what_its_seat_knows(game: str) -> None:
    greedy = base.GreedyPlayer()
    for state in [state for state in states(game, 60) if state.actor >= 0][:4]:
        view = state.view(state.actor)
        move = greedy.choose(view, KeyedGenerator(b""))
        assert move in state.moves()
        assert move == greedy.choose(view, KeyedGenerator(b"other luck"))


@pytest.mark.slow
@GAMES
def test_values_are_estimates_with_an_error_and_the_same_every_time(game: str) -> None:
    state = next(state for state in states(game, 60) if state.actor >= 0)
    values = valuer(state.game)
    worth, moves = values.worth(state), values.moves(state)
    assert not values.exact.value and worth.error is not None and worth.error >= 0
    assert worth.win is not None and sum(worth.win) >= 0.99 and len(moves) == len(state.moves())
    valuer.cache_clear()
    assert valuer(state.game).worth(state) == worth


@GAMES
def test_moves_are_touched_by_tokens_of_their_own(game: str) -> None:
    for state in states(game, 200):
        tokens = [frozenset(shows.show(game).tokens(move)) for move in state.moves()]
        assert len(set(tokens)) == len(tokens)
        if state.actor >= 0:
            for touched in (("nothing",), ("seat:1",), tuple(tokens[0])[:1], ("next:x", "push:9")):
                assert shows.why(state, touched).reason


@GAMES
def test_outcomes_are_read_off_the_table_and_typed(game: str) -> None:
    random, plain = Random(2), boards.find_board(game)
    for state in states(game, 80):
        if state.actor != CHANCE:
            continue
        asked = shows.ask(state)
        outcome = state.chance().sample(random)
        assert plain.prompt(state)
        if len(asked.values) > 1:
            numbers = state.chance().steps(outcome)
            assert state.chance().read(numbers) == outcome
            assert plain.read_outcome(state, " ".join(map(str, numbers))) == outcome


def test_real_dice_and_cards_can_be_typed_in_many_ways() -> None:
    state, board = find_game("joker1")(2).start(), boards.find_board("joker1")
    for typed in ("1 2 4", "421", " 4, 2,1 ", "2;4;1"):
        assert board.read_outcome(state, typed) == Roll(0, (1, 2, 4))
    for typed in ("", "12", "1 2 7", "1 2 4 4", "one", "12²", "-1 3 5", "１２４"):
        with pytest.raises(PaschError, match=r"expected numbers|are needed|1 to 6"):
            board.read_outcome(state, typed)
    # cards go to the seats in order
    state, board = find_game("sixbysix")(2).start(), boards.find_board("sixbysix")
    assert board.read_outcome(state, " 9 3 / 4 1").json() == {"deal": [[3, 9], [1, 4]]}


@GAMES
def test_positions_and_events_are_described(game: str) -> None:
    match = random_match(find_game(game)(2), Random(1), 60)
    the_terminal_shows_everything(match)
    assert "Player 2" in str(match.state)
