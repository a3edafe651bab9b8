"""Ages and sizes as people write them: `90d`, `10GB`."""

from __future__ import annotations

import re
from typing import Final

from pasch.core.errors import PaschError

_SECONDS: Final = {"h": 3600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400}
_BYTES: Final = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
#: a hundred years, and a thousand terabytes: whoever writes more has made a mistake
_MOST_SECONDS: Final = 100 * _SECONDS["y"]
_MOST_BYTES: Final = 10**15


class AmountError(PaschError):
    """This is no age or size."""


def read_age(written: str) -> int:
    """The seconds of an age such as `12h`, `90d`, `2w` or `1y`; AmountError if it is none."""
    found = re.fullmatch(r"(\d{1,9})([hdwy])", written.strip(), re.ASCII)
    seconds = int(found[1]) * _SECONDS[found[2]] if found else 0
    if not 0 < seconds <= _MOST_SECONDS:
        raise AmountError(
            "{got!r} is no age; write hours, days, weeks or years as in 12h, 90d, 2w, 1y", got=written
        )
    return seconds


def read_size(written: str) -> int:
    """The bytes of a size such as `500MB` or `1.5GB`; AmountError if it is none."""
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,3})?) ?(KB|MB|GB|TB)", written.strip().upper(), re.ASCII)
    size = round(float(found[1]) * _BYTES[found[2]]) if found else 0
    if not 0 < size <= _MOST_BYTES:
        raise AmountError("{got!r} is no size; write as in 500MB, 10GB, 2TB", got=written)
    return size


def write_size(size: int) -> str:
    """A number of bytes in the unit that suits it: `41.6 KB`."""
    for unit, factor in reversed(_BYTES.items()):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"
