"""Tournaments between computer players: a progress bar, then their statistics."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from rich.console import Console
from rich.table import Table

from pasch.core.atomic_file import atomic_text
from pasch.core.registry import find_game
from pasch.lab.checkpoint import Checkpoint
from pasch.lab.plots import COLOURS, check_plot, figure
from pasch.lab.tournament import Deal, Tournament, play_tournament
from pasch.lab.tournament_statistics import (
    Interval,
    SeatStatistics,
    TournamentStatistics,
    tournament_statistics,
)
from pasch.solve.tables import cache_folder
from pasch.terminal.board import seat_name
from pasch.terminal.screen import console, one_line, table, watched
from pasch.terminal.value import prepare, ready_players

FORMAT = "pasch tournament/4"
#: the columns of players and seats, as far as they are known: a field, its digits and what it is multiplied by
COLUMNS: Final = {
    "rating": ("rating", 0, 1),
    "wins %": ("wins", 1, 100),
    "points": ("points", 1, 1),
    "luck": ("luck", 2, 1),
    "gave away": ("costs", 2, 1),
}


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
    plot: Path | None,
    resume: Path | None,
) -> None:
    """Play at least `number` games, in whole deals, and print their statistics."""
    configured = find_game(game).agree(players, options, components=components)
    tournament = Tournament.of(configured, entrants, seed, luck)
    if plot is not None:
        check_plot(plot)
    ready_players(configured, entrants)
    if tournament.luck:
        prepare(configured)
    deals = -(-number // len(tournament.seatings()))
    # a tournament for which no file was named has one in the cache
    name = hashlib.sha256(msgspec.json.encode(tournament.run())).hexdigest()[:20]
    kept = resume or cache_folder() / f"tournament-{name}.jsonl"
    kept.parent.mkdir(parents=True, exist_ok=True)
    with closing(Checkpoint(kept, tournament.run(), Deal)) as checkpoint:
        played = _play(tournament, deals, checkpoint, workers or os.cpu_count() or 1)
    found = tournament_statistics(tournament, played)
    _print(console(wide=True), found)
    if out is not None:
        with atomic_text(out) as file:
            whole = {"format": FORMAT, "run": tournament.run(), "statistics": msgspec.to_builtins(found)}
            file.write(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n")
    if plot is not None:
        draw(found, plot, f"{configured.title}: ratings after {found.games} games")
    if resume is None:
        kept.unlink(missing_ok=True)


def _play(tournament: Tournament, deals: int, checkpoint: Checkpoint, workers: int) -> list[Deal]:
    if there := min(len(checkpoint), deals):
        click.echo(f"pasch: {there} of {deals} deals are there already.", err=True)
    played: list[Deal] = []
    results = play_tournament(tournament, deals, workers=workers, checkpoint=checkpoint)
    try:
        with closing(results), watched(tournament.game.title, compiles=False) as report:
            for deal in results:
                played.append(deal)
                report(len(played) / deals, f"{len(played)} of {deals} deals")
    except KeyboardInterrupt:
        click.echo(f"\npasch: interrupted after {len(checkpoint)} of {deals} deals.", err=True)
        click.echo("The same command continues from there.", err=True)
        sys.exit(130)
    return played


# --- what is printed ------------------------------------------------------------------------------


def _print(screen: Console, found: TournamentStatistics) -> None:
    names = [player.name for player in found.players]
    screen.print(_figures("player", names, found.players))
    if len(names) > 2:
        pairs = table("wins % against", *names)
        for name, row in zip(names, found.pairs, strict=True):
            pairs.add_row(name, *("–" if entry is None else entry.shown(1, 100) for entry in row))
        screen.print(pairs)
    screen.print(_figures("seat", list(map(seat_name, range(len(found.seats)))), found.seats))
    for sentence in _notes(found):
        screen.print(sentence)


def _figures(what: str, names: list[str], entries: Sequence[SeatStatistics]) -> Table:
    """One line for each player or seat, with the columns that are known of them."""
    known = {title: column for title, column in COLUMNS.items() if getattr(entries[0], column[0], None)}
    made = table(what, *known)
    for name, entry in zip(names, entries, strict=True):
        intervals: list[tuple[Interval, int, int]]
        intervals = [(getattr(entry, field), digits, times) for field, digits, times in known.values()]
        made.add_row(name, *(interval.shown(digits, times) for interval, digits, times in intervals))
    return made


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


def draw(found: TournamentStatistics, path: Path, title: str) -> None:
    """Draw the ratings with their intervals, and the shares of the wins."""
    players = found.players[::-1]
    with figure(path, title) as axes:
        for place, player in enumerate(players):
            rating, style = player.rating, {"fmt": "o", "capsize": 4, "color": COLOURS[0]}
            axes.errorbar(rating.mean, place, xerr=rating.margin or 0.0, **style)
        axes.set_yticks(range(len(players)), [f"{x.name}\n{100 * x.wins.mean:.1f} % won" for x in players])
        axes.set_ylim(-0.6, len(players) - 0.4)
        axes.set_xlabel("rating (Elo points; bars: 95 %)")
