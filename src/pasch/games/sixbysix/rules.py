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

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, get_args

import msgspec

from pasch.core.errors import IllegalMove
from pasch.core.game import Game
from pasch.core.nodes import Cards, Choice
from pasch.core.options import HOUSE, Options
from pasch.core.position import BySeat, Number, Row, Table, UpTo
from pasch.core.shapes import PackShape
from pasch.core.state import CHANCE, OVER, State
from pasch.games.sixbysix import events
from pasch.games.sixbysix.box import DEALT, DRAWN, SixBySixComponents
from pasch.games.sixbysix.events import UNKNOWN, Card, Deal, Draw, Hand
from pasch.games.sixbysix.settling import FIELDS, HIGHEST, settle

#: a hand before the last card is laid: dealt, and after each of five cards two for one
MAX_IN_HAND: Final = DEALT + (DRAWN - 1) * (FIELDS - 1)

# --- options, and what the rules read of them and of the box ---------------------------------------


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
            description="The game ends after this many rounds; whoever has the most chips wins.",
            extra=HOUSE,
        ),
    ] = 100
    components: SixBySixComponents | None = None


class Config(NamedTuple):
    """What the rules read of players, options and box (`g` below)."""

    players: int
    streets: bool
    round_limit: int
    #: chips for the highest sum of fields 1 and 6
    bonus: int
    #: how many 1s, 2s ... 9s the whole pack has
    pack: Sequence[int]
    #: all chips that there are, and the most cards of a kind
    all_chips: int
    copies: int


# --- the position, and `s` below: the same as numbers and rows -------------------------------------

Phase = Literal["deal", "card", "draw", "over"]
PHASES: Final = get_args(Phase)
DEAL, LAY, DRAW, ENDED = range(4)


@dataclass(slots=True)
class Numbers:
    """A position as numbers. A hand is its cards, ascending, then zeros."""

    actor: int
    phase: int
    seat: int
    rounds: Annotated[int, Number(0, "round_limit")]
    order: Annotated[list[int], UpTo("players", count="playing", kinds="players")]
    playing: int
    laid: Annotated[int, Number(0, 6 * FIELDS)]
    #: cards that the deal or draw under way has brought so far
    given: int
    chips: Annotated[list[int], Row("players", high="all_chips")]
    pot: Annotated[int, Number(0, "all_chips")]
    hands: Annotated[list[list[int]], Table("players", MAX_IN_HAND, UNKNOWN, HIGHEST)]
    #: by seat: the cards on the hand
    held: Annotated[list[int], Row("players")]
    rows: Annotated[list[list[int]], Table("players", FIELDS, high=HIGHEST)]
    unseen: Annotated[list[int], Row(HIGHEST, high="copies")]


@cache
def row_of(hand: Hand) -> list[int]:
    """The cards of a hand, then zeros. Not to be changed."""
    return [UNKNOWN if card is None else card for card in hand] + [0] * (MAX_IN_HAND - len(hand))


@cache
def hand_of(row: tuple[int, ...]) -> Hand:
    """The hand with these cards, zeros left out."""
    return tuple(None if card == UNKNOWN else card for card in row if card)


class Position(State, frozen=True):
    """One position. `phase` says what comes next.

    A view (see `view`) is a position of its own whose hidden cards are None. Events fold into it as that
    seat sees of them: `state.view(s).apply(event.view(s)) == state.apply(event).view(s)`.
    """

    Numbers: ClassVar = Numbers

    phase: Phase
    #: who lays or draws; the seat that begins the round when cards are to be dealt
    seat: int
    #: the rounds that have been settled
    rounds: int
    #: the seats playing this round, from the dealer's left; the dealer is the last
    order: tuple[int, ...]
    #: the cards laid in this round
    laid: int
    chips: BySeat
    pot: int
    #: by seat; they vanish unseen when the round is settled
    hands: tuple[Hand, ...]
    #: by seat; they stay on the table until the next deal
    rows: tuple[tuple[int, ...], ...]
    #: the seats whose hands are open in this state: all, or in a view one or none
    sees: tuple[int, ...]
    #: how many 1s, 2s ... 9s there are of which this state does not know where. In the true state that is
    #: the pile; in a view the pile and the hidden hands together, each card of which is equally
    #: likely to come next (unless one reads something into how the others play)
    unseen: tuple[int, ...]

    def view(self, seat: int | None) -> Position:
        super().view(seat)
        hands, unseen = list(self.hands), list(self.unseen)
        for other, hand in enumerate(self.hands):
            if other != seat:
                hands[other] = (None,) * len(hand)
                for card in hand:
                    if card is not None:
                        unseen[card - 1] += 1
        sees = tuple(other for other in self.sees if other == seat)
        return msgspec.structs.replace(self, hands=tuple(hands), sees=sees, unseen=tuple(unseen))

    def unpack(self) -> Any:
        order, chips = self.order, self.chips
        return Numbers(
            self.actor, PHASES.index(self.phase), self.seat, self.rounds,
            [*order] + [0] * (len(chips) - len(order)), len(order), self.laid, 0, [*chips], self.pot,
            [*map(list.copy, map(row_of, self.hands))], [*map(len, self.hands)], [*map(list, self.rows)],
            [*self.unseen],
        )  # fmt: skip

    def pack(self, s: Any) -> Position:
        return Position(
            self.game, s.actor, PHASES[s.phase], s.seat, s.rounds, tuple(s.order[: s.playing]), s.laid,
            tuple(s.chips), s.pot, tuple(map(hand_of, map(tuple, s.hands))), tuple(map(tuple, s.rows)),
            self.sees, tuple(s.unseen),
        )  # fmt: skip

    def allows(self, code: int, s: Any) -> bool:
        """In a view that hides the hand `moves` writes nothing: one of its cards turns out to be the one laid."""
        if self.seat in self.sees:
            return False
        card, place = code // FIELDS, code % FIELDS
        return s.held[s.seat] > 0 and s.unseen[card] > 0 and s.rows[s.seat][place] == 0


# --- cards come --------------------------------------------------------------------------------------


def cards_dealt(g: Config, s: Any) -> int:
    """Everybody in the round is dealt cards."""
    return DEALT * s.playing


def dealt_to(g: Config, s: Any) -> int:
    """Who is dealt the next card: the seats of the round in the order of their numbers."""
    before, seat = s.given // DEALT, 0
    while before > 0 or not plays(s, seat):
        if plays(s, seat):
            before -= 1
        seat += 1
    return seat


def plays(s: Any, seat: int) -> bool:
    """Whether a seat is in this round."""
    for place in range(s.playing):
        if s.order[place] == seat:
            return True
    return False


def give(g: Config, s: Any, seat: int, card: int) -> None:
    """A seat gets a card, which takes its place in the hand; UNKNOWN may be any of those not seen."""
    if card != UNKNOWN:
        s.unseen[card - 1] -= 1
    place = s.held[seat]
    while place > 0 and s.hands[seat][place - 1] > card:
        s.hands[seat][place] = s.hands[seat][place - 1]
        place -= 1
    s.hands[seat][place] = card
    s.held[seat] += 1


def begin_round(g: Config, s: Any) -> None:
    """The cards are dealt: all rows are empty, and the seat left of the dealer lays first."""
    for seat in range(g.players):
        for place in range(FIELDS):
            s.rows[seat][place] = 0
    next_to_lay(g, s)


def next_to_lay(g: Config, s: Any) -> None:
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


# --- a card is laid ----------------------------------------------------------------------------------


def lays(g: Config, s: Any, out: MutableSequence[int]) -> int:
    """Every card of the hand may be laid on every empty field; none if the hand is not known."""
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


def code_of(card: int, place: int) -> int:
    """The code of laying this card on a field, `place` 0 being field 1."""
    return (card - 1) * FIELDS + place


def lay(g: Config, s: Any, code: int) -> None:
    """Lay a card; then cards are drawn for it, somebody else lays, or the round is settled."""
    card = code // FIELDS + 1
    take(s, s.seat, card)
    s.rows[s.seat][code % FIELDS] = card
    s.laid += 1
    if draws_after(s.laid, s.playing):
        s.phase = DRAW
        s.actor = CHANCE
    elif s.laid < FIELDS * s.playing:
        next_to_lay(g, s)
    else:
        end_round(g, s)


def take(s: Any, seat: int, card: int) -> None:
    """Take a card out of a hand; of a hand that is not known an unknown one turns out to be this card."""
    wanted = card
    if s.hands[seat][0] == UNKNOWN:
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


# --- a round ends --------------------------------------------------------------------------------------


def end_round(g: Config, s: Any) -> None:
    """Settle the round; then a new one is dealt or the game is over."""
    s.pot = settle(g.streets, g.bonus, s.rows, s.order, s.playing, s.chips, s.pot)
    s.rounds += 1
    s.laid = 0
    for kind in range(HIGHEST):
        s.unseen[kind] = g.pack[kind]
    for seat in range(g.players):
        for place in range(s.held[seat]):
            s.hands[seat][place] = 0
        s.held[seat] = 0
    over = is_over(g, s.chips, s.rounds)
    if not over:
        s.playing = next_order(g, s.order[s.playing - 1], s.chips, s.order)
    s.actor = OVER if over else CHANCE
    s.phase = ENDED if over else DEAL
    s.seat = s.order[0]


def is_over(g: Config, chips: Any, rounds: int) -> bool:
    """Whether the game ends after this many rounds with these chips: at most one still has any."""
    still_in = 0
    for seat in range(g.players):
        still_in += chips[seat] > 0
    return still_in <= 1 or rounds == g.round_limit


def next_order(g: Config, dealer: int, chips: Any, out: Any) -> int:
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
        out[place] = 0
    return playing + 1


def winners(g: Config, s: Any, scores: Any, out: Any) -> None:
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


def why_not_card(state: Position, event: Card, code: int | None) -> IllegalMove:
    """Why this card cannot be laid there."""
    if not 1 <= event.field <= FIELDS:
        return IllegalMove("field", "there is no field {field}, only 1 to 6", field=event.field)
    if state.rows[state.seat][event.field - 1]:
        return IllegalMove("field", "there is a card on field {field} already", field=event.field)
    return IllegalMove("card", "{seat} has no {card} to lay", seat=state.seat, card=event.card)


# --- the game -------------------------------------------------------------------------------------


def first_position(game: SixBySix) -> Position:
    """Before the first deal: everybody has chips and nothing else."""
    n, seats, chips = game.players, tuple(range(game.players)), game.components.start.chips
    return Position(
        game, CHANCE, "deal", 0, 0, seats, 0, (chips,) * n, 0, ((),) * n, ((0,) * FIELDS,) * n, seats,
        game.config.pack,
    )  # fmt: skip


class SixBySix(Game[SixBySixOptions, SixBySixComponents]):
    """A game of 6mal6 with its options and components."""

    id = "sixbysix"
    title = "6mal6"
    pitch = "Lay your hidden cards on six open fields, and leave it to others to be the lowest."
    seats = range(2, 7)
    minutes = (10, 50)
    Options = SixBySixOptions
    Components = SixBySixComponents
    Position = Position
    phases = {
        "deal": Cards(
            Deal, pack="unseen", given="given", wanted=cards_dealt, receiver=dealt_to, give=give,
            then=begin_round, chance=events.deal_chance, cards=events.cards_of_deal,
            shape=PackShape("deck", DEALT, shuffled=True),
        ),
        "card": Choice(
            Card, product(range(1, HIGHEST + 1), range(1, FIELDS + 1)), lay, lays, why_not_card
        ),
        "draw": Cards(
            Draw, pack="unseen", given="given", wanted=DRAWN, receiver="seat", give=give,
            then=next_to_lay, chance=events.draw_chance, cards=events.cards_of_draw, shape=PackShape("deck", DRAWN),
        ),
    }  # fmt: skip
    scores = "chips"
    winners = winners
    start = first_position

    def configure(self) -> Config:
        options, box = self.options, self.components
        copies = {copies.card: copies.number for copies in box.deck}
        pack = tuple(copies.get(card, 0) for card in range(1, HIGHEST + 1))
        chips = self.players * box.start.chips
        return Config(
            self.players, options.streets, options.round_limit, box.bonus.chips, pack, chips, max(pack)
        )
