"""Progress bars for building tables of values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from pasch.core.game import Game
from pasch.solve.valuer import valuer
from pasch.terminal.language import word
from pasch.terminal.screen import console


@contextmanager
def watched(what: str) -> Iterator[Callable[[float, str], None]]:
    """A progress callback that draws a bar on stderr, if that is a terminal."""
    watcher = console(err=True)
    if not watcher.is_terminal:
        yield lambda done, step: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=watcher, transient=True) as progress:
        task = progress.add_task(what, total=1.0)

        def report(done: float, step: str) -> None:
            progress.update(task, completed=done, description=f"{what}: {step}" if step else what)

        yield report


def prepare(game: Game[Any, Any], *, chances: bool = False) -> None:
    """Build the tables of a game if necessary, with a progress bar.

    `chances`: those for the chances to win as well.
    """
    values = valuer(game)
    if chances or not values.ready:
        with watched(word(game.title)) as report:
            (values.prepare if chances else values.prepare_points)(report)
