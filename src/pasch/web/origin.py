"""Origins of servers and sites, as people write them."""

from __future__ import annotations

import re
from typing import Final

from pasch.core.errors import PaschError

_ORIGIN: Final = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?")
#: ports that browsers leave out
_USUAL: Final = re.compile(r"(?<=^http)(://.*):80$|(?<=^https)(://.*):443$")


class BadOrigin(PaschError):
    """Not the origin of a server or site."""


def read_origin(written: str) -> str:
    """The origin as browsers write it."""
    origin = _USUAL.sub(r"\1\2", written.rstrip("/").lower())
    if not _ORIGIN.fullmatch(origin):
        raise BadOrigin("{written}: write it as https://pasch.example", written=written)
    return origin
