"""Talking to the person at the terminal."""

from __future__ import annotations

import sys

import click
from rich.console import Console
from rich.text import Text


def console(*, err: bool = False, wide: bool = False) -> Console:
    """Where to print. `wide`: into a pipe, lines of a table are not broken."""
    made = Console(stderr=err, highlight=False, markup=False, emoji=False)
    if wide and not made.is_terminal:
        made.width = 240
    return made


def interactive() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask(screen: Console, question: str) -> str:
    """One line typed by the person. EOFError when there is no more to come."""
    screen.print(Text(question + " ", style="bold"), end="")
    typed = input().strip()
    if not sys.stdin.isatty():
        # so that what was piped in can be read in its place
        screen.print(Text(typed))
    return typed


def wipe(screen: Console) -> None:
    """Nothing of what was shown stays readable, not even by scrolling back."""
    if screen.is_terminal:
        click.clear()
        screen.file.write("\x1b[3J")
        screen.file.flush()
    else:
        screen.rule()
