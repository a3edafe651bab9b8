"""A lesson in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from pasch.core.lesson import YOU, Moment, has_lesson, moments
from pasch.core.registry import game_ids
from pasch.terminal.board import find_board
from tests.terminal.conftest import Pasch

GAMES = [game for game in game_ids() if has_lesson(game)]


def typed(moment: Moment) -> list[str]:
    """The input of a person who follows the lesson: the move, and its number in the list that remains."""
    if moment.do is None or moment.state.actor != YOU:
        return [""]
    board, view = find_board(moment.state.game.id), moment.state.view(YOU)
    wanted = board.label(view, moment.do)
    labels = [board.label(view, move) for move in view.moves()]
    found = [label for label in labels if all(word in label.lower() for word in wanted.lower().split())]
    return [wanted, str(found.index(wanted) + 1)]


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_played_to_its_end_and_then_played_on(pasch: Pasch, data: Path, game: str) -> None:
    every = list(moments(game))
    done = pasch("learn", game, typed="|".join(line for moment in every for line in typed(moment)))
    assert done.exit_code == 0, done.output
    said = " ".join(done.stdout.split())
    for number, moment in enumerate(every, 1):
        assert f"{number} of {len(every)} {moment.remark('en')}" in said
    # after the lesson the game continues, and leaving keeps it
    assert "pasch play --continue" in done.stdout
    (saved,) = (data / "games").iterdir()
    assert len(saved.read_text().splitlines()) >= 1 + sum(len(moment.events) for moment in every)


def test_another_choice_is_answered_and_nothing_is_lost(pasch: Pasch) -> None:
    done = pasch("learn", "joker1", typed="|1|nonsense|q")
    second = list(moments("joker1"))[1]
    assert second.objection("en") in " ".join(done.stdout.split())
