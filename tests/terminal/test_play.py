"""Playing in the terminal, and choosing a move. With real dice a game follows from what is typed alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from pasch.core.errors import PaschError
from pasch.core.events import Roll
from pasch.core.match import Match
from pasch.core.record import Record
from pasch.core.registry import find_game
from pasch.games.fiese15.rules import COLOURS, Keep
from pasch.terminal import menu, play, saved
from pasch.terminal.board import find_board
from pasch.terminal.menu import MAX_LISTED, Menu
from tests.terminal.conftest import Pasch

ALONE = ("play", "joker1", "--seats", "me", "--dice", "real", "--option", "rounds=1")
#: roll 1 2 3, push all three, stop with the small step
SIX_POINTS = "123|1, 2, 3||stop|"


def only_record(data: Path) -> Record:
    (path,) = (data / "records").iterdir()
    record = Record.from_json(path.read_bytes())
    record.verify()
    return record


def events(data: Path) -> list[dict[str, object]]:
    """The lines of the one saved game after its header."""
    (path,) = (data / "games").iterdir()
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


# --- a whole game ---------------------------------------------------------------------------------


def test_a_game_is_played_to_its_end_and_kept(pasch: Pasch, data: Path) -> None:
    done = pasch(*ALONE, typed=SIX_POINTS)
    assert done.exit_code == 0
    assert "Player 1 stops and scores 6 points" in done.stdout
    assert "6 points." in done.stdout and str(data / "records") in done.stdout.replace("\n", "")
    assert only_record(data).scores == [6]
    assert list((data / "games").iterdir()) == []
    # a finished number is not used again
    pasch(*ALONE, typed="q")
    assert [path.name for path in (data / "games").iterdir()] == ["joker1-2.jsonl"]
    done = pasch(*ALONE, "--seats", "me,me", typed=f"{SIX_POINTS}|{SIX_POINTS}")
    assert "Player 1 and Player 2 share the win." in done.stdout


def test_chance_with_one_possibility_is_not_asked_for(pasch: Pasch, data: Path) -> None:
    pasch("play", "lines", "--seats", "me", "--dice", "real", typed="134")
    assert events(data)[0] == {"plan": 1}
    assert events(data)[1]["roll"] == [1, 3, 4]


def test_own_components_are_played_and_recorded(pasch: Pasch, data: Path, tmp_path: Path) -> None:
    box = Path(saved.__file__).parents[1] / "games" / "joker1" / "box.toml"
    own = tmp_path / "own.toml"
    own.write_text(box.read_text("utf-8").replace("value = 6", "value = 60", 1), "utf-8")
    done = pasch(*ALONE, "--components", own, typed=SIX_POINTS)
    assert "60 points." in done.stdout
    assert "components" in only_record(data).options


# --- prompts --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_menu_of_games_and_leaving_it(pasch: Pasch, data: Path) -> None:
    done = pasch("play", typed="zzz|q")
    assert done.exit_code == 0
    assert "Crowns" in done.stdout and "Type the number or the name" in done.stdout
    assert pasch("play", typed=None).exit_code == 0
    assert not (data / "games").exists()
    pasch("play", typed="joker1")
    assert len(list((data / "games").iterdir())) == 1


def test_commands_help_rules_board(pasch: Pasch) -> None:
    done = pasch(*ALONE, typed="?|r|b|1 2|7 7 7|123|?|r|b|nonsense|77|0||q")
    assert "3 values are needed" in done.stdout and "a die shows 1 to 6" in done.stdout
    assert done.stdout.count("take back your last move") == 2
    assert done.stdout.count("How we read the rules") == 2
    assert done.stdout.count("small bridge") >= 3
    assert "No move contains 'nonsense'" in done.stdout
    assert "There is no number 77 in the list" in done.stdout
    assert "There is no number 0 in the list" in done.stdout
    assert "Type the number of your choice" in done.stdout
    assert "pasch play --continue joker1-1" in done.stdout


# --- leaving and continuing -----------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["123", "123|1, 2, 3||stop", "123|1, 2, 3||u|q"])
@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_end_of_input_or_ctrl_c_anywhere_loses_nothing(
    pasch: Pasch, data: Path, monkeypatch: pytest.MonkeyPatch, typed: str, end: type[BaseException]
) -> None:
    lines = iter(typed.split("|"))

    def ask(*_: object) -> str:
        for line in lines:
            return line
        raise end

    with monkeypatch.context() as patch:
        patch.setattr(menu, "ask", ask)
        done = pasch(*ALONE)
    assert done.exit_code == 0
    assert "The game is saved. Continue it with: pasch play --continue joker1-1" in done.stdout
    (path,) = (data / "games").iterdir()
    left = saved.SavedGame.load(path)
    assert left.match.events[0] == Roll(0, (1, 2, 3))
    on = "1, 2, 3||stop|" if len(left.match) == 1 else "stop|"
    assert "6 points." in pasch("play", "--continue", "joker1-1", typed=on).stdout
    assert only_record(data).scores == [6]


def test_continue_without_id_takes_the_last_one(pasch: Pasch) -> None:
    assert pasch("play", "--continue").stderr.startswith("pasch: there is no unfinished game")
    for rolled in ("124", "123"):
        pasch(*ALONE, typed=f"{rolled}|q")
    assert "Player 1 rolls 1 2 3" in pasch("play", "--continue", typed="q").stdout
    assert "Player 1 rolls 1 2 4" in pasch("play", "--continue", "joker1-1", typed="q").stdout
    done = pasch("play", "--continue", "../joker1-1")
    assert done.exit_code == 1 and done.stderr.count("\n") == 1 and "joker1-1" in done.stderr


def test_continued_dice_are_the_ones_that_would_have_come(pasch: Pasch, data: Path) -> None:
    """The key is saved, so leaving and coming back never changes a roll."""
    done = pasch("play", "joker1", "--seats", "me", typed="u|q")
    assert "never across a roll" in done.stdout
    (path,) = (data / "games").iterdir()
    once = path.read_bytes()
    path.write_bytes(once.splitlines(keepends=True)[0])
    pasch("play", "--continue", typed="q")
    assert path.read_bytes() == once


def test_events_are_written_before_they_are_shown(
    pasch: Pasch, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    show = play.TerminalTable._retell

    def watch(table: play.TerminalTable, start: int) -> None:
        written.append(len(events(data)))
        show(table, start)

    monkeypatch.setattr(play.TerminalTable, "_retell", watch)
    pasch(*ALONE, typed="123|1, 2, 3||q")
    assert written == [1, 2]


# --- taking moves back: one's own, and never across a roll ----------------------------------------


@pytest.mark.parametrize("move", ["1, 2, 3|", "1, 2, 3||roll|"])
def test_undo_takes_the_own_last_move_back(pasch: Pasch, data: Path, move: str) -> None:
    done = pasch(*ALONE, typed=f"123|{move}|u|q")
    assert "Taken back." in done.stdout
    assert events(data)[-1] == {"undo": 1}
    (path,) = (data / "games").iterdir()
    assert len(saved.SavedGame.load(path).match) == len(events(data)) - 2


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
    with pytest.raises(PaschError, match="has moved since"):
        play.undo_steps(table, 1)


def menu_of(game: str, *events: dict[str, object]) -> Menu:
    return Menu(find_board(game), Match(find_game(game).agree(1), list(events)).state)


def drawn(menu: Menu) -> str:
    screen = Console(width=80)
    with screen.capture() as captured:
        screen.print(menu.draw())
    return captured.get()


def test_moves_of_a_short_menu_are_numbered() -> None:
    # the targets of strip 4: red 1, blue 6, yellow black white green 2
    roll = {"red": 6, "blue": 3, "yellow": 2, "black": 6, "white": 6, "green": 6}
    short = menu_of("fiese15", {"strip": 4}, {"seat": 0, "roll": roll})
    assert "  3) blue 3, yellow 2" in drawn(short)
    for typed in ("0", "7", "-1", "purple", "", "²", "9" * 5000):
        with pytest.raises(PaschError):
            short.answer(typed)
    assert short.answer("3") == Keep(0, ("blue", "yellow"))


def test_of_a_long_menu_a_part_is_listed_and_words_narrow_it() -> None:
    # all dice are valid
    long = menu_of("fiese15", {"strip": 4}, {"seat": 0, "roll": dict.fromkeys(COLOURS, 1)})
    assert f" {MAX_LISTED}) " in drawn(long) and "…" in drawn(long)
    with pytest.raises(PaschError):
        long.answer(str(MAX_LISTED + 1))
    assert long.answer("green") is None
    long.answer("white green")
    assert "white 1, green 1" in drawn(long)
    # words look among all moves again
    assert long.answer("RED blue yellow black white") is None
    assert long.answer("1") == Keep(0, ("red", "blue", "yellow", "black", "white"))
