"""How states and events print, draw and write themselves.

The core imports no drawing library: `pasch/__init__.py` says here which modules draw and write, and they are imported
when they are first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

#: the module that draws states and events as text, SVG and pixels: `pasch.terminal.drawing`
find_drawer: Callable[[], ModuleType]
#: the module that writes positions and events as one line: `pasch.core.notation`
find_writer: Callable[[], ModuleType]
