"""Options and components as users write them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from pasch import all_games
from pasch.core.errors import ComponentError, OptionError
from pasch.core.options import Options, house, option_specs, read_options
from pasch.games.fiese15.rules import Fiese15, Fiese15Options


def test_every_game_says_what_it_is_and_where_its_box_is_from() -> None:
    for game in all_games():
        assert game.title and game.pitch.endswith(".") and 0 < game.minutes[0] <= game.minutes[1]
        pieces = list(game.default_components().provenance())
        assert pieces and all(where in ("printed", "seen", "reconstructed") for _, where in pieces)


def test_every_option_has_a_default_bounds_and_an_explanation() -> None:
    for game in all_games():
        for spec in option_specs(game.Options):
            assert spec.explanation.endswith("."), (game.id, spec.name)
            if spec.kind == "number":
                assert spec.least is not None and spec.least >= 1 and spec.most is not None
                assert spec.least <= spec.default <= spec.most
            if spec.kind == "choice":
                assert spec.default in spec.choices


def test_what_is_no_option_is_refused() -> None:
    made_in_python: Any = Fiese15Options(handicap="yes")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="handicap"):
        Fiese15(2, made_in_python)
    with pytest.raises(OptionError, match="Fiese 15 is for 1 to 6 players, not for True"):
        Fiese15(True)
    with pytest.raises(OptionError, match="option gambler is missing"):
        Fiese15.agree(2, {"handicap": False}, complete=True)


class ChangedDefault(Options, frozen=True, kw_only=True):
    """An option that came later with the value `bust`; its default has changed since."""

    five: Annotated[
        Literal["bust", "always"], msgspec.Meta(description="…", extra=house(before="bust"))
    ] = "always"


def test_a_default_may_change_without_changing_older_games() -> None:
    assert read_options(ChangedDefault, {}).five == "always", "a new game has the default"
    older = read_options(ChangedDefault, {}, complete=True)
    assert older.five == "bust" and older.hashed() == {}, (
        "a record without the option keeps its meaning and hash"
    )
    assert ChangedDefault().hashed() == {"five": "always"}
    assert read_options(ChangedDefault, {"five": "always"}, complete=True) == ChangedDefault()


def test_own_components_are_part_of_the_game_and_its_record(tmp_path: Path) -> None:
    default = Fiese15.default_components()
    text = Path(__file__).parents[2].joinpath("src/pasch/games/fiese15/box.toml").read_text("utf-8")
    file = tmp_path / "my box.toml"
    file.write_text(text.replace("rounds = 10", "rounds = 2"), "utf-8")
    mine, usual = Fiese15.agree(2, components=file), Fiese15.agree(2)
    assert mine != usual
    assert mine.components.rounds == 2
    assert "components" not in usual.options.json()
    written = mine.options.json()
    assert Fiese15.agree(2, written, complete=True) == mine
    default.check(2)


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
