"""Studies of games: measured, and written as pages."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pasch.core.atomic_file import atomic_text
from pasch.core.registry import all_games, find_game
from pasch.research.measure import measure_study
from pasch.research.study_document import page, read, summary
from pasch.research.study_plan import PARTS, StudyPlan, usual_players
from pasch.terminal.screen import console
from pasch.terminal.value import watched


def study_game(
    name: str,
    out: Path,
    games: int,
    seed: str,
    part: str | None,
    workers: int | None,
    players: int | None = None,
) -> None:
    """Study a game and write its page into the folder `out`; or print a part of it as JSON."""
    game = find_game(name)
    plan = StudyPlan.of(game.id, games, seed, players)
    plan.agreed()  # refuses a number of players that the game does not have
    with watched(game.title) as report:
        found = measure_study(plan, PARTS if part is None else (part,), workers, report)
    if part is not None:
        click.echo(json.dumps(found.json()[part]))
    else:
        table = "" if plan.players == usual_players(game.id) else f"-{plan.players}"
        _write(out / f"{game.id}{table}.html", page(found))


def study_all(out: Path, summary_file: Path | None, games: int, seed: str, workers: int | None) -> None:
    """Study every game, and write the main tables of all of them into one Markdown file if one is named."""
    for game in all_games():
        study_game(game.id, out, games, seed, None, workers)
    if summary_file is not None:
        pages = [(out / f"{game.id}.html").read_text("utf-8") for game in all_games()]
        _write(summary_file, summary([read(page) for page in pages]))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_text(path) as file:
        file.write(text)
    console().print(f"Written: {path} ({len(text.encode()) / 1024:.0f} KiB)", soft_wrap=True)
