"""Puzzles and habits in the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pasch.coach import puzzles
from pasch.coach.puzzles import make_puzzle
from tests.coach.games import agree, play
from tests.terminal.conftest import Pasch

pytestmark = pytest.mark.slow


def test_the_puzzle_of_a_day_is_found_or_missed(pasch: Pasch) -> None:
    arguments = ("puzzle", "--date", "2026-11-17")
    solution = json.loads(pasch(*arguments, "--json").stdout)
    assert solution["seed"] == "2026-11-17" and solution["game"] == "joker1" and solution["exact"]
    shown = pasch(*arguments, typed="q").stdout
    assert "Puzzle of the day · Würfel Joker 1 · easy" in shown and "Right!" not in shown
    answered = "".join(pasch(*arguments, typed=number).stdout for number in "12")
    assert answered.count("Right!") == answered.count("Not the best") == 1
    assert "the best move" in answered and "your choice" in answered
    # today's needs no date
    assert "Puzzle of the day" in pasch("puzzle", typed="q").stdout


def test_puzzles_of_a_game_by_seed_difficulty_and_kind(pasch: Pasch) -> None:
    kind = make_puzzle("joker1", 5).habit.slug
    asked = ("puzzle", "joker1", "--seed", "9", "--difficulty", "hard", "--kind", kind, "--json")
    solution = json.loads(pasch(*asked).stdout)
    assert (solution["difficulty"], solution["kind"]) == ("hard", kind)
    new = [json.loads(pasch("puzzle", "joker1", "--json").stdout)["seed"] for _ in range(2)]
    assert new[0] != new[1]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("puzzle", "crowns"), 1, "its values are estimates"),
        (("puzzle", "joker1", "--kind", "nonsense"), 1, "there are these kinds: "),
        (("puzzle", "--seed", "1"), 2, "go with a GAME"),
        (("puzzle", "joker1", "--seed", "1", "--date", "2026-01-01"), 2, "has no --seed"),
        (("habits", "/dev/null"), 1, "hold no game with a player 1"),
    ],
)
def test_what_cannot_be_is_refused(
    pasch: Pasch, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, said: str
) -> None:
    monkeypatch.setattr(puzzles, "MAX_GAMES", 2)
    done = pasch(*arguments)
    assert done.exit_code == code and said in done.output


def test_habits_of_several_games(pasch: Pasch, tmp_path: Path) -> None:
    games = [play(agree(("joker1", 2, {"rounds": 3})), "random,greedy", number) for number in range(3)]
    for number, match in enumerate(games):
        (tmp_path / f"{number}.json").write_text(match.record().to_json() + "\n")
    files = sorted(tmp_path.glob("*.json"))
    shown = pasch("habits", *files).stdout
    assert "Würfel Joker 1: 3 games" in shown and "mostly with " in shown and "points a game" in shown
    lines = [json.loads(line) for line in pasch("habits", *files, "--json").stdout.splitlines()]
    assert [line["cost"] for line in lines] == sorted((line["cost"] for line in lines), reverse=True)
    assert f"pasch puzzle joker1 --kind {lines[0]['kind']}" in shown
    assert all(line["games"] == 3 and line["low"] <= line["cost"] <= line["high"] for line in lines)
    other = pasch("habits", *files, "--seat", "2", "--json").stdout.splitlines()
    assert sum(json.loads(line)["cost"] for line in other) < sum(line["cost"] for line in lines)
