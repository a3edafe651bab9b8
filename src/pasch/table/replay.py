"""A game that has ended: its positions page by page, and its receipt."""

from __future__ import annotations

from collections.abc import Mapping
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
    #: the number of events; there is one position more
    events: int
    #: the number of the first position here, which is that of the events before it
    first: int
    #: where the next page begins; none after the last one
    next: int | None
    steps: list[Step]


def page_of(live: LiveTable, number: int) -> int:
    """The page with a position, counted from 0; beyond the end the last page, and below 0 counted from the end."""
    last = len(live.events)
    return max(0, min(last, number if number >= 0 else last + 1 + number)) // PAGE


def replay_page(live: LiveTable, page: int) -> ReplayPage:
    """A page of a finished game; all events before it are replayed."""
    events, first = tuple(live.events), page * PAGE
    state, steps = live.game.start(), list[Step]()
    for number in range(min(first + PAGE, len(events) + 1)):
        event = events[number - 1] if number else None
        state = state if event is None else state.apply(event)
        if number >= first:
            written = None if event is None else event_json(event)
            steps.append(Step(written, position_of(live, state, number)))
    after = first + PAGE
    return ReplayPage(
        table=live.info(),
        options=live.game.options.json(),
        events=len(events),
        first=first,
        next=after if after <= len(events) else None,
        steps=steps,
    )


def position_of(live: LiveTable, state: State, number: int) -> Position:
    """The position after this many events, as everybody may see it when the game has ended."""
    return Position(
        version=number,
        events=number,
        actor=state.actor,
        as_seat=None,
        snapshot=state.snapshot(),
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
