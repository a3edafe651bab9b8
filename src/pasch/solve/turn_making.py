"""The graph of a turn from a walk through a game of one turn: what makes the tables of `pasch.solve.equal_turns`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pasch.core.state import CHANCE, OVER, State
from pasch.solve.exact import Graph, explore
from pasch.solve.turn_graph import CHOICE, ROLL, SCORE, TurnGraph, best_first
from pasch.solve.turns import SolvedTurn


def explored_turn(start: State, place: Callable[[Any], int], places: int) -> dict[str, NDArray[Any]]:
    """The tables of the turn with which a game of one seat and one turn begins.

    `place` tells the positions of the turn apart, as numbers below `places`.
    """
    explored = explore(start)
    turn, node = turn_of(explored)
    lean, new = without_repetitions(turn)
    nodes = np.full(places, -1, np.int32)
    moves: list[list[int]] = [[] for _ in range(places)]
    for number, old in node.items():
        at = place(explored.positions[number].unpack())
        if nodes[at] >= 0:
            raise ValueError("two positions of a turn have the same place")
        nodes[at] = new[old]
        if explored.actor[number] != CHANCE:
            begin, end = turn.graph.first[old : old + 2]
            moves[at] = [new[after] for after in turn.graph.target[begin:end]]
    return {
        "kind": np.array(lean.kind, np.uint8),
        "first": np.array(lean.first, np.int32),
        "target": np.array(lean.target, np.int32),
        "weight": np.array(lean.weight, np.float64),
        "scores": np.array(turn.scores, np.int32),
        "values": np.array(_of_the_new(turn.values, new), np.float64),
        "nodes": nodes,
        "first_move": np.cumsum([0, *map(len, moves)], dtype=np.int32),
        "after": np.array([after for some in moves for after in some], np.int32),
    }


def _of_the_new(values: Any, new: list[int]) -> list[float]:
    found = dict(zip(new, values, strict=True))
    return [found[node] for node in range(len(found))]


def turn_of(explored: Graph[Any]) -> tuple[SolvedTurn, dict[int, int]]:
    """The graph of a turn from a walk through a game of one turn, and the node of each position.

    Positions in which the turn is over become one node for each score.
    """
    ended = {
        number: int(explored.positions[number].scores()[0])
        for number, actor in enumerate(explored.actor)
        if actor == OVER
    }
    scores = sorted(set(ended.values()))
    node = {number: scores.index(score) for number, score in ended.items()}
    order, begin = explored.knots()
    walk: list[int] = []
    for knot in range(len(begin) - 1):
        members = order[begin[knot] : begin[knot + 1]].tolist()
        walk += [number for number in _untangled(explored, members) if number not in ended]
    node |= {number: len(scores) + place for place, number in enumerate(walk)}
    kind, first, target, weight = [SCORE] * len(scores), [0] * (len(scores) + 1), [], []
    for number in walk:
        rolls = explored.actor[number] == CHANCE
        kind.append(ROLL if rolls else CHOICE)
        edges = explored.edges(number)
        total = sum(explored.cases[edge] for edge in edges) if rolls else 1
        target += [node[explored.target[edge]] for edge in edges]
        weight += [explored.cases[edge] / total for edge in edges]
        first.append(len(target))
    turn = SolvedTurn(TurnGraph(kind, first, target, weight), scores)
    return turn, {number: node[number] for number in walk}


def _untangled(explored: Graph[Any], members: list[int]) -> list[int]:
    """The positions of a knot: its roll last, each choice after the choices that it leads to."""
    if len(members) == 1:
        return members
    rolls = [number for number in members if explored.actor[number] == CHANCE]
    if len(rolls) != 1:
        raise ValueError("a turn may only come back to the roll just made")
    found: dict[int, None] = {}

    def visit(number: int) -> None:
        if number in members and number not in rolls and number not in found:
            for edge in explored.edges(number):
                visit(explored.target[edge])
            found[number] = None

    for number in members:
        visit(number)
    return [*found, *rolls]


def without_repetitions(turn: SolvedTurn) -> tuple[TurnGraph, list[int]]:
    """The turn's graph with the same choices or rolls once, each outcome once; and the new number of each node.

    Rolls that allow the same moves are one outcome, moves with the same result one move. Moves are in the
    order of the points they are worth.
    """
    graph, new = turn.graph, list(range(len(turn.scores)))
    kind, first = [SCORE] * len(new), [0] * (len(new) + 1)
    target: list[int] = []
    weight: list[float] = []
    known: dict[Any, int] = {}
    ordered = list(graph.target)
    best_first(graph, turn.values, ordered)
    for node in range(len(turn.scores), len(graph.kind)):
        begin, end = graph.first[node : node + 2]
        summed: dict[int, float] = {}
        for old, share in zip(ordered[begin:end], graph.weight[begin:end], strict=True):
            # a roll that comes later has no new number yet: it stands for itself, as a negative one
            after = new[old] if old < node else -old
            summed[after] = summed.get(after, 0.0) + share
        what = (graph.kind[node], tuple(summed.items()))
        if what not in known:
            known[what] = len(kind)
            kind.append(what[0])
            target += summed
            weight += summed.values()
            first.append(len(target))
        new.append(known[what])
    return TurnGraph(kind, first, [after if after >= 0 else new[-after] for after in target], weight), new
