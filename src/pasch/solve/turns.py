"""Values of games of turns: a turn belongs to one seat, nobody can interfere, and turns add up.

The expected final score of a seat is what it has, what the turn under way brings if it is played for points, and the
same for each turn to come. Chances to win follow from what each score of the turn under way is worth (`rewards`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property, partial
from operator import attrgetter
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

import msgspec

from pasch.core.game import Game
from pasch.core.state import CHANCE, State
from pasch.solve.graph import Graph
from pasch.solve.keys import table_key
from pasch.solve.scores import Distribution, rewards
from pasch.solve.solved import SolvedValues
from pasch.solve.tables import Arrays, table, table_path
from pasch.solve.turn import Duel, Turn, explored_turn
from pasch.solve.valuer import Exact, MoveValue, Progress, Value, Valuer, ended, no_progress, part_of

#: chances of two seats with more turns to go than this are estimated
MAX_DUEL_TURNS: Final = 50


class TurnValues(Valuer):
    """Values of a game of turns. A game's own class says where in which turn a state is."""

    #: the fields from which the winning chances of a whole turn follow
    turn_fields: ClassVar[tuple[str, ...]]
    plain = True
    #: what `pasch.games.<id>.values.move_values` reads, as a named tuple
    _numbers: Any = None
    _duels: list[Duel] | None = None

    def __init__(self, game: Game[Any, Any]) -> None:
        super().__init__(game)
        #: the chances of the turns last asked for, by node and seat, and whether they are exact
        self._solved: dict[Any, tuple[Sequence[float], bool]] = {}

    # --- what a game answers -----------------------------------------------------------------------

    @property
    @abstractmethod
    def key(self) -> dict[str, Any]:
        """What the tables follow from."""

    @abstractmethod
    def build(self, report: Progress) -> Arrays:
        """Work out the table of points."""

    @abstractmethod
    def read(self, arrays: Arrays) -> Any:
        """The table of points as `move_values` reads it."""

    @property
    @abstractmethod
    def duel_turns(self) -> int:
        """How many of the last turns of two seats a table of chances has."""

    @abstractmethod
    def sides(self) -> Sequence[Any]:
        """The different turns that there are."""

    @abstractmethod
    def compiled_turn(self, side: Any) -> Turn:
        """The graph of such a turn, to be solved by compiled code."""

    @abstractmethod
    def turn(self, state: Any) -> Turn:
        """The graph of the turn under way."""

    @abstractmethod
    def node(self, state: Any) -> int:
        """Where in the graph of its turn the state is."""

    @abstractmethod
    def later(self, state: Any) -> Sequence[float]:
        """What each seat expects of the turns after the one under way."""

    @abstractmethod
    def later_scores(self, state: Any) -> list[Distribution]:
        """How likely each number of points of these turns is, by seat, if they are played for points."""

    @abstractmethod
    def duel(self, state: Any) -> tuple[Duel, int] | None:
        """The chances of two seats after this turn: the table, and how many turns are left; None if unknown."""

    @property
    @abstractmethod
    def distribution(self) -> Distribution:
        """How likely each score of a whole turn is, when played for points."""

    def nodes_after(self, state: Any) -> Sequence[int]:
        """Where in the graph of its turn each of `state.moves()` leads."""
        graph, node = self.turn(state).graph, self.node(state)
        found: Sequence[int] = graph.target[graph.first[node] : graph.first[node + 1]]
        return found

    def turn_points(self, state: Any) -> float:
        """Expected points of the turn under way, or about to begin."""
        found: float = self.turn(state).values[self.node(state)]
        return found

    def move_turns(self, state: Any) -> tuple[float, ...]:
        """Expected points of the turn after each of `state.moves()`."""
        values = self.turn(state).values
        return tuple([values[node] for node in self.nodes_after(state)])

    def in_turn(self, state: Any) -> bool:
        """Whether a turn is under way or about to begin, so that `later` does not count it."""
        return True

    def value_is_exact(self, state: Any) -> bool:
        """Whether the points of this position are exact."""
        return True

    # --- tables --------------------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        return self._numbers is not None

    @property
    def tables(self) -> tuple[str, ...]:
        return (table_path(f"{self.game.id}-turn", self.key).stem,)

    def prepare(self, report: Progress = no_progress) -> None:
        self.prepare_points(report)
        if self.game.players == 2:
            self.duels(report)
        report(1.0, "ready")

    def prepare_points(self, report: Progress = no_progress) -> None:
        self.numbers(report)

    def numbers(self, report: Progress = no_progress) -> Any:
        """The table of points as `move_values` reads it."""
        if self._numbers is None:
            self._numbers = self.read(table(f"{self.game.id}-turn", self.key, self.build, report))
        return self._numbers

    def duels(self, report: Progress = no_progress) -> list[Duel]:
        """The chances of two seats in their last turns, by side."""
        if self._duels is None:
            sides = self.sides()

            def build(report: Progress) -> Arrays:
                found = dict[str, Any]()
                for number, side in enumerate(sides):
                    share = part_of(report, number, len(sides))
                    made = self.compiled_turn(side).build_duel(self.duel_turns, share)
                    found |= {f"{name} {number}": array for name, array in made.items()}
                return found

            key = {**self.key, "turns": self.duel_turns}
            arrays = table(f"{self.game.id}-duel", key, build, report)
            self._duels = [
                Duel(*(arrays[f"{name} {number}"] for name in ("low", "first", "chances")))
                for number in range(len(sides))
            ]
        return self._duels

    # --- the answers of every valuer -----------------------------------------------------------------

    def points(self, state: Any) -> tuple[float, ...]:
        if state.over:
            return tuple(map(float, state.totals))
        expected = [total + later for total, later in zip(state.totals, self.later(state), strict=True)]
        if self.in_turn(state):
            expected[state.seat] += self.turn_points(state)
        return tuple(expected)

    def move_points(self, state: Any) -> tuple[float, ...]:
        if state.actor < 0:
            return ()
        rest = state.totals[state.seat] + self.later(state)[state.seat]
        return tuple([turn + rest for turn in self.move_turns(state)])

    def worth(self, state: Any) -> Value:
        if state.over:
            return ended(state)
        win, certain = self.win(state)
        exact = Exact(turn=True, value=self.value_is_exact(state), win=certain)
        return Value(self.turn_points(state), self.points(state), win, exact)

    def win(self, state: Any) -> tuple[tuple[float, ...], bool]:
        """Every seat's chance to be among the winners, and whether it is exact."""
        if self.game.players == 1:
            return (1.0,), True
        (chances, exact), seats = self._chances(state), self.game.players
        begin = self.node(state) * seats
        return tuple([min(max(own, 0.0), 1.0) for own in chances[begin : begin + seats]]), exact

    def moves(self, state: Any) -> tuple[MoveValue, ...]:
        if state.actor < 0:
            return ()
        wins, seats = [1.0] * len(state.moves()), self.game.players
        if seats > 1:
            found, _ = self._chances(state)
            wins = [found[node * seats + state.seat] for node in self.nodes_after(state)]
        numbers = state.moves(), self.move_turns(state), self.move_points(state), wins
        return tuple(map(MoveValue, *numbers))

    def _chances(self, state: Any) -> tuple[Sequence[float], bool]:
        """The chances at every node of the turn under way; those of the last few turns are kept."""
        key = attrgetter(*self.turn_fields)(state)
        found = self._solved.get(key)
        if found is None:
            turn = self.turn(state)
            rewards, exact = self.rewards(state, turn.scores)
            found = turn.chances(rewards, state.seat), exact
            kept = dict(list(self._solved.items())[-3:])
            self._solved = {**kept, key: found}
        return found

    def rewards(self, state: Any, scores: Sequence[int]) -> tuple[list[list[float]], bool]:
        """Winning chances by seat and score of the turn under way, and whether they are exact."""
        if self.game.players == 2 and (known := self.duel(state)):
            duel, turns = known
            lead = state.totals[state.seat] - state.totals[1 - state.seat]
            # to the other seat, whose turn is next, the lead is one the other way
            other, own = zip(*(duel.at(turns, -lead - score) for score in scores), strict=True)
            return [list(other), list(own)] if state.seat else [list(own), list(other)], True
        later = self.later_scores(state)
        final = {
            seat: scores.plus(Distribution.certain(total))
            for seat, (scores, total) in enumerate(zip(later, state.totals, strict=True))
        }
        mine = final.pop(state.seat)
        return rewards(state.seat, scores, mine, final), all(scores.low == scores.high for scores in later)


# --- turns that all begin alike ---------------------------------------------------------------------------


class RepeatedTurn(NamedTuple):
    """The tables of a turn, and how many turns there are. A place is a position of a turn."""

    #: by place: its node
    nodes: Sequence[int]
    #: by node: where its moves begin in the next table; by move: the node to which it leads
    first: Sequence[int]
    after: Sequence[int]
    #: by node: the expected points of the turn
    values: Sequence[float]
    #: by round, seat whose turn it is, and seat: how many turns that one has later
    left: Sequence[Sequence[Sequence[int]]]
    #: what a turn is worth at its start
    fresh: float


def worths_at(v: RepeatedTurn, s: Any, place: int, count: int, out: Any) -> None:
    """Write the mover's expected final score after each of the moves at this place; `s` is a state as numbers."""
    rest, first = s.totals[s.seat] + v.left[s.round][s.seat][s.seat] * v.fresh, v.first[v.nodes[place]]
    for move in range(count):
        out[move] = rest + v.values[v.after[first + move]]


class EqualTurnValues(TurnValues):
    """Values of a game in which every turn begins alike, whose option `rounds` says how many there are."""

    turn_fields = ("seat", "round", "totals")
    #: a number that tells the positions of a turn apart, from the config and the state as numbers
    place: ClassVar[staticmethod[[Any, Any], int]]
    _turn: Turn

    def _one_turn(self) -> State:
        """The start of a game of one seat that is over after one turn."""
        return type(self.game)(1, msgspec.structs.replace(self.game.options, rounds=1)).start()

    # --- tables --------------------------------------------------------------------------------------

    @cached_property
    def key(self) -> dict[str, Any]:
        options = self.game.options.hashed()
        matter = {name: options[name] for name in options if name not in ("rounds", "components")}
        return table_key(self.game, components=msgspec.to_builtins(self.game.components), **matter)

    def build(self, report: Progress) -> Arrays:
        report(0.0, "looking at every position of a turn")
        return explored_turn(self._one_turn(), partial(self.place, self.game.config))

    def read(self, arrays: Arrays) -> RepeatedTurn:
        graph, values = Graph(*(arrays[name] for name in Graph._fields)), arrays["values"].tolist()
        self._turn = Turn(graph, arrays["scores"], 0, values, ends=arrays["ends"])
        return RepeatedTurn(arrays["nodes"], graph.first, graph.target, values, self._left, values[0])

    @property
    def exact(self) -> Exact:
        seats = self.game.players
        return Exact(
            turn=True, value=True, win=seats == 1 or (seats == 2 and self._turns <= MAX_DUEL_TURNS)
        )

    @property
    def duel_turns(self) -> int:
        return min(self._turns, MAX_DUEL_TURNS)

    def sides(self) -> Sequence[Any]:
        return (None,)

    def compiled_turn(self, side: Any) -> Turn:
        turn = self.turn(None)
        return Turn(turn.graph, turn.scores, turn.start, compiled=True, ends=turn.ends)

    # --- where in a turn, and what follows it ----------------------------------------------------------

    def turn(self, state: Any) -> Turn:
        self.numbers()
        return self._turn

    def node(self, state: Any) -> int:
        found: int = self.numbers().nodes[self.place(self.game.config, state.unpack())]
        return found

    @cached_property
    def _left(self) -> list[list[list[int]]]:
        """By round, seat whose turn it is, and seat: how many turns that one has later."""
        state: Any = self.game.start()
        turns, random = [(state.round, state.seat)], Random(1)
        while not state.over:
            chance = state.actor == CHANCE
            state = state.apply(state.chance().sample(random) if chance else random.choice(state.moves()))
            if not state.over and (state.round, state.seat) != turns[-1]:
                turns.append((state.round, state.seat))
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

    def later_scores(self, state: Any) -> list[Distribution]:
        return [self.distribution.times(turns) for turns in self.left(state)]

    def duel(self, state: Any) -> tuple[Duel, int] | None:
        left = sum(self.left(state))
        return (self.duels()[0], left) if left < MAX_DUEL_TURNS else None

    @cached_property
    def distribution(self) -> Distribution:
        return self.turn(None).distribution()

    def move_parts(self, state: Any) -> tuple[tuple[float, ...], ...] | None:
        if state.actor < 0:
            return None
        # as if it were the only turn: what comes later is the same after every move
        alone = SolvedValues(self._one_turn().game)
        turn = {"game": alone.game, "actor": 0, "seat": 0, "round": 0, "totals": (0,)}
        return alone.move_parts(msgspec.structs.replace(state, **turn))
