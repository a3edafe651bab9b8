"""Puzzles and habits in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from pasch.coach import puzzles
from pasch.coach.puzzles import make_puzzle
from tests.coach.games import agree, play
from tests.terminal.conftest import Pasch

pytestmark = pytest.mark.slow


def test_the_puzzle_of_a_day_is_found_or_missed(pasch: Pasch) -> None:
    arguments = ("puzzle", "--date", "2026-11-17")
    shown = pasch(*arguments, typed="q").stdout
    assert "Puzzle of the day · Würfel Joker 1 · easy" in shown and "Right!" not in shown
    answered = "".join(pasch(*arguments, typed=number).stdout for number in "12")
    assert answered.count("Right!") == answered.count("Not the best") == 1
    assert "the best move" in answered and "your choice" in answered
    # today's needs no date
    assert "Puzzle of the day" in pasch("puzzle", typed="q").stdout


def test_puzzles_of_a_game_by_seed_difficulty_and_kind(pasch: Pasch) -> None:
    kind = make_puzzle("joker1", 5).habit.slug
    asked = ("puzzle", "joker1", "--seed", "9", "--difficulty", "hard", "--kind", kind)
    shown = pasch(*asked, typed="q").stdout
    assert shown == pasch(*asked, typed="q").stdout and "Puzzle 9 · Würfel Joker 1 · hard" in shown
    new = {pasch("puzzle", "joker1", typed="q").stdout.split(" · ")[0] for _ in range(2)}
    assert len(new) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("puzzle", "crowns"), 1, "its values are estimates"),
        (("puzzle", "joker1", "--kind", "nonsense"), 1, "try another kind"),
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
    assert "pasch puzzle joker1 --kind " in shown
    alone = pasch("habits", files[0]).stdout
    assert " to " in shown and " to " not in alone, "one game alone says nothing of the next"
    other = pasch("habits", *files, "--seat", "2").stdout
    given = [float(said.split("Given away: ")[1].split()[0]) for said in (shown, other)]
    assert given[1] < given[0]
