"""Every board draws and tells the golden games: nothing undefined, and no face of a die before it rests."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
from tools.playthroughs import FOLDER, VARIANTS, replay

from pasch import Match
from pasch.core.position import drawn_as, position_fields
from pasch.core.state import CHANCE
from pasch.table.redact import choices
from pasch.table.show import marks
from tests.web.nodejs import ROOT, node

SCRIPT = Path(__file__).parent / "js" / "boards.mjs"


def position(match: Match, number: int) -> dict[str, Any]:
    """The position after this number of events, as the seat to choose may see it, or seat 0."""
    state = match.at(number)
    view = state.view(max(0, state.actor))
    fields = {name: getattr(view, name) for name in view.__struct_fields__ if name != "game"}
    return {
        "version": number,
        "actor": state.actor,
        "roller": state.mover if state.actor == CHANCE else None,
        "snapshot": fields,
        "marks": marks(view),
        "scores": state.scores(),
        "winners": state.winners() if state.over else (),
        "moves": choices(view) if state.actor >= 0 else (),
    }


def golden_game(name: str, game: str, players: int, options: dict[str, Any]) -> dict[str, Any]:
    match = replay((FOLDER / f"{name}.txt").read_text("utf-8"), game, players, options)
    fields = []
    for field in position_fields(match.game.Position):
        kind, size, high = drawn_as(field, match.game)
        fields.append(
            {"name": field.name, "kind": kind, "by_seat": field.by_seat, "size": size, "high": high}
        )
    info = {
        "game": game,
        "players": players,
        "options": {
            name: value for name, value in match.game.options.json().items() if name != "components"
        },
        "components": match.game.components,
        "seats": [
            {"kind": "here" if seat == 0 else "computer", "level": "easy"} for seat in range(players)
        ],
        "fields": fields,
    }
    steps = [{"event": None, "position": position(match, 0)}]
    for number, event in enumerate(match.events, 1):
        steps.append({"event": event.view(0).json(), "position": position(match, number)})
    return {"name": name, "info": info, "steps": steps}


def test_every_board_draws_the_golden_games(tmp_path: Path) -> None:
    games = [golden_game(*variant) for variant in VARIANTS]
    file = tmp_path / "games.json"
    file.write_bytes(msgspec.json.encode(games))
    # a game's board lies beside the client's folders when it is served
    package = ROOT / "src" / "pasch"
    shutil.copytree(package / "web" / "static", tmp_path / "static", ignore=shutil.ignore_patterns("*.png"))
    for board in package.glob("games/*/board.js"):
        folder = tmp_path / "static" / "games" / board.parent.name
        folder.mkdir(parents=True)
        shutil.copy(board, folder)
    ran = node(SCRIPT, file, tmp_path / "static")
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    assert ran.stdout.startswith(f"{len(games)} games")
