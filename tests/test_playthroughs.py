"""The golden games replay exactly as they stand in their files."""

from __future__ import annotations

from typing import Any

import pytest
from tools.playthroughs import FOLDER, VARIANTS, replay, text

from pasch import all_games
from pasch.core.options import option_specs


@pytest.mark.parametrize(("name", "game", "players", "options"), VARIANTS, ids=[v[0] for v in VARIANTS])
def test_golden_game(name: str, game: str, players: int, options: dict[str, Any]) -> None:
    written = (FOLDER / f"{name}.txt").read_text("utf-8")
    match = replay(written, game, players, options)
    assert match.state.over
    assert text(match) == written, "if this is intended, run `make playthroughs` and read the difference"


def test_every_game_and_variant_has_a_golden_game() -> None:
    played = {(game, key, str(value)) for _, game, _, options in VARIANTS for key, value in options.items()}
    assert {game.id for game in all_games()} == {game for _, game, _, _ in VARIANTS}
    for game in all_games():
        for spec in option_specs(game.Options):
            if spec.kind == "switch":
                assert (game.id, spec.name, "True") in played
            if spec.kind == "choice":
                others = [choice for choice in spec.choices if choice != spec.default]
                assert all((game.id, spec.name, str(choice)) in played for choice in others)
    assert {path.stem for path in FOLDER.glob("*.txt")} == {name for name, *_ in VARIANTS}
