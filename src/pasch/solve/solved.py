"""Values of every game that is small enough, from its rules alone; of others, estimates by playouts.

A solution holds what is still to come in each position that was kept: of a small game in all of them, of a large one
at the beginnings of its stages (`pasch.solve.stages`). Positions between them are computed on request.
"""

from __future__ import annotations

import time
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from math import inf
from operator import lt
from textwrap import indent
from typing import Any, Final

import msgspec

from pasch.core.game import Game
from pasch.core.state import OVER, State
from pasch.solve.explore import (
    POINTS,
    WIN,
    Budget,
    Explored,
    Paused,
    TooLarge,
    explored,
    pack,
    relative,
    solution_table,
)
from pasch.solve.graph import Endless, plan_of, precision, worked_out
from pasch.solve.keys import table_key
from pasch.solve.positions import Key, Looked, Rules
from pasch.solve.tables import Arrays, read_table, table, table_path
from pasch.solve.valuer import Exact, PlayoutValues, Progress, Value, ended, no_progress

#: budgets of solving while a user waits, and of an explicit `pasch solve`
AT_ONCE = Budget(3_000_000, 500, 60.0)
THOROUGH: Final = Budget(50_000_000, 2_000, 1_800.0)
#: calls of the rules after which the solver compiles them. Measured from empty caches, CPU seconds plain and compiled:
#: 663,590 calls of Joker 2 7.8 and 17.4, 914,000 of Pig to 50 11.6 and 16.3, 1,603,000 of Pig to 60 20.5 and 13.2.
#: It begins anew then: these calls took 2 s of Pig's and 3 s of Yahtzee's walk, of which no position is solved yet
MAX_PLAIN_CALLS: Final = 1_000_000
#: what one position asked for may cost
ONE_POSITION = Budget(200_000, 200, 20.0)
#: calls of the rules for positions between those of a table, 1 or 2 s, after which compiled code looks for them: where
#: the table was made it is in the cache and loads in 0.5 s; compiling it anew takes 15 s
MAX_QUERY_CALLS = 200_000


def solution_arrays(
    game: Game[Any, Any], aim: str, budget: Budget, report: Progress = no_progress
) -> Arrays:
    """The table of a solution; TooLarge if it costs more than the budget."""
    rules, begun = Rules(game), time.perf_counter()
    report(0.0, "walking through the positions")
    try:
        return _in_plain_python(rules, aim, budget, report)
    except Paused:
        try:
            from pasch.solve.staged import StagedSolver
        except ImportError:
            return _in_plain_python(rules, aim, budget, report, max_calls=inf)
        left = budget._replace(seconds=budget.seconds - (time.perf_counter() - begun))
        return StagedSolver(rules, aim, left, report).arrays()


def _in_plain_python(
    rules: Rules, aim: str, budget: Budget, report: Progress, max_calls: float = MAX_PLAIN_CALLS
) -> Arrays:
    """All positions of a small game; Paused if a compiler would do it sooner."""
    begun, start = time.perf_counter(), rules.game.start().unpack()
    # with leads in place of scores that are left out, if the highest score wins
    leads = aim == WIN and rules.highest_wins
    walked = explored(rules, POINTS if leads else aim, start, max_calls=max_calls, budget=budget)
    if leads:
        walked = walked.with_leads(walked.scores(start), budget)
    seconds = time.perf_counter() - begun
    report(0.5, "solving")
    graph = walked.graph()
    plan = plan_of(graph)
    values, error = worked_out(graph, plan, walked.columns, walked.values())
    positions = len(walked.keys) - len(walked.given)
    components = sum(cuts > 0 for cuts in plan.cuts)
    said = [
        f"left out of positions, because it is only added to: {rules.named(sorted(walked.sums))}",
        f"known of each position: {rules.named(walked.words)}" + (" and the leads" * leads),
        f"{positions:,} positions, {len(walked.target):,} steps between them, {components:,} components with cycles",
        f"walked through in {seconds:.1f} s with {walked.calls:,} calls of the rules,"
        f" solved in {time.perf_counter() - begun - seconds:.1f} s",
        precision(error),
    ]
    return solution_table(walked.keys, values, walked.columns, walked.sums, leads, said)


class Solution:
    """What positions of a game are worth, by a table."""

    def __init__(self, rules: Rules, aim: str, arrays: Arrays) -> None:
        self._rules, self._aim, self._arrays = rules, aim, arrays
        self._sums = frozenset(arrays["sums"].tolist())
        self._low, self._size = arrays["low"].tolist(), arrays["size"].tolist()
        self._keys, self._values = arrays["keys"], arrays["values"]
        self.said = bytes(arrays["said"]).decode()
        self._leads = bool(arrays["leads"][0])
        self._positions = Explored(rules, aim, self._sums)
        self._columns = self._positions.columns
        #: values of the positions that were walked through last
        self._between: dict[Any, Sequence[float]] = {}
        #: how many calls of the rules were made for such, and the compiled code that finds them later (`StageReader`)
        self._calls = 0
        self._reader: Any = None

    def _kept(self, key: Key) -> Sequence[float] | None:
        number = pack(key, self._low, self._size)
        place = bisect_left(self._keys, number) if number >= 0 else len(self._keys)
        if place == len(self._keys) or self._keys[place] != number:
            return None
        found: Sequence[float] = self._values[place * self._columns : (place + 1) * self._columns].tolist()
        return found

    def _key(self, s: Any) -> Key:
        key = self._positions.key(s)
        return key + relative(self._positions.scores(s)) if self._leads else key

    def value(self, s: Any) -> Sequence[float]:
        """What is still to come in a position, as numbers, by column."""
        key = self._key(s)
        found = self._kept(key) or self._between.get(key)
        if found is None and self._calls > MAX_QUERY_CALLS and "words low" in self._arrays:
            found = self._read(key)
        return self._walked(s) if found is None else found

    def _read(self, key: Key) -> Sequence[float] | None:
        """The same by compiled code; None if there is no compiler or the position does not follow from the table."""
        if self._reader is None:
            with suppress(ImportError):
                from pasch.solve.staged import StageReader

                self._reader = StageReader(self._rules, self._aim, self._arrays, self._kept)
        found: Sequence[float] | None = self._reader and self._reader.value(key)
        if found is None:
            # plain Python continues for a while
            self._reader, self._calls = None, 0
        return found

    def _walked(self, s: Any) -> Sequence[float]:
        aim = POINTS if self._leads else self._aim
        try:
            known = None if self._leads else self._kept
            walked = explored(self._rules, aim, s, self._sums, budget=ONE_POSITION, known=known)
        except Looked:
            # a position that play from the start does not come to, in which other words matter
            walked = explored(self._rules, aim, s, budget=ONE_POSITION)
        if self._leads:
            walked = walked.with_leads(walked.scores(s), ONE_POSITION)
        self._calls += walked.calls
        graph, columns = walked.graph(), walked.columns
        values, _ = worked_out(graph, plan_of(graph), columns, walked.values())
        if walked.sums == self._sums:
            self._between = {
                key: values[node * columns : (node + 1) * columns] for node, key in enumerate(walked.keys)
            }
        return values[:columns]  # type: ignore[no-any-return]


class SolvedValues(PlayoutValues):
    """Values of a game that has no values of its own."""

    def __init__(self, game: Game[Any, Any]) -> None:
        super().__init__(game)
        #: by aim: the solution, or why there is none
        self._found: dict[str, Solution | str] = {}
        #: what `solve` may cost
        self.budget = THOROUGH

    # --- tables ---------------------------------------------------------------------------------------

    @cached_property
    def _rules(self) -> Rules:
        return Rules(self.game)

    @cached_property
    def _key(self) -> dict[str, Any]:
        components = msgspec.to_builtins(self.game.components)
        return table_key(
            self.game, players=self.game.players, options=self.game.options.hashed(), box=components
        )

    def _name(self, aim: str) -> str:
        return f"{self.game.id}-{aim}"

    @property
    def tables(self) -> tuple[str, ...]:
        return (table_path(self._name(POINTS), self._key).stem,)

    @property
    def ready(self) -> bool:
        return POINTS in self._found

    def prepare_points(self, report: Progress = no_progress) -> None:
        self._solution(POINTS, report=report)

    def prepare(self, report: Progress = no_progress) -> None:
        self._prepare(AT_ONCE, report)

    def solve(self, report: Progress = no_progress) -> None:
        self._found = {aim: found for aim, found in self._found.items() if isinstance(found, Solution)}
        self._prepare(self.budget, report)

    def _prepare(self, budget: Budget, report: Progress) -> None:
        for aim in (POINTS, WIN) if self.game.players > 1 else (POINTS,):
            self._solution(aim, budget, report)
        report(1.0, "ready")

    def _solution(
        self, aim: str, budget: Budget | None = None, report: Progress = no_progress
    ) -> Solution | None:
        if aim not in self._found:
            self._found[aim] = self._opened(aim, budget or AT_ONCE, report)
        found = self._found[aim]
        return found if isinstance(found, Solution) else None

    def _opened(self, aim: str, budget: Budget, report: Progress) -> Solution | str:
        def build(report: Progress) -> Arrays:
            try:
                return solution_arrays(self.game, aim, budget, report)
            except (TooLarge, Endless) as error:
                # that a game is too large is remembered, too
                return {"refused": array("B", str(error).encode()), "budget": array("d", budget)}

        path = table_path(self._name(aim), self._key)
        if any(map(lt, (read_table(path) or {}).get("budget", ()), budget)):
            path.unlink(missing_ok=True)  # another process may have done so
        arrays = table(self._name(aim), self._key, build, report)
        if "refused" in arrays:
            return bytes(arrays["refused"]).decode()
        return Solution(self._rules, aim, arrays)

    @property
    def remarks(self) -> tuple[str, ...]:
        refused = [(aim, found) for aim, found in self._found.items() if isinstance(found, str)]
        return tuple(f"{self.game.title}, {aim}: {text}" for aim, text in refused)

    def explain(self) -> str:
        names = {POINTS: "points", WIN: "chances to win"}
        lines = [f"{self.game.title} for {self.game.players}"]
        for aim, found in self._found.items():
            if isinstance(found, str):
                lines += [f"{names[aim]}: not solved", f"  {found}", "  estimated by playouts instead"]
            else:
                values = ", ".join(f"{value:.9f}" for value in self._expected(aim, self.game.start()))
                lines += [f"{names[aim]} at the start: {values}", indent(found.said, "  ")]
        return "\n".join(lines)

    # --- answers --------------------------------------------------------------------------------------

    @property
    def exact(self) -> Exact:
        solved = self._solution(POINTS) is not None
        win = self.game.players == 1 or self._solution(WIN) is not None
        return Exact(turn=solved, value=solved, win=win)

    def _expected(self, aim: str, state: State) -> tuple[float, ...]:
        """Each seat's expected final score, or its chance to win."""
        if state.over:
            end = ended(state)
            return (end.win if aim == WIN else end.value) or ()
        solution = self._solution(aim)
        assert solution is not None
        coming = solution.value(state.unpack())[: self.game.players]
        if aim == WIN:
            return tuple(coming)
        return tuple([score + more for score, more in zip(state.scores(), coming, strict=True)])

    def points(self, state: State) -> tuple[float, ...]:
        return super().points(state) if self._solution(POINTS) is None else self._expected(POINTS, state)

    def move_points(self, state: State) -> tuple[float, ...]:
        if self._solution(POINTS) is None:
            return super().move_points(state)
        self._expected(POINTS, state)  # whatever follows in this stage is known then
        return tuple([self._expected(POINTS, state.apply(move))[state.actor] for move in state.moves()])

    def move_parts(self, state: State) -> tuple[tuple[float, ...], ...] | None:
        solution, parts = self._solution(POINTS), len(self.game.parts)
        if solution is None or not parts or state.actor < 0:
            return None
        begin, found = self.game.players + state.actor * parts, []
        for code in state.codes():
            s = state.unpack()
            self._rules.move(self._rules.g, s, code)
            coming = [0.0] * parts if s.actor == OVER else solution.value(s)[begin : begin + parts]
            found.append(tuple([now + later for now, later in zip(s.scored, coming, strict=True)]))
        return tuple(found)

    @property
    def _by_turns(self) -> bool:
        return self._solution(POINTS) is None and super()._by_turns

    def _win(self, state: State) -> tuple[float, ...] | None:
        if self.game.players == 1:
            return (1.0,)
        return super()._win(state) if self._solution(WIN) is None else self._expected(WIN, state)

    def worth(self, state: State) -> Value:
        known = self.exact
        exact = Exact(known.turn, known.value or state.over, known.win or state.over)
        if not known.value:
            return msgspec.structs.replace(super().worth(state), exact=exact)
        value, seat = self.points(state), state.mover
        turn = None if seat is None else value[seat] - state.scores()[seat]
        return Value(turn, value, self._win(state), exact)
