"""6mal6 for two: how the end of a round is played best by both, found by counterfactual regret minimisation.

The end of a round is a tree of what everybody sees, with the hands as numbers beside it.
What a round brings depends on the rows alone, so that a node of the tree is a position with all hands hidden, and a
seat's information is a node and its hand. When its cards came to it tells a seat nothing, so hands are numbers of
cards by value. Cards come without being put back; of all orders in which they come to the two seats, those with the
same cards in all are equally likely: the chance of two hands at a leaf is the number of orders in which one
seat's cards can have come, times that of the other's, times a weight of all cards together.

CFR+ (Tammelin 2014): both seats in turn follow their regrets, which never fall below zero, and later rounds of
the computation count more in the average. A strategy has one probability for each node of the tree, hand and move
(`Tree.moves`). What it gains who answers both average strategies as well as possible is an upper bound of what
is missing to the equilibrium: `exploitability`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise
from math import factorial, perm, prod
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.components import Provenance
from pasch.core.rules import kernel
from pasch.core.state import CHANCE
from pasch.games.sixbysix.box import DRAWN, Copies
from pasch.games.sixbysix.events import HIDDEN, Card, Draw
from pasch.games.sixbysix.rules import MAX_IN_HAND, Position, SixBySix, SixBySixOptions
from pasch.games.sixbysix.settling import FIELDS, HIGHEST
from pasch.players.base import Player, player

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SEATS: Final = 2
OWN: Final[Provenance] = "seen"
#: what a round is played for: the share of its win, or chips more than the other's
AIMS: Final = ("win", "chips")


def small_game(values: tuple[int, ...], cards: int = 84) -> SixBySix:
    """A game of one round for two, with this many cards of these values only, in numbers as equal as possible."""
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
    """The payoff of an end for seat 0: its share of the win above one half, or its lead in chips."""
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


# --- solving --------------------------------------------------------------------------------------------


class Equilibrium(NamedTuple):
    """Average strategies of both seats, of which each has the nodes at which it lays."""

    strategy: Floats
    #: what seat 0 gets more than half, or than the other
    value: float
    #: what a seat gains at most, on average over both, by another strategy
    exploitability: float


def solve(end: End, rounds: int, enough: float = 0.0, look: int = 50) -> Equilibrium:
    """The equilibrium after this many rounds of computation, or as soon as that is good enough."""
    regrets, total = np.zeros(end.tree.moves[-1]), np.zeros(end.tree.moves[-1])
    done = 0
    while True:
        step = min(look, rounds - done)
        _compiled(learn)(end.tree, regrets, total, done, step)
        done += step
        strategy = total.copy()
        _compiled(normalise)(end.tree, strategy)
        missing = exploitability(end, strategy)
        if done == rounds or missing <= enough:
            return Equilibrium(strategy, value_of(end, strategy, strategy), missing)


def value_of(end: End, first: Floats, second: Floats) -> float:
    """The payoff of seat 0 if it follows one strategy and seat 1 another one."""
    return float(_compiled(answer)(end.tree, first, second, 0, len(end.states)))


def gain_against(end: End, strategy: Floats, seat: int) -> float:
    """The payoff of a seat's best response to this strategy of the other."""
    return float(_compiled(answer)(end.tree, strategy, strategy, seat, 0))


def losses(end: End, played: Floats, strategy: Floats, seat: int) -> list[float]:
    """What a seat loses with its play against a strategy, for each pass to come.

    What it would get with the best answer from a pass on, less the same from the next one on.
    """
    both = (played, strategy) if seat == 0 else (strategy, played)
    laid = [state.laid for state in end.states if not state.over]
    first = [laid.index(number) for number in range(laid[0], laid[-1] + 1, SEATS)]
    gets = [_compiled(answer)(end.tree, *both, seat, node) for node in (*first, len(end.states))]
    return [float(before - after) for before, after in pairwise(gets)]


def exploitability(end: End, strategy: Floats) -> float:
    """What a best response gains, on average over both seats; 0 in an equilibrium."""
    return sum(gain_against(end, strategy, seat) for seat in range(SEATS)) / SEATS


def strategy_of(end: End, player: Player, seat: int) -> Floats:
    """A player's strategy in a seat, at all nodes that its own play can reach; empty elsewhere."""
    tree, generator = end.tree, KeyedGenerator(seed_key("strategy"))
    strategy = np.zeros(tree.moves[-1])
    reach = np.zeros((len(tree.seat), tree.start.shape[1]))
    reach[0] = tree.start[seat]
    for node in range(len(tree.seat)):
        if tree.seat[node] == seat:
            state, first, number = end.states[node], tree.child[node], int(tree.children[node])
            after = [end.states[child].rows[seat] for child in range(first, first + number)]
            for hand in np.flatnonzero(reach[node]):
                cards = end.hands.cards[tree.size[node]][hand]
                if any(cards.count(card) > state.unseen[card - 1] for card in set(cards)):
                    continue
                move = player.choose(end.view(node, int(hand)), generator)
                row = list(state.rows[seat])
                row[move.field - 1] = move.card  # type: ignore[attr-defined]
                strategy[tree.moves[node] + hand * number + after.index(tuple(row))] = 1.0
        _compiled(pass_on)(tree, strategy, node, seat, reach)
    return strategy


# --- to be compiled -------------------------------------------------------------------------------------
# `reach` has, for each node and hand of a seat, in how many orders the seat's cards and moves lead there; `worth`
# what the hand gets from there on, weighed by how the other seat gets there. A hand that there is not has -1.


@kernel(allocates=True)
def learn(tree: Tree, regrets: Floats, total: Floats, done: int, rounds: int) -> None:
    """Continue the computation for this number of rounds."""
    nodes, hands = len(tree.seat), tree.start.shape[1]
    strategy, reach, worth = np.zeros(len(total)), np.zeros((nodes, hands)), np.zeros((nodes, hands))
    strategy[:] = regrets
    normalise(tree, strategy)
    for number in range(done, done + rounds):
        for seat in range(SEATS):
            spread(tree, strategy, 1 - seat, reach)
            collect(tree, strategy, seat, nodes, reach, worth, regrets)
            spread(tree, strategy, seat, reach)
            for node in range(nodes):
                if tree.seat[node] == seat:
                    add_up(tree, strategy, node, reach, (number + 1.0), total)
                    follow(tree, regrets, node, strategy)


def add_up(tree: Tree, strategy: Floats, node: int, reach: Floats, weight: float, total: Floats) -> None:
    """Add what was played at a node to the average, by how often the seat got there."""
    at, number = tree.moves[node], tree.children[node]
    for hand in range((tree.moves[node + 1] - at) // number):
        for move in range(number):
            total[at + hand * number + move] += (
                weight * reach[node, hand] * strategy[at + hand * number + move]
            )


def follow(tree: Tree, weights: Floats, node: int, strategy: Floats) -> None:
    """Play at a node by these weights; where there are none, any move that the hand allows."""
    at, number, first = tree.moves[node], tree.children[node], tree.child[node]
    for hand in range((tree.moves[node + 1] - at) // number):
        here, sum_, legal = at + hand * number, 0.0, 0
        for move in range(number):
            sum_ += weights[here + move]
            legal += tree.without[tree.size[node], hand, tree.laid[first + move]] >= 0
        for move in range(number):
            if sum_ > 0:
                strategy[here + move] = weights[here + move] / sum_
            elif tree.without[tree.size[node], hand, tree.laid[first + move]] >= 0:
                strategy[here + move] = 1.0 / legal
            else:
                strategy[here + move] = 0.0


@kernel(allocates=True)
def normalise(tree: Tree, strategy: Floats) -> None:
    """Make probabilities of weights, everywhere."""
    for node in range(len(tree.seat)):
        if tree.seat[node] >= 0:
            follow(tree, strategy, node, strategy)


def spread(tree: Tree, strategy: Floats, seat: int, reach: Floats) -> None:
    """Find how a seat gets to each node with each hand."""
    reach[0] = tree.start[seat]
    for node in range(len(tree.seat)):
        pass_on(tree, strategy, node, seat, reach)


@kernel(allocates=True)
def pass_on(tree: Tree, strategy: Floats, node: int, seat: int, reach: Floats) -> None:
    """From a node to its children."""
    first, number, size = tree.child[node], tree.children[node], tree.size[node]
    for move in range(number):
        child = first + move
        if tree.seat[node] != seat:
            reach[child] = reach[node]
            continue
        reach[child] = 0.0
        for hand in range((tree.moves[node + 1] - tree.moves[node]) // number):
            part = reach[node, hand] * strategy[tree.moves[node] + hand * number + move]
            if part > 0.0:
                left = tree.without[size, hand, tree.laid[child]]
                if not tree.draws[node]:
                    reach[child, left] += part
                    continue
                for pair in range(len(tree.orders)):
                    reach[child, tree.drawn[size - 1, left, pair]] += part * tree.orders[pair]


@kernel(allocates=True)
def answer(tree: Tree, first: Floats, second: Floats, seat: int, best_from: int) -> float:
    """What a seat gets if the seats follow these strategies, but from a node on this one answers best."""
    nodes, hands = len(tree.seat), tree.start.shape[1]
    reach, worth = np.zeros((nodes, hands)), np.zeros((nodes, hands))
    spread(tree, first if seat else second, 1 - seat, reach)
    own, unused = second if seat else first, np.zeros(0)
    collect(tree, own, seat, best_from, reach, worth, unused)
    return float(np.sum(worth[0] * tree.start[seat]))


def collect(
    tree: Tree, strategy: Floats, seat: int, best_from: int, reach: Floats, worth: Floats, regrets: Floats
) -> None:
    """Find what each hand of a seat gets at each node, from the leaves to the root; regrets learn from it, if any."""
    for node in range(len(tree.seat) - 1, -1, -1):
        if tree.seat[node] < 0:
            settle(tree, node, seat, reach, worth)
        elif tree.seat[node] == seat:
            choose(tree, strategy, node, node >= best_from, worth, regrets)
        else:
            worth[node] = 0.0
            for child in range(tree.child[node], tree.child[node] + tree.children[node]):
                worth[node] += worth[child]


def settle(tree: Tree, node: int, seat: int, reach: Floats, worth: Floats) -> None:
    """What a seat's hands get at a leaf, the other having any hand."""
    weight, brings = tree.weight[tree.weights[node]], tree.brings[node]
    for hand in range(len(weight)):
        sum_ = 0.0
        if brings != 0.0:
            for other in range(len(weight)):
                sum_ += reach[node, other] * (weight[other, hand] if seat else weight[hand, other])
        worth[node, hand] = -brings * sum_ if seat else brings * sum_


def choose(
    tree: Tree, strategy: Floats, node: int, best_move: bool, worth: Floats, regrets: Floats
) -> None:
    """What each hand gets that lays at a node, by the strategy or by the best move."""
    at, number, first, size = tree.moves[node], tree.children[node], tree.child[node], tree.size[node]
    for hand in range((tree.moves[node + 1] - at) // number):
        sum_, best, here = 0.0, -np.inf, at + hand * number
        for move in range(number):
            left = tree.without[size, hand, tree.laid[first + move]]
            if left >= 0:
                gets = after_draw(tree, node, first + move, left, worth)
                sum_ += strategy[here + move] * gets
                best = max(best, gets)
                if len(regrets):
                    regrets[here + move] += gets
        worth[node, hand] = best if best_move else sum_
        if len(regrets):
            for move in range(number):
                if tree.without[size, hand, tree.laid[first + move]] >= 0:
                    regrets[here + move] = max(0.0, regrets[here + move] - sum_)


def after_draw(tree: Tree, node: int, child: int, left: int, worth: Floats) -> float:
    """The payoff of the rest of a hand at a child, with the cards drawn for those laid."""
    if not tree.draws[node]:
        return float(worth[child, left])
    sum_ = 0.0
    for pair in range(len(tree.orders)):
        sum_ += tree.orders[pair] * worth[child, tree.drawn[tree.size[node] - 1, left, pair]]
    return sum_


@lru_cache
def _compiled(function: Callable[..., Any]) -> Any:
    from pasch.solve.compiled import compile_plain

    return compile_plain(function)
