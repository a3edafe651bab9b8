"""Rule functions: the rules of a game, run as plain Python for one state or compiled for millions of games.

A game's `rules.py` writes its rules as functions over `g`, its config (a named tuple of numbers and tables,
`Game.config`), and `s`, a position as named numbers and rows (`State.unpack`). They keep to the subset of Python that
numba compiles: whole numbers, loops, rows of fixed length, no objects. A position calls them; `pasch.lab.batch`
compiles the very same functions. `s.actor` is a seat, CHANCE or OVER as in `State.actor`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, reduce
from operator import or_
from typing import Any, Final, NamedTuple, TypeVar, overload

#: values and chances that differ by no more are equal. Tables of large games keep numbers in single precision, so that
#: equal moves may differ by nearly as much, and smaller differences do not matter. (A solver compares its
#: own doubles more closely.)
EQUAL: Final = 1e-6


class RuleFunctions(NamedTuple):
    """The rule functions of a game for all phases, derived from its declaration."""

    #: the number of equally likely cases of the next chance event
    cases: Callable[[Any, Any], int]
    #: let chance bring this case; deals of cards go card by card, one case each
    chance: Callable[[Any, Any, int], None]
    #: write the codes of the legal moves and return their number
    moves: Callable[[Any, Any, Any], int]
    #: make a legal move
    move: Callable[[Any, Any, int], None]
    #: write each seat's score
    scores: Callable[[Any, Any, Any], None]
    #: write whether each seat has won, given the scores; None: the highest score wins
    winners: Callable[[Any, Any, Any, Any], None] | None = None


Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(*, allocates: bool) -> Callable[[Function], Function]: ...
def kernel(function: Any = None, *, allocates: bool = False) -> Any:
    """Mark a function to be compiled separately, as `@kernel` or `@kernel(allocates=True)`.

    One that allocates memory, and all it calls, may use buffers: for code that compiles slowly, players and values. One
    that does not is for inner loops, although its callers may allocate: numba skips reference counting of arrays.
    """
    if function is None:
        return partial(kernel, allocates=allocates)
    function.kernel_allocates = allocates
    return function


def kernel_allocates(function: Callable[..., Any]) -> bool | None:
    """Whether a kernel may allocate memory; None for a function that is not compiled separately."""
    return getattr(function, "kernel_allocates", None)


def highest(numbers: Any, seats: int, out: Any) -> None:
    """Write for each seat whether its number is the highest."""
    best = numbers[0]
    for seat in range(1, seats):
        best = max(best, numbers[seat])
    for seat in range(seats):
        out[seat] = numbers[seat] == best


def mask_of(numbers: Iterable[int]) -> int:
    """A set of numbers from 1 up as a bit mask: number n is bit n - 1."""
    return reduce(or_, [1 << number - 1 for number in numbers], 0)


def members(mask: int) -> tuple[int, ...]:
    """The numbers of a bit mask, ascending."""
    return tuple([bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1])


def count_bits(mask: int) -> int:
    """The number of bits set in a mask."""
    found = 0
    while mask:
        mask &= mask - 1
        found += 1
    return found
