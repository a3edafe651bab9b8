"""States and events as text without colours, and as SVG: what `str` and notebooks show."""

from __future__ import annotations

from html import escape
from io import StringIO
from math import ceil
from typing import Final

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from rich.text import Text

from pasch.core.events import Event
from pasch.core.state import State
from pasch.terminal.board import find_board
from pasch.terminal.plain_board import event_words

#: the columns of a text at most
WIDTH: Final = 120
#: the width of a column of the picture, in pixels
COLUMN: Final = 8.5

#: dark on light paper, so that it can be read on pages of any colour; no font is fetched from anywhere
_SVG: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" width="%(width)d" viewBox="0 0 {width} {height}" role="img">
<style>.{unique_id}-matrix {{ font: {char_height}px monospace }} {styles}</style>
<defs>{lines}</defs>
<rect width="{width}" height="{height}" rx="8" fill="#ffffff"/>
<text x="9" y="27" font-family="sans-serif" font-size="18" font-weight="bold">%(title)s</text>
<g transform="translate({terminal_x}, {terminal_y})">{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


def text(thing: State | Event) -> str:
    """A state as its game's board in the terminal, an event as the usual board tells it."""
    drawn = _console(thing, colours=False).file
    assert isinstance(drawn, StringIO)
    return "\n".join(line.rstrip() for line in drawn.getvalue().splitlines()).strip("\n")


def svg(thing: State | Event) -> str:
    """The same with colours, under the game's title or the event's name."""
    title = thing.game.title if isinstance(thing, State) else type(thing).__name__
    drawn = _console(thing, colours=True)
    # what is empty on the right is cut off
    drawn.width = max(map(cell_len, [*text(thing).splitlines(), title]))
    filled = {
        "width": ceil(drawn.width * COLUMN),
        "title": escape(title).replace("{", "{{").replace("}", "}}"),
    }
    return drawn.export_svg(title="", theme=DEFAULT_TERMINAL_THEME, code_format=_SVG % filled)


def _drawn(thing: State | Event) -> RenderableType:
    if isinstance(thing, State):
        return find_board(thing.game.id).draw(thing)
    # a game's own board would have to know the state before it
    return Text(event_words(thing))


def _console(thing: State | Event, *, colours: bool) -> Console:
    """A console in memory on which the thing has been drawn; it looks the same everywhere."""
    made = Console(
        file=StringIO(),
        width=WIDTH,
        color_system="truecolor" if colours else None,
        force_terminal=colours,
        force_jupyter=False,
        legacy_windows=False,
        record=colours,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    )
    made.print(_drawn(thing))
    return made
