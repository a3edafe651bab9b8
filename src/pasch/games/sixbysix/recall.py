"""6mal6 with perfect recall: what a seat has seen of a whole game, as a tensor for OpenSpiel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pasch.core.events import Event
from pasch.games.sixbysix.box import CARDS_PER_SEAT
from pasch.games.sixbysix.events import Card, Deal, Draw
from pasch.games.sixbysix.rules import SixBySix
from pasch.games.sixbysix.settling import FIELDS


def recall_shapes(game: SixBySix) -> dict[str, tuple[int, ...]]:
    """The parts of the tensor, in order, with their shapes."""
    rounds, seats = game.options.round_limit, game.players
    return {
        "player": (seats,),
        "cards": (rounds, CARDS_PER_SEAT),
        "lays": (rounds, seats * FIELDS, 2),
    }


def recall(events: Iterable[Event], seat: int) -> Iterator[tuple[str, tuple[int, ...], int]]:
    """By round: the seat's own cards as they came, and all cards laid with their fields."""
    yield "player", (seat,), 1
    number, taken, laid = -1, 0, 0
    for event in events:
        own: tuple[int | None, ...] = ()
        if isinstance(event, Deal):
            number, taken, laid = number + 1, 0, 0
            own = event.deal[seat]
        elif isinstance(event, Draw) and event.seat == seat:
            own = event.draw
        elif isinstance(event, Card):
            yield "lays", (number, laid, 0), event.card
            yield "lays", (number, laid, 1), event.field
            laid += 1
        for card in own:
            yield "cards", (number, taken), card or 0
            taken += 1
