"""The commands of `pasch` for those who want to play better: puzzles and habits."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Literal

import click

from pasch.cli_options import language_option


@click.command(short_help="Find the best move: today's puzzle, or as many as you like.")
@click.argument("game", required=False)
@click.option(
    "--date", "day", type=click.DateTime(["%Y-%m-%d"]), help="The puzzle of this day. Default: today's."
)
@click.option("--difficulty", type=click.Choice(["easy", "medium", "hard"]), help="Of puzzles of a GAME.")
@click.option("--seed", metavar="TEXT", help="This puzzle of a GAME. Default: a new one.")
@click.option(
    "--kind", metavar="WORDS", help="A kind of mistake of a GAME, as `pasch habits` writes it with hyphens."
)
@click.option("--json", "as_json", is_flag=True, help="Print the puzzle with its solution as JSON.")
@language_option
def puzzle(
    game: str | None,
    day: datetime | None,
    difficulty: Literal["easy", "medium", "hard"] | None,
    seed: str | None,
    kind: str | None,
    as_json: bool,
) -> None:
    """Find the best move in a position of a real game, where the obvious one is not the best.

    Without GAME it is the puzzle of the day, which is the same for everybody.
    """
    if game is None and (difficulty or seed is not None or kind):
        raise click.UsageError("--difficulty, --seed and --kind go with a GAME")
    if day is not None and seed is not None:
        raise click.UsageError("the puzzle of a day has no --seed")
    from pasch.terminal.puzzle import show_puzzles

    show_puzzles(game, None if day is None else day.date(), difficulty, seed, kind, as_json)


@click.command(short_help="What your mistakes have in common, over several games.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--seat", type=click.IntRange(min=1), default=1, show_default=True, help="Whose games, counted from 1."
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON for each kind of mistake.")
@language_option
def habits(files: tuple[Path, ...], seat: int, as_json: bool) -> None:
    """What your moves give away in a game, by kind of decision, with 95 % confidence intervals.

    FILES hold records, one per line; - reads stdin.
    """
    from pasch.terminal.habits import show_habits

    show_habits(files, seat, as_json)
