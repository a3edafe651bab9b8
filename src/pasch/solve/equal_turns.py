"""Values of games whose turns all begin alike.

A game of one seat and one round is exactly one turn, so the graph of a turn is that game explored by the
general solver's walk; the rules are asked, not repeated. As all turns are alike, points are simple: a
turn to come is worth what a turn is worth at its start.

Winning chances are exact for two seats with at most `duel.MOST` turns to go (see there), and for the last
turn of any game. Otherwise the turn under way is played as well as it can be against the others' final
scores, and all later turns, one's own as well, are taken to be played for points.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from pasch.core.state import OVER
from pasch.solve import duel
from pasch.solve.keys import table_key
from pasch.solve.rivals import Distribution, rewards
from pasch.solve.tables import Arrays, table, table_path
from pasch.solve.turn_graph import TurnGraph
from pasch.solve.turns import SolvedTurn, TurnValues
from pasch.solve.valuer import Exact, Report, silent


class EqualTurns(NamedTuple):
    """The tables of a turn, and how many turns there are. A place is a position of a turn."""

    #: by place: where its moves begin in the next table
    first_move: Sequence[int]
    #: by move: the node to which it leads
    after: Sequence[int]
    #: by node: the expected points of the turn
    values: Sequence[float]
    #: by round, seat whose turn it is, and seat: how many turns that one has later
    left: Sequence[Sequence[Sequence[int]]]
    #: what a turn is worth at its start
    fresh: float


# These two are run as they stand and compiled. `place` is where in its turn the state `s` is.


def turn_worths_at(v: EqualTurns, place: int, count: int, out: Any) -> None:
    """Write the expected points of the turn after each of the moves at this place."""
    first = v.first_move[place]
    for move in range(count):
        out[move] = v.values[v.after[first + move]]


def worths_at(v: EqualTurns, s: Any, place: int, count: int, out: Any) -> None:
    """Write the mover's expected final score after each of the moves at this place."""
    rest = s.totals[s.seat] + v.left[s.round][s.seat][s.seat] * v.fresh
    turn_worths_at(v, place, count, out)
    for move in range(count):
        out[move] += rest


class EqualTurnValues(TurnValues):
    """Values of a game in which every turn begins alike."""

    _turn: SolvedTurn | None = None
    _numbers: EqualTurns | None = None
    _duel: duel.Duel | None = None
    #: by place: its node, and where its moves begin; by move: the node to which it leads
    _nodes: Sequence[int]
    _first_move: Sequence[int]
    _after: Sequence[int]

    # --- what a game answers -----------------------------------------------------------------------

    @abstractmethod
    def place(self, s: Any) -> int:
        """A number that tells the positions of a turn apart; `s` is the state as numbers."""

    @property
    @abstractmethod
    def places(self) -> int:
        """All these numbers are smaller."""

    @abstractmethod
    def end_turn(self, s: Any) -> None:
        """End the turn as the rules do, without points."""

    @abstractmethod
    def one_turn(self) -> Any:
        """The start of a game of one seat that is over after one turn."""

    # --- tables --------------------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        return self._turn is not None

    @property
    def exact(self) -> Exact:
        seats = self.game.players
        duel_exact = seats == 2 and self._turns <= duel.MOST
        return Exact(turn=True, value=True, win=seats == 1 or duel_exact)

    @cached_property
    def _key(self) -> dict[str, Any]:
        options = self.game.options.hashed()
        matter = {name: options[name] for name in options if name not in ("rounds", "components")}
        return table_key(self.game, components=msgspec.to_builtins(self.game.components), **matter)

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

    def _open(self, report: Report = silent) -> SolvedTurn:
        if self._turn is None:
            arrays = table(f"{self.game.id}-turn", self._key, self._build, report)
            self._nodes = arrays["nodes"]
            self._first_move, self._after = arrays["first_move"], arrays["after"]
            graph = TurnGraph(*(arrays[name] for name in TurnGraph._fields))
            self._turn = SolvedTurn(graph, arrays["scores"].tolist(), arrays["values"])
        return self._turn

    def _build(self, report: Report) -> Arrays:
        from pasch.solve.turn_making import explored_turn

        report(0.0, "looking at every position of a turn")
        return explored_turn(self.one_turn(), self.place, self.places)

    def _open_duel(self, report: Report = silent) -> duel.Duel:
        if self._duel is None:
            turns, turn = min(self._turns, duel.MOST), self._open(report)

            def build(report: Report) -> Arrays:
                from pasch.solve.compiled_turns import CompiledTurn

                return CompiledTurn(turn.graph, turn.scores, turn.values).build_duel(turns, report)

            key = {**self._key, "turns": turns}
            self._duel = duel.Duel(table(f"{self.game.id}-duel", key, build, report))
        return self._duel

    # --- points --------------------------------------------------------------------------------------

    def numbers(self) -> EqualTurns:
        if self._numbers is None:
            turn = self._open()
            self._numbers = EqualTurns(
                self._first_move, self._after, turn.values, self._left, float(turn.values[turn.start])
            )
        return self._numbers

    def turn_points(self, state: Any) -> float:
        found: float = self._open().values[self.node(state)]
        return found

    def node(self, state: Any) -> int:
        return self._nodes[self.place(state.unpack())]

    def nodes_after(self, state: Any) -> Sequence[int]:
        place = self.place(state.unpack())
        return self._after[self._first_move[place] : self._first_move[place + 1]]

    def turn(self, state: Any) -> SolvedTurn:
        return self._open()

    @cached_property
    def _left(self) -> list[list[list[int]]]:
        """By round, seat whose turn it is, and seat: how many turns that one has later."""
        s, turns = self.game.start().unpack(), []
        while s.actor != OVER:
            turns.append((s.round, s.seat))
            self.end_turn(s)
        seats = range(self.game.players)
        left = [[[0 for _ in seats] for _ in seats] for _ in range(turns[-1][0] + 1)]
        later = [0 for _ in seats]
        for played, seat in reversed(turns):
            left[played][seat] = later.copy()
            later[seat] += 1
        return left

    @cached_property
    def _turns(self) -> int:
        """How many turns a game has."""
        return 1 + sum(self.left(self.game.start()))

    def left(self, state: Any) -> Sequence[int]:
        """How many turns each seat has after the one under way."""
        found: Sequence[int] = self._left[state.round][state.seat]
        return found

    def later(self, state: Any) -> list[float]:
        fresh = self.numbers().fresh
        return [turns * fresh for turns in self.left(state)]

    def value_is_exact(self, state: Any) -> bool:
        return True

    def distribution(self) -> Distribution:
        return self._open().distribution()

    # --- winning chances -----------------------------------------------------------------------------

    @cached_property
    def _fresh_scores(self) -> Distribution:
        """The scores of a turn played for points."""
        return self.distribution()

    def turn_key(self, state: Any) -> Any:
        return state.seat, state.round, state.totals

    def rewards(self, state: Any, scores: Sequence[int]) -> tuple[list[list[float]], bool]:
        left = self.left(state)
        if self.game.players == 2 and sum(left) < duel.MOST:
            lead, known = state.totals[state.seat] - state.totals[1 - state.seat], self._open_duel()
            own, other = zip(*(known.after(sum(left), lead + score) for score in scores), strict=True)
            return [list(other), list(own)] if state.seat else [list(own), list(other)], True
        final = {
            seat: self._fresh_scores.times(turns).plus(Distribution.certain(total))
            for seat, (turns, total) in enumerate(zip(left, state.totals, strict=True))
        }
        mine = final.pop(state.seat)
        return rewards(state.seat, scores, mine, final), not any(left)
