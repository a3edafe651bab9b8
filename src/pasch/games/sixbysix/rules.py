"""6mal6: lay cards on six fields and never be the lowest on a field that costs a lot.

Rules in short. Everybody starts with 25 chips. A round has six passes; in each of them every seat still in
lays one of its hidden cards on one of its own six open fields and then draws two (not in the last pass).
Then the round is settled: whoever is lowest on field f, ties included, pays f chips into the pot, and the
highest sum of fields 1 and 6 takes 5 from it. Who has no chips left is out; the last one with chips wins.
In the variant with streets only the best rising run of neighbouring fields counts.

Sources: the printed rulebook; how often each card occurs is reconstructed (see box.toml).

| option | default | meaning |
|---|---|---|
| streets | false | settle by streets instead of by fields |
| round_limit | 100 | the game ends after this many rounds; then whoever has the most chips wins |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations_with_replacement
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from pasch.core.chance import Cards, Chance, Hands, OneOf
from pasch.core.errors import IllegalMove, IllegalOutcome
from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.options import HOUSE, Options
from pasch.core.shapes import PackShape
from pasch.core.state import CHANCE, OVER, State
from pasch.games.sixbysix.box import DEALT, DRAWN, SixBySixComponents
from pasch.games.sixbysix.events import HIDDEN, Card, Deal, Draw, Hand
from pasch.games.sixbysix.settling import FIELDS, HIGHEST, Row, Settlement, settle, settlement

EMPTY: Final[Row] = (0,) * FIELDS
#: a hand before the last card is laid: dealt, and after each of five cards two for one
MOST_IN_HAND: Final = DEALT + (DRAWN - 1) * (FIELDS - 1)


# --- options ---------------------------------------------------------------------------------------


class SixBySixOptions(Options, frozen=True, kw_only=True):
    """The variant, and the end of a game that would go on for ever."""

    streets: Annotated[
        bool, msgspec.Meta(description="The best street wins the round; single fields do not count.")
    ] = False
    round_limit: Annotated[
        int,
        msgspec.Meta(
            ge=1,
            le=1000,
            description="The game ends after so many rounds; whoever has the most chips wins.",
            extra=HOUSE,
        ),
    ] = 100
    components: SixBySixComponents | None = None


# --- the rules --------------------------------------------------------------------------------------
# These functions are run as they stand and compiled (see `pasch.core.rules`). `g` is what was agreed, `s` the state as
# numbers. A hand is its cards, ascending, then zeros; of a hand that must not be known all cards are UNKNOWN.

DEAL, LAY, DRAW, ENDED = range(4)
#: what comes next, by its number above
PHASES: Final = ("deal", "card", "draw", "over")
UNKNOWN: Final = -1


class Agreed(NamedTuple):
    """What the rules read of players, options and box."""

    players: int
    streets: bool
    round_limit: int
    #: chips for the highest sum of fields 1 and 6
    bonus: int
    #: how many 1s, 2s ... 9s the whole pack has
    pack: Sequence[int]


@dataclass(slots=True)
class Numbers:
    """The state as numbers."""

    actor: int
    phase: int
    seat: int
    rounds: int
    #: the seats of the round from the dealer's left, the dealer last, then -1; and how many there are
    order: list[int]
    playing: int
    laid: int
    #: cards that the deal or draw under way has brought so far
    given: int
    chips: list[int]
    pot: int
    hands: list[list[int]]
    held: list[int]
    rows: list[list[int]]
    #: by seat: whether its hand is known
    sees: list[int]
    #: how many 1s, 2s ... 9s there are of which nobody knows where
    unseen: list[int]


def cases(g: Agreed, s: Numbers) -> int:
    """How many cards the next one may be: cards come one by one."""
    pile = 0
    for kind in range(HIGHEST):
        pile += s.unseen[kind]
    return pile


def chance(g: Agreed, s: Numbers, case: int) -> None:
    """Give the card in this place of the pile, the pile being in order; the last of a deal or draw ends it."""
    card = 1
    while case >= s.unseen[card - 1]:
        case -= s.unseen[card - 1]
        card += 1
    give(s, receiver(g, s), card)
    s.given += 1
    if s.given == (DEALT * s.playing if s.phase == DEAL else DRAWN):
        s.given = 0
        if s.phase == DEAL:
            begin_round(g, s)
        else:
            next_to_lay(s)


def receiver(g: Agreed, s: Numbers) -> int:
    """Who gets the next card: in a deal the seats of the round in the order of their numbers."""
    if s.phase == DRAW:
        return s.seat
    before, seat = s.given // DEALT, 0
    while before > 0 or not plays(s, seat):
        if plays(s, seat):
            before -= 1
        seat += 1
    return seat


def plays(s: Numbers, seat: int) -> bool:
    """Whether a seat is in this round."""
    for place in range(s.playing):
        if s.order[place] == seat:
            return True
    return False


def give(s: Numbers, seat: int, card: int) -> None:
    """A seat gets a card, which takes its place in the hand; UNKNOWN may be any of those not seen."""
    if card != UNKNOWN:
        s.unseen[card - 1] -= 1
    place = s.held[seat]
    while place > 0 and s.hands[seat][place - 1] > card:
        s.hands[seat][place] = s.hands[seat][place - 1]
        place -= 1
    s.hands[seat][place] = card
    s.held[seat] += 1


def begin_round(g: Agreed, s: Numbers) -> None:
    """The cards are dealt: all rows are empty, and whoever sits left of the dealer lays first."""
    for seat in range(g.players):
        for place in range(FIELDS):
            s.rows[seat][place] = 0
    next_to_lay(s)


def next_to_lay(s: Numbers) -> None:
    """Somebody has to lay a card."""
    s.phase = LAY
    s.seat = seat_to_lay(s.order, s.playing, s.laid)
    s.actor = s.seat


def seat_to_lay(order: Any, playing: int, laid: int) -> int:
    """Whose card comes after `laid` cards of a round: each pass begins one seat further on.

    >>> [seat_to_lay((0, 1, 2), 3, laid) for laid in range(9)]
    [0, 1, 2, 1, 2, 0, 2, 0, 1]
    """
    seat: int = order[(laid // playing + laid % playing) % playing]
    return seat


def moves(g: Agreed, s: Numbers, out: MutableSequence[int]) -> int:
    """Write the legal moves: every card of the hand on every empty field; none if the hand is not known."""
    found, last, hand, row = 0, 0, s.hands[s.seat], s.rows[s.seat]
    for place in range(s.held[s.seat]):
        card = hand[place]
        if card > last:
            last, first = card, code_of(card, 0)
            for field in range(FIELDS):
                if row[field] == 0:
                    out[found] = first + field
                    found += 1
    return found


def most_moves(g: Agreed) -> int:
    """There are never more moves."""
    return HIGHEST * FIELDS


def code_of(card: int, place: int) -> int:
    """The code of laying this card on a field, `place` 0 being field 1."""
    return (card - 1) * FIELDS + place


def move(g: Agreed, s: Numbers, code: int) -> None:
    """Make a legal move."""
    lay(g, s, code // FIELDS + 1, code % FIELDS)


def lay(g: Agreed, s: Numbers, card: int, field: int) -> None:
    """Lay a card; then cards are drawn for it, somebody else lays, or the round is settled."""
    seat = s.seat
    take(s, seat, card)
    s.rows[seat][field] = card
    s.laid += 1
    if draws_after(s.laid, s.playing):
        s.phase = DRAW
        s.actor = CHANCE
    elif s.laid < FIELDS * s.playing:
        next_to_lay(s)
    else:
        end_round(g, s)


def take(s: Numbers, seat: int, card: int) -> None:
    """Take a card out of a hand; of a hand that is not known an unknown one turns out to be this card."""
    wanted = card
    if not s.sees[seat]:
        wanted = UNKNOWN
        s.unseen[card - 1] -= 1
    place = 0
    while s.hands[seat][place] != wanted:
        place += 1
    s.held[seat] -= 1
    for after in range(place, s.held[seat]):
        s.hands[seat][after] = s.hands[seat][after + 1]
    s.hands[seat][s.held[seat]] = 0


def draws_after(laid: int, playing: int) -> bool:
    """Whether two cards are drawn for the card that was the `laid`-th of a round: not in the last pass."""
    return laid <= (FIELDS - 1) * playing


def end_round(g: Agreed, s: Numbers) -> None:
    """Settle the round; then a new one is dealt or the game is over."""
    s.pot = settle(g.streets, g.bonus, s.rows, s.order, s.playing, s.chips, s.pot)
    s.rounds += 1
    s.laid = 0
    for kind in range(HIGHEST):
        s.unseen[kind] = g.pack[kind]
    for seat in range(g.players):
        s.held[seat] = 0
        for place in range(MOST_IN_HAND):
            s.hands[seat][place] = 0
    over = is_over(g, s.chips, s.rounds)
    if not over:
        s.playing = next_order(g, s.order[s.playing - 1], s.chips, s.order)
    s.actor = OVER if over else CHANCE
    s.phase = ENDED if over else DEAL
    s.seat = s.order[0]


def is_over(g: Agreed, chips: Any, rounds: int) -> bool:
    """Whether the game ends after so many rounds with these chips: at most one still has any."""
    still_in = 0
    for seat in range(g.players):
        still_in += chips[seat] > 0
    return still_in <= 1 or rounds == g.round_limit


def next_order(g: Agreed, dealer: int, chips: Any, out: Any) -> int:
    """Write who plays the round after `dealer`'s: the next seat with chips deals and comes last. How many they are."""
    new_dealer, playing = -1, 0
    for step in range(1, g.players + 1):
        seat = (dealer + step) % g.players
        if chips[seat] > 0:
            if new_dealer < 0:
                new_dealer = seat
            else:
                out[playing] = seat
                playing += 1
    out[playing] = new_dealer
    for place in range(playing + 1, g.players):
        out[place] = -1
    return playing + 1


def scores(g: Agreed, s: Numbers, out: MutableSequence[int]) -> None:
    """Write each seat's chips."""
    for seat in range(g.players):
        out[seat] = s.chips[seat]


def winners(g: Agreed, s: Numbers, scores: Any, out: Any) -> None:
    """Say of each seat whether it has won."""
    for seat in range(g.players):
        out[seat] = has_won(s.order, s.playing, scores, seat)


def has_won(order: Any, playing: int, chips: Any, seat: int) -> bool:
    """Of those who played the last round the ones with most chips win, even if that is none at all."""
    played = False
    for place in range(playing):
        if chips[order[place]] > chips[seat]:
            return False
        played = played or order[place] == seat
    return played


# --- the game -------------------------------------------------------------------------------------


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
    chance_shapes = {Deal: PackShape("deck", DEALT, shuffled=True), Draw: PackShape("deck", DRAWN)}

    def __init__(self, players: int, options: SixBySixOptions | None = None) -> None:
        super().__init__(players, options)
        numbers = {copies.card: copies.number for copies in self.components.deck}
        #: how many 1s, 2s ... 9s the whole pack has
        self.pack = tuple(numbers.get(card, 0) for card in range(1, HIGHEST + 1))
        self.agreed = Agreed(
            players, self.options.streets, self.options.round_limit, self.components.bonus.chips, self.pack
        )

    def settle(self, rows: Sequence[Row], chips: Sequence[int], pot: int) -> Settlement:
        """How a round ends as agreed; rows and chips of the seats that are in."""
        return settlement(self.agreed.streets, self.agreed.bonus, rows, chips, pot)

    def start(self) -> SixBySixState:
        players, seats = self.players, tuple(range(self.players))
        return SixBySixState(
            self, CHANCE, "deal", 0, 0, seats, 0, (self.components.start.chips,) * players, 0,
            ((),) * players, (EMPTY,) * players, seats, self.pack,
        )  # fmt: skip


@cache
def _lays(seat: int) -> tuple[Card, ...]:
    """The move that each code is."""
    cards, fields = range(1, HIGHEST + 1), range(1, FIELDS + 1)
    return tuple(Card(seat, card, field) for card in cards for field in fields)


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


def _are_left(numbers: Sequence[int], cards: Iterable[int | None]) -> bool:
    """Whether these cards, hidden ones apart, are among so many 1s, 2s ... 9s."""
    left = list(numbers)
    for card in cards:
        if card is not None:
            left[card - 1] -= 1
    return min(left) >= 0


#: what fills a hand of so many cards up
_FILL: Final = tuple((0,) * (MOST_IN_HAND - cards) for cards in range(MOST_IN_HAND + 1))


class SixBySixState(State, frozen=True):
    """One position. `phase` says what comes next: deal, card, draw or over.

    A view (see `view`) is a state of its own whose hidden cards are None. Events fold into it as that
    seat is told of them: `state.view(s).apply(event.view(s)) == state.apply(event).view(s)`.
    """

    game: SixBySix
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

    def numbers(self) -> Numbers:
        players, order = len(self.chips), self.order
        return Numbers(
            self.actor, PHASES.index(self.phase), self.seat, self.rounds,
            [*order, *[-1] * (players - len(order))], len(order), self.laid, 0, [*self.chips], self.pot,
            [self._hand(seat) for seat in range(players)], [len(hand) for hand in self.hands],
            [[*row] for row in self.rows], [int(seat in self.sees) for seat in range(players)], [*self.unseen],
        )  # fmt: skip

    def _hand(self, seat: int) -> list[Any]:
        hand = self.hands[seat]
        known = hand if seat in self.sees else (UNKNOWN,) * len(hand)
        return [*known, *_FILL[len(hand)]]

    def after(self, s: Numbers) -> SixBySixState:
        hands = [
            tuple(hand[:held]) if seen else (None,) * held
            for hand, held, seen in zip(s.hands, s.held, s.sees, strict=True)
        ]
        return SixBySixState(
            self.game, s.actor, PHASES[s.phase], s.seat, s.rounds, tuple(s.order[: s.playing]), s.laid,
            tuple(s.chips), s.pot, tuple(hands), tuple([tuple(row) for row in s.rows]), self.sees,
            tuple(s.unseen),
        )  # fmt: skip

    def _own_numbers(self) -> Any:
        """As `numbers`, but of the others' cards and of the chips nothing can be written: quicker within a round."""
        seat = self.seat
        hands, rows = list(self.hands), list(self.rows)
        hands[seat], rows[seat] = self._hand(seat), [*rows[seat]]  # type: ignore[call-overload]
        held = list(map(len, self.hands))
        seen = [*map(self.sees.__contains__, range(len(held)))]
        make: Any = Numbers  # what is only read may be tuples
        return make(
            self.actor, PHASES.index(self.phase), seat, self.rounds, self.order, len(self.order), self.laid, 0,
            self.chips, self.pot, hands, held, rows, seen, [*self.unseen],
        )  # fmt: skip

    def _after_own(self, s: Numbers) -> SixBySixState:
        seat, hands, rows = self.seat, list(self.hands), list(self.rows)
        held = s.held[seat]
        hands[seat] = tuple(s.hands[seat][:held]) if seat in self.sees else (None,) * held
        rows[seat] = tuple(s.rows[seat])
        return SixBySixState(
            self.game, s.actor, PHASES[s.phase], s.seat, self.rounds, self.order, s.laid, self.chips, self.pot,
            tuple(hands), tuple(rows), self.sees, tuple(s.unseen),
        )  # fmt: skip

    def codes(self, s: Any = None) -> list[int]:
        if self.phase != "card" or self.seat not in self.sees:
            return []
        if s is None:
            # nothing is written, so that nothing has to be copied; of other hands only their size is told
            make: Any = Numbers
            s = make(
                self.actor, LAY, self.seat, self.rounds, self.order, len(self.order), self.laid, 0, self.chips,
                self.pot, self.hands, list(map(len, self.hands)), self.rows, self.sees, self.unseen,
            )  # fmt: skip
        out = [0] * most_moves(self.game.agreed)
        return out[: moves(self.game.agreed, s, out)]

    def moves(self) -> tuple[Event, ...]:
        """Every card of the hand on every empty field; empty in a view that hides the hand to move."""
        lays = _lays(self.seat)
        return tuple([lays[code] for code in self.codes()])

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
        if self.phase != "over":
            return ()
        won = [False] * len(self.chips)
        winners(self.game.agreed, self.numbers(), self.chips, won)
        return tuple([seat for seat, has_won in enumerate(won) if has_won])

    def apply(self, event: Event) -> SixBySixState:
        if self.phase == "card" and type(event) is Card and event.seat == self.seat:
            self._check_card(event)
            if self.laid + 1 < FIELDS * len(self.order):
                s = self._own_numbers()
                lay(self.game.agreed, s, event.card, event.field - 1)
                return self._after_own(s)
            s = self.numbers()
            lay(self.game.agreed, s, event.card, event.field - 1)
        elif self.phase == "draw" and type(event) is Draw and event.seat == self.seat:
            self._check_draw(event)
            s = self._own_numbers()
            for card in event.draw:
                give(s, self.seat, card or UNKNOWN)
            next_to_lay(s)
            return self._after_own(s)
        elif self.phase == "deal" and type(event) is Deal:
            self._check_deal(event)
            s = self.numbers()
            for seat, hand in enumerate(event.deal):
                for card in hand:
                    give(s, seat, card or UNKNOWN)
            begin_round(self.game.agreed, s)
        else:
            raise self.misplaced(event)
        return self.after(s)

    def _check_deal(self, event: Deal) -> None:
        if [bool(hand) for hand in event.deal] != [seat in self.order for seat in range(len(self.chips))]:
            raise IllegalOutcome("deal", "cards go to the seats {seats}", seats=sorted(self.order))
        for seat, hand in enumerate(event.deal):
            self._check_shown("deal", seat, hand)
        if not _are_left(self.unseen, chain.from_iterable(event.deal)):
            raise IllegalOutcome("deal", "there are not so many cards of one kind")

    def _check_draw(self, event: Draw) -> None:
        self._check_shown("draw", self.seat, event.draw)
        if not _are_left(self.unseen, event.draw):
            raise IllegalOutcome("draw", "these two cards are not both in the pile")

    def _check_shown(self, rule: str, seat: int, hand: Hand) -> None:
        if hand and (None in hand) == (seat in self.sees):
            wanted = "have to be named" if seat in self.sees else "are hidden in this view"
            raise IllegalOutcome(rule, "{seat}’s cards " + wanted, seat=seat)

    def _check_card(self, event: Card) -> None:
        place = event.field - 1
        if not 0 <= place < FIELDS:
            raise IllegalMove("field", "there is no field {field}, only 1 to 6", field=event.field)
        if self.rows[self.seat][place]:
            raise IllegalMove("field", "there is a card on field {field} already", field=event.field)
        # in a view that hides the hand, one of its unknown cards turns out to be this one
        there: bool = event.card in self.hands[self.seat]
        if self.seat not in self.sees:
            there = bool(self.hands[self.seat]) and _are_left(self.unseen, (event.card,))
        if not there:
            raise IllegalMove("card", "{seat} has no {card} to lay", seat=self.seat, card=event.card)
