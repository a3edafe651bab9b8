"""Taking moves back: one's own, and never across a roll."""

from __future__ import annotations

from pathlib import Path

import pytest

from pasch.core.registry import find_game
from pasch.terminal import play, saved
from tests.terminal.conftest import Pasch
from tests.terminal.test_play import ALONE, events


def test_undo_takes_the_own_last_move_back(pasch: Pasch, data: Path) -> None:
    done = pasch(*ALONE, typed="123|1, 2, 3||u|q")
    assert "Taken back." in done.stdout
    assert events(data)[-1] == {"undo": 1}
    (path,) = (data / "games").iterdir()
    assert len(saved.SavedGame.load(path).match) == 1


def test_undo_never_goes_across_a_roll_of_pasch(pasch: Pasch, data: Path) -> None:
    done = pasch("play", "joker1", "--seats", "me", typed="u|u|q")
    assert done.stdout.count("never across a roll") == 2
    assert not [event for event in events(data) if "undo" in event]


def test_undo_at_the_dice_takes_the_decision_to_roll_back(pasch: Pasch, data: Path) -> None:
    pasch(*ALONE, typed="123|1, 2, 3||roll||u|q")
    assert events(data)[-2:] == [{"seat": 0, "next": "roll"}, {"undo": 1}]


def test_undo_corrects_a_roll_typed_wrongly_but_goes_no_further(pasch: Pasch, data: Path) -> None:
    done = pasch(*ALONE, typed="123|1, 2, 3||roll||456|u|u|q")
    assert done.stdout.count("Taken back.") == 1
    assert "never across a roll" in done.stdout
    assert events(data)[-1] == {"undo": 1}
    # and a new start does not open what was closed
    done = pasch("play", "--continue", typed="u|q")
    assert "Taken back." not in done.stdout


def test_undo_takes_no_move_of_another_person_back(data: Path) -> None:
    table = saved.SavedGame.create(find_game("sixbysix").agree(2), ["me", "me"], "pasch", bytes(32))
    table.play(table.state.chance().pick(0))
    table.play(table.state.moves()[0])
    assert play.undo_steps(table, 0) == 1
    with pytest.raises(play.CannotUndo):
        play.undo_steps(table, 1)
