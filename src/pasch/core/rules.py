"""Rule functions: how a game's rules are run plain, one state at a time, and compiled, millions of games at once.

A game's `rules.py` writes its rules as functions over `g`, its config (a named tuple of numbers and tables,
`Game.config`), and `s`, a position as named numbers and rows (`State.unpack`). They keep to the subset of Python that
numba compiles: whole numbers, loops, rows of fixed length, no objects. A position calls them; `pasch.lab.batch`
compiles the very same functions. `s.actor` is a seat, CHANCE or OVER as in `State.actor`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

#: values and chances that differ by no more are equal. Tables of large games keep numbers in single precision, so that
#: equal moves may differ by nearly as much, and smaller differences do not matter. (A solver compares its
#: own doubles more closely.)
EQUAL: Final = 1e-6


class RuleFunctions(NamedTuple):
    """The rule functions of a game, whatever its phase; they follow from what it declares."""

    #: how many equally likely cases the next step of chance has
    cases: Callable[[Any, Any], int]
    #: let chance bring this case; deals of cards go card by card, one case each
    chance: Callable[[Any, Any, int], None]
    #: write the codes of the legal moves and return how many there are
    moves: Callable[[Any, Any, Any], int]
    #: make a legal move
    move: Callable[[Any, Any, int], None]
    #: write each seat's score
    scores: Callable[[Any, Any, Any], None]
    #: write whether each seat has won, given the scores; None: the highest score wins
    winners: Callable[[Any, Any, Any, Any], None] | None = None


Function = TypeVar("Function", bound=Callable[..., Any])


def apart(function: Function) -> Function:
    """Mark a function to be compiled separately, and allow it to allocate memory.

    Functions it calls may allocate, too. For code that compiles slowly or needs buffers: players and values.
    """
    function.compiled_apart = True  # type: ignore[attr-defined]
    return function


def lean(function: Function) -> Function:
    """Mark a function to be compiled separately without allocating memory, although its callers may allocate.

    For inner loops: without allocation, numba skips reference counting of arrays.
    """
    function.compiled_apart = False  # type: ignore[attr-defined]
    return function


def is_apart(function: Callable[..., Any]) -> bool:
    """Whether a function is compiled separately: marked `apart` or `lean`."""
    return hasattr(function, "compiled_apart")


def may_allocate(function: Callable[..., Any]) -> bool:
    """Whether a function is marked `apart`."""
    return getattr(function, "compiled_apart", False)


def highest(numbers: Any, seats: int, out: Any) -> None:
    """Write for each seat whether its number is the highest."""
    best = numbers[0]
    for seat in range(1, seats):
        best = max(best, numbers[seat])
    for seat in range(seats):
        out[seat] = numbers[seat] == best


def count_bits(mask: int) -> int:
    """The number of bits set in a mask."""
    found = 0
    while mask:
        mask &= mask - 1
        found += 1
    return found
