"""States and events as text without colours, and as pictures: what `str` and notebooks show."""

from __future__ import annotations

from io import StringIO
from typing import Final

from rich.console import Console
from rich.text import Text

from pasch.core.events import Event
from pasch.core.state import State
from pasch.terminal.board import find_board
from pasch.terminal.picture import line, picture, pixels, to_svg
from pasch.terminal.plain_board import event_words

__all__ = ["pixels", "svg", "text"]

#: the columns of a text at most
WIDTH: Final = 120


def text(thing: State | Event) -> str:
    """A state as its game's board in the terminal, an event as the usual board tells it; the same everywhere."""
    drawn = StringIO()
    screen = Console(
        file=drawn,
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
    # a game's own board would have to know the state before an event
    board = find_board(thing.game.id).draw(thing) if isinstance(thing, State) else Text(event_words(thing))
    screen.print(board)
    return "\n".join(row.rstrip() for row in drawn.getvalue().splitlines()).strip("\n")


def svg(thing: State | Event) -> str:
    """A state as a picture of its position, an event as a line of text."""
    words = text(thing)
    return to_svg(picture(thing) if isinstance(thing, State) else line(type(thing).__name__, words), words)
