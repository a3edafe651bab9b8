"""A game that has ended: its positions page by page, and its receipt."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any, Final

import msgspec

from pasch.coach.figures import Figures
from pasch.core.receipt import Receipt, RulesHash
from pasch.core.state import CHANCE, State
from pasch.table.log import LiveTable, event_json
from pasch.table.schema import Position, TableInfo
from pasch.table.show import marks

#: positions of one page
PAGE: Final = 200


class Step(msgspec.Struct, frozen=True):
    """A position of a game, and the event that led to it: a JSON object, or null for the first one."""

    event: Any
    position: Position


class ReplayPage(msgspec.Struct, frozen=True):
    """A part of a game that has ended, position by position."""

    table: TableInfo
    options: dict[str, Any]
    #: how many events the game has; there is one position more
    events: int
    #: the number of the first position here, which is that of the events before it
    first: int
    #: where the next page begins; none after the last one
    next: int | None
    steps: list[Step]


class Replay:
    """A finished game as pages. Keeps the state at each page's beginning, so that none is worked out twice."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live
        self.events = tuple(live.events)
        self._states = [live.game.start()]
        self._lock = Lock()

    def page_of(self, number: int) -> int:
        """The page with this position; beyond the end the last page, and below 0 counted from the end."""
        last = len(self.events)
        return max(0, min(last, number if number >= 0 else last + 1 + number)) // PAGE

    def cost(self, page: int) -> tuple[int, int]:
        """How many events have to be gone through for a page, and how many positions it shows."""
        first = page * PAGE
        known = (min(len(self._states), page + 1) - 1) * PAGE
        return first - known, min(PAGE, len(self.events) + 1 - first)

    def page(self, page: int) -> ReplayPage:
        """A page, counted from 0. May be called in several threads."""
        with self._lock:
            while len(self._states) <= page:
                state = self._states[-1]
                begun = (len(self._states) - 1) * PAGE
                for event in self.events[begun : begun + PAGE]:
                    state = state.apply(event)
                self._states.append(state)
        first, state = page * PAGE, self._states[page]
        before = event_json(self.events[first - 1]) if first else None
        steps = [Step(before, position_of(self._live, state, first))]
        for number, event in enumerate(self.events[first : first + PAGE - 1], first + 1):
            state = state.apply(event)
            steps.append(Step(event_json(event), position_of(self._live, state, number)))
        after = first + PAGE
        return ReplayPage(
            table=self._live.info(),
            options=self._live.game.options.json(),
            events=len(self.events),
            first=first,
            next=after if after <= len(self.events) else None,
            steps=steps,
        )


def position_of(live: LiveTable, state: State, number: int) -> Position:
    """The position after so many events, as everybody may see it when the game has ended."""
    fields = {name: getattr(state, name) for name in state.__struct_fields__ if name != "game"}
    return Position(
        version=number,
        events=number,
        actor=state.actor,
        as_seat=None,
        snapshot=msgspec.to_builtins(fields),
        marks=marks(state),
        scores=state.scores(),
        # a game that was ended early has no winners by the rules, but by its verdict
        winners=live.current.winners if number == len(live.events) else (),
        roller=state.mover if state.actor == CHANCE else None,
    )


def receipt(live: LiveTable, report: Mapping[str, Any] | None = None) -> Receipt:
    """The receipt of a finished game; with a report, the coach's figures are in it."""
    coach = None if report is None else Figures.of(report, RulesHash.of(live.game).hash)
    return Receipt.of(
        live.game,
        live.events,
        table=live.dice_name,
        dice=live.agreement.dice,
        seed=live.seed,
        contributions=live.current.contributions,
        given=live.agreement.given,
        verdict=live.current.verdict,
        coach=None if coach is None else msgspec.to_builtins(coach),
    )
