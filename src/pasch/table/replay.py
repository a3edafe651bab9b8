"""The replay of a finished game, position by position. Nothing is hidden in it."""

from __future__ import annotations

from typing import Any

import msgspec

from pasch.core.state import CHANCE, State
from pasch.table.log import LiveTable, event_json
from pasch.table.schema import Position
from pasch.table.show import marks


def replay(live: LiveTable) -> dict[str, Any]:
    """The table, its options, the events, and the position before the first and after each of them."""
    state = live.game.start()
    positions = [_position(live, state, 0)]
    for number, event in enumerate(live.events, 1):
        state = state.apply(event)
        positions.append(_position(live, state, number))
    return {
        "table": live.info(),
        "options": live.game.options.json(),
        "events": [event_json(event) for event in live.events],
        "positions": positions,
    }


def _position(live: LiveTable, state: State, number: int) -> Position:
    fields = {name: getattr(state, name) for name in state.__struct_fields__ if name != "game"}
    return Position(
        version=number,
        actor=state.actor,
        as_seat=None,
        snapshot=msgspec.to_builtins(fields),
        marks=marks(state),
        scores=state.scores(),
        # a game that was ended early has no winners by the rules, but by its verdict
        winners=live.current.winners if number == len(live.events) else (),
        roller=state.mover if state.actor == CHANCE else None,
    )
