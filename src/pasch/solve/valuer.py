"""What every game's values have in common.

A game's values live in the module `pasch.solve.<id>` as a class named `Values`. Two currencies occur:
*points* (the expected final score of a seat) and *chances* (to be among the winners). Points of turns add
up, so the primitive of most games is the expected points of the turn under way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module, util
from typing import Any

import msgspec

from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import State

#: told how far a long computation has come, from 0 to 1, and in which step
Report = Callable[[float, str], None]


def silent(done: float, step: str) -> None:
    """A report that nobody reads."""


class NoValues(PaschError):
    """Pasch does not know what the positions of this game are worth."""


class Exact(msgspec.Struct, frozen=True):
    """Which of a position's numbers are exact (to floating-point rounding)."""

    turn: bool = False
    value: bool = False
    win: bool = False


class Worth(msgspec.Struct, frozen=True):
    """What a position is worth."""

    #: expected points of the turn under way of the seat concerned (lines: of its round; crowns: the
    #: points still to come), None between turns that are nobody's
    turn: float | None
    #: expected final score per seat
    value: tuple[float, ...] | None
    #: chance to be among the winners per seat
    win: tuple[float, ...] | None
    exact: Exact
    #: standard error of an estimate, in points
    error: float | None = None


class MoveWorth(msgspec.Struct, frozen=True):
    """What a move is worth to the seat that makes it."""

    move: Event
    #: expected points of the turn after this move
    turn: float | None
    #: the seat's expected final score after this move
    value: float | None
    #: the seat's chance to be among the winners after this move
    win: float | None


class Valuer(ABC):
    """The values of one game as agreed. Cheap to make; tables are opened or built by `prepare`."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game

    @property
    @abstractmethod
    def ready(self) -> bool:
        """Whether everything the points need is at hand, so that an answer takes no long computation."""

    @abstractmethod
    def prepare(self, report: Report = silent) -> None:
        """Open the tables, or build and keep them. Every answer does this first if need be."""

    @property
    def chances_ready(self) -> bool:
        """Whether the chances to win, too, can be told without a long computation."""
        return self.ready

    def prepare_points(self, report: Report = silent) -> None:
        """As `prepare`, but only what points need, where winning chances have tables of their own."""
        self.prepare(report)

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that points come from; each name ends in the hash of what its numbers follow from."""
        return ()

    @abstractmethod
    def points(self, state: State) -> tuple[float, ...]:
        """Each seat's expected final score: the ledger's currency.

        Before a decision it is that of the best move; at the end it is the score. For luck to average
        zero it has to be the exact mean before every chance event.
        """

    @abstractmethod
    def move_points(self, state: State) -> tuple[float, ...]:
        """For each of `state.moves()` the mover's expected final score after it."""

    def stakes(self, state: State, event: Event) -> tuple[float, ...]:
        """The expectation that begins to count for each seat with this event.

        Not zero only where nobody can say beforehand how many rounds there will be (lines): there a
        round's expectation is counted from its beginning.
        """
        return (0.0,) * self.game.players

    @abstractmethod
    def worth(self, state: State) -> Worth:
        """All that is known of a position."""

    @abstractmethod
    def moves(self, state: State) -> tuple[MoveWorth, ...]:
        """Each of `state.moves()` with all that is known of it."""

    @property
    @abstractmethod
    def exact(self) -> Exact:
        """Which of the answers are exact at the start of a game; `Worth.exact` is more precise."""


def has_values(game: str) -> bool:
    """Whether somebody has written values for the game with this id."""
    return util.find_spec(f"pasch.solve.{game}") is not None


@lru_cache(maxsize=64)
def valuer(game: Game[Any, Any]) -> Valuer:
    """The values of this game; the same object for equal games."""
    if not has_values(game.id):
        raise NoValues("Pasch does not know the values of {title}", title=game.title)
    module = import_module(f"pasch.solve.{game.id}")
    made: Valuer = module.Values(game)
    return made
