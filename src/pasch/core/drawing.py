"""How states and events print and draw themselves.

The core imports no drawing library: `pasch/__init__.py` says here who draws, and that module is imported when something
is drawn for the first time.
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


#: set when the package is imported, so it is there before any state is
find_drawer: Callable[[], Drawer]
