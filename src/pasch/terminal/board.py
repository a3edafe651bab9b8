"""The interface of a game's terminal board, its loader, and results in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Protocol, cast

from pasch.core.events import Event
from pasch.core.registry import find_part
from pasch.core.state import State
from pasch.terminal import plain_board
from pasch.terminal.language import shown, t, tn
from pasch.terminal.words import seat_name

if TYPE_CHECKING:
    from rich.console import RenderableType


class Board(Protocol):
    """What `terminal.py` of a game may offer; `pasch.terminal.plain_board` does what it lacks."""

    def draw(self, state: State) -> RenderableType:
        """All seats' boards and what lies on the table."""

    def tell(self, state: State, event: Event) -> str:
        """The event in words; `state` is the one before it."""

    def heading(self, move: Event) -> str:
        """The group under which the move is listed."""

    def label(self, state: State, move: Event) -> str:
        """The move, short."""

    def prompt(self, state: State) -> str:
        """What to type for the dice or cards awaited."""

    def read_outcome(self, state: State, text: str) -> Event:
        """The dice or cards that were typed."""


def find_board(game: str) -> Board:
    """The board of the game with this id."""
    own = find_part(game, "terminal")
    names = (name for name in vars(Board) if not name.startswith("_"))
    return cast(Board, SimpleNamespace(**{n: getattr(own, n, getattr(plain_board, n)) for n in names}))


def scores_line(state: State) -> str:
    """All scores in one line."""
    return ", ".join(f"{seat_name(seat)} {shown(score)}" for seat, score in enumerate(state.scores()))


def result_line(state: State) -> str:
    """The sentence that names the winners, or the result of a solitary game."""
    scores = state.scores()
    if len(scores) == 1:
        return tn("{n} point.", "{n} points.", scores[0])
    winners = [seat_name(seat) for seat in state.winners()]
    if len(winners) == 1:
        return t("{name} wins.", name=winners[0])
    return t("{names} share the win.", names=winners)
