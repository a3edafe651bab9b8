"""Many games between computer players: a progress bar, then their statistics."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from pasch.core.atomic_file import atomic_text
from pasch.core.registry import find_game
from pasch.lab.batch import BatchResult
from pasch.lab.plots import check_plot, scores
from pasch.lab.score_statistics import QUANTILES, GameStatistics, ScoreStatistics, round_width
from pasch.lab.simulation import Engine, Simulation, results_file
from pasch.terminal.board import seat_name
from pasch.terminal.screen import console, table, watched
from pasch.terminal.value import ready_players

#: the maximum lines of the histogram
LINES = 16
#: what the bars of the histogram have to share, in columns
BARS = 60


def simulate(
    game: str,
    number: int,
    seats: tuple[str, ...],
    seed: str,
    options: dict[str, Any],
    components: Path | None,
    records: Path | None,
    receipts: Path | None,
    out: Path | None,
    plot: Path | None,
    as_json: bool,
    engine: Engine | None,
    workers: int | None,
    ray: str | None,
) -> None:
    """Play the games, write the files that are named and print the statistics.

    `out` is a table of all games, .csv; `plot` a figure, .svg or .png.
    """
    configured = find_game(game).agree(len(seats), options, components=components)
    if plot is not None:
        check_plot(plot)
    to_stdout = "-" in map(str, (records, receipts))
    if to_stdout and as_json:
        raise click.UsageError("records and --json cannot both go to stdout")
    ready_players(configured, seats)
    simulation = Simulation(
        configured,
        seats,
        number,
        seed,
        engine=engine,
        records=records is not None,
        receipts=receipts is not None,
    )
    statistics, decisions, begun = GameStatistics(len(seats)), 0, time.perf_counter()
    compiles, parts = simulation.engine == "compiled", simulation.parts(workers, ray)
    try:
        with ExitStack() as files, watched(configured.title, compiles=compiles) as report, closing(parts):
            writers = [
                files.enter_context(_lines_file(path, kind))
                for path, kind in ((records, "records"), (receipts, "receipts"))
                if path is not None
            ]
            if out is not None:
                writers.append(files.enter_context(results_file(out, len(seats))))
            for part in parts:
                statistics.add_many(part.scores, part.winners)
                decisions += part.decisions
                for write in writers:
                    write(part)
                report(statistics.games / number, f"{statistics.games:,} of {number:,} games")
    except KeyboardInterrupt:
        kept = " No file was written." if any((records, receipts, out)) and not to_stdout else ""
        click.echo(f"\npasch: interrupted after {statistics.games} of {number} games.{kept}", err=True)
        sys.exit(130)
    speed = f"{decisions:,} decisions in {time.perf_counter() - begun:.1f} seconds"
    if plot is not None:
        labels = [f"{seat_name(seat)}, {name}" for seat, name in enumerate(seats)]
        title = f"{configured.title}: scores of {statistics.games:,} games"
        scores(plot, statistics.seats, labels, title)
    if as_json:
        click.echo(json.dumps(as_plain(simulation, statistics)))
        return
    screen = console(err=to_stdout)
    by = f"ordinary engine{f' ({simulation.reason})' if simulation.reason else ''}"
    if compiles:
        by = f"compiled engine, up to {workers or os.cpu_count() or 1} at a time"
    screen.print(f"{number:,} games of {configured.title} (seed {seed}) by the {by}: {speed}.")
    print_summary(screen, seats, statistics)
    for file in filter(None, (out, plot)):
        screen.print(f"Written: {file}", soft_wrap=True)


def as_plain(simulation: Simulation, statistics: GameStatistics) -> dict[str, Any]:
    """The statistics as JSON values: the same for the same seed, however they were computed."""
    return {
        "game": simulation.game.id,
        "players": simulation.game.players,
        "options": simulation.game.options.json(),
        "seed": simulation.seed,
        "games": statistics.games,
        "engine": simulation.engine,
        "seats": [
            {"seat": seat, "player": name, **own.json()}
            for seat, (name, own) in enumerate(zip(simulation.seats, statistics.seats, strict=True))
        ],
        "together": {"mean": statistics.mean, "error": statistics.error},
    }


@contextmanager
def _lines_file(path: Path, kind: str) -> Iterator[Callable[[BatchResult], None]]:
    """A function that writes the records or receipts of games to a file, or to stdout."""
    if str(path) == "-" and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    with nullcontext(sys.stdout) if str(path) == "-" else atomic_text(path) as file:
        yield lambda part: file.writelines(f"{line}\n" for line in getattr(part, kind))


def print_summary(screen: Console, seats: tuple[str, ...], statistics: GameStatistics) -> None:
    """Print means and shares of the wins, quantiles and a histogram of the scores."""
    means = table("", "player", "mean score", "standard error", "win share", "standard error", left=2)
    spread = table("", "player", "least", *(f"{share:.0%}" for share in QUANTILES), "most", left=2)
    for seat, (name, own) in enumerate(zip(seats, statistics.seats, strict=True)):
        wins = f"{own.win_share:.2%}", "–" if own.win_error is None else f"{own.win_error:.2%}"
        means.add_row(seat_name(seat), name, f"{own.mean:.3f}", _error(own.error), *wins)
        marks = (min(own.scores), *map(own.quantile, QUANTILES), max(own.scores))
        spread.add_row(seat_name(seat), name, *map(str, marks))
    if len(seats) > 1 and len(set(seats)) == 1:
        means.add_row("all", seats[0], f"{statistics.mean:.3f}", _error(statistics.error))
    screen.print(means)
    screen.print("A shared win counts in parts.")
    screen.print(spread)
    screen.print("This share of the games has at most this score.")
    screen.print(_histogram(seats, statistics.seats))


def _error(error: float | None) -> str:
    return "–" if error is None else f"{error:.3f}"


def _histogram(seats: tuple[str, ...], statistics: list[ScoreStatistics]) -> Table:
    """One line per range of scores, one column per seat; the longest bar fills its column."""
    least = min(min(one.scores) for one in statistics)
    most = max(max(one.scores) for one in statistics)
    width = round_width(most - least + 1, LINES)
    bins = [one.histogram(width) for one in statistics]
    longest = max(games for seat in bins for games in seat.values())
    columns = BARS // len(seats)
    made = table("score", left=0)
    for seat, name in enumerate(seats):
        made.add_column(f"{seat_name(seat)}, {name}" if len(seats) < 4 else seat_name(seat), no_wrap=True)
    for low in range(least // width * width, most + 1, width):
        label = str(low) if width == 1 else f"{low} to {low + width - 1}"
        made.add_row(label, *(_bar(seat.get(low, 0), longest, columns) for seat in bins))
    return made


def _bar(games: int, longest: int, columns: int) -> str:
    """A bar in eighths of a column; any games at all are visible."""
    eighths = round(8 * columns * games / longest) or (1 if games else 0)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
