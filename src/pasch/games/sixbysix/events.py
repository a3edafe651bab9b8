"""The events of 6mal6: deals, cards laid and draws; what chance deals and draws, and which cards an event names.

`state` is a position or a view of one: in a view, cards are as they are seen there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain, combinations_with_replacement
from typing import Annotated, Any, Final

import msgspec

from pasch.core.chance import Cards, Chance, Hands, OneOf
from pasch.core.errors import EventError, IllegalOutcome
from pasch.core.events import Event, SeatEvent, arrange
from pasch.games.sixbysix.box import DEALT, DRAWN
from pasch.games.sixbysix.settling import FIELDS, HIGHEST

#: cards on the hand or drawn, ascending; None for a card that must not be known
Hand = tuple[int | None, ...]
HIDDEN: Final[Hand] = (None,) * DEALT
#: a card that must not be known, as the rule functions have it
UNKNOWN: Final = -1
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


# --- chance ---------------------------------------------------------------------------------------

Made = tuple[Callable[[Hands], Event], Callable[[Event], Hands | None]]


def deal_chance(state: Any) -> Chance:
    """The hands that may be dealt; in a view only those that are open."""
    sizes = [DEALT if s in state.order and s in state.sees else 0 for s in range(len(state.chips))]
    return Cards(enumerate(state.unseen, 1), tuple(sizes), *_deals(state.order, state.sees))


@cache
def _deals(order: tuple[int, ...], sees: tuple[int, ...]) -> Made:
    """How `Cards` makes a deal from hands, and hands from a deal; those not in `sees` stay hidden."""
    hidden = sorted(set(order) - set(sees))

    def make(hands: Hands) -> Event:
        return Deal(tuple(HIDDEN if seat in hidden else hand for seat, hand in enumerate(hands)))

    def back(event: Event) -> Hands | None:
        if type(event) is not Deal or hidden != [s for s, hand in enumerate(event.deal) if None in hand]:
            return None
        return tuple(tuple(card for card in hand if card is not None) for hand in event.deal)

    return make, back


def draw_chance(state: Any) -> Chance:
    """The cards that may be drawn; in a view, another's draw is just two hidden cards."""
    if state.seat not in state.sees:
        return OneOf((Draw(state.seat, HIDDEN),))
    return Cards(enumerate(state.unseen, 1), (DRAWN,), *_draws(state.seat))


@cache
def _draws(seat: int) -> Made:
    """How `Cards` makes a draw of this seat from cards, and cards from a draw."""
    pairs = combinations_with_replacement(range(1, HIGHEST + 1), DRAWN)
    draws: dict[tuple[int, ...], Event] = {pair: Draw(seat, pair) for pair in pairs}
    cards = {draw: (pair,) for pair, draw in draws.items()}
    return (lambda hands: draws[hands[0]]), cards.get


def cards_of_deal(state: Any, event: Deal) -> Iterable[tuple[int, int]]:
    """Who gets which card."""
    if [bool(hand) for hand in event.deal] != [seat in state.order for seat in range(len(state.chips))]:
        raise IllegalOutcome("deal", "cards go to the seats {seats}", seats=sorted(state.order))
    for seat, hand in enumerate(event.deal):
        _check_shown(state, "deal", seat, hand)
    dealt = Counter(chain.from_iterable(event.deal))
    if any(dealt[card] > number for card, number in enumerate(state.unseen, 1)):
        raise IllegalOutcome("deal", "there are not that many cards of one kind")
    return ((seat, card or UNKNOWN) for seat, hand in enumerate(event.deal) for card in hand)


def cards_of_draw(state: Any, event: Draw) -> Iterable[tuple[int, int]]:
    """Who gets which card."""
    _check_shown(state, "draw", event.seat, event.draw)
    (one, other), left = event.draw, state.unseen
    if one and other and not (left[one - 1] > 0 and left[other - 1] > (one == other)):
        raise IllegalOutcome("draw", "these two cards are not both in the pile")
    return (event.seat, one or UNKNOWN), (event.seat, other or UNKNOWN)


def _check_shown(state: Any, rule: str, seat: int, hand: Hand) -> None:
    if hand and (None in hand) == (seat in state.sees):
        wanted = "have to be named" if seat in state.sees else "are hidden in this view"
        raise IllegalOutcome(rule, "{seat}’s cards " + wanted, seat=seat)
