"""The events of 6mal6: deals, cards laid and draws."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from pasch.core.errors import EventError
from pasch.core.events import Event, SeatEvent, arrange
from pasch.games.sixbysix.box import DEALT, DRAWN
from pasch.games.sixbysix.settling import FIELDS, HIGHEST

#: cards on the hand or drawn, ascending; None for a card that must not be known
Hand = tuple[int | None, ...]
HIDDEN: Final[Hand] = (None,) * DEALT
Value = Annotated[int, msgspec.Meta(ge=1, le=HIGHEST)]


def _ordered(what: str, cards: Hand, sizes: tuple[int, ...]) -> Hand:
    if len(cards) not in sizes:
        raise EventError("there have to be {n} cards, not {got}", n=sizes[0], got=len(cards), detail=what)
    shown = sorted(card for card in cards if card is not None)
    if shown and len(shown) < len(cards):
        raise EventError("the cards are either all shown or all hidden", detail=what)
    return tuple(shown) or cards


class Deal(Event, frozen=True):
    """The hands dealt at a round's start, by seat; empty for a seat that is out."""

    deal: tuple[tuple[Value | None, ...], ...]

    def __post_init__(self) -> None:
        arrange(self, deal=tuple([_ordered("deal", hand, (DEALT, 0)) for hand in self.deal]))

    def view(self, seat: int | None) -> Deal:
        return Deal(tuple((None,) * len(h) if other != seat else h for other, h in enumerate(self.deal)))


class Card(SeatEvent, frozen=True):
    """A hand card laid on one of the seat's own fields, which are counted from 1."""

    card: Value
    field: Annotated[int, msgspec.Meta(ge=1, le=FIELDS)]


class Draw(SeatEvent, frozen=True):
    """The two cards taken from the pile after laying one."""

    draw: tuple[Value | None, ...]

    def __post_init__(self) -> None:
        arrange(self, draw=_ordered("draw", self.draw, (DRAWN,)))

    def view(self, seat: int | None) -> Draw:
        return self if seat == self.seat else Draw(self.seat, HIDDEN)
