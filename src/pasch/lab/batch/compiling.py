"""How the functions of the batch kernels are compiled.

All of them leave Python's lock alone. numba counts references to every array that passes through a
function, which in a loop as short as ours takes most of the time; functions that allocate nothing do not
need it. What a function calls is compiled like itself unless it says something else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from pasch.solve.compiled import compiled

P = ParamSpec("P")
R = TypeVar("R")


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Small and called all the time: put it into whoever calls it. It may not allocate."""
    return compiled(nogil=True, forceinline=True, _nrt=False)(function)


def bare(function: Callable[P, R]) -> Callable[P, R]:
    """A function that allocates nothing."""
    return compiled(nogil=True, _nrt=False)(function)


def roomy(function: Callable[P, R]) -> Callable[P, R]:
    """A function that may allocate."""
    return compiled(nogil=True, _nrt=True)(function)
