"""A match: a game under way, which is the list of its events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.record import Record
from pasch.core.registry import find_game
from pasch.core.state import State


class Match:
    """The events of a game so far and the states between them. Step, undo and branch freely."""

    def __init__(self, game: Game[Any, Any], events: Iterable[Event | Mapping[str, Any]] = ()) -> None:
        self.game = game
        self._events: list[Event] = []
        self._states: list[State] = [game.start()]
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

    def play(self, event: Event | Mapping[str, Any]) -> State:
        """Add a move or an outcome, as an event or as its JSON. If it is refused nothing changes."""
        if not isinstance(event, Event):
            event = self.game.read_event(dict(event))
        state = self.state.apply(event)
        self._states.append(state)
        self._events.append(event)
        return state

    def undo(self, steps: int = 1) -> State:
        """Take the last events back."""
        if not 0 <= steps <= len(self._events):
            raise IndexError(f"cannot take back {steps} of {len(self._events)} events")
        if steps:
            del self._states[-steps:]
            del self._events[-steps:]
        return self.state

    def branch(self, number: int | None = None) -> Self:
        """A new match that shares the first `number` events (default: all) and goes its own way."""
        number = len(self._events) if number is None else number
        self.at(number)
        twin = type(self)(self.game)
        twin._events = self._events[:number]
        twin._states = self._states[: number + 1]
        return twin

    def record(self) -> Record:
        """The record of this match; scores and winners are those of the present state."""
        return Record.of(self.game, self._events, self.state)


def new(game: str, players: int, **options: Any) -> Match:
    """A new match of the game with this id; options as in its documentation."""
    return Match(find_game(game).agree(players, options))
