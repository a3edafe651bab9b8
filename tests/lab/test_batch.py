"""Games in batches are the games of the ordinary engine."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from pasch.core.errors import OptionError, PaschError
from pasch.core.registry import find_game
from pasch.lab import loop
from pasch.lab.batch import PLAYERS, Batch, NoBatch, batch
from pasch.lab.simulation import Simulation
from pasch.players.base import player
from tests.lab.games import CASES, Case, agree, name

#: players who know values take their time in these games
SLOW = {"crowns", "sixbysix"}


def compare(games: Batch, number: int, seed: str = "same") -> None:
    """The batch's games against those of the ordinary engine."""
    played = games.play(number, seed)
    ordinary = Simulation(games.game, games.players, number, seed, engine="ordinary")
    for part in ordinary.parts(workers=1):
        here = slice(part.first, part.first + len(part.scores))
        assert (played.scores[here] == part.scores).all(), games.players
        assert (played.winners[here] == part.winners).all()


@pytest.mark.parametrize("case", CASES, ids=name)
def test_the_same_seed_makes_the_same_games_as_in_the_engine(case: Case) -> None:
    game, seats = agree(case), case[1]
    compare(batch(game, (["greedy", "random"] * seats)[:seats]), 4)


#: short games for players who know values
VALUED: list[tuple[str, dict[str, Any]]] = [
    ("crowns", {"round_limit": 2}),
    ("fiese15", {"gambler": True}),
    ("joker1", {"rounds": 2, "first_six": "busts"}),
    ("joker2", {"rounds": 2, "five_dice": "always"}),
    ("lines", {"plans": [1, 2], "plan_choice": "chosen", "target": 4}),
    ("sixbysix", {"round_limit": 1}),
]


@pytest.mark.usefixtures("little_practice")
@pytest.mark.parametrize(("game", "options"), VALUED)
def test_players_who_know_values_play_as_in_the_engine(game: str, options: dict[str, Any]) -> None:
    configured = find_game(game).agree(2, options)
    lineups = [("easy", "perfect")] if game in SLOW else [("easy", "perfect"), ("hard", "medium")]
    for lineup in lineups:
        compare(batch(configured, lineup), 1 if game in SLOW else 3)


def test_own_boxes_are_played_as_in_the_engine() -> None:
    box = find_game("sixbysix").default_components()
    few = msgspec.to_builtins(box) | {"start": {"chips": 3}}
    compare(batch(find_game("sixbysix").agree(2, {"components": few}), ["random", "greedy"]), 8)


def test_a_game_follows_from_the_seed_and_its_number_alone_and_parts_come_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = batch("fiese15", ["greedy"])
    whole = games.play(100, "whole")
    simulation = Simulation(games.game, ["greedy"], 100, "whole", engine="compiled")
    monkeypatch.setattr(simulation, "_part", 7)
    for threads in (1, 3):  # which divide the games differently
        parts = list(simulation.parts(threads))
        assert [part.first for part in parts] == [*np.cumsum([0, *(len(p.scores) for p in parts[:-1])])]
        assert (whole.scores == np.concatenate([part.scores for part in parts])).all()
        assert whole.decisions == sum(part.decisions for part in parts)
    assert (whole.scores != games.play(100, "other").scores).any()


def test_players_that_cannot_be_compiled_raise_nobatch() -> None:
    for seats, error, said in (
        (["winner", "random"], NoBatch, "winner plays no batches"),
        (["nobody", "random"], NoBatch, "nobody plays no batches; these do: random, greedy, easy"),
        (["random"], OptionError, "1 players for a game of 2"),
    ):
        with pytest.raises(error, match=said):
            batch(find_game("fiese15").agree(2), seats)
    assert all(player(name) for name in PLAYERS)


def test_rules_that_leave_a_seat_without_a_move_end_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """A random player that chose among no moves never came to an end."""
    monkeypatch.setattr(loop, "moves", lambda g, s, codes: 0)
    seats: Any = SimpleNamespace(kind=[loop.RANDOM])
    nothing: Any = SimpleNamespace(codes=[])
    with pytest.raises(PaschError, match="no move"):
        loop.choose(None, None, SimpleNamespace(actor=0), seats, nothing, nothing, nothing)
