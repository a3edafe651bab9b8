"""Values of games of turns: a turn belongs to one seat, nobody can interfere, and turns add up.

The expected final score of a seat is what it has, what the turn under way brings if it is played for points, and the
same for each turn to come. A turn is a small graph that ends in scores.

Chances of two seats go back from the end: at the start of a turn all that counts is how many turns are left and by how
much the seat leads whose turn it is, so a turn is solved for every lead, its scores being worth what the other seat's
turn leaves (`Duel`). Of moves that win equally often the one counts that brings more points, then the first.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from array import array
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from itertools import accumulate
from typing import Any, Final, NamedTuple

import msgspec

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.registry import find_part
from pasch.core.state import CHANCE, OVER, State
from pasch.solve.explore import POINTS, explored
from pasch.solve.graph import (
    FINE,
    NO_END,
    Graph,
    Plan,
    Task,
    evaluate,
    plain_row,
    plan_of,
    room_of,
    spread,
)
from pasch.solve.keys import table_key
from pasch.solve.positions import Rules
from pasch.solve.scores import Distribution, rewards
from pasch.solve.solved import SolvedValues
from pasch.solve.tables import Arrays, table, table_path
from pasch.solve.valuer import Exact, MoveWorth, Report, Valuer, Worth, silent

#: chances of two seats with more turns to go than this are estimated
MAX_DUEL_TURNS: Final = 50
#: chances nearer than this to 0 or 1 are taken to be 0 or 1
CERTAIN: Final = 1e-12
#: how many leads a thread solves at a stretch
LEADS_AT_ONCE: Final = 64


class Turn:
    """The graph of a turn with the expected points of every node. The first nodes are the scores that it may bring."""

    def __init__(
        self,
        graph: Graph,
        scores: Sequence[int],
        start: int,
        values: Sequence[float] | None = None,
        compiled: bool = False,
    ) -> None:
        self.scores, self.start, self.compiled = list(scores), start, compiled
        self.graph, self._plan = graph, plan_of(Graph(*map(list, graph)))
        if compiled:
            self.graph, self._plan = Graph(*map(self._fixed, graph)), Plan(*map(self._fixed, self._plan))
        self._new: Any = compiled_row if compiled else plain_row
        self._spread: Any = compiled_function(spread) if compiled else spread
        self._evaluate: Any = (
            compiled_function(evaluate, cycles=any(self._plan.cuts)) if compiled else evaluate
        )
        #: expected points at each node if the turn is played for points
        self.values: Any = self._new(0, 0.0)
        self.values = self.chances([list(map(float, scores))], 0) if values is None else values

    @staticmethod
    def _fixed(numbers: Any) -> Any:
        import numpy as np

        from pasch.solve.records import fixed

        whole = not len(numbers) or not isinstance(numbers[0], float)
        return fixed(np.array(numbers, np.int64 if whole and len(numbers) else np.float64))

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.graph.actor)

    def chances(self, rewards: Sequence[Sequence[float]], seat: int) -> Any:
        """What every node is worth to each seat, by node and seat, if `seat` chooses; `rewards`: by seat and score."""
        columns = len(rewards)
        value = self._new(self.nodes * columns, 0.0)
        for column, worths in enumerate(rewards):
            for score, worth in enumerate(worths):
                value[score * columns + column] = worth
        room = room_of(self._plan, columns, self._new)
        task = Task(self.graph, self._plan, self.values, seat, columns, value, room)
        trouble = self._evaluate(task, len(self._plan.cuts))
        if trouble != FINE:
            raise ValueError("a turn has no end")
        return value

    def distribution(self, node: int | None = None) -> Distribution:
        """How likely each score is from `node` (the start) on if every choice is made for points."""
        mass, again, none = self._new(self.nodes, 0.0), self._new(self.nodes, 0.0), self._new(0, 0.0)
        mass[self.start if node is None else node] = 1.0
        room = room_of(self._plan, 1, self._new)
        self._spread(Task(self.graph, self._plan, none, -1, 1, self.values, room), mass, again)
        return Distribution.of(self.scores, [float(chance) for chance in mass[: len(self.scores)]])

    def build_duel(self, turns: int, report: Report = silent) -> dict[str, Any]:
        """The table of `Duel`: chances at the start of each of the last `turns` turns but the first; only if compiled.

        Leads at which both chances are within `CERTAIN` of 0 and 1 are left out: that much error a turn at most.
        """
        import numpy as np

        lows, tables = [0], [np.array([(1.0, 1.0)])]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for left in range(1, turns):
                report(left / turns, f"{left} turns before the end")
                low, before = lows[-1], tables[-1]
                # leads from which some score makes a lead that the table before this one knows
                leads = range(-(low + len(before) - 1) - self.scores[-1], -low - self.scores[0] + 1)
                parts = [
                    leads[begin : begin + LEADS_AT_ONCE] for begin in range(0, len(leads), LEADS_AT_ONCE)
                ]
                chances = np.concatenate([*pool.map(partial(self._duel, low, before), parts)])
                lost = (chances[:, 0] < CERTAIN) & (chances[:, 1] > 1 - CERTAIN)
                won = (chances[:, 0] > 1 - CERTAIN) & (chances[:, 1] < CERTAIN)
                undecided = np.flatnonzero(~lost & ~won)
                lows.append(leads[undecided[0]])
                tables.append(chances[undecided[0] : undecided[-1] + 1].copy())
        first = np.cumsum([0, *map(len, tables)])
        return {"low": np.array(lows, np.int64), "first": first, "chances": np.concatenate(tables)}

    def _duel(self, low: int, before: Any, leads: range) -> Any:
        """Both seats' chances at the start of a turn of the seat that has each of these leads.

        `before` are those with one turn less, in which the other seat moves, beginning with the lead `low`.
        """
        import numpy as np

        chances, value = np.zeros((len(leads), 2)), np.zeros(2 * self.nodes)
        room, scores = room_of(self._plan, 2, self._new), np.array(self.scores)
        task = Task(self.graph, self._plan, self.values, 0, 2, value, room)
        # by lead; beyond the table everything is certain
        known = np.concatenate([[(0.0, 1.0)], before, [(1.0, 0.0)]])
        for place, lead in enumerate(leads):
            # after the turn it is the other seat's, and to that the lead is one the other way
            after = known[np.clip(-(lead + scores) - low + 1, 0, len(known) - 1)]
            value[: 2 * len(scores)] = after[:, ::-1].ravel()
            self._evaluate(task, len(self._plan.cuts))
            chances[place] = value[2 * self.start : 2 * self.start + 2]
        return chances


def chances_at(chances: Any, begin: int, end: int, place: int) -> tuple[float, float]:
    """The chances in a row of a table that begins and ends there; before and behind it everything is certain."""
    if place < 0:
        return 0.0, 1.0
    if begin + place >= end:
        return 1.0, 0.0
    return chances[begin + place, 0], chances[begin + place, 1]


@cache
def compiled_function(function: Callable[..., Any], *, cycles: bool = True) -> Any:
    """A function of graphs as machine code; without `cycles` it does not know how to solve a component."""
    from pasch.solve.compiled import compile_plain

    return compile_plain(
        function, replace={} if cycles else {"solve_component": not_solved}, name=f"cycles{cycles:d}"
    )


def not_solved(k: Task, number: int) -> int:
    """In place of `solve_component` where there is none."""
    return NO_END


def compiled_row(size: int, fill: float) -> Any:
    """A row as an array."""
    import numpy as np

    return np.full(size, fill, np.float64 if isinstance(fill, float) else np.int64)


class Duel:
    """The chances of two seats at the start of a turn, by turns left and lead."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._first = arrays["first"].tolist()
        self._low = arrays["low"].tolist()
        self._chances = arrays["chances"]

    def at(self, turns: int, lead: int) -> tuple[float, float]:
        """The chances of the seat about to move, which leads by so much, and of the other; `turns` are left."""
        begin, end = self._first[turns : turns + 2]
        return chances_at(self._chances, begin, end, lead - self._low[turns])

    def after(self, turns: int, lead: int) -> tuple[float, float]:
        """The same from the seat that has just moved: its own chances and the other one's."""
        other, own = self.at(turns, -lead)
        return own, other


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


def explored_turn(start: State, place: Callable[[Any], int], places: int) -> Arrays:
    """The tables of the turn with which a game of one seat and one turn begins.

    `place` tells the positions of the turn apart, as numbers below `places`.
    """
    walked = explored(Rules(start.game), POINTS, start.unpack())
    # nodes with the points gained so far, so that the ends are scores
    reached = {(0, 0): 0}
    work, edges, over = (
        [(0, 0)],
        list[list[tuple[int, int]]](),
        walked.number["over", *(0.0,) * walked.columns],
    )
    for node, gained in work:
        begin, end = walked.first[node : node + 2]
        rewards = walked.reward[begin * walked.columns : end * walked.columns : walked.columns]
        edges.append(
            [(after, gained + round(r)) for after, r in zip(walked.target[begin:end], rewards, strict=True)]
        )
        for after in edges[-1]:
            if after not in reached:
                reached[after] = len(work)
                work.append(after)
    scores = sorted(gained for node, gained in work if node == over)
    inner = [(node, gained) for node, gained in work if node != over]
    number = {(over, score): place for place, score in enumerate(scores)}
    number |= {one: len(scores) + place for place, one in enumerate(inner)}
    actor, first, target, weight = [OVER] * len(scores), [0] * (len(scores) + 1), list[int](), list[float]()
    nodes, moves = [-1] * places, list[Sequence[int]]([] for _ in range(places))
    for one in inner:
        node, following = one[0], [number[after] for after in edges[reached[one]]]
        actor.append(walked.actor[node])
        target += following
        weight += walked.weight[walked.first[node] : walked.first[node + 1]]
        first.append(len(target))
        at = place(walked.make(walked.keys[node]))
        if nodes[at] >= 0:
            raise ValueError("two positions of a turn have the same place")
        nodes[at] = number[one]
        moves[at] = following if walked.actor[node] != CHANCE else []
    graph, new = without_repetitions(Graph(actor, first, target, weight, []))
    nodes = [new[node] if node >= 0 else -1 for node in nodes]
    moves = [[new[node] for node in some] for some in moves]
    turn = Turn(graph, scores, new[number[0, 0]])
    whole = {
        "scores": scores,
        "nodes": nodes,
        "start": [turn.start],
        "after": [n for some in moves for n in some],
    }
    whole |= {"actor": graph.actor, "first": graph.first, "target": graph.target}
    whole["first_move"] = [*accumulate(map(len, moves), initial=0)]
    real = {"weight": graph.weight, "reward": [], "values": turn.values}
    kinds = [
        *((name, "i", some) for name, some in whole.items()),
        *((name, "d", some) for name, some in real.items()),
    ]
    return {name: array(kind, some) for name, kind, some in kinds}


def without_repetitions(graph: Graph) -> tuple[Graph, list[int]]:
    """The graph with nodes that lead to the same only once, and the new number of each node. Ends stay the first."""
    plan, ends = plan_of(graph), graph.actor.count(OVER)
    known: dict[Any, int] = {}
    new = [*range(ends), *[-1] * (len(graph.actor) - ends)]
    actor, edges = [OVER] * ends, list[dict[int, float]]({} for _ in range(ends))
    for node in plan.order:
        if node < ends:
            continue
        merged: dict[int, float] = {}
        for e in range(graph.first[node], graph.first[node + 1]):
            # what comes up again has no new number yet: it stands for itself, as a negative one
            after = new[graph.target[e]] if new[graph.target[e]] >= 0 else -1 - graph.target[e]
            merged[after] = merged.get(after, 0.0) + graph.weight[e]
        what = graph.actor[node], tuple(merged.items())
        if what not in known:
            known[what] = len(actor)
            actor.append(graph.actor[node])
            edges.append(merged)
        new[node] = known[what]
    target = [after if after >= 0 else new[-1 - after] for some in edges for after in some]
    first = [*accumulate(map(len, edges), initial=0)]
    return Graph(actor, first, target, [share for some in edges for share in some.values()], []), new
