"""A game as numbers: actions and observations, derived from the declaration.

An action number stands for every move that can occur in a configured game. The list is the same for all seats and
positions; which actions are legal depends on the position. Other options may give another list.

An observation is what a seat knows of a position (`State.view` decides that), as a vector of fixed length. The numbers
are small whole numbers, not scaled; `layout` gives their meaning and `bounds` their range. All fields of a record
(`pasch.solve.records`) are whole numbers of 64 bits, so a batch of records is a matrix of them: no game writes an
encoding, and nothing is compiled. Values by seat begin with the observing seat and continue clockwise, so that all
seats see a position alike.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pasch.core.errors import IllegalMove, OptionError
from pasch.core.events import Event, subsets
from pasch.core.game import Game
from pasch.core.nodes import Moves
from pasch.core.position import UNBOUNDED, Field, RollNumber, UpTo, position_fields, set_size, size_in
from pasch.core.rolls import ROLLS
from pasch.core.state import OVER, State
from pasch.solve.records import record_of, record_type
from pasch.solve.valuer import valuer

Mask = NDArray[np.int8]
Ints = NDArray[np.int64]
Vector = NDArray[np.float32]
#: writes the numbers of a part: from the matrix of records and the seat that looks
Write = Callable[[Ints, int], Any]

#: by number of a roll: the number of dice that show 1, 2 … 6
_FACES: Final = np.array([[roll.count(face) for face in range(1, 7)] for roll in ROLLS])


class Actions:
    """All moves of a game, numbered from 0: a move's number is the first of its phase plus its code."""

    def __init__(self, game: Game[Any, Any]) -> None:
        #: by phase the number of its first move; phases with the same moves share their numbers
        self.first: dict[str, int] = {}
        self._choices: dict[int, Moves] = {}
        self._size, known = 0, dict[Any, int]()
        for phase, moves in game.choices.items():
            self.first[phase] = known.setdefault((moves.node.events, moves.values), self._size)
            if self.first[phase] == self._size:
                self._choices[self._size] = moves
                self._size += len(moves.values)
        self._seats = range(game.players)
        every = [move for moves in self._choices.values() for move in moves.of_seat[0][0]]
        if len({*every}) < len(every):
            raise TypeError(
                f"{game.id}: a move belongs to two phases with different moves; list all moves in both"
            )

    def __len__(self) -> int:
        return self._size

    def move(self, number: int, seat: int) -> Event:
        """The move with this number when `seat` makes it."""
        if 0 <= number < self._size:
            first = max(first for first in self._choices if first <= number)
            return self._choices[first].of_seat[seat][0][number - first]
        raise IllegalMove("number", "there is no move number {number}", number=number)

    def number(self, move: Event) -> int:
        """The number of a move, for any seat."""
        for first, moves in self._choices.items() if move.seat in self._seats else ():
            code = moves.of_seat[move.seat or 0][1].get(move)
            if code is not None:
                return first + code
        raise IllegalMove("number", "this is no move of the game: {move}", move=move.json())

    def legal(self, state: State) -> list[int]:
        """The numbers of the legal moves, ascending; empty when no seat is to move."""
        return sorted([self.first[state.phase] + code for code in state.codes()])

    def mask(self, state: State, seat: int | None = None) -> Mask:
        """A one for each legal move; with `seat` only if it is the turn of this seat."""
        mask = np.zeros(len(self), np.int8)
        if seat is None or seat == state.actor:
            mask[self.legal(state)] = 1
        return mask


def regrets(state: State, *, win: bool = False) -> NDArray[np.float64]:
    """By action what it gives away: the points, or chances to win, that it expects less than the best one.

    Infinite where an action is not legal. Values are those of `pasch.values`, exact or not as in `pasch.value`.
    """
    found = np.full(len(actions(state.game)), np.inf)
    if state.actor >= 0:
        view, known = state.view(state.actor), valuer(state.game)
        move_values = [entry.win for entry in known.moves(view)] if win else known.move_points(view)
        if None in move_values:
            raise OptionError("{title}: chances to win are not known", title=state.game.title)
        values = np.array(move_values, np.float64)
        found[[actions(state.game).number(move) for move in view.moves()]] = values.max() - values
    return found


class ByDie:
    """Actions that choose a set of dice die by die.

    With k dice, action d adds die d to those picked, action k sets them aside, and the other moves follow in order.
    OptionError unless the game has exactly one choice of a set of named dice.
    """

    def __init__(self, game: Game[Any, Any]) -> None:
        sets = [phase for phase, moves in game.choices.items() if _is_subsets(moves.values)]
        if len(sets) != 1:
            raise OptionError("{title} has no choice of dice to be made die by die", title=game.title)
        first, values = actions(game).first[sets[0]], game.choices[sets[0]].values
        self.dice = len(values[-1])
        #: the numbers of the moves: sets by their bit masks, and all others
        self._sets = np.arange(first, first + len(values))
        self._others = np.setdiff1d(np.arange(len(actions(game))), self._sets)

    def __len__(self) -> int:
        return self.dice + 1 + len(self._others)

    def spread(self, flat: NDArray[Any], picked: int, missing: float) -> NDArray[Any]:
        """Numbers by action made of numbers by move: of a die the lowest that can still be reached.

        `picked` are the dice picked so far, a bit mask. `missing` stands for moves that are not legal; it has to be
        higher than all others.
        """
        sets, masks = flat[self._sets], np.arange(len(self._sets))
        more = [picked | 1 << die for die in range(self.dice)]
        reachable = [missing if mask == picked else sets[masks & mask == mask].min() for mask in more]
        return np.array([*reachable, sets[picked], *flat[self._others]])

    def mask(self, legal: Mask, picked: int) -> Mask:
        """A one for each legal action, given those of the moves."""
        found: Mask = (self.spread(np.where(legal > 0, 0.0, 1.0), picked, 1.0) == 0).astype(np.int8)
        return found

    def observe(self, seen: Vector, picked: int) -> Vector:
        """An observation with the dice picked at its end, a one for each."""
        return np.append(seen, picked >> np.arange(self.dice) & 1).astype(np.float32)

    def choose(self, action: int, picked: int) -> tuple[int | None, int]:
        """The number of the move, None if a die is only picked; and the dice picked then."""
        if action < self.dice:
            return None, picked | 1 << action
        return int(self._sets[picked] if action == self.dice else self._others[action - self.dice - 1]), 0


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


# --- observations ---------------------------------------------------------------------------------


class ObservationPart(NamedTuple):
    """Some neighbouring numbers of an observation, all of one kind."""

    name: str
    size: int
    low: int
    high: int
    meaning: str


@cache
def parts(game: Game[Any, Any]) -> tuple[tuple[ObservationPart, Write], ...]:
    """The parts of an observation, in the order of the declaration, each with what writes it."""
    every = (part for field in position_fields(game.Position) for part in _field_parts(game, field))
    return tuple((ObservationPart(*described), write) for *described, write in every)


def observe_records(game: Game[Any, Any], records: NDArray[Any], seat: int) -> NDArray[np.float32]:
    """What a seat sees in each of the positions, one row each; records hold what it may know."""
    flat = np.ascontiguousarray(records).view(np.int64).reshape(len(records), -1)
    seen = np.concatenate([write(flat, seat) for _, write in parts(game)], axis=1, dtype=np.float32)
    # clip unbounded counts
    return np.clip(seen, *bounds(game), out=seen)


@cache
def bounds(game: Game[Any, Any]) -> tuple[Vector, Vector]:
    """The lowest and the highest value of each number of an observation."""
    every = layout(game)
    sizes = [part.size for part in every]
    low = np.repeat(np.array([part.low for part in every], np.float32), sizes)
    high = np.repeat(np.array([part.high for part in every], np.float32), sizes)
    low.flags.writeable = high.flags.writeable = False
    return low, high


def layout(game: Game[Any, Any]) -> tuple[ObservationPart, ...]:
    """The parts of an observation, in order.

    Values by seat begin with the observing seat and continue clockwise.
    """
    return tuple(part for part, _ in parts(game))


def observe(state: State, seat: int) -> Vector:
    """What `seat` knows of a position."""
    if not isinstance(seat, int | np.integer):
        raise OptionError("seat: expected a whole number, got {got!r}", got=seat)
    return observe_view(state.view(seat), seat)


def observe_view(view: State, seat: int) -> Vector:
    """The observation of `seat`; `view` is what it may know."""
    record = np.array([record_of(view)], record_type(view.game))
    return observe_records(view.game, record, seat).reshape(-1)


def score_range(game: Game[Any, Any]) -> tuple[int, int]:
    """Numbers between which every score lies, as far as the declaration says."""
    for field in game.Position.fields:
        if field.name == type(game).scores:
            return _bounds(game, field.mark)
    return -UNBOUNDED, UNBOUNDED


def _field_parts(game: Game[Any, Any], field: Field) -> list[Any]:
    """The parts of a field: name, size, bounds, meaning, and what writes it."""
    name, mark, columns = field.name, field.mark, _columns(game, field.name)
    if name == "seat":
        return [_turn(game, columns)]
    if field.words:
        size, said = len(field.words), f"one of: {', '.join(field.words)}"
        return [(name, size, 0, 1, said, lambda flat, seat: flat[:, columns] == np.arange(size))]
    if isinstance(mark, RollNumber):
        said = "how many dice on the table show 1, 2 … 6"
        return [(name, 6, 0, 6, said, lambda flat, seat: _FACES[flat[:, columns][:, 0]])]
    if isinstance(mark, UpTo):
        return _up_to(game, name, mark, columns)
    # numbers and sets, one or in rows and tables; those by seat begin with the observing seat
    shape, stored, bits = field.shape(game), field.shape(game, game.seats[-1]), set_size(field, game)
    if shape:
        said = "by seat" if field.by_seat else "in their order"
        said += ": whether each is in the set" if bits else ""
    else:
        said = "a set: whether each is in it" if bits else "whether it is so" if field.truth else "a number"

    def write(flat: Ints, seat: int) -> Any:
        held = flat[:, columns].reshape(len(flat), *stored)
        if field.by_seat:
            # a record has room for more seats than play
            held = np.roll(held[:, : shape[0]], -seat, axis=1)
        if bits:  # ones and zeros, the lowest bit first
            held = held[..., None] >> np.arange(bits) & 1
        return held.reshape(len(flat), -1)

    low, high = (0, 1) if bits else _bounds(game, mark)
    return [(name, prod(shape) * (bits or 1), low, high, said, write)]


def _turn(game: Game[Any, Any], columns: slice) -> Any:
    actor = _columns(game, "actor")

    def write(flat: Ints, seat: int) -> Any:
        turn = (flat[:, columns] - seat) % game.players == np.arange(game.players)
        return turn & (flat[:, actor] != OVER)

    return "seat", game.players, 0, 1, "by seat: whose turn it is", write


def _up_to(game: Game[Any, Any], name: str, mark: UpTo, columns: slice) -> list[Any]:
    size, kinds = size_in(game.config, mark.size), size_in(game.config, mark.kinds)
    number, seats = _columns(game, mark.count), mark.kinds == "players"
    said = f"how many entries {name} has"
    count = mark.count, 1, 0, size, said, lambda flat, seat: flat[:, number]
    if not kinds:
        low, high = _bounds(game, mark)
        said = "in their order, then zeros"
        return [count, (name, size, low, high, said, lambda flat, seat: flat[:, columns][:, :size])]

    def write(flat: Ints, seat: int) -> Any:
        things, there = flat[:, columns][:, :size], np.arange(size) < flat[:, number]
        found = np.zeros((len(flat), kinds + 1))
        np.put_along_axis(found, np.where(there, things, kinds), 1, axis=1)
        # entries that name seats begin with the observing seat
        return np.roll(found[:, :kinds], -seat, axis=1) if seats else found[:, :kinds]

    return [
        count,
        (name, kinds, 0, 1, f"by {'seat' if seats else 'thing'}: whether it is among them", write),
    ]


def _bounds(game: Game[Any, Any], mark: Any) -> tuple[int, int]:
    return size_in(game.config, mark.low), size_in(game.config, mark.high)


def _columns(game: Game[Any, Any], name: str) -> slice:
    """Where a field stands among the numbers of a record."""
    fields = record_type(game).fields
    assert fields is not None
    kind, start = fields[name][:2]
    return slice(start // 8, (start + kind.itemsize) // 8)
