"""States and events as text without colours, and as pictures: what `str` and notebooks show."""

from __future__ import annotations

from io import StringIO
from typing import Final

from rich.console import Console, RenderableType
from rich.text import Text

from pasch.core.events import Event
from pasch.core.state import State
from pasch.terminal.board import find_board
from pasch.terminal.picture import Label, Picture, picture, pixels, to_svg

__all__ = ["pixels", "svg", "text"]
from pasch.terminal.plain_board import event_words

#: the columns of a text at most
WIDTH: Final = 120


def text(thing: State | Event) -> str:
    """A state as its game's board in the terminal, an event as the usual board tells it."""
    drawn = _console(thing).file
    assert isinstance(drawn, StringIO)
    return "\n".join(line.rstrip() for line in drawn.getvalue().splitlines()).strip("\n")


def svg(thing: State | Event) -> str:
    """A state as a picture of its position, an event as a line of text."""
    words = text(thing)
    if isinstance(thing, State):
        return to_svg(picture(thing), thing.game.title, words)
    line = Picture(24 + 8 * len(words), 32, (Label(12, 21, words),))
    return to_svg(line, type(thing).__name__, words)


def _drawn(thing: State | Event) -> RenderableType:
    if isinstance(thing, State):
        return find_board(thing.game.id).draw(thing)
    # a game's own board would have to know the state before it
    return Text(event_words(thing))


def _console(thing: State | Event) -> Console:
    """A console in memory on which the thing has been drawn; it looks the same everywhere."""
    made = Console(
        file=StringIO(),
        width=WIDTH,
        color_system=None,
        force_terminal=False,
        force_jupyter=False,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    )
    made.print(_drawn(thing))
    return made
