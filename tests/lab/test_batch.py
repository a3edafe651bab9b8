"""Games in batches are the games of the ordinary engine."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest

from pasch.core.errors import OptionError
from pasch.core.philox import Stream, game_key
from pasch.core.registry import all_games, find_game
from pasch.lab import batch as batches
from pasch.lab.batch import PLAYERS, Batch, NoBatch, batch
from pasch.lab.simulation import Simulation
from pasch.players.base import player
from pasch.solve.valuer import valuer
from tests.lab.games import Case, agree, name

#: a game, players, options; who plays in which games
CASES: list[Case] = [
    ("crowns", 1, {}),
    ("crowns", 1, {"solo_minimum": 2, "split": True}),
    ("crowns", 3, {"round_limit": 4}),
    ("fiese15", 1, {}),
    ("fiese15", 3, {"gambler": True}),
    ("fiese15", 6, {"handicap": True, "gambler": True}),
    ("joker1", 1, {}),
    ("joker1", 6, {"rounds": 2, "first_six": "busts"}),
    ("joker2", 2, {}),
    ("joker2", 3, {"rounds": 4, "five_penalty": "pushed"}),
    ("joker2", 2, {"rounds": 4, "five_dice": "always"}),
    ("lines", 1, {"target": 5}),
    ("lines", 2, {"plans": [2, 3, 1, 2], "target": 8}),
    ("lines", 3, {"plans": [3, 1, 2], "plan_choice": "chosen", "target": 8}),
    ("lines", 4, {"plans": [4], "target": 2}),
    ("sixbysix", 2, {"round_limit": 4}),
    ("sixbysix", 5, {"round_limit": 2, "streets": True}),
]
#: players who know values take their time in these games
SLOW = {"crowns", "sixbysix"}


@cache
def ready(case: str, players: tuple[str, ...]) -> Batch:
    return batch(agree(next(one for one in CASES if name(one) == case)), players)


def compare(games: Batch, number: int, seed: str = "same") -> None:
    """The batch's games against those of the ordinary engine."""
    played = games.play(number, seed)
    ordinary = Simulation(games.game, games.players, number, seed, engine="ordinary")
    for part in ordinary.parts(workers=1):
        scores = played.scores[part.first : part.first + part.games]
        assert (scores == part.scores).all(), games.players
        assert (played.winners[part.first : part.first + part.games] == (part.winners > 0)).all()


@pytest.mark.parametrize("case", CASES, ids=name)
def test_the_same_seed_makes_the_same_games_as_in_the_engine(case: Case) -> None:
    seats = case[1]
    compare(ready(name(case), ("random",) * seats), 6)
    compare(ready(name(case), tuple(("greedy", "random")[seat % 2] for seat in range(seats))), 4)


#: short games for players who know values
VALUED: list[tuple[str, dict[str, Any]]] = [
    ("crowns", {"round_limit": 2}),
    ("fiese15", {}),
    ("joker1", {"rounds": 3}),
    ("joker1", {"rounds": 3, "first_six": "busts"}),
    ("joker2", {"rounds": 3}),
    ("joker2", {"rounds": 3, "five_dice": "always"}),
    ("lines", {"target": 4}),
    ("lines", {"plans": [1, 2], "plan_choice": "chosen", "target": 4}),
    ("sixbysix", {"round_limit": 1}),
]


def test_every_game_has_players_who_know_values() -> None:
    assert {game for game, _ in VALUED} == {game.id for game in all_games()}


@pytest.mark.parametrize(("game", "options"), VALUED)
def test_players_who_know_values_play_as_in_the_engine(game: str, options: dict[str, Any]) -> None:
    configured = find_game(game).agree(2, options)
    lineups = [("easy", "perfect")] if game in SLOW else [("easy", "perfect"), ("hard", "medium")]
    for lineup in lineups:
        compare(batch(configured, lineup), 1 if game in SLOW else 5)


def test_own_boxes_are_played_as_in_the_engine() -> None:
    box = find_game("sixbysix").default_components()
    few = msgspec.to_builtins(box) | {"start": {"chips": 3}}
    compare(batch(find_game("sixbysix").agree(2, {"components": few}), ["random", "greedy"]), 8)


def test_a_game_follows_from_the_seed_and_its_number_alone() -> None:
    games = ready(name(CASES[3]), ("greedy",))
    whole = games.play(9, "whole")
    parts = [games.play(2, "whole", 0), games.play(4, "whole", 2), games.play(3, "whole", 6)]
    assert (whole.scores == np.concatenate([part.scores for part in parts])).all()
    assert whole.decisions == sum(part.decisions for part in parts)
    assert (whole.scores != games.play(9, "other").scores).any()


def test_threads_change_nothing_and_parts_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("fiese15").agree(1)
    monkeypatch.setattr(batches, "PART", 7)
    one, three = (list(batch(game, ["random"]).parts(100, "threads", threads)) for threads in (1, 3))
    for parts in (one, three):
        assert [part.first for part in parts] == list(
            np.cumsum([0, *(len(part.scores) for part in parts[:-1])])
        )
    scores = [np.concatenate([part.scores for part in parts]) for parts in (one, three)]
    assert (scores[0] == scores[1]).all()


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("fiese15", {}),
        ("joker1", {}),
        ("joker1", {"first_six": "busts"}),
        ("joker2", {}),
        ("joker2", {"five_dice": "always"}),
    ],
)
def test_perfect_players_score_what_the_values_promise(game: str, options: dict[str, Any]) -> None:
    configured = find_game(game).agree(1, options)
    played = batch(configured, ["perfect"]).play(20_000, "promise").scores[:, 0]
    error = played.std() / len(played) ** 0.5
    assert abs(played.mean() - valuer(configured).points(configured.start())[0]) < 5 * error


def test_compiled_numbers_are_those_of_the_stream() -> None:
    """Below any bound, in every stream, and uniform ones between them."""
    from pasch.lab import loop
    from pasch.solve.compiled import compile_plain

    below, uniform = compile_plain(loop.below, name="test"), compile_plain(loop.uniform, name="test")
    streams = loop.new_streams(2)
    key = game_key("words", (1 << 40) + 5)
    streams.key[:] = np.frombuffer(key, "<u4")
    plain = [Stream(key, stream) for stream in range(3)]
    for number in range(300):
        stream, total = number % 3, (1, 2, 6, 46656, 7776, (1 << 32) - 1, 1 << 31)[number % 7]
        assert below(streams, stream, total) == plain[stream].randrange(total)
        if number % 5 == 0:
            assert uniform(streams, stream) == plain[stream].random()


def test_players_that_cannot_be_compiled_raise_nobatch() -> None:
    game = find_game("fiese15").agree(2)
    with pytest.raises(NoBatch, match="winner plays no batches"):
        batch(game, ["winner", "random"])
    with pytest.raises(NoBatch, match="there is no player 'nobody'"):
        batch(game, ["nobody", "random"])
    with pytest.raises(OptionError, match="1 players for a game of 2"):
        batch(game, ["random"])
    assert all(player(name) for name in PLAYERS)


def test_the_compiler_is_imported_only_for_a_batch() -> None:
    script = "import sys, pasch.lab.batch; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
