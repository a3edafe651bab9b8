"""Input and output of the terminal: asking, tables, progress, files to be written."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pasch.terminal.language import t

#: where stderr is no terminal: seconds before the first progress line, and between further lines
FIRST_LINE_SECONDS: Final = 2.0
LINE_SECONDS: Final = 10.0

#: is called with the share that is done, if that is known, and what is being done
ProgressReport = Callable[[float | None, str], None]


def console(*, err: bool = False, wide: bool = False) -> Console:
    """The console to print to. `wide`: into a pipe, lines of a table are not wrapped."""
    made = Console(stderr=err, highlight=False, markup=False, emoji=False)
    if wide and not made.is_terminal:
        made.width = 240
    return made


def ask(screen: Console, question: str) -> str:
    """One line of input; EOFError at the end of input."""
    screen.print(Text(question + " ", style="bold"), end="")
    typed = input().strip()
    if not sys.stdin.isatty():
        # so that what was piped in can be read in its place
        screen.print(Text(typed))
    return typed


def wipe(screen: Console) -> None:
    """Clear the screen and its scrollback."""
    if screen.is_terminal:
        click.clear()
        screen.file.write("\x1b[3J")
        screen.file.flush()
    else:
        screen.rule()


def table(
    *headings: str, rows: Iterable[Iterable[str | Text]] = (), left: int = 1, fixed: int = 0
) -> Table:
    """A table: the first `left` columns are words, the others numbers; the first `fixed` are never wrapped."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, heading in enumerate(headings):
        made.add_column(Text(heading), justify="left" if place < left else "right", no_wrap=place < fixed)
    for row in rows:
        made.add_row(*row)
    return made


@contextmanager
def watched(what: str, *, compiles: bool = True) -> Iterator[ProgressReport]:
    """A progress callback that draws a bar on stderr, or writes a line each ten seconds where that is no terminal.

    `compiles`: that is said until something is reported.
    """
    watcher = console(err=True)
    begun = t("{what}: Compiling …", what=what) if compiles else what
    if not watcher.is_terminal:
        with _lines(begun) as show:
            yield lambda done, step: show(
                " ".join(filter(None, (f"{what}:", step, "" if done is None else f"({done:.0%})")))
            )
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    same = sys.stdout.isatty()  # what is printed meanwhile goes above the bar
    with Progress(*columns, console=watcher, transient=True, redirect_stdout=same) as progress:
        task = progress.add_task(begun, total=None)

        def report(done: float | None, step: str) -> None:
            words = f"{what}: {step}" if step else what
            progress.update(task, completed=done, total=None if done is None else 1.0, description=words)

        yield report


@contextmanager
def _lines(first: str) -> Iterator[Callable[[str], None]]:
    """A function that takes the latest line; from time to time a thread writes it to stderr."""
    latest, ended = deque([first], maxlen=1), Event()

    def write() -> None:
        seconds = FIRST_LINE_SECONDS
        while not ended.wait(seconds):
            click.echo(latest[0], err=True)
            seconds = LINE_SECONDS

    writer = Thread(target=write, name="pasch-progress", daemon=True)
    writer.start()
    try:
        yield latest.append
    finally:
        ended.set()
        writer.join()


def one_line(text: str, limit: int = 500) -> str:
    """The text on one line, without control characters."""
    shown = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[: limit + 1]
    )
    return shown if len(shown) <= limit else shown[:limit] + " …"
