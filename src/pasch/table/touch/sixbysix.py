"""6mal6: a card of the hand is touched and the field that it goes to."""

from __future__ import annotations

from typing import cast

from pasch.core.errors import IllegalMove, PaschError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.sixbysix import DEALT, DRAWN, FIELDS, Card, SixBySixState
from pasch.table.touch import not_this


def tokens(move: Event) -> tuple[str, ...]:
    move = cast(Card, move)
    return (f"card:{move.card}", f"field:{move.field}")


def why(state: State, tokens: tuple[str, ...]) -> PaschError:
    state = cast(SixBySixState, state)
    words = dict(token.split(":", 1) for token in tokens if ":" in token)
    card, field = words.get("card", ""), words.get("field", "")
    hand, row = state.hands[state.seat], state.rows[state.seat]
    if card.isdecimal() and int(card) not in hand:
        return IllegalMove("card", "seat {seat} has no {card} to lay", seat=state.seat, card=int(card))
    if field.isdecimal() and 1 <= int(field) <= FIELDS and row[int(field) - 1]:
        return IllegalMove("field", "on field {field} lies a card already", field=int(field))
    if card.isdecimal() and field.isdecimal():
        refused = not_this(state, Card(state.seat, int(card), int(field)))
        if refused:
            return refused
    return IllegalMove("field", "a card goes to one of the seat's own fields")


def parts(state: State) -> tuple[str, ...]:
    state = cast(SixBySixState, state)
    if state.phase == "deal":
        return tuple(f"card {seat}" for seat in sorted(state.order) for _ in range(DEALT))
    return (f"card {state.seat}",) * DRAWN


def values(state: State) -> tuple[int, ...]:
    """The cards of which somebody with this view does not know where they are."""
    return tuple(card for card, number in enumerate(cast(SixBySixState, state).unseen, 1) if number)


def goes_on(before: State, event: Event) -> bool:
    return isinstance(event, Card)
