"""Puzzles in the terminal."""

from __future__ import annotations

import pytest

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


def test_puzzles_of_a_game_by_seed_and_difficulty(pasch: Pasch) -> None:
    asked = ("puzzle", "joker1", "--seed", "9", "--difficulty", "hard")
    shown = pasch(*asked, typed="q").stdout
    assert shown == pasch(*asked, typed="q").stdout and "Puzzle 9 · Würfel Joker 1 · hard" in shown
    new = {pasch("puzzle", "joker1", typed="q").stdout.split(" · ")[0] for _ in range(2)}
    assert len(new) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("puzzle", "crowns"), 1, "its values are estimates"),
        (("puzzle", "--seed", "1"), 2, "go with a GAME"),
        (("puzzle", "joker1", "--seed", "1", "--date", "2026-01-01"), 2, "has no --seed"),
    ],
)
def test_what_cannot_be_is_refused(pasch: Pasch, arguments: tuple[str, ...], code: int, said: str) -> None:
    done = pasch(*arguments)
    assert done.exit_code == code and said in done.output
