"""Many games between computer players, and what they came to."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import sqrt
from pathlib import Path
from typing import Any, TextIO

import click
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from pasch.core.fair import dice_key, simulated_seed, simulated_table
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.receipt import Receipt
from pasch.core.registry import find_game
from pasch.players.arena import play_game
from pasch.players.base import Player, player
from pasch.terminal.hint import ready_players
from pasch.terminal.saved import whole_file
from pasch.terminal.screen import console
from pasch.terminal.words import seat_name


class Tally:
    """One seat's results."""

    def __init__(self) -> None:
        self.games = 0
        self.wins = 0.0
        self._sum = 0
        self._squares = 0

    def add(self, score: int, win: float) -> None:
        self.games += 1
        self.wins += win
        self._sum += score
        self._squares += score * score

    @property
    def mean(self) -> float:
        return self._sum / self.games

    @property
    def error(self) -> float | None:
        """The standard error of the mean; one game says nothing about it."""
        if self.games < 2:
            return None
        # whole numbers until the end, so that nothing cancels
        spread = self.games * self._squares - self._sum**2
        return sqrt(spread / (self.games - 1)) / self.games


def run(
    game: str,
    number: int,
    seats: tuple[str, ...],
    seed: str,
    options: Mapping[str, Any],
    components: Path | None,
    records: Path | None,
    receipts: Path | None = None,
) -> None:
    """Play `number` games, write their records and receipts and print what came of them."""
    agreed = find_game(game).agree(len(seats), options, components=components)
    players = [player(name) for name in seats]
    ready_players(agreed, seats)
    to_stdout = "-" in map(str, (records, receipts))
    screen = console(err=to_stdout)
    tallies = [Tally() for _ in seats]
    begun = time.perf_counter()
    try:
        with _target(records) as file, _target(receipts) as receipt_file:
            for index in _counted(number):
                match = simulated(agreed, players, seed, index)
                winners = match.state.winners()
                for seat, score in enumerate(match.state.scores()):
                    tallies[seat].add(score, (seat in winners) / len(winners))
                if file is not None:
                    file.write(match.record().to_json() + "\n")
                if receipt_file is not None:
                    receipt_file.write(simulated_receipt(match, seed, index).to_json() + "\n")
    except KeyboardInterrupt:
        kept = " No file was written." if records is not None and not to_stdout else ""
        click.echo(f"\npasch: interrupted after {tallies[0].games} of {number} games.{kept}", err=True)
        sys.exit(130)
    _print_summary(screen, seats, tallies, time.perf_counter() - begun)


def simulated(game: Game[Any, Any], players: Sequence[Player], seed: str, number: int) -> Match:
    """Game `number`, counted from 0, of a simulation. Nobody adds anything to its dice."""
    key = dice_key(simulated_seed(seed, number), simulated_table(number), [None] * game.players)
    return play_game(game, players, key)


def simulated_receipt(match: Match, seed: str, number: int) -> Receipt:
    """The receipt of that game; the coach is not asked."""
    return Receipt.of(
        match.game,
        match.events,
        table=simulated_table(number),
        dice="pasch",
        seed=simulated_seed(seed, number),
        contributions=[None] * match.game.players,
    )


@contextmanager
def _target(records: Path | None) -> Iterator[TextIO | None]:
    if records is None:
        yield None
    elif str(records) == "-":
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        yield sys.stdout
    else:
        with whole_file(records) as file:
            yield file


def _counted(number: int) -> Iterator[int]:
    """0 to number - 1, with a bar on stderr when somebody is looking."""
    watcher = console(err=True)
    if not watcher.is_terminal:
        yield from range(number)
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=watcher, transient=True) as progress:
        yield from progress.track(range(number), description="")


def _print_summary(screen: Console, seats: tuple[str, ...], tallies: list[Tally], seconds: float) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    table.add_column("player")
    for heading in ("mean score", "standard error", "win share"):
        table.add_column(heading, justify="right")
    for seat, (name, tally) in enumerate(zip(seats, tallies, strict=True)):
        error = "–" if tally.error is None else f"{tally.error:.3f}"
        share = f"{tally.wins / tally.games:.1%}"
        table.add_row(seat_name(seat), name, f"{tally.mean:.3f}", error, share)
    screen.print(table)
    games = tallies[0].games
    screen.print(f"{games} games in {seconds:.1f} seconds; a shared win counts in parts.")
