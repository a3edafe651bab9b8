"""Tournaments between computer players: a bar while they are played, and what they say."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from pasch.core.registry import find_game
from pasch.core.whole import whole_file
from pasch.lab.kept import Kept
from pasch.lab.plots import check_plot, figure
from pasch.lab.standing import Estimate, Fewer, Standing, standing
from pasch.lab.tournament import Deal, Tournament, play_tournament
from pasch.solve.tables import cache_folder
from pasch.terminal.hint import ready_players
from pasch.terminal.progress import prepare
from pasch.terminal.screen import console
from pasch.terminal.words import one_line, seat_name

T = TypeVar("T")

FORMAT = "pasch tournament/1"


def hold(
    game: str,
    players: tuple[str, ...],
    seats: int,
    number: int,
    seed: str,
    options: Mapping[str, Any],
    components: Path | None,
    luck: bool,
    workers: int,
    ray: str | None,
    out: Path | None,
    plot: Path | None,
    resume: Path | None,
) -> None:
    """Play at least `number` games, in whole deals, and print what they say."""
    agreed = find_game(game).agree(seats, options, components=components)
    tournament = Tournament.of(agreed, players, seed, luck)
    if plot is not None:
        check_plot(plot)
    ready_players(agreed, players)
    if tournament.luck:
        prepare(agreed, chances=tournament.chances)
    games = len(tournament.seatings())
    deals = -(-number // games)
    path = resume or _own_file(tournament)
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = Kept(path, tournament.run(), Deal)
    _tell_what_is_kept(kept, deals)
    played: list[Deal] = []
    try:
        with closing(play_tournament(tournament, deals, workers=workers, ray=ray, kept=kept)) as results:
            played.extend(_watched(results, deals))
    except KeyboardInterrupt:
        click.echo(f"\npasch: interrupted after {len(kept)} of {deals} deals.", err=True)
        click.echo("The same command goes on from there.", err=True)
        sys.exit(130)
    finally:
        kept.close()
    found = standing(tournament, played)
    _print(console(wide=True), tournament, found)
    if out is not None:
        with whole_file(out) as file:
            whole = {"format": FORMAT, "run": tournament.run(), "standing": msgspec.to_builtins(found)}
            file.write(msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n")
    if plot is not None:
        draw(found, plot, f"{agreed.title}: ratings after {found.games} games")
    if resume is None:
        path.unlink(missing_ok=True)


def _own_file(tournament: Tournament) -> Path:
    """Where a tournament is kept until it is finished, if nobody says where."""
    name = hashlib.sha256(msgspec.json.encode(tournament.run())).hexdigest()[:20]
    return cache_folder() / f"tournament-{name}.jsonl"


def _tell_what_is_kept(kept: Kept, deals: int) -> None:
    if kept.damaged:
        click.echo(f"pasch: {kept.damaged} torn lines of {kept.path} are played again.", err=True)
    if len(kept):
        there = min(len(kept), deals)
        click.echo(f"pasch: going on with {there} of {deals} deals that are there already.", err=True)


def _watched(results: Iterable[T], total: int) -> Iterator[T]:
    """The results, with a bar on stderr when somebody is looking."""
    watcher = console(err=True)
    if not watcher.is_terminal:
        yield from results
        return
    columns = (TextColumn("deals"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=watcher, transient=True) as progress:
        yield from progress.track(results, total=total)


# --- what is printed ------------------------------------------------------------------------------


def _print(screen: Console, tournament: Tournament, found: Standing) -> None:
    adjusted = found.lines[0].points_adjusted is not None
    screen.print(_players(found, adjusted))
    if len(found.lines) > 2:
        screen.print(_pairs(found))
    screen.print(_seats(found, adjusted))
    if found.fewer_for_wins.duplicate is not None or found.fewer_for_points.duplicate is not None:
        screen.print(_fewer(found, adjusted))
    for sentence in _notes(tournament, found, adjusted):
        screen.print(sentence)


def _players(found: Standing, adjusted: bool) -> Table:
    table = _table("player", "rating", "wins %", "points")
    if adjusted:
        for heading in ("wins % *", "points *", "gave away"):
            table.add_column(heading, justify="right")
    for line in found.lines:
        row = [line.name, _with_margin(line.rating, 0), _per_cent(line.wins), _with_margin(line.points)]
        if adjusted:
            row += [
                _per_cent(line.wins_adjusted),
                _with_margin(line.points_adjusted),
                f"{line.costs.mean:.2f}" if line.costs else "",
            ]
        table.add_row(*row)
    return table


def _pairs(found: Standing) -> Table:
    table = _table("wins % against", *(line.name for line in found.lines))
    for line, row in zip(found.lines, found.pairs, strict=True):
        table.add_row(line.name, *("–" if entry is None else _per_cent(entry) for entry in row))
    return table


def _seats(found: Standing, adjusted: bool) -> Table:
    table = _table("seat", "wins %", "points", *(("wins % *", "points *") if adjusted else ()))
    for seat, entry in enumerate(found.seats):
        row = [seat_name(seat), _per_cent(entry.wins), _with_margin(entry.points)]
        if adjusted:
            row += [_per_cent(entry.wins_adjusted), _with_margin(entry.points_adjusted)]
        table.add_row(*row)
    return table


def _fewer(found: Standing, adjusted: bool) -> Table:
    table = _table("times fewer games to tell two players apart", "wins", "points")

    def add(what: str, name: str) -> None:
        both: tuple[Fewer, Fewer] = (found.fewer_for_wins, found.fewer_for_points)
        table.add_row(what, *(_times(getattr(fewer, name)) for fewer in both))

    add("duplicate dice", "duplicate")
    if adjusted:
        add("luck taken out", "luck")
        add("both", "both")
    return table


def _notes(tournament: Tournament, found: Standing, adjusted: bool) -> Iterator[str]:
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
        off = ", ".join(f"{line.name} {_with_margin(line.luck, 2)}" for line in found.lines)
        yield "* with luck taken out. The values are estimates, so luck need not average zero exactly;"
        yield f"  its average was, in points: {off}. Ratings and pairs are raw."
    for line in found.lines:
        if line.failed:
            problem = f": {one_line(line.problem)}" if line.problem else ""
            yield f"{line.name} failed in {line.failed} of {line.games} games, greedy played on{problem}"


def _table(first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")
    return table


def _with_margin(estimate: Estimate | None, digits: int = 1) -> str:
    if estimate is None:
        return ""
    margin = "?" if estimate.margin is None else f"{estimate.margin:.{digits}f}"
    return f"{estimate.mean:.{digits}f} ± {margin}"


def _per_cent(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    margin = None if estimate.margin is None else 100 * estimate.margin
    return _with_margin(Estimate(100 * estimate.mean, margin))


def _times(factor: float | None) -> str:
    if factor is None:
        return "–"
    return f"{factor:.1f}" if factor < 20 else f"{factor:.0f}"


def draw(found: Standing, path: Path, title: str) -> None:
    """The ratings, with what they may be off, and the shares of the wins."""
    lines = found.lines[::-1]
    with figure(path, title) as axes:
        for place, line in enumerate(lines):
            axes.errorbar(
                line.rating.mean, place, xerr=line.rating.margin or 0.0, fmt="o", capsize=4, color="#0072B2"
            )
        axes.set_yticks(range(len(lines)), [f"{x.name}\n{100 * x.wins.mean:.1f} % won" for x in lines])
        axes.set_ylim(-0.6, len(lines) - 0.4)
        axes.set_xlabel("rating (Elo points; bars: 95 %)")
