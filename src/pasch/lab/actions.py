"""Action numbers: one for every move that can occur in a configured game.

The list is the same for all seats and positions; which actions are legal depends on the position. Other
options may give another list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from pasch.core.errors import IllegalMove, OptionError
from pasch.core.events import Event, subsets
from pasch.core.game import Game
from pasch.core.state import State
from pasch.solve.valuer import valuer

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
        """The number of a move, for any seat."""
        seat = -1 if move.seat is None else move.seat
        found = self._numbers[seat].get(move) if 0 <= seat < len(self._numbers) else None
        if found is None:
            raise IllegalMove("number", "this is no move of the game: {move}", move=move.json())
        return found

    def legal(self, state: State) -> list[int]:
        """The numbers of the legal moves, ascending; empty when no seat is to move."""
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


def regrets(state: State, *, win: bool = False) -> NDArray[np.float64]:
    """By action what it gives away: the points, or chances to win, that it expects less than the best one.

    Infinite where an action is not legal. Values are those of `pasch.values`, exact or not as `pasch.value` says.
    """
    found = np.full(len(actions(state.game)), np.inf)
    if state.actor < 0:
        return found
    view, numbered = state.view(state.actor), actions(state.game)
    worths: Sequence[float | None]
    if win:
        worths = [entry.win for entry in valuer(state.game).moves(view)]
        if None in worths:
            raise OptionError("{title}: chances to win are not known", title=state.game.title)
    else:
        worths = valuer(state.game).move_points(view)
    values = np.array(worths, np.float64)
    found[[numbered.number(move) for move in view.moves()]] = values.max() - values
    return found


class ByDie:
    """Actions that choose a set of dice die by die, for any number of games at once.

    With k dice, action d adds die d to those picked, action k sets them aside, and the other moves follow in order.
    OptionError unless the game has exactly one choice of a set of named dice.
    """

    def __init__(self, game: Game[Any, Any]) -> None:
        sets = [phase for phase, moves in game.choices.items() if _is_subsets(moves.values)]
        if len(sets) != 1:
            raise OptionError("{title} has no choice of dice to be made die by die", title=game.title)
        first, count = game.action_offsets[sets[0]], len(game.choices[sets[0]].values)
        self.names: tuple[str, ...] = game.choices[sets[0]].values[-1]
        self.dice = len(self.names)
        self._sets = np.arange(first, first + count)
        self._others = np.setdiff1d(np.arange(len(actions(game))), self._sets)
        every = np.arange(count)
        #: by set: the sets that contain it
        self._above = every[None, :] & every[:, None] == every[:, None]
        self._bits = 1 << np.arange(self.dice)

    def __len__(self) -> int:
        return self.dice + 1 + len(self._others)

    def spread(self, flat: NDArray[Any], picked: NDArray[np.int64], missing: float) -> NDArray[Any]:
        """Numbers by action made of numbers by move, [game, move]: of a die the lowest that can still be reached.

        `missing` stands for moves that are not legal; it has to be higher than all others.
        """
        sets, more = flat[:, self._sets], picked[:, None] | self._bits
        reachable = np.where(self._above[more], sets[:, None, :], missing).min(axis=2)
        taken = (picked[:, None] & self._bits) > 0
        done = np.take_along_axis(sets, picked[:, None], axis=1)
        return np.concatenate([np.where(taken, missing, reachable), done, flat[:, self._others]], axis=1)

    def mask(self, legal: NDArray[Any], picked: NDArray[np.int64]) -> Mask:
        """A one for each legal action, [game, action], given those of the moves and the dice picked, a bit mask."""
        found: Mask = (self.spread(np.where(legal > 0, 0.0, 1.0), picked, 1.0) == 0).astype(np.int8)
        return found

    def choose(
        self, chosen: NDArray[np.int64], picked: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """By game the number of the move, -1 where a die is only picked, and the dice picked then."""
        adds = (chosen >= 0) & (chosen < self.dice)
        more = np.where(adds, picked | 1 << np.where(adds, chosen, 0), 0)
        tail = np.clip(chosen - self.dice - 1, 0, max(0, len(self._others) - 1))
        moves = np.where(chosen == self.dice, self._sets[picked], self._others[tail])
        return np.where(adds, -1, moves), more


def _is_subsets(values: tuple[Any, ...]) -> bool:
    """Whether the values of a choice are all sets of some names, each by its bit mask."""
    every = values[-1] if values else ()
    return (
        isinstance(every, tuple)
        and all(isinstance(name, str) for name in every)
        and values == subsets(every)
    )


@cache
def actions(game: Game[Any, Any]) -> Actions:
    """The moves of a configured game, cached."""
    return Actions(game)
