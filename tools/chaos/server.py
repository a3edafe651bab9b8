"""`pasch serve` whose clocks jump when it is told to; run as `python -m tools.chaos.server serve …`.

SIGUSR1 turns the clock of the wall forwards or back, as a time server or a client may do. SIGUSR2 lets the
steady clock jump ahead, as it does when a machine was asleep; back it never goes anywhere.
"""

from __future__ import annotations

import itertools
import signal
import sys
import time
from types import FrameType

#: in seconds: an hour back, a day on, three years back …
JUMPS = itertools.cycle((-3600.0, 86_400.0, -94_608_000.0, 5.0, 94_608_000.0, -7.0))
#: how long the machine was asleep, in seconds
NAP = 600.0

_wall, _steady = time.time, time.monotonic
_offset = {"wall": 0.0, "steady": 0.0}


def _jump(sign: int, frame: FrameType | None) -> None:
    if sign == signal.SIGUSR1:
        _offset["wall"] += next(JUMPS)
    else:
        _offset["steady"] += NAP


def main() -> None:
    # before anything else is imported, so that nobody has kept the true ones
    time.time = lambda: _wall() + _offset["wall"]
    time.monotonic = lambda: _steady() + _offset["steady"]
    signal.signal(signal.SIGUSR1, _jump)
    signal.signal(signal.SIGUSR2, _jump)
    from pasch.cli import main as pasch

    pasch(sys.argv[1:])


if __name__ == "__main__":
    main()
