"""A match: a game under way, which is the list of its events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from pasch.core.errors import PositionError
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.record import Record
from pasch.core.registry import find_game
from pasch.core.state import CHANCE, State


class Match:
    """The events of a game so far and the states between them. Step, undo and branch freely.

    `start`: a position to begin from, instead of the game's own start.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        events: Iterable[Event | Mapping[str, Any] | str] = (),
        *,
        start: State | None = None,
    ) -> None:
        if start is not None and start.game != game:
            raise PositionError("this position belongs to another game: {got!r}", got=start.game)
        self.game = game
        self._events: list[Event] = []
        self._states: list[State] = [game.start() if start is None else start]
        for event in events:
            self.play(event)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far."""
        return tuple(self._events)

    @property
    def state(self) -> State:
        """The present state."""
        return self._states[-1]

    def __len__(self) -> int:
        return len(self._events)

    def at(self, number: int) -> State:
        """The state after the first `number` events."""
        if not 0 <= number <= len(self._events):
            raise IndexError(f"after {number} events: this game has {len(self._events)}")
        return self._states[number]

    def play(self, event: Event | Mapping[str, Any] | str) -> State:
        """Add a move or an outcome: an event, its JSON or its notation. If it is refused nothing changes."""
        if isinstance(event, str):
            event = self.state.read(event)
        if not isinstance(event, Event):
            event = self.game.read_event(dict(event))
        state = self.state.apply(event)
        self._states.append(state)
        self._events.append(event)
        return state

    def undo(self, steps: int = 1) -> State:
        """Remove the last events."""
        if not 0 <= steps <= len(self._events):
            raise IndexError(f"cannot take back {steps} of {len(self._events)} events")
        if steps:
            del self._states[-steps:]
            del self._events[-steps:]
        return self.state

    def branch(self, number: int | None = None) -> Self:
        """A new, independent match with the first `number` events (default: all)."""
        number = len(self._events) if number is None else number
        self.at(number)
        twin = type(self)(self.game, start=self._states[0])
        twin._events = self._events[:number]
        twin._states = self._states[: number + 1]
        return twin

    def record(self) -> Record:
        """The record of this match; scores and winners are those of the present state."""
        if self._states[0] != self.game.start():
            raise PositionError("a record begins with the start of a game; this match began in the middle")
        return Record.of(self.game, self._events, self.state)

    @classmethod
    def replay(cls, record: Record) -> Self:
        """The match that a record describes; RecordError at the first event that the rules forbid."""
        match = cls(record.configured_game())
        for event, state in record.replay():
            match._events.append(event)
            match._states.append(state)
        return match

    def __repr__(self) -> str:
        state = self.state
        waits = "chance" if state.actor == CHANCE else f"seat {state.actor}"
        now = f"over, scores {list(state.scores())}" if state.over else f"waiting for {waits}"
        return f"<Match of {self.game.id} with {self.game.players} players, {len(self)} events, {now}>"


def new(game: str, players: int, **options: Any) -> Match:
    """A new match of the game with this id; options as in its documentation."""
    return Match(find_game(game).agree(players, options))
