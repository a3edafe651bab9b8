"""Tournaments between computer players: a progress bar, then their statistics."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

from pasch.core.atomic_file import atomic_text
from pasch.core.errors import PaschError
from pasch.core.registry import find_game
from pasch.lab.checkpoint import Checkpoint
from pasch.lab.plots import COLOURS, check_plot, figure
from pasch.lab.tournament import Deal, Tournament, play_tournament
from pasch.lab.tournament_statistics import (
    Interval,
    TournamentStatistics,
    tournament_statistics,
)
from pasch.solve.tables import cache_folder
from pasch.terminal.screen import console, table, watched
from pasch.terminal.value import prepare, ready_players
from pasch.terminal.words import one_line, seat_name

FORMAT = "pasch tournament/2"


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
    ray: str | None,
    out: Path | None,
    plot: Path | None,
    resume: Path | None,
) -> None:
    """Play at least `number` games, in whole deals, and print their statistics."""
    agreed = find_game(game).agree(players, options, components=components)
    tournament = Tournament.of(agreed, entrants, seed, luck)
    if plot is not None:
        check_plot(plot)
    for path in (out, plot):
        if path is not None and not path.parent.is_dir():
            raise PaschError("there is no folder {folder} for {file}", folder=path.parent, file=path.name)
    ready_players(agreed, entrants)
    if tournament.luck:
        prepare(agreed, chances=tournament.chances)
    games = len(tournament.seatings())
    deals = -(-number // games)
    path = resume or _default_checkpoint(tournament)
    path.parent.mkdir(parents=True, exist_ok=True)
    checkpoint = Checkpoint(path, tournament.run(), Deal)
    _announce_resuming(checkpoint, deals)
    played: list[Deal] = []
    try:
        workers = workers or os.cpu_count() or 1
        results = play_tournament(tournament, deals, workers=workers, ray=ray, checkpoint=checkpoint)
        with closing(results), watched(agreed.title, compiles=False) as report:
            for deal in results:
                played.append(deal)
                report(len(played) / deals, f"{len(played)} of {deals} deals")
    except KeyboardInterrupt:
        click.echo(f"\npasch: interrupted after {len(checkpoint)} of {deals} deals.", err=True)
        click.echo("The same command continues from there.", err=True)
        sys.exit(130)
    finally:
        checkpoint.close()
    found = tournament_statistics(tournament, played)
    _print(console(wide=True), tournament, found)
    if out is not None:
        with atomic_text(out) as file:
            whole = {"format": FORMAT, "run": tournament.run(), "statistics": msgspec.to_builtins(found)}
            file.write(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n")
    if plot is not None:
        draw(found, plot, f"{agreed.title}: ratings after {found.games} games")
    if resume is None:
        path.unlink(missing_ok=True)


def _default_checkpoint(tournament: Tournament) -> Path:
    """The checkpoint of a tournament for which no file was named."""
    name = hashlib.sha256(msgspec.json.encode(tournament.run())).hexdigest()[:20]
    return cache_folder() / f"tournament-{name}.jsonl"


def _announce_resuming(checkpoint: Checkpoint, deals: int) -> None:
    if checkpoint.damaged:
        click.echo(
            f"pasch: {checkpoint.damaged} torn lines of {checkpoint.path} are played again.", err=True
        )
    if len(checkpoint):
        there = min(len(checkpoint), deals)
        click.echo(f"pasch: going on with {there} of {deals} deals that are there already.", err=True)


# --- what is printed ------------------------------------------------------------------------------


def _print(screen: Console, tournament: Tournament, found: TournamentStatistics) -> None:
    adjusted = found.players[0].points_adjusted is not None
    screen.print(_players(found, adjusted))
    if len(found.players) > 2:
        screen.print(_pairs(found))
    screen.print(_seats(found, adjusted))
    reductions = found.reduction_for_wins, found.reduction_for_points
    if any(reduction.common_dice is not None for reduction in reductions):
        screen.print(_reductions(found, adjusted))
    for sentence in _notes(tournament, found, adjusted):
        screen.print(sentence)


def _players(found: TournamentStatistics, adjusted: bool) -> Table:
    more = ("wins % *", "points *", "gave away") if adjusted else ()
    made = table("player", "rating", "wins %", "points", *more)
    for one in found.players:
        row = [one.name, _with_margin(one.rating, 0), _per_cent(one.wins), _with_margin(one.points)]
        if adjusted:
            costs = f"{one.costs.mean:.2f}" if one.costs else ""
            row += [_per_cent(one.wins_adjusted), _with_margin(one.points_adjusted), costs]
        made.add_row(*row)
    return made


def _pairs(found: TournamentStatistics) -> Table:
    made = table("wins % against", *(player.name for player in found.players))
    for player, row in zip(found.players, found.pairs, strict=True):
        made.add_row(player.name, *("–" if entry is None else _per_cent(entry) for entry in row))
    return made


def _seats(found: TournamentStatistics, adjusted: bool) -> Table:
    made = table("seat", "wins %", "points", *(("wins % *", "points *") if adjusted else ()))
    for seat, entry in enumerate(found.seats):
        row = [seat_name(seat), _per_cent(entry.wins), _with_margin(entry.points)]
        if adjusted:
            row += [_per_cent(entry.wins_adjusted), _with_margin(entry.points_adjusted)]
        made.add_row(*row)
    return made


def _reductions(found: TournamentStatistics, adjusted: bool) -> Table:
    made = table("times fewer games to tell two players apart", "wins", "points")
    names = {"common dice": "common_dice"} | (
        {"luck taken out": "luck", "both": "both"} if adjusted else {}
    )
    for what, name in names.items():
        both = found.reduction_for_wins, found.reduction_for_points
        made.add_row(what, *(_times(getattr(reduction, name)) for reduction in both))
    return made


def _notes(tournament: Tournament, found: TournamentStatistics, adjusted: bool) -> Iterator[str]:
    seatings = found.games // found.deals
    yield f"{found.games} games: {found.deals} deals with {seatings} seatings each."
    yield "± is 95 %, games with the same dice taken together. A shared win counts in parts."
    seat = found.seats[0].wins_adjusted if found.exact else found.seats[0].wins
    seat = seat or found.seats[0].wins
    even = 100 / tournament.seats
    yield f"The first seat wins {_per_cent(seat)} % of the games; an even share would be {even:.1f} %."
    if adjusted and found.exact:
        what = "chances to win" if found.chances else "points"
        yield f"* with luck taken out, for wins that in {what}. Ratings and pairs are without luck."
    elif adjusted:
        off = ", ".join(f"{player.name} {_with_margin(player.luck, 2)}" for player in found.players)
        yield "* with luck taken out. The values are estimates, so luck need not average zero exactly;"
        yield f"  its average was, in points: {off}. Ratings and pairs are raw."
    for player in found.players:
        if player.failed:
            problem = f": {one_line(player.problem)}" if player.problem else ""
            often = f"{player.failed} of {player.games} games"
            yield f"{player.name} failed in {often}, greedy played on{problem}"


def _with_margin(interval: Interval | None, digits: int = 1, times: int = 1) -> str:
    return "" if interval is None else interval.shown(digits, times)


def _per_cent(interval: Interval | None) -> str:
    return _with_margin(interval, times=100)


def _times(factor: float | None) -> str:
    if factor is None:
        return "–"
    return f"{factor:.1f}" if factor < 20 else f"{factor:.0f}"


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
