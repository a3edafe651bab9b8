"""Custom boxes: those of strangers are no larger than a printed one may be.

A table whose box is larger, because an older version has made it or it is on a device of one's own, stays as it is; no
values are built for it, and it has no rematch on a server.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

import msgspec

from pasch.core.components import Components, check_printed_bounds
from pasch.core.errors import ComponentError
from pasch.core.game import Game

#: bytes of a custom box, as JSON: real boxes have less than a quarter of it
MAX_BOX_BYTES: Final = 16 * 1024


def custom_box(game: Game[Any, Any]) -> Components | None:
    """The custom box of a game; None if it has the usual one."""
    box: Components | None = getattr(game.options, "components", None)
    return box


def check_box(box: Components) -> None:
    """Raise ComponentError, naming the place, if a box is larger than those of new tables."""
    check_size(box)
    check_printed_bounds(box)


def check_size(written: Any) -> None:
    """Raise ComponentError if a box, or the options of a table with it, has too many bytes."""
    if len(msgspec.json.encode(written)) > MAX_BOX_BYTES:
        raise ComponentError("the file", "a box of one's own has at most {most} bytes", most=MAX_BOX_BYTES)


def is_too_large(game: Game[Any, Any]) -> bool:
    """Whether a game has a custom box that is larger than those of new tables."""
    box = custom_box(game)
    try:
        if box is not None:
            check_box(box)
    except ComponentError:
        return True
    return False


@lru_cache(maxsize=64)
def box_hash(box: Components) -> str:
    """The name of a box, by which a client knows whether it has it."""
    return sha256(msgspec.json.encode(box)).hexdigest()[:16]
