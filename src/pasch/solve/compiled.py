"""Compiled functions: numba's decorator, with types that the checker understands.

Only kernel modules import this, and those only when values are asked for, so that nobody waits for a
compiler at the door.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def compiled(**options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile a function on its first call and keep the machine code for the next process."""
    return cast(Callable[[Callable[P, R]], Callable[P, R]], numba.njit(cache=True, **options))
