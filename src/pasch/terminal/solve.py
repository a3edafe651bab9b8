"""Making the tables of values beforehand, and saying what was made."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table

from pasch.core.game import Game
from pasch.core.registry import all_games, find_game
from pasch.solve.tables import cache_folder, watching
from pasch.solve.valuer import valuer
from pasch.solve.variants import variants
from pasch.terminal.screen import console
from pasch.terminal.value import watched


def solve_game(name: str, players: int | None, options: Mapping[str, Any], components: Path | None) -> None:
    """Build or find the tables of one game as agreed."""
    game = find_game(name)
    solve([game.agree(players or game.usual_players(), options, components=components)], thoroughly=True)


def solve_all() -> None:
    """Build or find the tables of all games in all their variants."""
    solve([game for kind in all_games() for game in variants(kind)])


def solve(games: list[Game[Any, Any]], *, thoroughly: bool = False) -> None:
    """Have the tables of these games at hand, and print a line for every file.

    `thoroughly`: also those that are not made on first need.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("game", "table", ""):
        table.add_column(heading, no_wrap=True)
    for heading in ("seconds", "size"):
        table.add_column(heading, justify="right", no_wrap=True)
    seen: set[Path] = set()
    told: set[str] = set()
    for game in games:
        opened: list[tuple[Path, bool]] = []
        begun = time.perf_counter()

        def note(path: Path, built: bool, opened: list[tuple[Path, bool]] = opened) -> None:
            opened.append((path, built))

        with watched(game.title) as report, watching(note):
            (valuer(game).solve if thoroughly else valuer(game).prepare)(report)
        seconds = time.perf_counter() - begun
        new = [(path, built) for path, built in opened if path not in seen]
        seen |= {path for path, _ in new}
        for path, built in new:
            size = f"{path.stat().st_size / 2**20:.2f} MiB"
            table.add_row(game.id, path.stem, "built" if built else "found", f"{seconds:.1f}", size)
        if not opened and game.id not in told:
            table.add_row(game.id, "none: computed when needed", "", f"{seconds:.1f}", "")
        told.add(game.id)
    screen = console(wide=True)
    screen.print(table)
    for remark in dict.fromkeys(remark for game in games for remark in valuer(game).remarks):
        screen.print(remark, soft_wrap=True)
    screen.print(f"Tables are kept in {cache_folder()}", soft_wrap=True)
