"""What the three games of turns have in common: the graph of a turn, and values that add up over turns.

In Fiese 15 and in both games of Würfel Joker a turn belongs to one seat and nobody can interfere, so the
expected final score of a seat is what it has, plus what the turn under way brings if it is played
for points, plus the same for each turn to come. A turn is a small graph of rolls, choices and scores.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import State
from pasch.solve.rivals import Distribution
from pasch.solve.valuer import Exact, MoveWorth, Report, Valuer, Worth, silent

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: so many points cost too much for any player that makes mistakes
NO_CAP = float("inf")


class Turn:
    """The graph of a turn (see turns_kernel) with the expected points of every node."""

    def __init__(
        self,
        kind: Ints,
        first: Ints,
        target: Ints,
        weight: Floats,
        scores: Ints,
        values: Floats | None = None,
    ) -> None:
        # arrays that may only be read are of another type to the compiler, so that it would work twice
        self.kind, self.first, self.target = np.array(kind), np.array(first), np.array(target)
        self.weight = np.array(weight)
        #: the scores that the turn may end with; score n is node n
        self.scores = scores
        if values is None:
            values = self._race(self._graph(target), scores[:, None].astype(np.float64), 0)[:, 0]
        #: expected points at each node if the turn is played for points
        self.values = values

    @property
    def start(self) -> int:
        """The node at which the turn begins: the first roll."""
        return len(self.kind) - 1

    def after(self, node: int) -> Ints:
        """The nodes to which a node leads, in the order of the moves or outcomes."""
        return self.target[self.first[node] : self.first[node + 1]]

    @cached_property
    def by_points(self) -> Ints:
        """The targets with the moves of each choice in the order of what they are worth, best first.

        So that of moves that win equally often the one is made that brings more points, then the first.
        """
        from pasch.solve.turns_kernel import best_first

        return best_first(self._graph(self.target), np.array(self.values))

    def chances(self, rewards: Floats, seat: int) -> Floats:
        """Every seat's chances at every node, if `seat` makes its own as great as it can.

        `rewards` holds each seat's chances (columns) for each score of the turn (rows).
        """
        return self._race(self.graph, rewards, seat)

    @property
    def graph(self) -> Any:
        """The graph as the kernels read it, moves in the order of `by_points`."""
        return self._graph(self.by_points)

    def policy(self, temperature: float = 0.0, cap: float = NO_CAP) -> Floats:
        """The chance of each edge if every choice is made by value, with mistakes at a temperature above 0.

        A move that costs c points is exp(-c / temperature) times as likely as the best; one that costs
        more than `cap` is never made.
        """
        from pasch.solve.turns_kernel import soften

        chance = np.empty(len(self.target))
        soften(self._graph(self.target), np.array(self.values), float(temperature), cap, chance)
        return chance

    def distribution(self, policy: Floats | None = None, node: int | None = None) -> Distribution:
        """How likely each score is from `node` (the start) on, when played for points or by a policy."""
        from pasch.solve.turns_kernel import spread

        policy = self.policy() if policy is None else policy
        mass = spread(self._graph(self.target), policy, self.start if node is None else node)
        return Distribution.of(self.scores, mass[: len(self.scores)])

    def soft_value(self, temperature: float, cap: float = NO_CAP) -> float:
        """Expected points of a turn when every choice is softened (see `policy`)."""
        return self.distribution(self.policy(temperature, cap)).mean()

    def _graph(self, target: Ints) -> Any:
        from pasch.solve.turns_kernel import Graph

        return Graph(self.kind, self.first, target, self.weight)

    def _race(self, graph: Any, rewards: Floats, seat: int) -> Floats:
        from pasch.solve.turns_kernel import race

        out = np.empty((len(self.kind), rewards.shape[1], 1))
        race(graph, np.ascontiguousarray(rewards[:, :, None]), seat, out)
        return out[:, :, 0]


class TurnValues(Valuer):
    """Values of a game of turns. A game's own class says where in which turn a state is."""

    def __init__(self, game: Game[Any, Any]) -> None:
        super().__init__(game)
        #: the chances of the turns last asked for
        self._solved: dict[Any, tuple[Turn, Floats, bool]] = {}

    # --- what a game answers -----------------------------------------------------------------------

    @abstractmethod
    def prepare_points(self, report: Report = silent) -> None:
        """Open the tables that points need, or build and keep them; cheap once they are there."""

    @abstractmethod
    def turn_points(self, state: State) -> float:
        """Expected points of the turn under way, or about to begin."""

    @abstractmethod
    def move_turns(self, state: State) -> Sequence[float]:
        """Expected points of the turn after each of `state.moves()`; only where there are any."""

    @abstractmethod
    def later(self, state: Any) -> Sequence[float]:
        """What each seat expects of the turns after the one under way."""

    @abstractmethod
    def turn(self, state: Any) -> Turn:
        """The graph of the turn under way."""

    @abstractmethod
    def node(self, state: Any) -> int:
        """Where in the graph of its turn the state is."""

    @abstractmethod
    def turn_key(self, state: Any) -> Any:
        """What the winning chances of the whole turn follow from."""

    @abstractmethod
    def rewards(self, state: Any, scores: Ints) -> tuple[Floats, bool]:
        """Each seat's winning chances for each score of the turn under way, and whether they are exact."""

    @abstractmethod
    def value_is_exact(self, state: Any) -> bool:
        """Whether the points of this position are exact."""

    @abstractmethod
    def distribution(self, temperature: float = 0.0, cap: float = NO_CAP) -> Distribution:
        """How likely each score of a whole turn is, when played for points, perhaps with mistakes."""

    def soft_value(self, temperature: float, cap: float = NO_CAP) -> float:
        """Expected points per turn when each choice is a softmax over the exact values.

        A move that costs c points is exp(-c / temperature) times as likely as the best one; a move that
        costs more than `cap` is never made. The difference to `soft_value(0)` is the loss per turn.
        """
        return self.distribution(temperature, cap).mean()

    # --- the answers of every valuer -----------------------------------------------------------------

    def points(self, state: Any) -> tuple[float, ...]:
        self.prepare_points()
        if state.over:
            return tuple(map(float, state.totals))
        expected = [total + later for total, later in zip(state.totals, self.later(state), strict=True)]
        if self.in_turn(state):
            expected[state.seat] += self.turn_points(state)
        return tuple(expected)

    def move_points(self, state: Any) -> tuple[float, ...]:
        if state.actor < 0:
            return ()
        self.prepare_points()
        rest = state.totals[state.seat] + self.later(state)[state.seat]
        return tuple([rest + turn for turn in self.move_turns(state)])

    def in_turn(self, state: Any) -> bool:
        """Whether a turn is under way or about to begin, so that `later` does not count it."""
        return True

    def worth(self, state: Any) -> Worth:
        value = self.points(state)
        if state.over:
            winners = state.winners()
            win = tuple(float(seat in winners) for seat in range(self.game.players))
            return Worth(None, value, win, Exact(turn=True, value=True, win=True))
        win, certain = self.win(state)
        exact = Exact(turn=True, value=self.value_is_exact(state), win=certain)
        return Worth(self.turn_points(state), value, win, exact)

    def win(self, state: Any) -> tuple[tuple[float, ...], bool]:
        """Every seat's chance to be among the winners, and whether it is exact."""
        if self.game.players == 1:
            return (1.0,), True
        _, chances, exact = self._chances(state)
        return tuple(np.clip(chances[self.node(state)], 0.0, 1.0).tolist()), exact

    def moves(self, state: Any, win: bool = True) -> tuple[MoveWorth, ...]:
        """Each move with all that is known of it; winning chances take longer and can be left out."""
        if state.actor < 0:
            return ()
        moves: Sequence[Event] = state.moves()
        values, turns = self.move_points(state), self.move_turns(state)
        wins: Sequence[float | None] = self._move_wins(state) if win else [None] * len(moves)
        return tuple(
            MoveWorth(move, turn, value, chance)
            for move, turn, value, chance in zip(moves, turns, values, wins, strict=True)
        )

    def _move_wins(self, state: Any) -> list[float]:
        if self.game.players == 1:
            return [1.0] * len(state.moves())
        turn, chances, _ = self._chances(state)
        found: list[float] = chances[turn.after(self.node(state)), state.seat].tolist()
        return found

    def _chances(self, state: Any) -> tuple[Turn, Floats, bool]:
        """The chances at every node of the turn under way; those of the last few turns are kept."""
        key = self.turn_key(state)
        found = self._solved.get(key)
        if found is None:
            turn = self.turn(state)
            rewards, exact = self.rewards(state, turn.scores)
            found = turn, turn.chances(rewards, state.seat), exact
            kept = dict(list(self._solved.items())[-3:])
            self._solved = {**kept, key: found}
        return found


def table_key(game: Game[Any, Any], solver: int, components: Any, options: Mapping[str, Any]) -> Any:
    """What the tables of a game follow from: rules, way of solving, and what matters of box and options."""
    return {
        "rules": game.rules_version,
        "solver": solver,
        "components": msgspec.to_builtins(components),
        **options,
    }
