"""Builds the tables of values beforehand and prints a summary."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pasch.core.game import Game
from pasch.core.registry import all_games, find_game
from pasch.lab.batch import NoBatch, batch
from pasch.players.levels import LEVELS
from pasch.solve.solved import SolvedValues
from pasch.solve.tables import cache_folder, code_folder, watching
from pasch.solve.valuer import valuer
from pasch.solve.variants import variants
from pasch.terminal.screen import console, table, watched
from pasch.terminal.value import prepare


def solve_games(
    game: str | None,
    everything: bool,
    players: int | None,
    options: Mapping[str, Any],
    components: Path | None,
    explain: bool,
    **limits: Any,
) -> None:
    """Build or find the tables of one game, or of all in all variants; `limits` are those of a `Budget`."""
    if game is None:
        solve([configured for kind in all_games() for configured in variants(kind)])
        return
    kind = find_game(game)
    configured = kind.agree(players or kind.usual_players(), options, components=components)
    values = valuer(configured)
    if isinstance(values, SolvedValues):
        given = {name: limit for name, limit in limits.items() if limit is not None}
        values.budget = values.budget._replace(**given)
    solve([configured], thoroughly=True)
    if explain:
        console(wide=True).print(values.explain(), soft_wrap=True)


def solve(games: list[Game[Any, Any]], *, thoroughly: bool = False) -> None:
    """Build or find the tables of these games, and print a line for every file.

    `thoroughly`: also those that are not built on demand.
    """
    rows: dict[Path | str, tuple[str, ...]] = {}
    for game in games:
        begun = last = time.perf_counter()

        def note(path: Path, built: bool, game_id: str = game.id) -> None:
            nonlocal last
            since, last = last, time.perf_counter()
            size = f"{path.stat().st_size / 2**20:.2f} MiB"
            how = "built" if built else "found"
            rows.setdefault(path, (game_id, path.stem, how, f"{last - since:.1f}", size))

        with watched(game.title) as report, watching(note):
            (valuer(game).solve if thoroughly else valuer(game).prepare)(report)
        if last == begun:
            seconds = f"{time.perf_counter() - begun:.1f}"
            rows.setdefault(game.id, (game.id, "none: computed when needed", "", seconds, ""))
    screen = console(wide=True)
    head = "game", "table", "", "seconds", "size"
    screen.print(table(*head, rows=rows.values(), left=3, fixed=5))
    for remark in dict.fromkeys(remark for game in games for remark in valuer(game).remarks):
        screen.print(remark, soft_wrap=True)
    screen.print(f"Tables are kept in {cache_folder()}", soft_wrap=True)


def compile_games(game: str | None) -> None:
    """Compile what plays many games, of one game or of all, and print the seconds that it took."""
    screen = console(wide=True)
    for kind in [find_game(game)] if game else all_games():
        configured = kind.agree(kind.usual_players())
        for players in (("random", "greedy"), ("perfect", "easy")):
            begun, seats = time.perf_counter(), (players * configured.players)[: configured.players]
            try:
                if players[0] in LEVELS:
                    prepare(configured)
                with watched(kind.title) as report:
                    report(0.0, f"Compiling {', '.join(players)} …")
                    batch(configured, seats).play(1, "0")
                took = f"{time.perf_counter() - begun:.1f} s"
            except NoBatch as error:
                took = error.reason
            screen.print(f"{kind.id:<10} {', '.join(players):<16} {took}", soft_wrap=True)
    screen.print(f"Machine code is kept in {code_folder()}", soft_wrap=True)
