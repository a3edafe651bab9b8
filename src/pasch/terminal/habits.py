"""What somebody gives away in their games, by kind of decision."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

import click
import msgspec
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pasch.coach.practice import HabitFigures, SeatPractice, habit_figures, interval, practice
from pasch.coach.puzzle_plan import has_puzzles
from pasch.core.errors import PaschError
from pasch.core.match import Match
from pasch.core.record import Record
from pasch.core.registry import find_game
from pasch.terminal.language import number, sentence, t, tn, word
from pasch.terminal.screen import console
from pasch.terminal.show import read_record, written_lines
from pasch.terminal.value import prepare


def show_habits(files: tuple[Path, ...], seat: int, as_json: bool) -> None:
    """Print what this seat, counted from 1, gives away in all games of these files."""
    games = [(record.game, _figures(record, seat - 1)) for record in _records(files)]
    games = [(game, figures) for game, figures in games if figures is not None]
    if not games:
        raise PaschError("these files hold no game with a player {number}", number=seat)
    found = habit_figures((game, figures) for game, figures in games if figures is not None)
    if as_json:
        for one in found:
            click.echo(msgspec.json.encode(as_plain(one)).decode())
        return
    screen = console(wide=True)
    for game in sorted({game for game, _ in games}):
        own = [figures for name, figures in games if name == game and figures is not None]
        _print(screen, game, own, [one for one in found if one.game == game])


def as_plain(one: HabitFigures) -> dict[str, Any]:
    """A kind of mistake as JSON values; bounds that are not known are null."""
    low, high = (bound if isfinite(bound) else None for bound in (one.cost.low, one.cost.high))
    return {
        "game": one.game,
        "habit": one.name,
        "when": None if one.when is None else str(one.when),
        "kind": one.slug,
        "games": one.games,
        "times": one.times,
        "cost": one.cost.mean,
        "low": low,
        "high": high,
    }


def _records(files: tuple[Path, ...]) -> Iterator[Record]:
    for path in files:
        if str(path) == "-":
            yield from (read_record(line) for _, line in written_lines(sys.stdin.buffer))
            continue
        with path.open("rb") as file:
            yield from (read_record(line) for _, line in written_lines(file))


def _figures(record: Record, seat: int) -> SeatPractice | None:
    """The figures of a seat of a record; None if it has no such seat."""
    record.verify()
    if seat >= record.players:
        return None
    prepare(record.agreed())
    return practice(Match(record.agreed(), record.events))[seat]


def _print(screen: Console, game: str, own: list[SeatPractice], found: list[HabitFigures]) -> None:
    title = word(find_game(game).title)
    screen.print(Text(f"{title}: {tn('{n} game', '{n} games', len(own))}", style="bold"))
    costs = interval([figures.costs for figures in own])
    screen.print(t("Given away: {points} points a game.", points=_range(costs.mean, costs.low, costs.high)))
    if not found:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(t("what"))
    table.add_column(t("points a game"), justify="right")
    table.add_column(t("times"), justify="right")
    for one in found:
        what = word(one.name)
        if one.when is not None:
            what = t("{what}, mostly {when}", what=what, when=sentence(one.when))
        table.add_row(Text(what), _range(one.cost.mean, one.cost.low, one.cost.high), str(one.times))
    screen.print(table)
    if has_puzzles(game):
        screen.print(t("Practise: {command}", command=f"pasch puzzle {game} --kind {found[0].slug}"))


def _range(mean: float, low: float, high: float) -> str:
    if not isfinite(low):
        return number(mean)
    return t("{mean} ({low} to {high})", mean=number(mean), low=number(max(0.0, low)), high=number(high))
