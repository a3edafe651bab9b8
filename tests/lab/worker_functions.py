"""Functions for the worker processes of the tests, in a module that they can import."""

from __future__ import annotations

import os
import signal

from pasch.core.errors import IllegalMove


def fatal(number: int) -> int:
    if number == 1:
        os._exit(3)
    return number


def wrong(number: int) -> int:
    if number == 1:
        raise ValueError("one is wrong")
    return number


def refused(number: int) -> int:
    raise IllegalMove("over", "the game {number} is over", number={number})


def asleep(number: int) -> int:
    while number:
        signal.pause()
    return number
