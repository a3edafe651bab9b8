"""Both games of Würfel Joker in batches: the graph of a turn as tables for their kernel.

A game of one seat and one round is exactly one turn, so a walk through that game by the general solver
finds every position of a turn, with what leads where; the rules are asked, not repeated.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from pasch.core.game import Game
from pasch.core.state import CHANCE, OVER
from pasch.lab.actions import actions
from pasch.lab.batch.shapes import FloatTable, IntTable, Observations, floats, ints
from pasch.lab.observations import layout
from pasch.lab.observations import observe as observe_state
from pasch.solve.exact import Graph, explore
from pasch.solve.jokers import JokerValues
from pasch.solve.valuer import valuer

KERNEL: Final = "pasch.lab.batch.jokers_kernel"

#: where things are in the state; `TOTALS` begins a number for each seat
NODE, SEAT, ROUND, TOTALS = 1, 2, 3, 4


class Tables(NamedTuple):
    """The graph of a turn. The edges of node n are those from first[n] to first[n + 1]."""

    seats: int
    rounds: int
    #: by node: CHANCE, OVER or a seat's choice
    actor: IntTable
    first: IntTable
    target: IntTable
    #: by node: the cases of its roll; where in `outcome` they begin
    cases: IntTable
    begin: IntTable
    #: by case of a roll: the number of the outcome
    outcome: IntTable
    #: by node: what a turn has scored that ends there
    score: IntTable
    #: by edge that is a move: its number in `pasch.lab.actions`
    action: IntTable
    #: by node: the greedy player's move
    greedy: IntTable
    #: by node: the expected points of the turn
    value: FloatTable


def state_size(game: Game[Any, Any]) -> int:
    return TOTALS + game.players


def most_moves(game: Game[Any, Any]) -> int:
    return int(np.diff(_turn(_one_turn(game)).first).max())


def _one_turn(game: Game[Any, Any]) -> Game[Any, Any]:
    return type(game)(1, msgspec.structs.replace(game.options, rounds=1))


@lru_cache(maxsize=8)
def _turn(game: Game[Any, Any]) -> Graph[Any]:
    """Every position of a turn; the first one is its beginning."""
    return explore(game.start())


def tables(game: Game[Any, Any], greedy: bool, values: bool) -> Tables:
    """The tables of a game; those of the greedy player and of values only if they are wanted."""
    one = _one_turn(game)
    turn = _turn(one)
    cases, begin, outcome = _rolls(turn)
    return Tables(
        game.players,
        game.options.rounds,
        ints(turn.actor),
        ints(turn.first),
        ints(turn.target),
        ints(cases),
        ints(begin),
        ints(outcome),
        ints([state.scores()[0] if state.over else 0 for state in turn.positions]),
        ints(_numbers(one, turn)),
        ints(_greedy(one) if greedy else []),
        floats(_values(game, turn) if values else []),
    )


def _rolls(turn: Graph[Any]) -> tuple[list[int], list[int], list[int]]:
    """For each roll its cases, and for each case the number of the outcome it is."""
    cases, begin = [0] * len(turn.positions), [0] * len(turn.positions)
    outcome: list[int] = []
    known: dict[int, int] = {}
    for node, state in enumerate(turn.positions):
        if state.actor == CHANCE:
            chance = state.chance()
            if chance.total not in known:
                known[chance.total] = len(outcome)
                numbers = {event: number for number, (event, _) in enumerate(chance.outcomes())}
                outcome += [numbers[chance.pick(case)] for case in range(chance.total)]
            cases[node], begin[node] = chance.total, known[chance.total]
    return cases, begin, outcome


def _numbers(game: Game[Any, Any], turn: Graph[Any]) -> list[int]:
    numbered, found = actions(game), [-1] * len(turn.target)
    for node, state in enumerate(turn.positions):
        if state.actor >= 0:
            found[turn.first[node] : turn.first[node + 1]] = map(numbered.number, state.moves())
    return found


@lru_cache(maxsize=8)
def _greedy(game: Game[Any, Any]) -> list[int]:
    """What the greedy player does in every position of a turn."""
    worth = import_module(f"pasch.players.greedy.{game.id}").worth
    found = []
    for state in _turn(game).positions:
        look = [worth(state, move) for move in state.moves()]
        found.append(look.index(max(look)) if look else 0)
    return found


def _values(game: Game[Any, Any], turn: Graph[Any]) -> list[float]:
    known = valuer(game)
    assert isinstance(known, JokerValues)
    return [
        float(state.scores()[0]) if state.actor == OVER else known.turn_points(state)
        for state in turn.positions
    ]


def observe(game: Game[Any, Any], states: IntTable) -> Observations:
    """What the one seat knows in each of some states: as in the turn, but for totals and rounds."""
    seen, over = _seen(_one_turn(game))
    found = np.where((states[:, 0] == OVER)[:, None], over, seen[states[:, NODE]])
    at = 0
    for part in layout(game):
        if part.name in ("totals", "round"):
            found[:, at] = states[:, TOTALS if part.name == "totals" else ROUND]
        at += part.size
    return found


@lru_cache(maxsize=8)
def _seen(game: Game[Any, Any]) -> tuple[Observations, Observations]:
    """The observations of all positions of a turn, and that of the end."""
    every = np.array([observe_state(state, 0) for state in _turn(game).positions])
    return every, every[list(_turn(game).actor).index(OVER)]
