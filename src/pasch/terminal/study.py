"""Studies of games: measured, and written as pages."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pasch.core.registry import all_games, find_game
from pasch.core.whole import whole_file
from pasch.lab.study.figures import Study
from pasch.lab.study.measure import study
from pasch.lab.study.page import HEADING, index, page, read
from pasch.lab.study.plan import PARTS, Plan
from pasch.terminal.progress import watched
from pasch.terminal.screen import console

#: the page that leads to the studies of a folder
INDEX = "README.md"


def study_game(name: str, out: Path, games: int, seed: str, part: str | None, workers: int | None) -> None:
    """Study a game and write its page into the folder `out`; or print a part of it as JSON."""
    game = find_game(name)
    plan = Plan.of(game.id, games, seed)
    with watched(game.title) as report:
        found = study(plan, PARTS if part is None else (part,), workers, report)
    if part is not None:
        click.echo(json.dumps(found.json()[part]))
        return
    _write(out / f"{game.id}.html", page(found))
    if (out / INDEX).exists() and (out / INDEX).read_text("utf-8").startswith(HEADING):
        _write(out / INDEX, index(_studies(out)))


def study_all(out: Path, games: int, seed: str, workers: int | None) -> None:
    """Study every game, and write a page that leads to all of them."""
    for game in all_games():
        study_game(game.id, out, games, seed, None, workers)
    _write(out / INDEX, index(_studies(out)))


def _studies(out: Path) -> list[Study]:
    """The studies that are in a folder."""
    pages = [out / f"{game.id}.html" for game in all_games()]
    return [read(path.read_text("utf-8")) for path in pages if path.exists()]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(text)
    console().print(f"Written: {path} ({len(text.encode()) / 1024:.0f} KiB)", soft_wrap=True)
