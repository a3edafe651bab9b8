"""Every board draws and tells the golden games, and shows no face before its die rests.

Run `make test-all` when you change a board: `make test` draws one golden game of each, not every variant.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tools.playthroughs import FOLDER, VARIANTS, replay

from pasch.table.lesson import example_table
from pasch.table.redact import Redactor, Viewer
from tests.web.nodejs import node

JS = Path(__file__).parent / "js" / "golden"


def recorded(name: str, game: str, players: int, options: dict[str, Any], you: tuple[int, ...]) -> Any:
    """A golden game as the server sends it to a client with these seats."""
    match = replay((FOLDER / f"{name}.txt").read_text("utf-8"), game, players, options)
    live = example_table(name, match.game, you[0] if len(you) == 1 else None)
    viewer = Viewer(you)
    first = Redactor(live).position(viewer)
    steps = []
    for event in match.events:
        live.apply(live.play(event))
        steps.append(Redactor(live).step(viewer))
    known = {"id": game, "has_secrets": live.has_secrets}
    return {"game": known, "yours": you, "table": live.info(), "first": first, "steps": steps}


def golden() -> Iterator[Any]:
    """All golden games; the second and later ones of a game are exhaustive."""
    seen: set[str] = set()
    for name, game, *rest in VARIANTS:
        yield pytest.param(
            name, game, *rest, id=name, marks=[pytest.mark.exhaustive] if game in seen else []
        )
        seen.add(game)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "game", "players", "options"), list(golden()))
def test_every_position_of_a_golden_game_is_drawn(
    name: str, game: str, players: int, options: dict[str, Any], tmp_path: Path
) -> None:
    seats = tuple(range(players))
    games = [recorded(name, game, players, options, you) for you in {seats[:1], seats}]
    path = tmp_path / "games.json"
    path.write_bytes(msgspec.json.encode(games))
    ran = node("--import", JS / "paths.js", JS / "boards.js", path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert json.loads(ran.stdout)["positions"] == 2 * sum(len(one["steps"]) for one in games)
