"""The front door: help, lists, rules, and how errors look."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from queue import SimpleQueue
from unittest.mock import Mock

import pytest

from pasch.cli import DOORS, main
from pasch.core.options import option_specs
from pasch.core.registry import find_game, game_ids
from pasch.terminal import games, screen
from pasch.terminal.screen import one_line
from tests.terminal.conftest import Pasch


def test_help_lists_the_commands_by_door(pasch: Pasch) -> None:
    done = pasch("--help")
    doors = [f"{door}:" for door in DOORS]
    assert [line for line in done.stdout.splitlines() if line in doors] == doors
    assert all(f"\n  {name} " in done.stdout for name in main.commands)
    assert "..." not in done.stdout.replace("[ARGS]...", ""), "no sentence is cut off"
    version = pasch("--version").stdout
    assert version.startswith("pasch ") and version.count("\n") == 1


@pytest.mark.parametrize("game", game_ids())
def test_rules_show_text_options_house_rules_and_provenance(pasch: Pasch, game: str) -> None:
    done = pasch("rules", game)
    assert done.exit_code == 0 and done.stdout.startswith("# ")
    options, _, house = done.stdout.split("\n## Options\n")[1].partition("\n### House rules\n")
    for spec in option_specs(find_game(game).Options):
        assert f"\n| {spec.name} |" in (house if spec.house else options)
    assert "\n## Where the data come from\n" in done.stdout


WRONG_USAGE = r"""
dance
rules
play joker1 --option =3
play joker1 -o rounds=3 -o rounds=4
play joker1 --dice loaded
play joker1 --continue
simulate joker1 --seats random --games 0
verify
"""


def test_wrong_usage_is_exit_2(pasch: Pasch) -> None:
    for arguments in (
        *map(str.split, WRONG_USAGE.strip().splitlines()),
        ["play", "joker1", "-o", "rounds=\udcff"],
    ):
        done = pasch(*arguments)
        assert done.exit_code == 2, arguments
        assert re.fullmatch(r"pasch: [^A-Z].*; see `pasch( \w+)? --help`\n", done.stderr), arguments


def test_ctrl_c_and_what_talks_to_the_terminal_are_one_line(
    pasch: Pasch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "list_games", Mock(side_effect=KeyboardInterrupt))
    done = pasch("games")
    assert (done.exit_code, done.stderr) == (130, "pasch: interrupted\n")
    assert one_line("a\nb\x1b[2J") == "a\\nb\\x1b[2J"
    assert len(one_line("x" * 10_000)) < 600


def test_what_cannot_be_played_is_one_line(pasch: Pasch, data: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("game = ")
    unknown = "pasch: there is no game 'chess'; the games are "
    for command, said in (
        (("rules", "chess"), unknown),
        (("simulate", "chess", "--seats", "random"), unknown),
        (("play", "joker1", "--seats", "me,nobody"), "nobody"),
        (("play", "sixbysix", "--seats", "me"), "for 2 to 6"),
        (("play", "joker1", "--components", tmp_path / "absent.toml"), "No such file"),
        (("play", "joker1", "--components", broken), "TOML"),
        (("report", "games", "--html", tmp_path / "nowhere" / "x.html"), "there is no such folder"),
        (("play", "joker1", "-o", "rounds=true"), "the option rounds is a whole number from 1"),
        (("play", "joker1", "-o", "rounds=" + "[" * 10_000), "option rounds"),
        (("play", "joker1", "-o", "pace=3"), "there is no option 'pace'"),
    ):
        done = pasch(*command)
        assert done.exit_code == 1 and said in done.stderr and done.stderr.count("\n") == 1, command
    assert not (data / "games").exists()


def test_broken_pipe_is_quiet() -> None:
    script = f"{sys.executable} -m pasch rules joker1 | head -n 1; exit ${{PIPESTATUS[1]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("#") and done.stderr == ""


def test_progress_is_a_line_from_time_to_time_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: SimpleQueue[float] = SimpleQueue()
    ended: SimpleQueue[bool] = SimpleQueue()

    class Clock:
        """Time passes when the test says so; then the writer waits again."""

        def wait(self, seconds: float) -> bool:
            asked.put(seconds)
            return ended.get()

        def set(self) -> None:
            ended.put(True)

    monkeypatch.setattr(screen, "Event", Clock)
    with screen.watched("Lines", compiles=False) as report:
        waits = [asked.get()]
        for progress in ((0.25, "one table"), (None, "two"), (None, "")):
            report(*progress)
            ended.put(False)
            waits.append(asked.get())
    assert capsys.readouterr().err == "Lines: one table (25%)\nLines: two\nLines:\n"
    assert waits == [screen.FIRST_LINE_SECONDS, *[screen.LINE_SECONDS] * 3]
