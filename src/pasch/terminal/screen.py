"""Input and output of the terminal."""

from __future__ import annotations

import sys

import click
from rich.console import Console
from rich.text import Text


def console(*, err: bool = False, wide: bool = False) -> Console:
    """The console to print to. `wide`: into a pipe, lines of a table are not wrapped."""
    made = Console(stderr=err, highlight=False, markup=False, emoji=False)
    if wide and not made.is_terminal:
        made.width = 240
    return made


def interactive() -> bool:
    """Whether stdin and stdout are terminals."""
    return sys.stdin.isatty() and sys.stdout.isatty()


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
