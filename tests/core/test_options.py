"""Options and components as users write them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from pasch import find_game
from pasch.core.errors import ComponentError, OptionError
from pasch.core.options import HOUSE, Options, read_options
from pasch.games.fiese15.rules import Fiese15, Fiese15Options


@pytest.mark.parametrize(
    ("game", "name", "values"),
    [
        ("fiese15", "handicap", (None, 1, "yes")),
        ("joker1", "rounds", (0, 1001, 1.5, True, "3", None)),
        ("joker1", "first_six", ("nonsense", None, {})),
        ("lines", "plans", ([], [5], [True], 1, {})),
        ("lines", "nonsense", (1,)),
    ],
)
def test_what_is_no_option_is_refused(game: str, name: str, values: tuple[Any, ...]) -> None:
    for value in values:
        with pytest.raises(OptionError, match=name):
            find_game(game).agree(1, {name: value})


def test_what_is_made_in_python_is_checked_too() -> None:
    made_in_python: Any = Fiese15Options(handicap="yes")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="handicap"):
        Fiese15(2, made_in_python)
    for players in (0, 7, True):
        with pytest.raises(OptionError, match=f"Fiese 15 is for 1 to 6 players, not for {players}"):
            Fiese15(players)


class ChangedDefault(Options, frozen=True, kw_only=True):
    """An option that came later with the value `bust`; its default has changed since."""

    five: Annotated[
        Literal["bust", "always"], msgspec.Meta(description="…", extra=HOUSE | {"before": "bust"})
    ] = "always"


def test_a_default_may_change_without_changing_older_games() -> None:
    assert read_options(ChangedDefault, {}).five == "always", "a new game has the default"
    older = read_options(ChangedDefault, {}, complete=True)
    assert older.five == "bust" and older.hashed() == {}, (
        "a record without the option keeps its meaning and hash"
    )
    assert ChangedDefault().hashed() == {"five": "always"}
    assert read_options(ChangedDefault, {"five": "always"}, complete=True) == ChangedDefault()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "No such file"),
        ("game = \xff", "utf-8"),
        ("game = ", "this is not a TOML file"),
        ('game = "fiese15"', "rounds"),
        ('game = "crowns"\nrounds = 1\nstrips = []\ntiles = []', "for another game"),
        ('game = "fiese15"\nrounds = "ten"\nstrips = []\ntiles = []', "rounds: this is not the kind"),
        ('game = "fiese15"\nrounds = 1\nstrips = []\ntiles = []\npink = 1', "does not belong"),
        ("x" * 300_000, "longer than"),
    ],
)
def test_broken_component_files_name_the_place(tmp_path: Path, text: str | None, words: str) -> None:
    file = tmp_path / "box.toml"
    if text is not None:
        file.write_text(text, "latin-1")
    with pytest.raises(ComponentError, match=words):
        Fiese15.agree(2, components=file)
