"""6mal6: which card, and on which field."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.habits import Habit
from pasch.core.state import State
from pasch.games.sixbysix.events import Card
from pasch.games.sixbysix.rules import SixBySixState


def habit(state: State, made: Event, best: Event) -> Habit:
    """The same field with another card, the same card on another field, or neither."""
    assert isinstance(state, SixBySixState) and isinstance(made, Card) and isinstance(best, Card)
    if made.field == best.field:
        name = "Lays too high a card" if made.card > best.card else "Lays too low a card"
        return Habit(f"{name}, though on the right field", f"on field {made.field}")
    fields = f"field {made.field} instead of {best.field}"
    if made.card == best.card:
        dear = made.field > best.field
        return Habit(f"Lays the right card on too {'dear' if dear else 'cheap'} a field", fields)
    name = "Lays too high a card" if made.card > best.card else "Lays too low a card"
    return Habit(f"{name}, and on another field", fields)
