"""6mal6: other worlds that fit what a seat knows, for search algorithms that ask for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from pasch.core.events import Event
from pasch.games.sixbysix.events import Deal, Draw

#: in place of a card that has not been drawn yet
NO_CARD: Final = 0


def resample(events: Iterable[Event], state: Any, seat: int, below: Callable[[int], int]) -> list[Event]:
    """The events of a game with the cards that `seat` does not know drawn again.

    `state` is the one after the events, with all cards. Every card on another hand is exchanged for one that the seat
    has not seen, each with the same chance; `below(n)` draws a number from 0 to n - 1. Cards laid stay what they were.
    """
    unseen = [card for card, number in enumerate(state.view(seat).unseen, 1) for _ in range(number)]
    changed, taken = list(events), list[tuple[int, int]]()
    for other, hand in enumerate(state.hands):
        for card in hand if other != seat else ():
            place = next(at for at in reversed(range(len(changed))) if card in _cards(changed[at], other))
            changed[place] = _exchanged(changed[place], other, card, NO_CARD)
            taken.append((place, other))
    for place, other in taken:
        new = unseen.pop(below(len(unseen)))
        changed[place] = _exchanged(changed[place], other, NO_CARD, new)
    return changed


def _cards(event: Event, seat: int) -> tuple[int | None, ...]:
    """The cards that an event brings a seat."""
    if isinstance(event, Deal):
        return event.deal[seat]
    return event.draw if isinstance(event, Draw) and event.seat == seat else ()


def _exchanged(event: Event, seat: int, card: int, new: int) -> Event:
    """A deal or a draw in which a seat gets another card in place of one."""
    cards = list(_cards(event, seat))
    cards[cards.index(card)] = new
    if isinstance(event, Deal):
        return Deal(tuple(tuple(cards) if other == seat else hand for other, hand in enumerate(event.deal)))
    return replace(event, draw=tuple(cards))
