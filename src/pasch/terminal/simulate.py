"""Many games between computer players, with a progress bar, and their statistics: simulations and tournaments."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from pasch.core.errors import OptionError
from pasch.core.files import atomic_text
from pasch.core.registry import find_game
from pasch.lab.checkpoint import Checkpoint
from pasch.lab.plots import check_plot, draw_scores
from pasch.lab.score_statistics import QUANTILES, GameStatistics
from pasch.lab.simulation import Engine, Simulation, csv_lines
from pasch.lab.tournament import Deal, Tournament
from pasch.lab.tournament_statistics import TournamentStatistics, figures, tournament_statistics
from pasch.lab.work import parallel_map
from pasch.solve.tables import cache_folder
from pasch.terminal.board import seat_name
from pasch.terminal.screen import console, one_line, table, watched
from pasch.terminal.value import prepare, ready_players


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
    if out is not None and out.suffix != ".csv":
        raise OptionError("{name}: the file's name has to end in .csv", name=out.name)
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
                (files.enter_context(atomic_text(path)), lines)
                for path, lines in (
                    (records, lambda part: part.records),
                    (receipts, lambda part: part.receipts),
                    (out, csv_lines),
                )
                if path is not None
            ]
            for part in parts:
                statistics.add_many(part.scores, part.winners)
                decisions += part.decisions
                for file, lines in writers:
                    file.writelines(f"{line}\n" for line in lines(part))
                report(statistics.games / number, f"{statistics.games:,} of {number:,} games")
    except KeyboardInterrupt:
        kept = "; no file was written" if any((records, receipts, out)) else ""
        raise KeyboardInterrupt(f"after {statistics.games} of {number} games{kept}") from None
    speed = f"{decisions:,} decisions in {time.perf_counter() - begun:.1f} seconds"
    if plot is not None:
        labels = [f"{seat_name(seat)}, {name}" for seat, name in enumerate(seats)]
        title = f"{configured.title}: scores of {statistics.games:,} games"
        draw_scores(plot, statistics.seats, labels, title)
    if as_json:
        click.echo(json.dumps(as_plain(simulation, statistics)))
        return
    screen = console()
    by = f"ordinary engine{f' ({simulation.reason})' if simulation.reason else ''}"
    if compiles:
        by = f"compiled engine, up to {workers or os.cpu_count() or 1} at a time"
    screen.print(f"{number:,} games of {configured.title} (seed {seed}) by the {by}: {speed}.")
    print_summary(screen, seats, statistics)


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


def print_summary(screen: Console, seats: tuple[str, ...], statistics: GameStatistics) -> None:
    """Print means, shares of the wins and quantiles."""
    means: list[tuple[str, ...]] = []
    spread = []
    for seat, (name, own) in enumerate(zip(seats, statistics.seats, strict=True)):
        points = f"{own.mean:.3f}", _error(own.error, ".3f")
        means.append((seat_name(seat), name, *points, f"{own.win_share:.2%}", _error(own.win_error, ".2%")))
        marks = (min(own.scores), *map(own.quantile, QUANTILES), max(own.scores))
        spread.append((seat_name(seat), name, *map(str, marks)))
    columns = ("mean score", "standard error", "win share", "standard error")
    screen.print(table("", "player", *columns, rows=means, left=2))
    screen.print("A shared win counts in parts.")
    shares = [f"{share:.0%}" for share in QUANTILES]
    screen.print(table("", "player", "least", *shares, "most", rows=spread, left=2))
    screen.print("This share of the games has at most this score.")


def _error(error: float | None, style: str) -> str:
    return "–" if error is None else f"{error:{style}}"


# --- tournaments ------------------------------------------------------------------------------------


FORMAT = "pasch tournament/4"


def hold(
    game: str,
    entrants: tuple[str, ...],
    players: int,
    number: int,
    seed: str,
    options: Mapping[str, Any],
    components: Path | None,
    luck: bool,
    workers: int | None,
    out: Path | None,
    resume: Path | None,
) -> None:
    """Play at least `number` games, in whole deals, and print their statistics."""
    configured = find_game(game).agree(players, options, components=components)
    tournament = Tournament.of(configured, entrants, seed, luck)
    ready_players(configured, entrants)
    if tournament.luck:
        prepare(configured)
    deals = -(-number // len(tournament.seatings))
    # a tournament for which no file was named has one in the cache
    name = hashlib.sha256(msgspec.json.encode(tournament.run())).hexdigest()[:20]
    kept = resume or cache_folder() / f"tournament-{name}.sqlite"
    kept.parent.mkdir(parents=True, exist_ok=True)
    with closing(Checkpoint(kept, tournament.run(), Deal)) as checkpoint:
        played = _play(tournament, deals, checkpoint, workers or os.cpu_count() or 1)
    found = tournament_statistics(tournament, played)
    _print(console(wide=True), found)
    if out is not None:
        with atomic_text(out) as file:
            whole = {"format": FORMAT, "run": tournament.run(), "statistics": msgspec.to_builtins(found)}
            file.write(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n")
    if resume is None:
        kept.unlink(missing_ok=True)


def _play(tournament: Tournament, deals: int, checkpoint: Checkpoint, workers: int) -> list[Deal]:
    if there := min(len(checkpoint), deals):
        click.echo(f"pasch: {there} of {deals} deals are there already.", err=True)
    played: list[Deal] = []
    results = parallel_map(tournament.deal, range(deals), workers=workers, checkpoint=checkpoint)
    try:
        with closing(results), watched(tournament.game.title, compiles=False) as report:
            for deal in results:
                played.append(deal)
                report(len(played) / deals, f"{len(played)} of {deals} deals")
    except KeyboardInterrupt:
        kept = f"after {len(checkpoint)} of {deals} deals; the same command continues from there"
        raise KeyboardInterrupt(kept) from None
    return played


# --- what is printed ------------------------------------------------------------------------------


def _print(screen: Console, found: TournamentStatistics) -> None:
    names = [player.name for player in found.players]
    pairs = [
        [name, *("–" if one is None else one.shown(1, 100) for one in row)]
        for name, row in zip(names, found.pairs, strict=True)
    ]
    seats = [seat_name(seat) for seat in range(len(found.seats))]
    head, rows = figures("player", names, found.players)
    screen.print(table(*head, rows=rows))
    if len(names) > 2:
        screen.print(table("wins % against", *names, rows=pairs))
    head, rows = figures("seat", seats, found.seats)
    screen.print(table(*head, rows=rows))
    for sentence in _notes(found):
        screen.print(sentence)


def _notes(found: TournamentStatistics) -> Iterator[str]:
    yield f"{found.games} games: {found.deals} deals with {found.games // found.deals} seatings each."
    yield "± is 95 %, games with the same dice taken together. A shared win counts in parts."
    wins, even = found.seats[0].wins.shown(1, 100), 100 / len(found.seats)
    yield f"The first seat wins {wins} % of the games; an even share would be {even:.1f} %."
    for player in found.players:
        if player.failed:
            problem = f": {one_line(player.problem)}" if player.problem else ""
            often = f"{player.failed} of {player.games} games"
            yield f"{player.name} failed in {often}, greedy played on{problem}"
