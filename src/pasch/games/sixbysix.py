"""6mal6: lay cards on six fields and never be the lowest on a field that costs a lot.

Rules in short. Everybody starts with 25 chips. A round has six passes; in each of them every seat still in
lays one of its hidden cards on one of its own six open fields and then draws two (not in the last pass).
Then the round is settled: whoever is lowest on field f, ties included, pays f chips into the pot, and the
highest sum of fields 1 and 6 takes 5 from it. Who has no chips left is out; the last one with chips wins.
In the variant with streets only the best rising run of neighbouring fields counts.

Sources: the printed rulebook; how often each card occurs is reconstructed (see sixbysix.toml).

| option | default | meaning |
|---|---|---|
| streets | false | settle by streets instead of by fields |
| round_limit | 100 | the game ends after this many rounds; then the most chips win |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain, combinations_with_replacement
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec

from pasch.core.chance import Cards, Chance, Hands, OneOf
from pasch.core.components import Components, Provenance
from pasch.core.errors import ComponentError, EventError, IllegalMove, IllegalOutcome
from pasch.core.events import Event, SeatEvent, arrange
from pasch.core.game import Game
from pasch.core.options import Options
from pasch.core.state import CHANCE, OVER, State
from pasch.games.sixbysix_settling import (
    FIELDS,
    HIGHEST,
    HOUSES,
    STREET,
    Numbers,
    Row,
    Settlement,
    bonus_sum,
    dues,
    mark_highest,
    payers,
    settle_fields,
    settle_streets,
    street_worth,
    streets,
)

# settling has a module of its own, but the game has one front door
__all__ = [
    "CARDS_PER_SEAT", "DEALT", "DRAWN", "EMPTY", "FIELDS", "HIDDEN", "HIGHEST", "HOUSES", "STREET", "Card",
    "Deal", "Draw", "Row", "Settlement", "SixBySix", "SixBySixComponents", "SixBySixOptions",
    "SixBySixState", "bonus_sum", "draws_after", "dues", "is_over", "next_order", "payers", "seat_to_lay",
    "settle_fields", "settle_streets", "street_worth", "streets",
]  # fmt: skip

DEALT: Final = 2  # cards for each seat at a round's start
DRAWN: Final = 2  # cards that a seat draws after laying one
CARDS_PER_SEAT: Final = DEALT + DRAWN * (FIELDS - 1)
MOST: Final = 1000  # chips, or cards of one value, in a component file

#: cards on the hand or drawn, ascending; None for a card that must not be known
Hand = tuple[int | None, ...]
HIDDEN: Final[Hand] = (None,) * DEALT
EMPTY: Final[Row] = (0,) * FIELDS
T = TypeVar("T")
Value = Annotated[int, msgspec.Meta(ge=1, le=HIGHEST)]


# --- events ---------------------------------------------------------------------------------------


def _ordered(what: str, cards: Hand, sizes: tuple[int, ...]) -> Hand:
    if len(cards) not in sizes:
        raise EventError("{what}: expected {n} cards, got {got}", what=what, n=sizes[0], got=len(cards))
    shown = sorted(card for card in cards if card is not None)
    if shown and len(shown) < len(cards):
        raise EventError("{what}: the cards are either all shown or all hidden", what=what)
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


# --- component data and options -------------------------------------------------------------------


class Amount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number of chips."""

    chips: int
    provenance: Provenance = "seen"


class Copies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many cards of one value there are."""

    card: int
    number: int
    provenance: Provenance = "seen"


class SixBySixComponents(Components, frozen=True, kw_only=True):
    """The chips and the pack of cards."""

    start: Amount
    bonus: Amount
    deck: tuple[Copies, ...]

    def check(self, players: int) -> None:
        _check_number("start.chips", self.start.chips, 1, MOST)
        _check_number("bonus.chips", self.bonus.chips, 0, MOST)
        for place, copies in enumerate(self.deck):
            _check_number(f"deck[{place}].card", copies.card, 1, HIGHEST)
            _check_number(f"deck[{place}].number", copies.number, 0, MOST)
            if copies.card in [earlier.card for earlier in self.deck[:place]]:
                raise ComponentError(f"deck[{place}].card", "{card} stands here twice", card=copies.card)
        cards, need = sum(copies.number for copies in self.deck), CARDS_PER_SEAT * players
        if cards < need:
            raise ComponentError("deck", "{need} cards are needed, not {got}", need=need, got=cards)

    def provenance(self) -> tuple[tuple[str, Provenance], ...]:
        return (
            (f"{self.start.chips} chips at the start", self.start.provenance),
            (f"{self.bonus.chips} chips for the highest sum of fields 1 and 6", self.bonus.provenance),
            *((f"card {copies.card}, {copies.number} times", copies.provenance) for copies in self.deck),
        )


def _check_number(place: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        template = "expected {least} to {most}, not {got}"
        raise ComponentError(place, template, least=least, most=most, got=number)


class SixBySixOptions(Options, frozen=True, kw_only=True):
    """The variant, and the end of a game that would go on for ever."""

    streets: Annotated[
        bool, msgspec.Meta(description="The best street wins the round; single fields do not count.")
    ] = False
    round_limit: Annotated[
        int, msgspec.Meta(ge=1, le=1000, description="The game ends after so many rounds: most chips win.")
    ] = 100
    components: SixBySixComponents | None = None


# --- the course of the game -----------------------------------------------------------------------


def next_order(dealer: int, chips: Numbers) -> tuple[int, ...]:
    """Who plays the next round after `dealer`'s: the next seat that still has chips deals and comes last.

    >>> next_order(1, (25, 25, 0, 25))
    (0, 1, 3)
    """
    clockwise = (*range(dealer + 1, len(chips)), *range(dealer + 1))
    still_in = tuple(seat for seat in clockwise if chips[seat])
    return still_in[1:] + still_in[:1]


def seat_to_lay(order: Numbers, laid: int) -> int:
    """Whose card comes after `laid` cards of a round: each pass begins one seat further on.

    >>> [seat_to_lay((0, 1, 2), laid) for laid in range(9)]
    [0, 1, 2, 1, 2, 0, 2, 0, 1]
    """
    passes, turn = divmod(laid, len(order))
    return order[(passes + turn) % len(order)]


def draws_after(laid: int, seats: int) -> bool:
    """Whether two cards are drawn for the card that was the `laid`-th of a round: not in the last pass."""
    return laid <= (FIELDS - 1) * seats


def is_over(chips: Numbers, rounds: int, round_limit: int) -> bool:
    """Whether the game ends after so many rounds with these chips: at most one still has any."""
    still_in = 0
    for own in chips:
        still_in += own > 0
    return still_in <= 1 or rounds == round_limit


class SixBySix(Game[SixBySixOptions, SixBySixComponents]):
    """A game of 6mal6 as agreed."""

    id = "sixbysix"
    title = "6mal6"
    pitch = "Lay your hidden cards on six open fields, and leave it to others to be the lowest."
    seats = range(2, 7)
    minutes = (10, 50)
    events = (Deal, Card, Draw)
    Options = SixBySixOptions
    Components = SixBySixComponents

    def __init__(self, players: int, options: SixBySixOptions | None = None) -> None:
        super().__init__(players, options)
        numbers = {copies.card: copies.number for copies in self.components.deck}
        #: how many 1s, 2s ... 9s the whole pack has
        self.pack = tuple(numbers.get(card, 0) for card in range(1, HIGHEST + 1))

    def start(self) -> SixBySixState:
        players, seats = self.players, tuple(range(self.players))
        return SixBySixState(
            self, CHANCE, "deal", 0, 0, seats, 0, (self.components.start.chips,) * players, 0,
            ((),) * players, (EMPTY,) * players, seats, self.pack,
        )  # fmt: skip

    def settle(self, rows: Sequence[Row], chips: Numbers, pot: int) -> Settlement:
        """How a round ends as agreed; rows and chips of the seats that are in."""
        if self.options.streets:
            return settle_streets(rows, chips, pot)
        return settle_fields(rows, chips, pot, self.components.bonus.chips)


@cache
def _lays(seat: int) -> tuple[tuple[Card, ...], ...]:
    """Every card on every field: `_lays(seat)[card][field - 1]`."""
    fields, cards = range(1, FIELDS + 1), range(HIGHEST + 1)
    return tuple(tuple(Card(seat, card, field) for field in fields) for card in cards)


Made = tuple[Callable[[Hands], Event], Callable[[Event], Hands | None]]


@cache
def _draws(seat: int) -> Made:
    """How `Cards` makes a draw of this seat from cards, and cards from a draw."""
    pairs = combinations_with_replacement(range(1, HIGHEST + 1), DRAWN)
    draws: dict[tuple[int, ...], Event] = {pair: Draw(seat, pair) for pair in pairs}
    cards = {draw: (pair,) for pair, draw in draws.items()}
    return (lambda hands: draws[hands[0]]), cards.get


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


def _with(things: tuple[T, ...], place: int, thing: T) -> tuple[T, ...]:
    """The same tuple with another thing in one place."""
    return (*things[:place], thing, *things[place + 1 :])


def _less(numbers: tuple[int, ...], cards: Iterable[int | None]) -> tuple[int, ...]:
    """The numbers of 1s, 2s ... 9s without these cards, hidden ones apart; () if they are not all there."""
    left = list(numbers)
    for card in cards:
        if card is None:
            continue
        if not 1 <= card <= HIGHEST or not left[card - 1]:
            return ()
        left[card - 1] -= 1
    return tuple(left)


class SixBySixState(State, frozen=True):
    """One position. `phase` says what comes next: deal, card, draw or over.

    A view (see `view`) is a state of its own whose hidden cards are None. Events fold into it as that
    seat is told of them: `state.view(s).apply(event.view(s)) == state.apply(event).view(s)`.
    """

    phase: Literal["deal", "card", "draw", "over"]
    #: who lays or draws; the seat that begins the round when cards are to be dealt
    seat: int
    #: the rounds that have been settled
    rounds: int
    #: the seats playing this round, from the dealer's left; the dealer is the last
    order: tuple[int, ...]
    #: the cards laid in this round
    laid: int
    chips: tuple[int, ...]
    pot: int
    #: by seat; they vanish unseen when the round is settled
    hands: tuple[Hand, ...]
    #: by seat; they stay on the table until the next deal
    rows: tuple[Row, ...]
    #: the seats whose hands are open in this state: all, or in a view one or none
    sees: tuple[int, ...]
    #: how many 1s, 2s ... 9s there are of which this state does not know where. In the true state that is
    #: the pile; in a view the pile and the hidden hands together, each card of which is equally
    #: likely to come next (unless one reads something into how the others play)
    unseen: tuple[int, ...]

    @property
    def dealer(self) -> int:
        return self.order[-1]

    def view(self, seat: int | None) -> SixBySixState:
        hands, unseen = list(self.hands), list(self.unseen)
        for other, hand in enumerate(self.hands):
            if other != seat:
                hands[other] = (None,) * len(hand)
                for card in hand:
                    if card is not None:
                        unseen[card - 1] += 1
        sees = tuple(other for other in self.sees if other == seat)
        return msgspec.structs.replace(self, hands=tuple(hands), sees=sees, unseen=tuple(unseen))

    def moves(self) -> tuple[Event, ...]:
        """Every card of the hand on every empty field; empty in a view that hides the hand to move."""
        if self.phase != "card" or self.seat not in self.sees:
            return ()
        lays = _lays(self.seat)
        empty = [place for place, card in enumerate(self.rows[self.seat]) if not card]
        cards: dict[Any, None] = dict.fromkeys(self.hands[self.seat])
        return tuple([lays[card][place] for card in cards for place in empty])

    def chance(self) -> Chance:
        """The cards to come as they will be seen: in a view, another's draw is just two hidden cards."""
        if self.phase == "deal":
            seats = range(len(self.chips))
            sizes = tuple(DEALT if s in self.order and s in self.sees else 0 for s in seats)
            return Cards(enumerate(self.unseen, 1), sizes, *_deals(self.order, self.sees))
        if self.seat not in self.sees:
            return OneOf((Draw(self.seat, HIDDEN),))
        return Cards(enumerate(self.unseen, 1), (DRAWN,), *_draws(self.seat))

    def scores(self) -> tuple[int, ...]:
        return self.chips

    def winners(self) -> tuple[int, ...]:
        """Of those who played the last round the ones with most chips, even if that is none at all."""
        if self.phase != "over":
            return ()
        best = [False] * len(self.order)
        mark_highest([self.chips[seat] for seat in self.order], best)
        return tuple(sorted(seat for seat, won in zip(self.order, best, strict=True) if won))

    def apply(self, event: Event) -> SixBySixState:
        if self.phase == "card" and type(event) is Card and event.seat == self.seat:
            return self._lay(event)
        if self.phase == "draw" and type(event) is Draw and event.seat == self.seat:
            return self._draw(event)
        if self.phase == "deal" and type(event) is Deal:
            return self._deal(event)
        raise self.misplaced(event)

    def _to(
        self, phase: Literal["card", "draw"], seat: int, laid: int,
        hands: tuple[Hand, ...], rows: tuple[Row, ...], unseen: tuple[int, ...],
    ) -> SixBySixState:  # fmt: skip
        actor = seat if phase == "card" else CHANCE
        return SixBySixState(
            self.game, actor, phase, seat, self.rounds, self.order, laid, self.chips, self.pot, hands, rows,
            self.sees, unseen,
        )  # fmt: skip

    def _deal(self, event: Deal) -> SixBySixState:
        if [bool(hand) for hand in event.deal] != [seat in self.order for seat in range(len(self.chips))]:
            seats = ", ".join(map(str, sorted(self.order)))
            raise IllegalOutcome("deal", "the seats that get cards are {seats}", seats=seats)
        for seat, hand in enumerate(event.deal):
            self._check_shown("deal", seat, hand)
        unseen = _less(self.unseen, chain.from_iterable(event.deal))
        if not unseen:
            raise IllegalOutcome("deal", "the pack does not have so many cards of one kind")
        return self._to("card", self.order[0], 0, event.deal, (EMPTY,) * len(self.chips), unseen)

    def _draw(self, event: Draw) -> SixBySixState:
        self._check_shown("draw", self.seat, event.draw)
        unseen = _less(self.unseen, event.draw)
        if not unseen:
            raise IllegalOutcome("draw", "these cards are not both left to be drawn")
        hand = self.hands[self.seat] + event.draw
        if self.seat in self.sees:
            hand = tuple(sorted(hand))  # type: ignore[type-var]
        after = seat_to_lay(self.order, self.laid)
        return self._to("card", after, self.laid, _with(self.hands, self.seat, hand), self.rows, unseen)

    def _check_shown(self, rule: str, seat: int, hand: Hand) -> None:
        if hand and (None in hand) == (seat in self.sees):
            wanted = "have to be named" if seat in self.sees else "are hidden in this view"
            raise IllegalOutcome(rule, "the cards of seat {seat} " + wanted, seat=seat)

    def _lay(self, event: Card) -> SixBySixState:
        seat, place = self.seat, event.field - 1
        hand, row = self.hands[seat], self.rows[seat]
        if not 0 <= place < FIELDS:
            raise IllegalMove("field", "there is no field {field}, only 1 to 6", field=event.field)
        if row[place]:
            raise IllegalMove("field", "on field {field} lies a card already", field=event.field)
        # in a view that hides the hand, one of its unknown cards turns out to be this one
        held = event.card if seat in self.sees else None
        unseen = self.unseen if held is not None else _less(self.unseen, (event.card,))
        if held not in hand or not unseen:
            raise IllegalMove("card", "seat {seat} has no {card} to lay", seat=seat, card=event.card)
        at = hand.index(held)
        hands = _with(self.hands, seat, hand[:at] + hand[at + 1 :])
        rows = _with(self.rows, seat, _with(row, place, event.card))
        laid = self.laid + 1
        if draws_after(laid, len(self.order)):
            return self._to("draw", seat, laid, hands, rows, unseen)
        if laid < FIELDS * len(self.order):
            return self._to("card", seat_to_lay(self.order, laid), laid, hands, rows, unseen)
        return self._end_round(rows)

    def _end_round(self, rows: tuple[Row, ...]) -> SixBySixState:
        assert isinstance(self.game, SixBySix)
        order, purse = self.order, list(self.chips)
        settled = self.game.settle([rows[s] for s in order], [purse[s] for s in order], self.pot)
        for seat, paid, taken in zip(order, settled.paid, settled.taken, strict=True):
            purse[seat] += taken - paid
        chips, rounds = tuple(purse), self.rounds + 1
        over = is_over(chips, rounds, self.game.options.round_limit)
        if not over:
            order = next_order(self.dealer, chips)
        return SixBySixState(
            self.game, OVER if over else CHANCE, "over" if over else "deal", order[0], rounds, order, 0,
            chips, settled.pot, ((),) * len(chips), rows, self.sees, self.game.pack,
        )  # fmt: skip
