"""Games in batches are the games of the ordinary engine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pasch.core.chance import derive, seed_key
from pasch.core.errors import OptionError
from pasch.core.game import Game
from pasch.core.registry import find_game
from pasch.core.state import CHANCE
from pasch.lab.batch import NoBatch, batch, batched_games, batches, play_many, steps
from pasch.lab.batch.batches import PLAYERS
from pasch.players.arena import play_game
from pasch.players.base import Player, player
from pasch.solve import lines_rounds
from pasch.solve.valuer import valuer
from tests.lab.games import Case, agree, name

#: a game, players, options
CASES: list[Case] = [
    ("crowns", 1, {"round_limit": 3}),
    ("crowns", 3, {"round_limit": 3}),
    ("fiese15", 1, {}),
    ("fiese15", 3, {"gambler": True}),
    ("fiese15", 2, {"handicap": True}),
    ("fiese15", 6, {"handicap": True, "gambler": True}),
    ("joker1", 1, {}),
    ("joker1", 6, {"rounds": 2}),
    ("joker2", 2, {}),
    ("joker2", 3, {"rounds": 4, "five_penalty": "pushed"}),
    ("lines", 1, {"target": 5}),
    ("lines", 2, {"plans": [2, 3, 1, 2], "target": 8}),
    ("lines", 4, {"plans": [3], "target": 12}),
    ("sixbysix", 2, {"round_limit": 1}),
    ("sixbysix", 2, {"round_limit": 1, "streets": True}),
]
FOUND = [case for case in CASES if case[0] in batched_games()]

#: by number of seats who plays; every kind of player comes up in every game
LINEUPS: dict[int, list[tuple[str, ...]]] = {
    1: [("random",), ("greedy",), ("easy",), ("medium",), ("hard",), ("perfect",)],
    2: [("random", "easy"), ("perfect", "greedy"), ("hard", "medium")],
    3: [("random", "greedy", "perfect"), ("medium", "hard", "easy")],
    4: [("random", "greedy", "perfect", "random"), ("easy", "hard", "random", "greedy")],
    5: [("random", "greedy", "perfect", "easy", "hard")],
    6: [("random", "greedy", "perfect", "easy", "medium", "hard")],
}


class Told:
    """A generator that writes down what it gives."""

    def __init__(self, seed: object) -> None:
        self._random = Random(str(seed))
        self.tape: list[int] = []

    def randrange(self, stop: int, /) -> int:
        number = self._random.randrange(stop)
        self.tape.append(number)
        return number


def by_hand(
    game: Game[Any, Any], players: list[Player], generator: Told
) -> tuple[list[tuple[int, int]], tuple[int, ...], tuple[int, ...]]:
    """A game in the ordinary engine: decisions (seat, number of the move), scores, winners."""
    state, decisions = game.start(), []
    while not state.over:
        if state.actor == CHANCE:
            chance = state.chance()
            case = generator.randrange(chance.total)
            generator.tape[-1:] = steps(game, chance, case)
            state = state.apply(chance.pick(case))
        else:
            seat = state.actor
            move = players[seat].choose(state.view(seat), generator)
            decisions.append((seat, state.moves().index(move)))
            state = state.apply(move)
    return decisions, state.scores(), state.winners()


def compare(game: Game[Any, Any], lineup: tuple[str, ...], seed: object) -> None:
    """Play a game in the engine, and again from the numbers that it has drawn."""
    told = Told(seed)
    decisions, scores, winners = by_hand(game, [player(one) for one in lineup], told)
    replayed = batch(game, lineup).replay(told.tape)
    assert list(map(tuple, replayed.decisions.tolist())) == decisions
    assert tuple(replayed.scores.tolist()) == scores
    assert tuple(np.flatnonzero(replayed.winners).tolist()) == winners


@pytest.mark.parametrize("case", FOUND, ids=name)
def test_the_same_numbers_make_the_same_game_as_in_the_engine(case: Case) -> None:
    game = agree(case)
    for lineup in LINEUPS[game.players]:
        compare(game, lineup, f"{name(case)} {lineup}")


def test_every_player_plays_in_some_lineup_of_every_game() -> None:
    for game in {case[0] for case in FOUND}:
        seats = {case[1] for case in FOUND if case[0] == game}
        assert {one for n in seats for lineup in LINEUPS[n] for one in lineup} == set(PLAYERS)


@pytest.mark.parametrize("players", [("perfect", "easy"), ("hard", "medium")], ids=str)
def test_values_of_large_plans_lie_by_row_and_lane(
    players: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PASCH_CACHE", str(tmp_path))
    monkeypatch.setattr(lines_rounds, "SMALL", 13)
    lines_rounds.rounds_on.cache_clear()
    try:
        compare(find_game("lines").agree(2, {"plans": [2, 1], "target": 9}), players, "large")
    finally:
        lines_rounds.rounds_on.cache_clear()


@pytest.mark.parametrize("case", FOUND, ids=name)
def test_a_game_follows_from_the_seed_and_its_number_alone(case: Case) -> None:
    game = agree(case)
    games = batch(game, ["random"] * game.players)
    whole = games.play(12, "a")
    parts = [games.play(5, "a", first=7), games.play(1, "a"), games.play(6, "a", first=1)]
    joined = np.concatenate([part.scores for part in (parts[1], parts[2], parts[0])])
    assert np.array_equal(whole.scores, joined)
    assert whole.decisions == sum(part.decisions for part in parts)
    assert whole.chances == sum(part.chances for part in parts)
    assert not np.array_equal(whole.scores, games.play(12, "b").scores)
    assert len(np.unique(whole.scores, axis=0)) > 1


def test_threads_change_nothing_and_parts_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "PART", 7)
    game, lineup = find_game("fiese15").agree(2), ["random", "greedy"]
    whole = batch(game, lineup).play(40, "threads")
    for threads in (1, 3):
        parts = list(play_many(game, lineup, 40, "threads", threads=threads))
        ends = np.cumsum([len(part.scores) for part in parts])
        assert len(parts) > 1 and [part.first for part in parts] == [0, *ends[:-1]]
        assert np.array_equal(np.concatenate([part.scores for part in parts]), whole.scores)
        assert np.array_equal(np.concatenate([part.winners for part in parts]), whole.winners)
        assert sum(part.decisions for part in parts) == whole.decisions
    for part in play_many(game, lineup, 10_000_000, "threads"):
        assert len(part.scores) == 7
        break  # whoever stops looking does not wait for the rest


@pytest.mark.parametrize("case", [("fiese15", 1, {}), ("joker1", 2, {}), ("joker2", 1, {})], ids=name)
def test_perfect_players_score_what_the_values_promise(case: Case) -> None:
    game = agree(case)
    scores = batch(game, ["perfect"] * game.players).play(4_000, "values").scores
    error = scores.std(axis=0) / len(scores) ** 0.5
    assert np.all(abs(scores.mean(axis=0) - valuer(game).points(game.start())) < 5 * error)


def test_numbers_below_a_bound_are_all_equally_likely() -> None:
    from pasch.lab.batch import driver

    source = batches.new_source(1, np.arange(4, dtype=np.uint64))
    driver.begin(source, 0, 1)
    for bound in (2, 3, 36, 1000, (1 << 32) + 2, 1 << 53):
        drawn = np.array([driver.below(source.words, bound) for _ in range(6_000)])
        assert drawn.min() >= 0 and drawn.max() < bound
        parts = min(bound, 4)
        counts = np.bincount(drawn * parts // bound, minlength=parts)
        assert np.all(abs(counts - 6_000 / parts) < 5 * (6_000 / parts) ** 0.5)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 10**9), st.integers(1, 1 << 62))
@settings(max_examples=50, deadline=None)
def test_numbers_from_a_key_are_those_of_the_engine(key: bytes, number: int, total: int) -> None:
    from pasch.lab.batch import keyed

    pads, work = np.zeros(16, np.uint32), np.zeros(keyed.WORK, np.uint32)
    keyed.prepare(keyed.key_words([key])[0], pads, work)
    for most in (total, total % 100 + 1):
        assert keyed.derive(pads, number, most, work) == derive(key, number, most)


@pytest.mark.parametrize("case", [case for case in FOUND if case[0] != "sixbysix"], ids=name)
def test_keys_make_the_games_of_the_arena(case: Case) -> None:
    game = agree(case)
    lineup = [("random", "greedy")[seat % 2] for seat in range(game.players)]
    keys = [seed_key(number) for number in range(2)]
    played = batch(game, lineup).play_keyed(keys)
    for key, scores in zip(keys, played.scores.tolist(), strict=True):
        assert tuple(scores) == play_game(game, [player(one) for one in lineup], key).state.scores()


def test_a_tape_has_to_be_one_whole_game() -> None:
    game = find_game("joker2").agree(1, {"rounds": 1})
    told = Told("tape")
    by_hand(game, [player("random")], told)
    games = batch(game, ["random"])
    games.replay(told.tape)
    with pytest.raises(IndexError):
        games.replay(told.tape[:-1])
    with pytest.raises(ValueError):
        games.replay([*told.tape, 0])
    with pytest.raises(ValueError):
        games.replay([36, *told.tape[1:]])
    with pytest.raises(IndexError):
        games.replay([])


def test_who_has_no_kernel_is_told_so() -> None:
    game = find_game("fiese15").agree(1)
    for one in ("winner", "bot.py:Bot", "nobody"):
        with pytest.raises(NoBatch, match=one.partition(".")[0]):
            batch(game, [one])
    with pytest.raises(OptionError):
        batch(game, ["random", "random"])
    with pytest.raises(NoBatch):
        batches.batch_module("chess")


def test_the_compiler_is_imported_only_for_a_batch() -> None:
    script = "import sys, pasch.lab.batch; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
