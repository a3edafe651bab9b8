"""Puzzles: one best move by the stated margin, exact values, the same everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pasch.coach import puzzles
from pasch.coach.practice import mistakes
from pasch.coach.puzzle_plan import (
    DIFFICULTIES,
    NoPuzzle,
    has_puzzles,
    of_the_day,
    puzzle_games,
    puzzle_plan,
)
from pasch.coach.puzzles import Puzzle, make_puzzle, puzzle_at
from pasch.core.match import Match
from pasch.core.registry import game_ids
from pasch.solve.valuer import valuer
from pasch.table.puzzle import puzzle_info
from pasch.table.show import show
from tests.coach.games import play

GAMES = [game for game in game_ids() if has_puzzles(game)]

seeds = st.integers(0, 10**9)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=seeds)
def test_one_move_is_the_best_by_the_stated_margin(game: str, seed: int) -> None:
    found = make_puzzle(game, seed)
    margin = puzzle_plan(game).margin
    assert margin is not None and found.exact and not found.match.state.over
    values = valuer(found.game)
    assert found.points == values.move_points(found.view) and found.moves == found.view.moves()
    touched = [frozenset(show(game).tokens(move)) for move in found.moves]
    pairs = zip(touched, found.points, strict=True)
    others = [points for tokens, points in pairs if tokens != touched[found.best]]
    assert found.points[found.best] - max(others) == pytest.approx(found.margin, abs=1e-12)
    assert found.margin >= margin >= puzzle_plan(game).slack
    # what looks good is not the best, and the words for it are there
    assert not found.right(found.obvious) and found.right(found.best)
    assert found.reason(found.obvious) is not None and found.reason(found.best) is None
    # a position of a real game: its events are legal
    assert Match(found.game, [event.json() for event in found.match.events]).state == found.match.state


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_difficulty_and_kind_can_be_chosen(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for difficulty in DIFFICULTIES:
        assert make_puzzle(game, 1, difficulty).difficulty == difficulty
    kind = make_puzzle(game, 5).habit.slug
    assert [make_puzzle(game, seed, None, kind).habit.slug for seed in range(3)] == [kind] * 3
    monkeypatch.setattr(puzzles, "MAX_GAMES", 2)
    with pytest.raises(NoPuzzle, match="no such puzzle"):
        make_puzzle(game, 1, None, "no-such-kind")


def test_games_without_exact_values_have_none() -> None:
    without = [game for game in game_ids() if not has_puzzles(game)]
    assert without
    for game in without:
        with pytest.raises(NoPuzzle, match="estimates"):
            make_puzzle(game, 1)
    for game in GAMES:
        for configured in puzzle_games(game):
            assert valuer(configured).exact.turn


# --- the puzzle of the day ------------------------------------------------------------------------

DAY = date(2026, 11, 16)


def test_games_take_turns_and_the_week_gets_harder() -> None:
    days = [of_the_day(DAY + timedelta(number)) for number in range(28)]
    assert {game for game, _ in days} == set(GAMES)
    assert len(set(days)) >= 3 * len(GAMES)
    assert [difficulty for _, difficulty in days[:7]] == ["easy"] * 2 + ["medium"] * 3 + ["hard"] * 2


#: no compiler and no arrays: the tables are read by the ordinary reader
ELSEWHERE = """
import sys
class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in sys.stdlib_module_names | {"pasch", "msgspec"}:
            raise ImportError(f"{name} is not there")
sys.meta_path.insert(0, Without())
import json
from datetime import date
from pasch.coach.puzzle_plan import of_the_day
from pasch.coach.puzzles import make_puzzle
from pasch.table.puzzle import puzzle_info
from pasch.table.show import show
for day in sys.argv[1:]:
    game, difficulty = of_the_day(date.fromisoformat(day))
    found = make_puzzle(game, day, difficulty)
    print(json.dumps([puzzle_info(found).id, found.points, found.moves[found.best].json()]))
"""


@pytest.mark.slow
def test_a_days_puzzle_is_the_same_in_another_process_without_a_compiler() -> None:
    days = [DAY + timedelta(number) for number in range(4)]
    planned = [(day, *of_the_day(day)) for day in days]
    here = [make_puzzle(game, day.isoformat(), difficulty) for day, game, difficulty in planned]
    assert {found.game.id for found in here} == set(GAMES)
    ran = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, *map(str, days)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert ran.returncode == 0, ran.stderr
    there = [json.loads(line) for line in ran.stdout.splitlines()]
    assert there == [
        [puzzle_info(found).id, list(found.points), found.moves[found.best].json()] for found in here
    ]


@pytest.mark.slow
def test_other_rules_make_other_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    before = make_puzzle("joker1", "seed").match.events
    assert make_puzzle("joker1", "seed").match.events == before
    monkeypatch.setattr(type(puzzle_games("joker1")[0]), "rules_version", 99)
    assert make_puzzle("joker1", "seed").match.events != before


# --- mistakes of one's own ------------------------------------------------------------------------


@pytest.mark.slow
def test_a_mistake_becomes_a_puzzle_about_that_move() -> None:
    match = play(puzzle_games("joker1")[0], "random")
    found = mistakes(match, 0, 3)
    assert len(found) == 3
    costs = [puzzle.cost(puzzle.obvious) for puzzle in found]
    assert costs == sorted(costs, reverse=True) and costs[-1] >= puzzle_plan("joker1").mistake
    for puzzle in found:
        assert isinstance(puzzle, Puzzle)
        number = len(puzzle.match)
        assert match.events[number] == puzzle.moves[puzzle.obvious]
        # the best move is none
        assert puzzle_at(match, number, puzzle.moves[puzzle.best]) is None
