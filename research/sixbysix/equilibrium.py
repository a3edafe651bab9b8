"""6mal6 for two: how the end of a round is played best by both, found by counterfactual regret minimisation.

CFR+ (Tammelin 2014): both seats in turn follow their regrets, which never fall below zero, and later rounds of
the computation count more in the average. A strategy has one probability for each node of the tree, hand and move
(`Tree.moves`). What it gains who answers both average strategies as well as possible is an upper bound of what
is missing to the equilibrium: `exploitability`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.rules import apart
from pasch.players.base import Player
from research.sixbysix.ends import SEATS, End, Floats, Tree


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
    """What seat 0 gets if it follows one strategy and seat 1 another one."""
    return float(_compiled(answer)(end.tree, first, second, 0, len(end.states)))


def gain_against(end: End, strategy: Floats, seat: int) -> float:
    """What a seat gets that answers as well as possible to what the other one does with this strategy."""
    return float(_compiled(answer)(end.tree, strategy, strategy, seat, 0))


def losses(end: End, played: Floats, strategy: Floats, seat: int) -> list[float]:
    """What a seat loses by what it plays against a strategy, for each pass to come.

    What it would get with the best answer from a pass on, less the same from the next one on.
    """
    both = (played, strategy) if seat == 0 else (strategy, played)
    laid = [state.laid for state in end.states if not state.over]
    first = [laid.index(number) for number in range(laid[0], laid[-1] + 1, SEATS)]
    gets = [_compiled(answer)(end.tree, *both, seat, node) for node in (*first, len(end.states))]
    return [float(before - after) for before, after in pairwise(gets)]


def exploitability(end: End, strategy: Floats) -> float:
    """What a seat gains by the best answer, on average over both seats: 0 in an equilibrium, else more."""
    return sum(gain_against(end, strategy, seat) for seat in range(SEATS)) / SEATS


def strategy_of(end: End, player: Player, seat: int) -> Floats:
    """How a player plays in a seat, asked wherever it can get to by its own play; elsewhere it does nothing."""
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


@apart
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


@apart
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


@apart
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


@apart
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
    """What is left of a hand gets at a child, with the cards drawn for what was laid."""
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
