"""The example in the help of every command works as it stands, in a folder where earlier ones have left their files."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pasch.cli import main
from pasch.store.locate import FILE

#: what is typed where an example asks something
TYPED = {"play": "q\n", "learn": "q\n", "puzzle": "1\n"}
#: these leave files that others need
FIRST = ("simulate", "backup", "play")
#: what these do takes a quarter of a minute, and has tests of its own
SLOW_EXAMPLES = ("check", "compile", "site")


def example(name: str) -> list[str]:
    """The words of a command's example, without `pasch`."""
    found = re.fullmatch(r"\x08\nExample:\n  pasch (.+)", main.commands[name].epilog or "")
    assert found, f"the help of {name} has no example"
    return shlex.split(found[1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the logs that examples name."""
    made = tmp_path_factory.mktemp("examples")
    for log in ("data", "old-games"):
        (made / log).mkdir()
        shutil.copy(Path(__file__).parents[1] / "frozen" / "log.sqlite", made / log / FILE)
    return made


def test_every_example_is_of_its_command_and_has_its_options() -> None:
    for name, command in main.commands.items():
        first, *arguments = example(name)
        assert first == name
        command.make_parser(click.Context(command, info_name=name)).parse_args(arguments)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *FIRST,
        *sorted(main.commands.keys() - {*FIRST, *SLOW_EXAMPLES, "serve"}),
        *(pytest.param(name, marks=pytest.mark.exhaustive) for name in SLOW_EXAMPLES),
    ],
)
def test_the_example_works(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PASCH_DATA", str(folder / "data"))
    done = CliRunner().invoke(main, example(name), input=TYPED.get(name))
    assert done.exit_code == 0, done.output
