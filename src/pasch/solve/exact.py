"""A general solver for games whose positions wait for a seat, wait for chance or are over.

It needs what every `State` offers: `actor`, the `moves` of a seat, the `chance` with exact weights, and
`apply`. First `explore` visits every reachable position and builds a graph; then the graph is solved, for
as many payoffs as wanted.

Every seat maximises its own payoff. Positions that cannot recur are solved by backward induction: in
floating point by `solve`, in exact fractions by `solve_exactly`. Positions that can recur (a double that is
forgone, the two turns of Pig) form a *knot*, a strongly connected component with a cycle; `solve` solves
it by value iteration, after everything that it leads to.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pasch.core.errors import PaschError
from pasch.core.state import CHANCE, OVER


class Outcomes(Protocol):
    """What chance may bring; `pasch.core.chance.Chance` is one."""

    @property
    def total(self) -> int:
        """How many equally likely cases there are."""

    def outcomes(self) -> Iterable[tuple[Any, int]]:
        """Each outcome with the number of its cases."""


class GamePosition(Hashable, Protocol):
    """One position of a game; `pasch.core.state.State` is one."""

    @property
    def actor(self) -> int:
        """The seat that is to choose, or CHANCE, or OVER."""

    def moves(self) -> Sequence[Any]:
        """What the seat may do."""

    def chance(self) -> Outcomes:
        """What chance may bring."""

    def apply(self, event: Any) -> Any:
        """The position after a move or an outcome."""


P = TypeVar("P", bound=GamePosition)

#: each seat's payoff in a position in which the game is over
Payoff = Callable[[P], Sequence[Any]]
#: of moves that are equally good for a seat, that with the highest preference is made, then the first
Preference = Callable[[P, Any], float]
#: an equivalent position up to the order of seats, and the place of each seat in it
Alike = Callable[[P], tuple[P, tuple[int, ...]]]


class TooLarge(PaschError):
    """There are more positions than the caller allows."""


class Cyclic(PaschError):
    """Positions can recur, so that backward induction in fractions is not possible."""


def explore(start: P, alike: Alike[P] | None = None, most: int = 5_000_000) -> Graph[P]:
    """The graph of all positions reachable from `start`.

    `alike` may replace a position by an equivalent one with other seats; in a game of two that halves the
    work.
    """
    graph = Graph(start, alike)
    done = 0
    while done < len(graph.positions):
        graph.walk(done)
        done += 1
        if done > most:
            raise TooLarge("there are more than {most} positions", most=most)
    return graph


class Graph(Generic[P]):
    """Positions and the edges between them, in the order of the moves or outcomes."""

    def __init__(self, start: P, alike: Alike[P] | None = None) -> None:
        self.alike = alike
        self.positions = [start if alike is None else alike(start)[0]]
        self.number = {self.positions[0]: 0}
        #: the actor of each position
        self.actor = array("q")
        #: the edges of position n are those from first[n] to first[n + 1]
        self.first = array("q", [0])
        self.target = array("q")
        #: how many of the position's cases an outcome is; 1 for a move
        self.cases: list[int] = []
        #: the permutation of seats at the end of an edge: a number in `seatings`
        self.seating = array("q")
        #: every permutation that occurs, with its number
        self.seatings: dict[tuple[int, ...], int] = {}

    def walk(self, place: int) -> None:
        """Add the edges of a position, and the positions to which they lead if they are new.

        Exploring spends its time here, so it is one loop with few calls.
        """
        position = self.positions[place]
        apply, actor = position.apply, position.actor
        after: list[P] = []
        if actor == CHANCE:
            for outcome, cases in position.chance().outcomes():
                after.append(apply(outcome))
                self.cases.append(cases)
        elif actor != OVER:
            after = [apply(move) for move in position.moves()]
            self.cases += [1] * len(after)
        positions, numbers, alike = self.positions, self.number, self.alike
        for found in after:
            if alike is not None:
                found, seats = alike(found)  # noqa: PLW2901
                self.seating.append(self.seatings.setdefault(seats, len(self.seatings)))
            number = numbers.get(found)
            if number is None:
                numbers[found] = number = len(positions)
                positions.append(found)
            self.target.append(number)
        self.actor.append(actor)
        self.first.append(len(self.target))

    def edges(self, number: int) -> range:
        """The edges of a position."""
        return range(self.first[number], self.first[number + 1])

    def knots(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All positions in an order in which they can be solved, and where each component begins in it.

        Components are strongly connected; nearly all are single positions.
        """
        from pasch.solve.exact_kernel import knots

        return knots(_whole(self.first), _whole(self.target))

    def solve(
        self,
        payoff: Payoff[P],
        *,
        preferences: NDArray[np.float64] | None = None,
        tolerance: float = 1e-13,
    ) -> Solution[P]:
        """Solve in floating point; value iteration in a knot ends when changes are within `tolerance`."""
        from pasch.solve.exact_kernel import solve

        paid, seats = self._payoffs(payoff)
        values = np.zeros((len(self.positions), seats))
        values[list(paid)] = [list(map(float, pay)) for pay in paid.values()]
        order, begin = self.knots()
        solve(
            _whole(self.actor),
            _whole(self.first),
            _whole(self.target),
            self._weights(),
            np.zeros(len(self.target)) if preferences is None else preferences,
            _whole(self.seating) if self.seating else np.zeros(len(self.target), np.int64),
            np.array(list(self.seatings) or [tuple(range(seats))], np.int64),
            order,
            begin,
            tolerance,
            values,
        )
        return Solution(self, values)

    def solve_exactly(self, payoff: Payoff[P]) -> Solution[P]:
        """Solve in exact fractions; Cyclic if a position can recur."""
        paid, _ = self._payoffs(payoff)
        values: list[Any] = [None] * len(self.positions)
        order, begin = self.knots()
        if len(begin) - 1 < len(order):
            raise Cyclic("some positions can come up again")
        for number in map(int, order):
            if number in paid:
                values[number] = tuple(map(Fraction, paid[number]))
                continue
            actor = self.actor[number]
            if number in self.target[self.first[number] : self.first[number + 1]]:
                raise Cyclic("a position can come up again at once")
            after = [(self._seen(values[self.target[e]], e), self.cases[e]) for e in self.edges(number)]
            if actor == CHANCE:
                total = sum(cases for _, cases in after)
                columns = zip(*(value for value, _ in after), strict=True)
                weights = [Fraction(cases, total) for _, cases in after]
                values[number] = tuple(
                    sum((w * v for w, v in zip(weights, column, strict=True)), Fraction())
                    for column in columns
                )
            else:
                values[number] = max((value for value, _ in after), key=lambda value: value[actor])
        return Solution(self, values)

    def _payoffs(self, payoff: Payoff[P]) -> tuple[dict[int, Sequence[Any]], int]:
        paid = {n: payoff(self.positions[n]) for n, actor in enumerate(self.actor) if actor == OVER}
        if not paid:
            raise ValueError("the game never ends")
        return paid, len(next(iter(paid.values())))

    def _weights(self) -> NDArray[np.float64]:
        cases = np.array(self.cases, np.float64)
        counts = np.diff(_whole(self.first))
        totals = np.add.reduceat(cases, _whole(self.first)[:-1][counts > 0])
        weights: NDArray[np.float64] = cases / np.repeat(totals, counts[counts > 0])
        return weights

    def preferences(self, prefer: Preference[P]) -> NDArray[np.float64]:
        """The preference of each edge, which decides between equally good moves."""
        preferred = np.zeros(len(self.target))
        for number, position in enumerate(self.positions):
            if self.actor[number] >= 0:
                for edge, move in zip(self.edges(number), position.moves(), strict=True):
                    preferred[edge] = prefer(position, move)
        return preferred

    def _seen(self, value: tuple[Fraction, ...], edge: int) -> tuple[Fraction, ...]:
        """A value as the seats of the position before `edge` see it."""
        if self.alike is None:
            return value
        return tuple(value[seat] for seat in list(self.seatings)[self.seating[edge]])


class Solution(Generic[P]):
    """The value of every position of a graph to every seat."""

    def __init__(self, graph: Graph[P], values: Any) -> None:
        self.graph = graph
        self.values = values

    @property
    def start(self) -> tuple[Any, ...]:
        """The value of the position from which the graph was explored (as `alike` maps it)."""
        return tuple(self.values[0])

    def value(self, position: P) -> tuple[Any, ...]:
        """What each seat can expect in a position of the graph."""
        if self.graph.alike is None:
            return tuple(self.values[self.graph.number[position]])
        found, seats = self.graph.alike(position)
        value = self.values[self.graph.number[found]]
        return tuple(value[seat] for seat in seats)

    def moves(self, position: P) -> tuple[tuple[Any, Any], ...]:
        """Each move with what the seat that makes it can expect after it."""
        seat = position.actor
        return tuple((move, self.value(position.apply(move))[seat]) for move in position.moves())

    def best(self, position: P) -> Any:
        """The first of the best moves."""
        return max(self.moves(position), key=lambda pair: pair[1])[0]


def _whole(numbers: array[int]) -> NDArray[np.int64]:
    return np.frombuffer(numbers, np.int64) if numbers else np.zeros(0, np.int64)
