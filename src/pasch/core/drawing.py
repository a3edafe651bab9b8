"""How states and events print, draw and write themselves.

The core imports no drawing library: `pasch/__init__.py` says here who draws and who writes, and these modules are
imported when they are first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Drawer(Protocol):
    """Draws a state or an event; `pasch.terminal.drawing` is one."""

    def text(self, thing: Any) -> str:
        """The thing as lines of text without colours."""

    def svg(self, thing: Any) -> str:
        """The thing as an SVG picture."""

    def pixels(self, thing: Any) -> Any:
        """A state as an array of red, green and blue."""


#: set when the package is imported, so they are there before any state is
find_drawer: Callable[[], Drawer]
#: writes positions and events as one line: `pasch.core.notation`
find_writer: Callable[[], Any]
