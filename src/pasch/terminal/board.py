"""What a game's board module offers, and how it is found."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.state import State

if TYPE_CHECKING:
    from rich.console import RenderableType


class Board(Protocol):
    """A module of `pasch.terminal.boards`."""

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
    try:
        return cast(Board, import_module(f"pasch.terminal.boards.{game}"))
    except ModuleNotFoundError as error:
        if error.name != f"pasch.terminal.boards.{game}":
            raise
        raise PaschError("{game} has no board for the terminal", game=game) from None
