"""6mal6: which card, and on which field."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.habits import Habit
from pasch.core.state import State
from pasch.core.words import say
from pasch.games.sixbysix.events import Card
from pasch.games.sixbysix.rules import Position


def habit(state: State, made: Event, best: Event) -> Habit:
    """The same field with another card, the same card on another field, or neither."""
    assert isinstance(state, Position) and isinstance(made, Card) and isinstance(best, Card)
    if made.field == best.field:
        when = say("on field {field}", field=made.field)
        if made.card > best.card:
            return Habit("Lays too high a card, though on the right field", when)
        return Habit("Lays too low a card, though on the right field", when)
    fields = say("field {made} instead of {best}", made=made.field, best=best.field)
    if made.card == best.card:
        if made.field > best.field:
            return Habit("Lays the right card on too dear a field", fields)
        return Habit("Lays the right card on too cheap a field", fields)
    if made.card > best.card:
        return Habit("Lays too high a card, and on another field", fields)
    return Habit("Lays too low a card, and on another field", fields)
