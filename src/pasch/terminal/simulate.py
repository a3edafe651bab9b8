"""Many games between computer players: a progress bar, then their statistics."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO

import click
import msgspec
from rich.console import Console
from rich.table import Table

from pasch.core.atomic_file import atomic_text
from pasch.core.registry import find_game
from pasch.lab.results_file import results_file
from pasch.lab.score_statistics import QUANTILES, GameStatistics, ScoreStatistics, round_width
from pasch.lab.simulation import Engine, Part, Simulation
from pasch.terminal.screen import console, table, watched
from pasch.terminal.value import ready_players
from pasch.terminal.words import seat_name

#: lines of the histogram at most
LINES = 16
#: what the bars of the histogram have to share, in columns
BARS = 60


class Wanted(msgspec.Struct, frozen=True):
    """Which games are played, the files to write besides the summary, and how the work is shared out."""

    game: str
    number: int
    seats: tuple[str, ...]
    seed: str
    options: dict[str, Any]
    components: Path | None
    records: Path | None
    receipts: Path | None
    #: a table of all games, .parquet or .csv
    out: Path | None
    #: a figure, .svg or .png
    plot: Path | None
    as_json: bool
    engine: Engine | None
    workers: int | None
    ray: str | None


def run(wanted: Wanted) -> None:
    """Play the games, write the files that are wanted and print the statistics."""
    seats = wanted.seats
    agreed = find_game(wanted.game).agree(len(seats), wanted.options, components=wanted.components)
    if wanted.plot is not None:
        from pasch.lab.plots import check_plot

        check_plot(wanted.plot)
    to_stdout = "-" in map(str, (wanted.records, wanted.receipts))
    if to_stdout and wanted.as_json:
        raise click.UsageError("records and --json cannot both go to stdout")
    ready_players(agreed, seats)
    simulation = Simulation(
        agreed,
        seats,
        wanted.number,
        wanted.seed,
        engine=wanted.engine,
        records=wanted.records is not None,
        receipts=wanted.receipts is not None,
    )
    statistics, decisions, begun = GameStatistics(len(seats)), 0, time.perf_counter()
    try:
        with _writer(wanted, len(seats)) as write:
            for part in _watched(simulation, wanted):
                statistics.add_many(part.scores, part.winners)
                decisions += part.decisions
                write(part)
    except KeyboardInterrupt:
        files = (wanted.records, wanted.receipts, wanted.out)
        kept = " No file was written." if any(files) and not to_stdout else ""
        click.echo(
            f"\npasch: interrupted after {statistics.games} of {wanted.number} games.{kept}", err=True
        )
        sys.exit(130)
    seconds = time.perf_counter() - begun
    if wanted.plot is not None:
        _plot(wanted.plot, simulation, statistics)
    if wanted.as_json:
        click.echo(json.dumps(as_plain(simulation, statistics)))
        return
    screen = console(err=to_stdout)
    screen.print(_account(simulation, wanted.workers, decisions, seconds))
    print_summary(screen, seats, statistics)
    for file in (wanted.out, wanted.plot):
        if file is not None:
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


# --- files ----------------------------------------------------------------------------------------


@contextmanager
def _writer(wanted: Wanted, seats: int) -> Iterator[Any]:
    """A function that writes a part to all the files that are wanted."""
    with ExitStack() as files:
        records = files.enter_context(_target(wanted.records))
        receipts = files.enter_context(_target(wanted.receipts))
        results = None if wanted.out is None else files.enter_context(results_file(wanted.out, seats))

        def write(part: Part) -> None:
            for file, lines in ((records, part.records), (receipts, part.receipts)):
                if file is not None:
                    file.writelines(f"{line}\n" for line in lines)
            if results is not None:
                results.write(part.first, part.scores, part.winners)

        yield write


@contextmanager
def _target(records: Path | None) -> Iterator[TextIO | None]:
    if records is None:
        yield None
    elif str(records) == "-":
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        yield sys.stdout
    else:
        with atomic_text(records) as file:
            yield file


def _plot(path: Path, simulation: Simulation, statistics: GameStatistics) -> None:
    from pasch.lab.plots import scores

    labels = [f"{seat_name(seat)}, {name}" for seat, name in enumerate(simulation.seats)]
    title = f"{simulation.game.title}: scores of {statistics.games:,} games"
    scores(path, statistics.seats, labels, title)


# --- what is shown --------------------------------------------------------------------------------


def _watched(simulation: Simulation, wanted: Wanted) -> Iterator[Part]:
    """The games, with a progress bar on stderr if that is a terminal."""
    played, compiled = 0, simulation.engine == "compiled"
    with watched(simulation.game.title, compiles=compiled) as report:
        for part in simulation.parts(wanted.workers, wanted.ray):
            yield part
            played += part.games
            report(played / simulation.games, f"{played:,} of {simulation.games:,} games")


def _account(simulation: Simulation, workers: int | None, decisions: int, seconds: float) -> str:
    """How many games were played, by which engine and how fast, as a sentence."""
    made = f"{simulation.games:,} games of {simulation.game.title} (seed {simulation.seed})"
    speed = f"{decisions:,} decisions in {seconds:.1f} seconds"
    if simulation.engine == "compiled":
        threads = workers or os.cpu_count() or 1
        return f"{made} by the compiled engine, up to {threads} at a time: {speed}."
    why = f" ({simulation.reason})" if simulation.reason else ""
    return f"{made} by the ordinary engine{why}: {speed}."


def print_summary(screen: Console, seats: tuple[str, ...], statistics: GameStatistics) -> None:
    """Print means and shares of the wins, quantiles and a histogram of the scores."""
    means = table("", "player", "mean score", "standard error", "win share", "standard error", left=2)
    for seat, (name, own) in enumerate(zip(seats, statistics.seats, strict=True)):
        error = "–" if own.win_error is None else f"{own.win_error:.2%}"
        share = f"{own.win_share:.2%}"
        means.add_row(seat_name(seat), name, f"{own.mean:.3f}", _error(own.error), share, error)
    if len(seats) > 1 and len(set(seats)) == 1:
        means.add_row("all", seats[0], f"{statistics.mean:.3f}", _error(statistics.error))
    screen.print(means)
    screen.print("A shared win counts in parts.")
    spread = table("", "player", "least", *(f"{share:.0%}" for share in QUANTILES), "most", left=2)
    for seat, (name, own) in enumerate(zip(seats, statistics.seats, strict=True)):
        marks = (min(own.scores), *map(own.quantile, QUANTILES), max(own.scores))
        spread.add_row(seat_name(seat), name, *map(str, marks))
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
    spans = [{span.low: span.games for span in one.spans(width)} for one in statistics]
    longest = max(games for seat in spans for games in seat.values())
    columns = BARS // len(seats)
    made = table("score", left=0)
    for seat, name in enumerate(seats):
        made.add_column(f"{seat_name(seat)}, {name}" if len(seats) < 4 else seat_name(seat), no_wrap=True)
    for low in range(least // width * width, most + 1, width):
        label = str(low) if width == 1 else f"{low} to {low + width - 1}"
        made.add_row(label, *(_bar(seat.get(low, 0), longest, columns) for seat in spans))
    return made


def _bar(games: int, longest: int, columns: int) -> str:
    """A bar in eighths of a column; any games at all are visible."""
    eighths = round(8 * columns * games / longest) or (1 if games else 0)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
