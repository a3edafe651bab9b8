"""6mal6 for two: the end of a round as a tree of what everybody sees, with the hands as numbers beside it.

What a round brings depends on the rows alone, so that a node of the tree is a position with all hands hidden, and a
seat's information is a node and its hand. When its cards came to it tells a seat nothing, so hands are numbers of
cards by value. Cards come without being put back; of all orders in which they come to the two seats, those with the
same cards in all are equally likely: the chance of two hands at a leaf is the number of orders in which one
seat's cards can have come, times that of the other's, times a weight of all cards together.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, perm, prod
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.components import Provenance
from pasch.core.state import CHANCE
from pasch.games.sixbysix.box import DRAWN, Copies
from pasch.games.sixbysix.events import HIDDEN, Card, Draw
from pasch.games.sixbysix.rules import MAX_IN_HAND, Position, SixBySix, SixBySixOptions
from pasch.games.sixbysix.settling import FIELDS, HIGHEST
from pasch.players.base import player

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SEATS: Final = 2
OWN: Final[Provenance] = "seen"
#: what a round is played for: the share of its win, or chips more than the other's
AIMS: Final = ("win", "chips")


def small_game(values: tuple[int, ...], cards: int = 84) -> SixBySix:
    """A game of one round for two, with this many cards of these values only, as equally many as can be."""
    default = SixBySix(SEATS)
    share, more = divmod(cards, len(values))
    deck = tuple(
        Copies(card=card, number=share + (at < more), provenance=OWN) for at, card in enumerate(values)
    )
    box = msgspec.structs.replace(default.components, deck=deck)
    return SixBySix(SEATS, SixBySixOptions(round_limit=1, components=box))


def usual_end(game: SixBySix, passes: int, seed: object) -> Position:
    """A round of greedy players with this many passes to come, all hands hidden.

    Their hands are taken to be any of the cards that do not lie there, so that what was laid tells nothing.
    """
    state, generator, greedy = game.start(), KeyedGenerator(seed_key(seed)), player("greedy")
    while state.laid < SEATS * (FIELDS - passes) or state.phase != "card":
        if state.actor == CHANCE:
            state = state.apply(state.chance().sample(generator))
        else:
            state = state.apply(greedy.choose(state.view(state.seat), generator))
    return state.view(None)


class Hands(NamedTuple):
    """All hands by their size, numbered, and how they change; numbers of hands that there are not are -1."""

    #: the cards of each hand, in order, by size
    cards: tuple[tuple[tuple[int, ...], ...], ...]
    #: the hand without a card: [size, hand, value]
    without: Ints
    #: the hand with each pair of cards more, and in how many orders that pair comes: [size, hand, pair], [pair]
    drawn: Ints
    orders: Floats


def all_hands(values: tuple[int, ...]) -> Hands:
    """All hands of these values."""
    sizes = range(MAX_IN_HAND + 1)
    cards = tuple(tuple(combinations_with_replacement(values, size)) for size in sizes)
    number = [{hand: at for at, hand in enumerate(hands)} for hands in cards]
    pairs = tuple(combinations_with_replacement(values, DRAWN))
    shape = MAX_IN_HAND + 1, len(cards[-1])
    without = np.full((*shape, len(values)), -1)
    drawn = np.full((*shape, len(pairs)), -1)
    for size in sizes:
        for hand, at in number[size].items():
            for which, card in enumerate(values):
                if card in hand:
                    place = hand.index(card)
                    without[size, at, which] = number[size - 1][hand[:place] + hand[place + 1 :]]
            for which, pair in enumerate(pairs):
                if size + DRAWN <= MAX_IN_HAND:
                    drawn[size, at, which] = number[size + DRAWN][tuple(sorted(hand + pair))]
    return Hands(cards, without, drawn, np.array([float(orders(pair)) for pair in pairs]))


def orders(hand: tuple[int, ...]) -> int:
    """In how many orders these cards can come, equal ones being equal."""
    return factorial(len(hand)) // prod(factorial(hand.count(card)) for card in set(hand))


class Tree(NamedTuple):
    """The tree as arrays. Nodes are numbered from the root on, a node's children being neighbours."""

    #: by node: who lays, -1 at a leaf; the size of the hand laid from; whether cards are drawn for it
    seat: Ints
    size: Ints
    draws: Ints
    #: by node: its first child and how many there are, and where its moves begin among those of all nodes and hands
    child: Ints
    children: Ints
    moves: Ints
    #: by node: which value was laid to get there
    laid: Ints
    #: by leaf: which weights belong to it, and what it brings seat 0, of which seat 1 has the opposite
    weights: Ints
    brings: Floats
    #: the weight of two hands: [which, hand of seat 0, hand of seat 1]
    weight: Floats
    #: in how many orders a hand at the root can have come: [seat, hand]
    start: Floats
    without: Ints
    drawn: Ints
    orders: Floats


@dataclass(frozen=True)
class End:
    """The end of a round: its positions with hidden hands, all hands, and the tree."""

    states: list[Position]
    hands: Hands
    tree: Tree

    def view(self, node: int, hand: int) -> Position:
        """What the seat to lay sees if it has this hand."""
        state = self.states[node]
        seat, cards = state.seat, self.hands.cards[self.tree.size[node]][hand]
        hands, unseen = list(state.hands), list(state.unseen)
        hands[seat] = cards
        for card in cards:
            unseen[card - 1] -= 1
        return msgspec.structs.replace(state, hands=tuple(hands), sees=(seat,), unseen=tuple(unseen))


def end_of_round(root: Position, aim: str = "win") -> End:
    """The tree of all that can follow a position with hidden hands; it is played for an aim of AIMS."""
    values = tuple(card for card in range(1, HIGHEST + 1) if root.game.config.pack[card - 1])
    hands, states, laid = all_hands(values), [root], [-1]
    draws, child, children, moves = list[bool](), list[int](), list[int](), [0]
    for state in states:  # it grows meanwhile
        child.append(len(states))
        after = [] if state.over else [state.apply(move) for move in _lays(state, values)]
        drawing = bool(after) and after[0].phase == "draw"
        draws.append(drawing)
        children.append(len(after))
        moves.append(moves[-1] + len(after) * len(hands.cards[_held(state)]))
        laid += [] if state.over else [values.index(move.card) for move in _lays(state, values)]
        states += [new.apply(Draw(state.seat, HIDDEN)) for new in after] if drawing else after
    counts = [tuple(_lying(state, card) - _lying(root, card) for card in values) for state in states]
    ends = sorted({count for count, state in zip(counts, states, strict=True) if state.over})
    start = np.zeros((SEATS, len(hands.cards[-1])))
    for seat in range(SEATS):
        dealt = hands.cards[len(root.hands[seat])]
        start[seat, : len(dealt)] = [orders(hand) for hand in dealt]
    tree = Tree(
        seat=np.array([-1 if state.over else state.seat for state in states]),
        size=np.array([_held(state) for state in states]),
        draws=np.array(draws, np.int64),
        child=np.array(child),
        children=np.array(children),
        moves=np.array(moves),
        laid=np.array(laid),
        weights=np.array(
            [ends.index(count) if state.over else -1 for count, state in zip(counts, states, strict=True)]
        ),
        brings=np.array([_brings(state, aim) if state.over else 0.0 for state in states]),
        weight=np.array([_weights(root, values, hands, count) for count in ends]),
        start=start,
        without=hands.without,
        drawn=hands.drawn,
        orders=hands.orders,
    )
    return End(states, hands, tree)


def _lays(state: Position, values: tuple[int, ...]) -> list[Card]:
    """The cards that a seat with a hidden hand may lay, as far as others know."""
    fields = [place + 1 for place in range(FIELDS) if not state.rows[state.seat][place]]
    cards = [card for card in values if state.unseen[card - 1]]
    return [Card(state.seat, card, field) for card in cards for field in fields]


def _held(state: Position) -> int:
    """The size of the hand to lay from."""
    return 0 if state.over else len(state.hands[state.seat])


def _lying(state: Position, card: int) -> int:
    return sum(row.count(card) for row in state.rows)


def _brings(state: Position, aim: str) -> float:
    """What an end brings seat 0 more than nothing: of the win, half of which is nothing, or of chips."""
    if aim == "win":
        won = state.winners()
        return (0 in won) / len(won) - 0.5
    return float(state.chips[0] - state.chips[1])


def _weights(root: Position, values: tuple[int, ...], hands: Hands, laid: tuple[int, ...]) -> Floats:
    """The weight of any two hands that are left at the end, after such cards have been laid."""
    left = np.array([[hand.count(card) for card in values] for hand in hands.cards[MAX_IN_HAND - 1]])
    cards = left[:, None] + left[None, :] + np.array(laid)
    there = [root.unseen[card - 1] for card in values]
    falling = [[float(perm(number, taken)) for taken in range(int(cards.max()) + 1)] for number in there]
    weight = prod(np.array(falling[at])[cards[:, :, at]] for at in range(len(values)))
    found: Floats = weight / float(perm(sum(there), int(cards[0, 0].sum())))
    return found
