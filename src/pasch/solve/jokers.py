"""Values of both games of Würfel Joker.

A game of one seat and one round is exactly one turn, so the graph of a turn is that game explored by the
general solver's walk; the rules are asked, not repeated. All turns are alike, which makes points simple: a
turn to come is worth what a turn is worth at its start.

Winning chances are exact for two seats with at most `duel.MOST` turns to go (see there), and for the last
turn of any game. Otherwise the turn under way is played as well as it can be against the others' final
scores, and all later turns, one's own as well, are taken to be played for points.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.core.state import CHANCE, OVER
from pasch.solve import duel
from pasch.solve.exact import Graph, explore
from pasch.solve.rivals import Distribution, rewards
from pasch.solve.tables import table, table_path
from pasch.solve.turns import NO_CAP, Floats, Ints, Turn, TurnValues, table_key
from pasch.solve.valuer import Exact, Report, silent

#: counts up when the tables' contents change
SOLVER = 1


class JokerValues(TurnValues):
    """Values of a game in which every turn begins alike and `rounds` of them are played."""

    _turn: Turn | None = None
    #: the node of each position of a turn, by its key
    _nodes: dict[int, int]
    _duel: duel.Duel | None = None

    @abstractmethod
    def key(self, state: Any) -> int:
        """A number that tells the positions of a turn apart."""

    @property
    def ready(self) -> bool:
        return self._turn is not None

    @property
    def exact(self) -> Exact:
        seats = self.game.players
        duel_exact = seats == 2 and 2 * self._rounds <= duel.MOST
        return Exact(turn=True, value=True, win=seats == 1 or duel_exact)

    @property
    def _rounds(self) -> int:
        rounds: int = self.game.options.rounds
        return rounds

    @cached_property
    def _key(self) -> dict[str, Any]:
        options = self.game.options.json()
        matter = {name: options[name] for name in options if name not in ("rounds", "components")}
        found: dict[str, Any] = table_key(self.game, SOLVER, self.game.components, matter)
        return found

    @property
    def tables(self) -> tuple[str, ...]:
        return (table_path(f"{self.game.id}-turn", self._key).stem,)

    def prepare(self, report: Report = silent) -> None:
        self.prepare_points(report)
        if self.game.players == 2:
            self._open_duel(report)
        report(1.0, "ready")

    def prepare_points(self, report: Report = silent) -> None:
        self._open(report)

    @property
    def chances_ready(self) -> bool:
        return self.ready and (self.game.players != 2 or self._duel is not None)

    def _open(self, report: Report = silent) -> Turn:
        if self._turn is None:
            arrays = table(f"{self.game.id}-turn", self._key, self._build, report)
            keys = arrays.pop("keys").tolist()
            self._nodes = {key: node for node, key in enumerate(keys) if key >= 0}
            self._turn = Turn(**arrays)
        return self._turn

    def _build(self, report: Report) -> dict[str, NDArray[Any]]:
        report(0.0, "looking at every position of a turn")
        options = msgspec.structs.replace(self.game.options, rounds=1)
        explored = explore(type(self.game)(1, options).start())
        turn, order = turn_of(explored)
        keys = np.full(len(turn.kind), -1, np.int64)
        for number, node in order.items():
            keys[node] = self.key(explored.positions[number])
        return {
            "kind": turn.kind,
            "first": turn.first,
            "target": turn.target,
            "weight": turn.weight,
            "scores": turn.scores,
            "values": turn.values,
            "keys": keys,
        }

    def _open_duel(self, report: Report = silent) -> duel.Duel:
        if self._duel is None:
            turns = min(2 * self._rounds, duel.MOST)
            turn = self._open(report)
            arrays = table(
                f"{self.game.id}-duel",
                {**self._key, "duel": duel.SOLVER, "turns": turns},
                lambda report: duel.build(turn, turns, report),
                report,
            )
            self._duel = duel.Duel(arrays)
        return self._duel

    # --- points --------------------------------------------------------------------------------------

    def turn_points(self, state: Any) -> float:
        return float(self._open().values[self.node(state)])

    def move_turns(self, state: Any) -> list[float]:
        turn = self._open()
        found: list[float] = turn.values[turn.after(self.node(state))].tolist()
        return found

    def node(self, state: Any) -> int:
        return self._nodes[self.key(state)]

    def turn(self, state: Any) -> Turn:
        return self._open()

    def left(self, state: Any) -> list[int]:
        """How many turns each seat has after the one under way."""
        rounds = self._rounds - state.round
        return [rounds - (seat <= state.seat) for seat in range(self.game.players)]

    def later(self, state: Any) -> list[float]:
        turn = self._open()
        fresh = float(turn.values[turn.start])
        return [turns * fresh for turns in self.left(state)]

    def value_is_exact(self, state: Any) -> bool:
        return True

    def distribution(self, temperature: float = 0.0, cap: float = NO_CAP) -> Distribution:
        turn = self._open()
        return turn.distribution(turn.policy(temperature, cap))

    # --- winning chances -----------------------------------------------------------------------------

    @cached_property
    def _fresh(self) -> Distribution:
        """The scores of a turn played for points."""
        return self.distribution()

    def turn_key(self, state: Any) -> Any:
        return state.seat, state.round, state.totals

    def rewards(self, state: Any, scores: Ints) -> tuple[Floats, bool]:
        left = self.left(state)
        if self.game.players == 2 and sum(left) < duel.MOST:
            mine, yours = state.totals[state.seat], state.totals[1 - state.seat]
            found = self._open_duel().after(sum(left), mine - yours + scores)
            return found[:, ::-1] if state.seat else found, True
        final = {
            seat: self._fresh.times(turns).plus(Distribution.certain(total))
            for seat, (turns, total) in enumerate(zip(left, state.totals, strict=True))
        }
        own = final.pop(state.seat)
        return rewards(state.seat, scores, own, final), not any(left)


def turn_of(explored: Graph[Any]) -> tuple[Turn, dict[int, int]]:
    """The graph of a turn from a walk through a game of one turn, and the node of each position.

    Positions in which the turn is over become one node for each score.
    """
    from pasch.solve.turns_kernel import CHOICE, ROLL, SCORE

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
        total = sum(explored.cases[edge] for edge in edges)
        target += [node[explored.target[edge]] for edge in edges]
        weight += [explored.cases[edge] / total for edge in edges]
        first.append(len(target))
    turn = Turn(np.array(kind), np.array(first), np.array(target), np.array(weight), np.array(scores))
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
