"""What games of turns have in common: the solved graph of a turn, and values that add up over turns.

A turn belongs to one seat and nobody can interfere, so the expected final score of a seat is what it has, plus what
the turn under way brings if it is played for points, plus the same for each turn to come. A turn is a small
graph of rolls, choices and scores.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_part
from pasch.core.state import State
from pasch.solve.rivals import Distribution
from pasch.solve.turn_graph import KnotRoom, TurnGraph, knots, prefer, race, spread
from pasch.solve.valuer import Exact, MoveWorth, Report, Valuer, Worth, silent


class SolvedTurn:
    """The graph of a turn with the expected points of every node; plain lists, so that anybody can read it."""

    def __init__(
        self, graph: TurnGraph, scores: Sequence[int], values: Sequence[float] | None = None
    ) -> None:
        self.graph = self._graph(graph)
        #: the scores that the turn may end with; score n is node n
        self.scores = list(scores)
        self._roll = self._room(int, len(graph.kind))
        self._largest_knot = self._run(knots, self.graph, self._roll)
        #: expected points at each node if the turn is played for points
        self.values = self._room(float, len(graph.kind))
        if values is None:
            values = self.chances([[float(score) for score in scores]], 0)[0]
        self.values = self._numbers(values)

    # --- how it is computed: as it stands, with lists ---------------------------------------------------

    def _graph(self, graph: TurnGraph) -> TurnGraph:
        kind, first, target, weight = map(list[Any], graph)
        return TurnGraph(array("b", kind), array("i", first), array("i", target), array("d", weight))

    def _run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    def _knot_room(self) -> KnotRoom:
        return KnotRoom(self._room(int, self._largest_knot), self._room(float, self._largest_knot))

    def _numbers(self, numbers: Sequence[Any]) -> Any:
        return list(numbers)

    def _room(self, kind: type, *shape: int) -> Any:
        """So many zeros."""
        size, *rest = shape
        return [self._room(kind, *rest) for _ in range(size)] if rest else [kind()] * size

    # --- what it answers --------------------------------------------------------------------------------

    @property
    def start(self) -> int:
        """The node at which the turn begins: the first roll."""
        return len(self.graph.kind) - 1

    def chances(self, rewards: Sequence[Sequence[float]], seat: int) -> Sequence[Sequence[float]]:
        """Every seat's chances at every node, if `seat` makes its own as great as it can.

        `rewards` holds each seat's chances for each score of the turn. Of moves that win equally often the one
        counts that brings more points, then the first.
        """
        out = self._room(float, len(rewards), len(self.graph.kind))
        self._run(
            race,
            self.graph,
            self._roll,
            self.values,
            self._numbers(rewards),
            seat,
            out,
            self._knot_room(),
        )
        return out  # type: ignore[no-any-return]

    def distribution(self, node: int | None = None) -> Distribution:
        """How likely each score is from `node` (the start) on if every choice is made by value."""
        nodes, edges = len(self.graph.kind), len(self.graph.target)
        chance, returning, mass = (self._room(float, size) for size in (edges, nodes, nodes))
        self._run(prefer, self.graph, self.values, chance)
        begin = self.start if node is None else node
        self._run(spread, self.graph, self._roll, chance, begin, returning, mass)
        return Distribution.of(self.scores, [float(chance) for chance in mass[: len(self.scores)]])


class TurnValues(Valuer):
    """Values of a game of turns. A game's own class says where in which turn a state is."""

    @property
    def plain(self) -> bool:
        return True

    def __init__(self, game: Game[Any, Any]) -> None:
        super().__init__(game)
        #: the chances of the turns last asked for
        self._solved: dict[Any, TurnChances] = {}

    # --- what a game answers -----------------------------------------------------------------------

    @abstractmethod
    def prepare_points(self, report: Report = silent) -> None:
        """Open the tables that points need, or build and keep them; cheap once they are there."""

    @abstractmethod
    def numbers(self) -> Any:
        """The tables that `pasch.games.<id>.values.worths` reads, as a named tuple."""

    @abstractmethod
    def turn_points(self, state: State) -> float:
        """Expected points of the turn under way, or about to begin."""

    @abstractmethod
    def later(self, state: Any) -> Sequence[float]:
        """What each seat expects of the turns after the one under way."""

    @abstractmethod
    def turn(self, state: Any) -> SolvedTurn:
        """The graph of the turn under way."""

    @abstractmethod
    def node(self, state: Any) -> int:
        """Where in the graph of its turn the state is."""

    @abstractmethod
    def nodes_after(self, state: Any) -> Sequence[int]:
        """Where in the graph of its turn each of `state.moves()` leads."""

    @abstractmethod
    def turn_key(self, state: Any) -> Any:
        """What the winning chances of the whole turn follow from."""

    @abstractmethod
    def rewards(self, state: Any, scores: Sequence[int]) -> tuple[list[list[float]], bool]:
        """Winning chances by seat and score of the turn under way, and whether they are exact."""

    @abstractmethod
    def value_is_exact(self, state: Any) -> bool:
        """Whether the points of this position are exact."""

    @abstractmethod
    def distribution(self) -> Distribution:
        """How likely each score of a whole turn is, when played for points."""

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
        return self._asked(state, "worths")

    def move_turns(self, state: Any) -> tuple[float, ...]:
        """Expected points of the turn after each of `state.moves()`."""
        return self._asked(state, "turn_worths")

    def _asked(self, state: Any, name: str) -> tuple[float, ...]:
        """What a function beside the game's `Values` writes of each move."""
        if state.actor < 0:
            return ()
        self.prepare_points()
        s = state.unpack()
        codes = state.codes(s)
        out = [0.0] * len(codes)
        function = getattr(find_part(self.game.id, "values"), name)
        function(self.game.config, self.numbers(), s, codes, len(codes), out)
        return tuple(out)

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
        found = self._chances(state)
        node = self.node(state)
        return tuple([min(max(own[node], 0.0), 1.0) for own in found.chances]), found.exact

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
        own = self._chances(state).chances[state.seat]
        return [own[node] for node in self.nodes_after(state)]

    def _chances(self, state: Any) -> TurnChances:
        """The chances at every node of the turn under way; those of the last few turns are kept."""
        key = self.turn_key(state)
        found = self._solved.get(key)
        if found is None:
            turn = self.turn(state)
            rewards, exact = self.rewards(state, turn.scores)
            found = TurnChances(turn.chances(rewards, state.seat), exact)
            kept = dict(list(self._solved.items())[-3:])
            self._solved = {**kept, key: found}
        return found


class TurnChances(NamedTuple):
    """The winning chances in a turn."""

    #: by seat and node
    chances: Sequence[Sequence[float]]
    exact: bool
