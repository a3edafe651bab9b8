"""Saved games: what a crash or a stranger can do to their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pasch.core.errors import PaschError
from pasch.core.files import atomic_text
from pasch.core.registry import find_game
from pasch.terminal.saved import SavedGame
from tests.terminal.conftest import Pasch


@pytest.fixture
def game(data: Path) -> SavedGame:
    """Würfel Joker 1 alone, with one roll made."""
    made = SavedGame.create(find_game("joker1").agree(1), ["me"], "pasch", bytes(32))
    made.play(made.state.chance().pick(0))
    return made


def test_a_file_made_before_an_option_existed_is_loaded(game: SavedGame) -> None:
    text = game.path.read_text("utf-8")
    game.path.write_text(text.replace(',"first_six":"saves"', ""), "utf-8")
    again = SavedGame.load(game.path)
    assert again.match.game == game.match.game and again.match.events == game.match.events


def test_a_file_without_a_last_line_break_is_continued(game: SavedGame) -> None:
    game.path.write_bytes(game.path.read_bytes().rstrip())
    again = SavedGame.load(game.path)
    again.play(again.state.moves()[0])
    assert SavedGame.load(game.path).match.events == again.match.events


@pytest.mark.parametrize(
    "line",
    [
        *(b"nonsense", b"[]", b'{"seat":0,"roll":[9,9,9]}'),
        *(b'{"undo":5}', b'{"undo":true}'),
    ],
)
def test_a_wrong_line_in_the_middle_is_named(game: SavedGame, line: bytes) -> None:
    first, second = game.path.read_bytes().splitlines(keepends=True)
    game.path.write_bytes(first + second + line + b"\n" + second)
    with pytest.raises(PaschError, match="line 3"):
        SavedGame.load(game.path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pasch-saved/1", "pasch-saved/2"),
        ('"key":"00', '"key":"zz'),
        ('"seats":["me"]', '"seats":[]'),
        ('"dice":"pasch"', '"dice":"loaded"'),
    ],
)
def test_a_wrong_header_is_no_saved_game(game: SavedGame, old: str, new: str) -> None:
    text = game.path.read_text()
    assert old in text
    game.path.write_text(text.replace(old, new))
    with pytest.raises(PaschError, match="no saved game"):
        SavedGame.load(game.path)


def test_two_windows_do_not_write_into_each_other(game: SavedGame) -> None:
    other = SavedGame.load(game.path)
    with pytest.raises(Exception, match="has to choose now"):
        other.play(game.match.events[0])
    other.play(other.state.moves()[0])
    whole = game.path.read_bytes()
    with pytest.raises(PaschError, match="another window"):
        game.play(game.state.moves()[0])
    assert game.path.read_bytes() == whole and len(game.match) == 1


def test_saved_lists_games_and_says_which_are_unreadable(pasch: Pasch, game: SavedGame) -> None:
    (game.path.parent / "joker1-2.jsonl").write_text("rubbish\n")
    done = pasch("saved")
    assert done.exit_code == 0 and "joker1-1" in done.stdout and "unreadable" in done.stdout
    assert str(game.path.parent) in done.stdout.replace("\n", "")
    assert pasch("play", "--continue", "joker1-2").exit_code == 1


def test_a_file_is_replaced_completely_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    with pytest.raises(KeyboardInterrupt), atomic_text(target) as file:
        file.write("half")
        raise KeyboardInterrupt
    assert target.read_text() == "old" and list(tmp_path.iterdir()) == [target]
