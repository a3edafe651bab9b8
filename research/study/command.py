"""Studies of games: measured, and written as pages."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pasch.cli.options import FILE, workers_option
from pasch.core.atomic_file import atomic_text
from pasch.core.registry import all_games, find_game
from pasch.terminal.screen import console, watched
from research.study.measure import measure_study
from research.study.study_document import page, read, summary
from research.study.study_plan import PARTS, StudyPlan, usual_players


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
    plan.new_game()  # refuses a number of players that the game does not have
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


@click.command(short_help="Write a report on a game: values, scores, luck, what to learn.")
@click.argument("game", required=False)
@click.option("--all", "everything", is_flag=True, help="All games.")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="The folder for the pages. Default: this one.",
)
@click.option(
    "--summary",
    "summary_file",
    metavar="FILE.md",
    type=FILE,
    help="With --all: also write the main tables here.",
)
@click.option(
    "--games",
    "-n",
    "number",
    type=click.IntRange(min=1000),
    default=20_000,
    show_default=True,
    help="The size of the study: games simulated. What takes longer is measured with fewer.",
)
@click.option("--seed", default="study", show_default=True, help="The same seed gives the same page.")
@click.option(
    "--part",
    type=click.Choice(["start", "levels", "seats", "luck", "winning", "habits"]),
    help="Measure this part only, and print it as JSON.",
)
@click.option(
    "--players",
    "-p",
    type=click.IntRange(min=1),
    help="Number of players. Default: that of the game's study.",
)
@workers_option
def study(
    game: str | None,
    everything: bool,
    out: Path,
    summary_file: Path | None,
    number: int,
    seed: str,
    part: str | None,
    players: int | None,
    workers: int | None,
) -> None:
    """Study a game and write GAME.html, a page that stands alone.

    What the start is worth, how scores are spread under each level, what it is worth to begin, how much is
    luck, how often playing for points is not playing to win, and which mistakes are the dearest.
    """
    if everything == bool(game) or (everything and (part or players)) or (game and summary_file):
        raise click.UsageError("name a game, or give --all without --part and --players")
    if game:
        study_game(game, out, number, seed, part, workers, players)
    else:
        study_all(out, summary_file, number, seed, workers)
