"""Values of games of turns: a turn belongs to one seat, nobody can interfere, and turns add up.

The expected final score of a seat is what it has, what the turn under way brings if it is played for points, and the
same for each turn to come. Chances to win follow from what each score of the turn under way is worth (`rewards`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import msgspec

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_part
from pasch.core.state import OVER, State
from pasch.solve.graph import Graph
from pasch.solve.keys import table_key
from pasch.solve.scores import Distribution, rewards
from pasch.solve.solved import SolvedValues
from pasch.solve.tables import Arrays, table, table_path
from pasch.solve.turn import Duel, Turn, explored_turn
from pasch.solve.valuer import Exact, MoveWorth, Report, Valuer, Worth, silent

#: chances of two seats with more turns to go than this are estimated
MAX_DUEL_TURNS: Final = 50


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
    def turn(self, state: Any) -> Turn:
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
        found, seats = self._chances(state), self.game.players
        begin = self.node(state) * seats
        return tuple([min(max(own, 0.0), 1.0) for own in found.chances[begin : begin + seats]]), found.exact

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
        found, seats = self._chances(state).chances, self.game.players
        return [found[node * seats + state.seat] for node in self.nodes_after(state)]

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

    #: by node and seat
    chances: Sequence[float]
    exact: bool


# --- turns that all begin alike ---------------------------------------------------------------------------


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

    _turn: Turn | None = None
    _numbers: EqualTurns | None = None
    _duel: Duel | None = None
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
        duel_exact = seats == 2 and self._turns <= MAX_DUEL_TURNS
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

    def _open(self, report: Report = silent) -> Turn:
        if self._turn is None:
            arrays = table(f"{self.game.id}-turn", self._key, self._build, report)
            self._nodes = arrays["nodes"]
            self._first_move, self._after = arrays["first_move"], arrays["after"]
            graph = Graph(*(arrays[name] for name in Graph._fields))
            start, scores = arrays["start"][0], arrays["scores"].tolist()
            self._turn = Turn(graph, scores, start, arrays["values"].tolist())
        return self._turn

    def _build(self, report: Report) -> Arrays:
        report(0.0, "looking at every position of a turn")
        return explored_turn(self.one_turn(), self.place, self.places)

    def _open_duel(self, report: Report = silent) -> Duel:
        if self._duel is None:
            turns, turn = min(self._turns, MAX_DUEL_TURNS), self._open(report)

            def build(report: Report) -> Arrays:
                return Turn(turn.graph, turn.scores, turn.start, compiled=True).build_duel(turns, report)

            key = {**self._key, "turns": turns}
            self._duel = Duel(table(f"{self.game.id}-duel", key, build, report))
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

    def turn(self, state: Any) -> Turn:
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

    def move_parts(self, state: Any) -> tuple[tuple[float, ...], ...] | None:
        if state.actor < 0:
            return None
        # as if it were the only turn: what comes later is the same after every move
        alone = SolvedValues(self.one_turn().game)
        turn = {"game": alone.game, "actor": 0, "seat": 0, "round": 0, "totals": (0,)}
        return alone.move_parts(msgspec.structs.replace(state, **turn))

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
        if self.game.players == 2 and sum(left) < MAX_DUEL_TURNS:
            lead, known = state.totals[state.seat] - state.totals[1 - state.seat], self._open_duel()
            own, other = zip(*(known.after(sum(left), lead + score) for score in scores), strict=True)
            return [list(other), list(own)] if state.seat else [list(own), list(other)], True
        final = {
            seat: self._fresh_scores.times(turns).plus(Distribution.certain(total))
            for seat, (turns, total) in enumerate(zip(left, state.totals, strict=True))
        }
        mine = final.pop(state.seat)
        return rewards(state.seat, scores, mine, final), not any(left)
