"""A game that has ended once more, position by position. Nothing is hidden any longer."""

from __future__ import annotations

from typing import Any

import msgspec

from pasch.core.state import CHANCE, State
from pasch.table.log import Course, event_json
from pasch.table.marks import marks
from pasch.table.schema import Position


def replay(course: Course) -> dict[str, Any]:
    """The table, its options, the events, and the position before the first and after each of them."""
    state = course.game.start()
    positions = [_position(course, state, 0)]
    for number, event in enumerate(course.events, 1):
        state = state.apply(event)
        positions.append(_position(course, state, number))
    return {
        "table": course.info(frozenset()),
        "options": course.game.options.json(),
        "events": [event_json(event) for event in course.events],
        "positions": positions,
    }


def _position(course: Course, state: State, number: int) -> Position:
    fields = {name: getattr(state, name) for name in state.__struct_fields__ if name != "game"}
    return Position(
        version=number,
        actor=state.actor,
        as_seat=None,
        snapshot=msgspec.to_builtins(fields),
        marks=marks(state),
        scores=state.scores(),
        # a game that was ended early has no winners by the rules, but by its verdict
        winners=course.standing.winners if number == len(course.events) else (),
        roller=getattr(state.chance().pick(0), "seat", None) if state.actor == CHANCE else None,
    )
