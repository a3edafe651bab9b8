"""Players that users write: how they are found, and that they cannot stop a game."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pasch.cli import main
from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.errors import PaschError
from pasch.core.registry import find_game
from pasch.core.state import State
from pasch.games.fiese15.rules import Fiese15, Keep, Roll, Strip
from pasch.players.arena import play_game
from pasch.players.base import GreedyPlayer, player
from pasch.players.bots import MAX_REPORTS, BotPlayer

EXAMPLE = Path(__file__).parents[2] / "examples" / "mybot.py"


@pytest.fixture(autouse=True)
def own_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in [one for one in sys.modules if one.startswith(("pasch_bot_", "beside_the_bot"))]:
        del sys.modules[name]


def bot(folder: Path, text: str, name: str = "Bot") -> BotPlayer:
    file = folder / "written.py"
    file.write_text(text, "utf-8")
    made = player(f"{file}:{name}")
    assert isinstance(made, BotPlayer)
    return made


def keeping() -> State:
    return Fiese15.agree(2).start().apply(Strip(6)).apply(Roll(0, (5, 4, 3, 6, 6, 6)))


GENERATOR = KeyedGenerator(seed_key("bots"))
GREEDY = GreedyPlayer().choose(keeping(), GENERATOR)
LAST = Keep(0, ("red", "blue", "yellow"))


def test_a_function_will_do_and_so_will_a_class_which_is_made_once_for_its_seat(tmp_path: Path) -> None:
    made = bot(tmp_path, "def last(view, generator): return view.moves()[-1]", "last")
    assert made.choose(keeping(), GENERATOR) == LAST
    made = bot(
        tmp_path,
        "class Bot:\n"
        "    made = 0\n"
        "    def __init__(self): Bot.made += 1\n"
        "    def choose(self, view, generator): return view.moves()[-1]\n",
    )
    assert made.choose(keeping(), GENERATOR) == made.choose(keeping(), GENERATOR) == LAST
    assert sys.modules["pasch_bot_written"].Bot.made == 1


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("raise ValueError('I am lost')", "ValueError: I am lost"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("return self.choose(view, generator)", "RecursionError"),
        ("return None", "no legal move now: None"),
        ("return view.moves()[0].json()", "no legal move now: {"),
        ("from pasch.games.fiese15.rules import Keep; return Keep(1, ('red',))", "no legal move now: Keep"),
    ],
)
def test_a_bot_that_fails_is_reported_with_its_position_and_greedy_plays_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, body: str, problem: str
) -> None:
    made = bot(tmp_path, f"class Bot:\n    def choose(self, view, generator):\n        {body}\n")
    with caplog.at_level(logging.WARNING, "pasch.players"):
        assert made.choose(keeping(), GENERATOR) == GREEDY
        assert made.choose(keeping(), GENERATOR) == GREEDY
    assert len(caplog.records) == 1, "the seat was handed over, so it fails only once"
    logged = caplog.records[0].getMessage()
    assert "written.py:Bot failed" in logged and "(seat 0 of fiese15)" in logged and problem in logged
    assert '"rolled":[5,4,3,6,6,6]' in logged


def test_in_a_new_game_a_bot_that_failed_has_another_chance_and_few_failures_are_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = bot(tmp_path, "def never(view, generator): return 7", "never")
    for _ in range(MAX_REPORTS + 2):
        play_game(find_game("joker2").agree(1, {"rounds": 1}), [made], seed_key(1))
    assert len(caplog.records) == MAX_REPORTS
    assert caplog.records[-1].getMessage().endswith("further failures are not reported")


def test_a_bot_is_shown_only_what_its_seat_may_know(tmp_path: Path) -> None:
    text = "seen = []\ndef spy(view, generator):\n    seen.append(view)\n    return view.moves()[0]\n"
    made = bot(tmp_path, text, "spy")
    state = find_game("sixbysix").agree(2).start()
    state = state.apply(state.chance().pick(0))
    made.choose(state, GENERATOR)  # even if it is shown everything
    made.choose(state.view(0), GENERATOR)
    assert sys.modules["pasch_bot_written"].seen == [state.view(0)] * 2
    assert state.view(0) != state


def test_a_bot_may_import_what_lies_beside_it_and_print(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it prints does not get between records."""
    (tmp_path / "beside_the_bot.py").write_text("WHICH = -1", "utf-8")
    text = (
        "from beside_the_bot import WHICH\nprint('hello')\n"
        "def f(view, generator):\n    print('hm')\n    return view.moves()[WHICH]\n"
    )
    assert bot(tmp_path, text, "f").choose(keeping(), GENERATOR) == LAST
    assert capsys.readouterr() == ("", "hello\nhm\n")


@pytest.mark.parametrize(
    ("text", "name", "problem"),
    [
        ("x = (", "Bot", r"written\.py: SyntaxError"),
        ("import nothing_of_that_name", "Bot", "ModuleNotFoundError: No module named"),
        ("raise SystemExit", "Bot", "SystemExit"),
        ("x = 1", "Bot", "nothing named 'Bot'"),
        ("Bot = 1", "Bot", "neither a function nor a class"),
        ("class Bot: pass", "Bot", "neither a function nor a class"),
        ("class Bot:\n    def __init__(self, n): ...\n    def choose(self): ...", "Bot", "cannot be made"),
    ],
)
def test_what_cannot_be_loaded_is_explained(tmp_path: Path, text: str, name: str, problem: str) -> None:
    with pytest.raises(PaschError, match=problem):
        bot(tmp_path, text, name)


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    for answer, expected in ((0, Keep(0, ("red",))), (-1, LAST)):
        made = bot(tmp_path, f"def f(view, generator): return view.moves()[{answer}]  # {answer}", "f")
        assert made.choose(keeping(), GENERATOR) == expected


def test_the_example_simulates_and_sits_down_at_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(EXAMPLE.parent)
    monkeypatch.setenv("PASCH_DATA", str(tmp_path))
    done = CliRunner().invoke(main, ["simulate", "fiese15", "-n", "2", "--seats", "random,mybot.py:MyBot"])
    assert done.exit_code == 0 and "mybot.py:MyBot" in done.output and not caplog.records
    done = CliRunner().invoke(main, ["play", "fiese15", "--seats", f"greedy,{EXAMPLE}:MyBot"])
    assert done.exit_code == 0, done.output
    missing = CliRunner().invoke(main, ["play", "joker2", "--seats", "me,nobody.py:Bot"])
    assert missing.exit_code == 1 and "there is no file nobody.py" in missing.stderr


def test_the_page_shows_the_example_as_it_is() -> None:
    page = (EXAMPLE.parents[1] / "docs" / "bots.md").read_text("utf-8")
    program = EXAMPLE.read_text("utf-8")
    assert program[program.index("from typing") :] in page
    assert len(program.splitlines()) <= 20
