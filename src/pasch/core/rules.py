"""Rule functions: how a game's rules are run plain, one state at a time, and compiled, millions of games at once.

A game's `rules.py` may write its rules as functions over `g`, what was agreed (a named tuple of numbers and tables,
`Game.agreed`), and `s`, the state as named numbers and short lists (`State.numbers`). They keep to the subset of
Python that numba compiles: whole numbers, loops, lists of fixed length, no objects. The friendly `State` calls
them; `pasch.lab.batch` compiles the very same functions. A game has all of these functions or none:

- `cases(g, s)`: how many equally likely cases the next step of chance has
- `chance(g, s, case)`: let chance bring this case; deals of cards go card by card, one case each
- `moves(g, s, out)`: write the codes of the legal moves and return how many there are
- `most_moves(g)`: never more than so many
- `move(g, s, code)`: make a legal move
- `scores(g, s, out)`: write each seat's score
- `winners(g, s, scores, out)`: say of each seat whether it has won; by default whoever has the highest score

`s.actor` is a seat, CHANCE or OVER as in `State.actor`. Lists as long as the number of players are by seat.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from pasch.core.game import Game


class RuleFunctions(NamedTuple):
    """The rule functions of a game."""

    cases: Callable[[Any, Any], int]
    chance: Callable[[Any, Any, int], None]
    moves: Callable[[Any, Any, Any], int]
    move: Callable[[Any, Any, int], None]
    scores: Callable[[Any, Any, Any], None]
    winners: Callable[[Any, Any, Any, Any], None] | None = None
    #: of games that are not declared
    most_moves: Callable[[Any], int] | None = None


@cache
def rule_functions(game: type[Game[Any, Any]]) -> RuleFunctions | None:
    """The rule functions of a declared game, or those that stand beside a game's class; None if it has none."""
    if game.phases:
        return game.rule_functions()
    module = sys.modules[game.__module__]
    found: Any = {name: getattr(module, name, None) for name in RuleFunctions._fields}
    return RuleFunctions(**found) if found["cases"] and found["moves"] else None


def most_moves(game: Game[Any, Any]) -> int:
    """No position of a game has more legal moves; for room to write them."""
    if game.phases:
        return max(moves.most for moves in game.choices.values())
    functions = rule_functions(type(game))
    if functions is None or functions.most_moves is None:
        raise NotImplementedError
    return functions.most_moves(game.agreed)


Function = TypeVar("Function", bound=Callable[..., Any])


def apart(function: Function) -> Function:
    """Mark a function to be compiled by itself, and allow it to allocate memory.

    What it calls may do so, too. For what takes long to compile or needs room to think: players and values.
    """
    function.compiled_apart = True  # type: ignore[attr-defined]
    return function


def lean(function: Function) -> Function:
    """Mark a function to be compiled by itself and to allocate nothing, although whoever calls it may.

    For inner loops: where nothing can be allocated, no references to arrays are counted.
    """
    function.compiled_apart = False  # type: ignore[attr-defined]
    return function


def is_apart(function: Callable[..., Any]) -> bool:
    """Whether a function is compiled by itself: marked `apart` or `lean`."""
    return hasattr(function, "compiled_apart")


def may_allocate(function: Callable[..., Any]) -> bool:
    """Whether a function is marked `apart`."""
    return getattr(function, "compiled_apart", False)


def highest(numbers: Any, seats: int, out: Any) -> None:
    """Say of each seat whether none has a higher number."""
    best = numbers[0]
    for seat in range(1, seats):
        best = max(best, numbers[seat])
    for seat in range(seats):
        out[seat] = numbers[seat] == best
