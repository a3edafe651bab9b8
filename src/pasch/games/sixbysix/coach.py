"""6mal6: how a card stands on its field beside the others."""

from __future__ import annotations

from collections.abc import Iterator

from pasch.coach.reasons import Habit
from pasch.core.events import Event
from pasch.core.words import Sentence, percent, say
from pasch.games.sixbysix.events import Card
from pasch.games.sixbysix.rules import Position
from pasch.solve.valuer import Valuer


def begins_turn(first: Position, before: Position, event: Event) -> bool:
    """A turn is a card laid and the cards drawn for it."""
    return isinstance(event, Card)


def prospects(state: Position, move: Card, values: Valuer) -> Iterator[Sentence]:
    """Sentences on the percentage of unseen cards that are lower."""
    if state.game.options.streets:
        return
    beside = [
        row[move.field - 1]
        for seat, row in enumerate(state.rows)
        if seat != state.seat and seat in state.order and row[move.field - 1]
    ]
    if any(card < move.card for card in beside):
        said = "On field {field} there is a lower card already, so this one costs nothing."
        yield say(said, field=move.field)
    elif beside:
        yield say("On field {field} it is the lowest card so far.", field=move.field)
    if unseen := sum(state.unseen):
        lower = sum(state.unseen[: move.card - 1]) / unseen
        yield say("{lower} % of the cards that nobody has seen are lower.", lower=percent(lower))


def why(state: Position, made: Card, best: Card, values: Valuer) -> Iterator[Sentence]:
    """The same of the move made."""
    return prospects(state, made, values)


# --- habits ------------------------------------------------------------------------------------------


def habit(state: Position, made: Card, best: Card) -> Habit:
    """The same field with another card, the same card on another field, or neither."""
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
