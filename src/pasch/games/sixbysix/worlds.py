"""6mal6: other worlds that fit what a seat knows, for search algorithms that ask for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pasch.core.events import Event
from pasch.games.sixbysix.events import Deal, Draw


def resample(events: Iterable[Event], state: Any, seat: int, below: Callable[[int], int]) -> list[Event]:
    """The events of a game with the cards that `seat` does not know drawn again.

    `state` is the one after the events, with all cards. Every card on another hand is exchanged for one that the seat
    has not seen, each with the same chance; `below(n)` draws a number from 0 to n - 1. Cards laid stay what they were.
    """
    unseen = [card for card, number in enumerate(state.view(seat).unseen, 1) for _ in range(number)]
    hidden = [[*hand] if other != seat else [] for other, hand in enumerate(state.hands)]

    def drawn_again(other: int, card: int | None) -> int | None:
        if card not in hidden[other]:
            return card
        hidden[other].remove(card)
        return unseen.pop(below(len(unseen)))

    def changed(event: Event) -> Event:
        if isinstance(event, Deal):
            hands = enumerate(event.deal)
            return Deal(
                tuple([tuple([drawn_again(other, card) for card in hand]) for other, hand in hands])
            )
        if isinstance(event, Draw):
            return Draw(event.seat, tuple([drawn_again(event.seat, card) for card in event.draw]))
        return event

    # a card on a hand is the last one of its value that came to it
    return [changed(event) for event in reversed([*events])][::-1]
