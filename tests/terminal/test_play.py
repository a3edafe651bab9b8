"""Playing in the terminal. With real dice a game follows from what is typed alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pasch.core.events import Roll
from pasch.core.record import Record
from pasch.core.registry import game_ids
from pasch.terminal import play, saved
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


def test_a_game_is_played_to_its_end_and_kept(pasch: Pasch, data: Path, tmp_path: Path) -> None:
    target = tmp_path / "game.jsonl"
    done = pasch(*ALONE, "--record", target, typed=SIX_POINTS)
    assert done.exit_code == 0
    assert "Player 1 stops with small step and scores 6" in done.stdout
    assert "6 points." in done.stdout and str(target) in done.stdout.replace("\n", "")
    assert only_record(data).scores == [6]
    assert Record.from_json(target.read_bytes()) == only_record(data)
    assert list((data / "games").iterdir()) == []


def test_winners_are_named(pasch: Pasch) -> None:
    seats = ("play", "joker1", "--seats", "me,me", "--dice", "real", "--option", "rounds=1")
    done = pasch(*seats, typed=f"{SIX_POINTS}|124|1, 2, 4||stop|")
    assert "Player 1 wins." in done.stdout
    done = pasch(*seats, typed=f"{SIX_POINTS}|{SIX_POINTS}")
    assert "Player 1 and Player 2 share the win." in done.stdout


def test_the_computer_plays_its_seat(pasch: Pasch, data: Path) -> None:
    arguments = ("play", "joker1", "--seats", "me,random", "--option", "rounds=1", "--new")
    # at every prompt of one turn the first choice is one
    done = pasch(*arguments, typed="|".join(["1"] * 200))
    assert done.exit_code == 0
    assert {event["seat"] for event in only_record(data).events} == {0, 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    # its opponent takes half a minute to compile
    [pytest.param(game, marks=pytest.mark.exhaustive if game == "sixbysix" else ()) for game in game_ids()],
)
def test_every_game_can_be_played_with_defaults(pasch: Pasch, data: Path, game: str) -> None:
    """Always the first choice, until the typing ends or the game does."""
    done = pasch("play", game, "--new", typed="|".join(["1"] * 60))
    assert (done.exit_code, done.stderr) == (0, "")
    unfinished = list((data / "games").iterdir())
    if unfinished:
        assert len(saved.SavedGame.load(unfinished[0]).match) >= 2
        assert f"--continue {game}-1" in done.stdout
    else:
        assert only_record(data).game == game


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


def test_record_into_a_folder_that_is_not_there_is_refused_at_once(pasch: Pasch, tmp_path: Path) -> None:
    done = pasch(*ALONE, "--record", tmp_path / "nowhere" / "x.jsonl", typed=SIX_POINTS)
    assert done.exit_code == 1 and "no such folder" in done.stderr
    assert "Würfel" not in done.stdout


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
    done = pasch(*ALONE, typed="?|r|b|123|?|r|b|nonsense|77|0||q")
    assert done.stdout.count("take back your last move") == 2
    assert done.stdout.count("How we read the rules") == 2
    assert done.stdout.count("small bridge") >= 3
    assert "No move contains 'nonsense'" in done.stdout
    assert "There is no number 77 in the list" in done.stdout
    assert "There is no number 0 in the list" in done.stdout
    assert "Type the number of your choice" in done.stdout
    assert "pasch play --continue joker1-1" in done.stdout


def test_impossible_dice_are_explained_and_asked_again(pasch: Pasch, data: Path) -> None:
    done = pasch(*ALONE, typed="1 2|7 7 7|1,2,3|q")
    assert "3 values are to be read" in done.stdout and "a die shows 1 to 6" in done.stdout
    assert len(events(data)) == 1


# --- leaving and continuing -----------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["123", "123|q", "123|1, 2, 3|", "123|1, 2, 3||stop", "123|1, 2, 3||u|q"])
def test_end_of_input_anywhere_loses_nothing(pasch: Pasch, data: Path, typed: str) -> None:
    done = pasch(*ALONE, typed=typed)
    assert done.exit_code == 0
    assert "The game is saved. Continue it with: pasch play --continue joker1-1" in done.stdout
    (path,) = (data / "games").iterdir()
    left = saved.SavedGame.load(path)
    assert left.match.events[0] == Roll(0, (1, 2, 3))
    on = "1, 2, 3||stop|" if len(left.match) == 1 else "stop|"
    done = pasch("play", "--continue", "joker1-1", typed=on)
    assert "6 points." in done.stdout
    assert only_record(data).scores == [6]


def test_ctrl_c_loses_nothing(pasch: Pasch, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = iter(["123"])

    def typing(*_: object) -> str:
        for typed in asked:
            return typed
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "ask", typing)
    done = pasch(*ALONE)
    assert done.exit_code == 0
    assert "pasch play --continue joker1-1" in done.stdout
    assert len(events(data)) == 1


def test_continue_without_id_takes_the_last_one(pasch: Pasch) -> None:
    pasch(*ALONE, typed="124|q")
    pasch(*ALONE, typed="123|q")
    done = pasch("play", "--continue", typed="q")
    assert "Player 1 rolls 1 2 3" in done.stdout
    done = pasch("play", "--continue", "joker1-1", typed="q")
    assert "Player 1 rolls 1 2 4" in done.stdout


def test_continue_what_is_not_there_is_one_line(pasch: Pasch) -> None:
    done = pasch("play", "--continue")
    assert done.exit_code == 1 and done.stderr.startswith("pasch: there is no unfinished game")
    pasch(*ALONE, typed="q")
    done = pasch("play", "--continue", "../joker1-1")
    assert done.exit_code == 1 and done.stderr.count("\n") == 1 and "joker1-1" in done.stderr


def test_continued_dice_are_the_ones_that_would_have_come(pasch: Pasch, data: Path) -> None:
    """The key is saved, so leaving and coming back never changes a roll."""
    pasch("play", "joker1", "--seats", "me", typed="q")
    (path,) = (data / "games").iterdir()
    once = path.read_bytes()
    header = once.splitlines(keepends=True)[0]
    path.write_bytes(header)
    pasch("play", "--continue", typed="q")
    assert path.read_bytes() == once


@pytest.mark.slow
def test_an_unfinished_game_is_offered_unless_new(pasch: Pasch, data: Path) -> None:
    start = ("play", "joker1")
    pasch(*start, typed="q")
    assert "Continue it (y/n)?" in pasch(*start, typed="y|q").stdout
    assert len(list((data / "games").iterdir())) == 1
    pasch(*start, typed="n|q")
    assert len(list((data / "games").iterdir())) == 2
    assert "(y/n)" not in pasch(*start, "--new", typed="q").stdout
    assert len(list((data / "games").iterdir())) == 3


def test_finished_numbers_are_not_used_again(pasch: Pasch, data: Path) -> None:
    pasch(*ALONE, typed=SIX_POINTS)
    pasch(*ALONE, typed="q")
    assert [path.name for path in (data / "games").iterdir()] == ["joker1-2.jsonl"]


def test_events_are_written_before_they_are_shown(
    pasch: Pasch, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    tell = play.TerminalTable._tell

    def watch(table: play.TerminalTable, *details: object) -> None:
        written.append(len(events(data)))
        tell(table, *details)  # type: ignore[arg-type]

    monkeypatch.setattr(play.TerminalTable, "_tell", watch)
    pasch(*ALONE, typed="123|1, 2, 3||q")
    assert written == [1, 2]
