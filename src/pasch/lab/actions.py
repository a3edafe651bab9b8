"""Action numbers: one for every move that can ever occur in a game as agreed.

The list is the same for all seats and positions; which actions are legal depends on the position. Other
options may give another list.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from pasch.core.errors import IllegalMove
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import State

Mask = npt.NDArray[np.int8]


class Actions:
    """All moves of a game, numbered from 0."""

    def __init__(self, game: Game[Any, Any]) -> None:
        every = tuple(every_move(game))
        self._moves = tuple(
            tuple(msgspec.structs.replace(move, seat=seat) for move in every)
            for seat in range(game.players)
        )
        self._numbers = tuple({move: number for number, move in enumerate(own)} for own in self._moves)
        if len(self._numbers[0]) < len(every):
            raise TypeError(
                f"{game.id}: a move belongs to two phases with different moves; list all moves in both"
            )

    def __len__(self) -> int:
        return len(self._moves[0])

    def move(self, number: int, seat: int) -> Event:
        """The move with this number when `seat` makes it."""
        if not 0 <= number < len(self):
            raise IllegalMove("number", "there is no move number {number}", number=number)
        return self._moves[seat][number]

    def number(self, move: Event) -> int:
        """The number of a move, whoever makes it."""
        seat = -1 if move.seat is None else move.seat
        found = self._numbers[seat].get(move) if 0 <= seat < len(self._numbers) else None
        if found is None:
            raise IllegalMove("number", "this is no move of the game: {move}", move=move.json())
        return found

    def legal(self, state: State) -> list[int]:
        """The numbers of the legal moves, ascending; empty when it is nobody's turn."""
        if state.actor < 0:
            return []
        numbers = self._numbers[state.actor]
        return sorted([numbers[move] for move in state.moves()])

    def mask(self, state: State, seat: int | None = None) -> Mask:
        """A one for each legal move; with `seat` only if it is the turn of this seat."""
        mask = np.zeros(len(self), np.int8)
        if seat is None or seat == state.actor:
            mask[self.legal(state)] = 1
        return mask


def every_move(game: Game[Any, Any]) -> Iterator[Event]:
    """Every move that can ever occur, as seat 0 makes it: phase after phase, each with its codes in order."""
    number = 0
    for phase, moves in game.choices.items():
        if game.action_offsets[phase] == number:
            yield from moves.of_seat(0)[0]
            number += len(moves.values)


def phase_offsets(game: Game[Any, Any]) -> NDArray[np.int64]:
    """By phase the number of its first action."""
    return np.array([game.action_offsets.get(phase, 0) for phase in game.phases], np.int64)


@cache
def actions(game: Game[Any, Any]) -> Actions:
    """The moves of a game as agreed; made once."""
    return Actions(game)
