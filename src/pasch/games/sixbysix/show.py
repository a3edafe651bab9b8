"""6mal6: a card of the hand is touched and the field that it goes to.

Marked are the cards that decided the round just settled.
"""

from __future__ import annotations

from typing import Any

from pasch.core.events import Event
from pasch.games.sixbysix.box import DEALT, DRAWN
from pasch.games.sixbysix.events import Card
from pasch.games.sixbysix.rules import Position
from pasch.games.sixbysix.settling import bonus_sum, deciding


def parts(state: Position) -> tuple[str, ...]:
    if state.phase == "deal":
        return tuple(f"card {seat}" for seat in sorted(state.order) for _ in range(DEALT))
    return (f"card {state.seat}",) * DRAWN


def values(state: Position) -> tuple[int, ...]:
    """The cards whose place this view does not show."""
    return tuple(card for card, number in enumerate(state.unseen, 1) if number)


def rolls_automatically(before: Position, event: Event) -> bool:
    return isinstance(event, Card)


def marks(state: Position) -> dict[str, Any]:
    """While a settled round lies there, pairs of seat and field.

    `lowest`: the cards that paid; with streets `street`: the cards that are part of one. `due`: by seat how many
    chips its lowest cards cost. `bonus`: the seats with the highest sum of fields 1 and 6, and `prize`: what that is.
    """
    decided = deciding(state)
    if not decided:
        return {}
    if state.game.options.streets:
        return {"street": decided}
    played = [seat for seat, row in enumerate(state.rows) if all(row)]
    highest = max(bonus_sum(state.rows[seat]) for seat in played)
    return {
        "lowest": decided,
        "due": [sum(field for payer, field in decided if payer == seat) for seat in range(len(state.rows))],
        "bonus": [seat for seat in played if bonus_sum(state.rows[seat]) == highest],
        "prize": state.game.components.bonus.chips,
    }
