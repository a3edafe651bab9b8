"""6mal6: a card of the hand is touched and the field that it goes to.

Marked are the cards that decided the round just settled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from pasch.core.events import Event
from pasch.games.sixbysix.box import DEALT, DRAWN
from pasch.games.sixbysix.events import Card
from pasch.games.sixbysix.rules import Position
from pasch.games.sixbysix.settling import bonus_sum, payers, streets


def tokens(move: Event) -> tuple[str, ...]:
    move = cast(Card, move)
    return (f"card:{move.card}", f"field:{move.field}")


def meant(state: Position, tokens: tuple[str, ...]) -> Iterator[Event]:
    words = dict(token.split(":", 1) for token in tokens if ":" in token)
    chosen = [words[name] for name in ("card", "field") if name in words]
    if chosen and all(word.isdecimal() for word in chosen):
        for move in cast(tuple[Card, ...], state.moves()):
            yield Card(state.actor, int(words.get("card", move.card)), int(words.get("field", move.field)))


def parts(state: Position) -> tuple[str, ...]:
    if state.phase == "deal":
        return tuple(f"card {seat}" for seat in sorted(state.order) for _ in range(DEALT))
    return (f"card {state.seat}",) * DRAWN


def values(state: Position) -> tuple[int, ...]:
    """The cards whose place this view does not show."""
    return tuple(card for card, number in enumerate(state.unseen, 1) if number)


def goes_on(before: Position, event: Event) -> bool:
    return isinstance(event, Card)


def marks(state: Position) -> dict[str, Any]:
    """While a settled round lies there, pairs of seat and field.

    `lowest`: the cards that paid; with streets `street`: the cards that are part of one. `due`: by seat how many
    chips its lowest cards cost. `bonus`: the seats with the highest sum of fields 1 and 6, and `prize`: what that is.
    """
    played = [seat for seat, row in enumerate(state.rows) if all(row)]
    if state.phase not in ("deal", "over") or not played:
        return {}
    rows = [state.rows[seat] for seat in played]
    if state.game.options.streets:
        places = [(seat, place) for seat in played for run in streets(state.rows[seat]) for place in run]
        return {"street": [(seat, place + 1) for seat, place in places]}
    highest = max(map(bonus_sum, rows))
    lowest = [(played[row], field) for row, field in payers(rows)]
    return {
        "lowest": lowest,
        "due": [sum(field for payer, field in lowest if payer == seat) for seat in range(len(state.rows))],
        "bonus": [seat for seat in played if bonus_sum(state.rows[seat]) == highest],
        "prize": state.game.components.bonus.chips,
    }
