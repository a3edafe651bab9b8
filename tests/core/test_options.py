"""Options and components as users write them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest

from pasch import all_games, find_game, game_ids
from pasch.core.errors import ComponentError, OptionError, UnknownGame
from pasch.core.options import Options, house, option_specs, read_options
from pasch.games.fiese15.rules import Fiese15, Fiese15Options


def test_every_option_has_a_default_bounds_and_an_explanation() -> None:
    for game in all_games():
        for spec in option_specs(game.Options):
            assert spec.explanation.endswith("."), (game.id, spec.name)
            if spec.kind == "number":
                assert spec.least is not None and spec.least >= 1 and spec.most is not None
                assert spec.least <= spec.default <= spec.most
            if spec.kind == "choice":
                assert spec.default in spec.choices


def test_every_game_says_what_it_is() -> None:
    for game in all_games():
        assert game.title and game.pitch.endswith(".")
        assert 0 < game.minutes[0] <= game.minutes[1]


def test_every_component_has_a_provenance() -> None:
    for game in all_games():
        components = game.default_components()
        pieces = list(components.provenance())
        assert pieces and all(where in ("printed", "seen", "reconstructed") for _, where in pieces)


def test_options_made_in_python_are_checked_too() -> None:
    with pytest.raises(OptionError, match="handicap"):
        Fiese15(2, Fiese15Options(handicap="yes"))  # type: ignore[arg-type]


def test_a_truth_value_is_no_number_of_players() -> None:
    with pytest.raises(OptionError, match="Fiese 15 is for 1 to 6 players, not for True"):
        Fiese15(True)


def test_a_record_needs_every_option() -> None:
    with pytest.raises(OptionError, match="option gambler is missing"):
        Fiese15.agree(2, {"handicap": False}, complete=True)


def test_an_option_added_later_may_be_missing_in_a_record_and_means_what_it_declares() -> None:
    for game in all_games():
        specs = option_specs(game.Options)
        older = {spec.name: spec.default for spec in specs if not spec.added}
        before = {spec.name: spec.before for spec in specs if spec.added}
        configured = game.agree(game.usual_players(), older, complete=True)
        assert configured == game.agree(game.usual_players(), before)
        assert all(spec.name in configured.options.json() for spec in specs), "it is written from then on"


def test_hashes_leave_out_what_older_games_lack() -> None:
    for game in all_games():
        added = {spec.name: spec.before for spec in option_specs(game.Options) if spec.added}
        usual = game.agree(game.usual_players(), added).options
        assert usual.hashed() == {name: value for name, value in usual.json().items() if name not in added}


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


def test_unknown_games_are_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame, match="crowns"):
        find_game("chess")
    assert {"crowns", "fiese15", "joker1", "joker2", "lines", "sixbysix"} <= set(game_ids())


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
        ("game = ", "this is not a TOML file"),
        ('game = "fiese15"', "rounds"),
        ('game = "crowns"\nrounds = 1\nstrips = []\ntiles = []', "for another game"),
        ('game = "fiese15"\nrounds = "ten"\nstrips = []\ntiles = []', "rounds: this is not the kind"),
        ("x" * 300_000, "larger than"),
    ],
)
def test_broken_component_files_name_the_place(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "box.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(ComponentError, match=words):
        Fiese15.agree(2, components=file)


def test_missing_and_binary_component_files(tmp_path: Path) -> None:
    with pytest.raises(ComponentError, match="No such file"):
        Fiese15.agree(2, components=tmp_path / "nowhere.toml")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"game = \xff")
    with pytest.raises(ComponentError, match="UTF-8"):
        Fiese15.agree(2, components=binary)
