"""Studies of games: measured, and written as pages."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pasch.cli.options import FILE, workers_option
from pasch.core.files import atomic_text
from pasch.core.registry import all_games, find_game
from pasch.terminal.screen import console, watched
from research.study.measure import PARTS, StudyPlan, measure_study, usual_players
from research.study.study_document import page, read, summary


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
    type=click.Choice(PARTS),
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
    pages = []
    for kind in all_games() if everything else [find_game(str(game))]:
        plan = StudyPlan.of(kind.id, number, seed, players)
        plan.new_game()  # refuses a number of players that the game does not have
        with watched(kind.title) as report:
            found = measure_study(plan, (part,) if part else PARTS, workers, report)
        if part:
            click.echo(json.dumps(found.json()[part]))
            return
        table = "" if plan.players == usual_players(kind.id) else f"-{plan.players}"
        pages.append(page(found))
        _write(out / f"{kind.id}{table}.html", pages[-1])
    if summary_file is not None:
        _write(summary_file, summary([read(page) for page in pages]))
