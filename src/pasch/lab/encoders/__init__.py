"""How each game is turned into numbers: one module per game, named after it.

A module answers `moves(game)` (every move that can ever occur, as seat 0 would make it), `layout(game)` and
`encode(view, seat)` (what a seat sees, as numbers), `score_range(game)` and `most_moves(game)`. All of it
is read off the game module's own tables.

Whatever is told of each seat begins with the seat that looks and goes on clockwise, so that all seats see a
position alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple, Protocol, TypeVar, cast

from pasch.core.events import Event
from pasch.core.game import Game

T = TypeVar("T")

#: the faces of a die
FACES: Final = range(1, 7)


class Part(NamedTuple):
    """Some neighbouring numbers of an observation, all of one kind."""

    name: str
    size: int
    low: int
    high: int
    meaning: str


class Encoder(Protocol):
    """What a module in here answers."""

    def moves(self, game: Any) -> Iterator[Event]:
        """Every move that can ever occur in the game, with seat 0, each once."""

    def layout(self, game: Any) -> tuple[Part, ...]:
        """The parts of an observation, in order."""

    def encode(self, view: Any, seat: int) -> Iterable[int]:
        """The numbers of an observation; `view` is what `seat` may know."""

    def score_range(self, game: Any) -> tuple[int, int]:
        """Numbers between which every score lies, at any time."""

    def most_moves(self, game: Any) -> int | None:
        """The most moves that a game can have; None if there is no limit."""


@cache
def encoder(game: str) -> Encoder:
    """The encoder of a game; only its own module is imported."""
    return cast(Encoder, import_module(f"{__name__}.{game}"))


def turned(things: Sequence[T], seat: int) -> Sequence[T]:
    """What is told by seat, beginning with `seat`."""
    return (*things[seat:], *things[:seat])


def bits(mask: int, size: int) -> list[int]:
    """A bit mask as ones and zeros, the lowest bit first."""
    return [mask >> bit & 1 for bit in range(size)]


def counts(roll: Sequence[int], kinds: Iterable[int] = FACES) -> list[int]:
    """How many dice show 1, 2 ... 6, or how many cards of each kind there are."""
    return [roll.count(kind) for kind in kinds]


def one_hot(chosen: object, choices: Iterable[object]) -> list[int]:
    """A one where the chosen thing stands."""
    return [int(choice == chosen) for choice in choices]


def turn(view: Any, seat: int) -> Sequence[int]:
    """A one for the seat whose turn it is, dice or cards included; none when the game is over."""
    now = None if view.over else view.seat
    return turned(one_hot(now, range(view.game.players)), seat)


def phase_part(phases: Sequence[str]) -> Part:
    """One number for each phase."""
    return Part("phase", len(phases), 0, 1, f"what comes next, one of: {', '.join(phases)}")


def turn_part(game: Game[Any, Any]) -> Part:
    """One number for each seat."""
    return Part("turn", game.players, 0, 1, "by seat: whose turn it is")


DICE_PART: Final = "how many dice on the table show 1, 2 … 6"
