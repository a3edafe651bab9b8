"""Values of Shut the Lines.

Three kinds of numbers, from the surest to the least sure.

**Lines of a round** (`turn`, `points`, `move_points`) are exact for every set of covered numbers of every
plan. On plans of up to 16 numbers they are right to about 1e-14; on larger ones they are stored in single
precision, each rounded once, which over a round adds up to less than 1e-5.

The ledger's currency is the total so far plus the expected lines of the round under way. How many rounds
there will be nobody knows, and a player cannot do anything about rounds that have not begun, so these count
nothing until they begin: with the event that lays out the plan, every seat is credited with the
expectation of the round. `entering_expectation` says how much that is. It is not luck. Where the plan is chosen,
the round begins when somebody has to choose: every seat is credited with the expectation on the plan that brings the
most lines, and to choose another one costs the difference; to the other seats it is the doing of others.

**Final scores** (`value`) take it that every seat plays every round for the most lines, and chooses its plan
for them. For this way of playing they are exact, with any number of seats (`race`), on plans of up to 16 numbers.
They are not called exact, because the most lines now is not always the best way to the highest
final score: who reaches the target early ends the game. On larger plans the chances of how a round ends
are estimated by playing: from the start by 2^20 rounds (standard error of a chance below 0.0005), from
elsewhere by 2^11 (below 0.011), except towards the end of a round, when at most 12 numbers are free and
they are solved. The mean of these chances is exact in either case.

**Chances to win** (`win`) take it that the seat whose turn it is plays the rest of this round to win, all
others and all later rounds for the most lines; a seat that has to choose a plan chooses this one to win. "To win" is
solved exactly against the chances of what
the others will have; what a seat could gain by watching how the others fare during the round is left
out, and so is that others may play to win too. So a chance is somewhat too low for the seat in
question while others are still in the round. It is exact for the last one in: when all others are
out and the game is certain to end with this round, it is the greatest chance of reaching what is needed. On
large plans with many free numbers the seat, too, is taken to play for the most lines.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import fsum, sqrt
from operator import attrgetter, itemgetter, mul
from typing import Any, Final, NamedTuple

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import State
from pasch.games.lines.box import PlanTable
from pasch.games.lines.rules import Lines, Plan, Position, is_over, points, stays_in
from pasch.games.lines.values.race import Chances, Finish, finish_chances, totals_after
from pasch.games.lines.values.rounds import ROUNDS_FROM_ELSEWHERE, rounds_on, solved
from pasch.games.lines.values.tables import LinesTables, expected, lines_after, move_values, tables_of
from pasch.solve.tables import table_path
from pasch.solve.valuer import Exact, MoveValue, Progress, Value, Valuer, ended, no_progress, part_of

__all__ = ["Values", "move_values"]

#: plans with more numbers have tables that are too large for a browser
MAX_PLAIN_NUMBERS: Final = 20


class After(NamedTuple):
    """A seat's board after a move."""

    covered: int
    #: whether it stays in the round
    stays: bool


class PlanWorth(NamedTuple):
    """What a round on a plan is worth before its first roll."""

    #: expected, of each seat
    lines: float
    #: by seat: the expected final score, and the chance to win
    score: tuple[float, ...]
    win: tuple[float, ...]


class Values(Valuer):
    """The values of one game with its options."""

    game: Lines
    counts_rounds = True

    def __init__(self, game: Game[Any, Any]) -> None:
        super().__init__(game)
        self._plans: tuple[PlanTable, ...] = self.game.played

    # --- tables

    @property
    def plain(self) -> bool:
        # the tables of larger plans would take too long to load
        return all(rounds_on(plan).numbers <= MAX_PLAIN_NUMBERS for plan in self._plans)

    @property
    def exact(self) -> Exact:
        return Exact(turn=True, win=self.game.players == 1)

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(sorted({table_path("lines", rounds_on(plan).key).stem for plan in self._plans}))

    @property
    def ready(self) -> bool:
        return all(rounds_on(plan).open() for plan in set(self._plans))

    def prepare(self, report: Progress = no_progress) -> None:
        plans = sorted(set(self._plans), key=lambda plan: plan.full)
        for number, plan in enumerate(plans):
            rounds_on(plan).prepare(part_of(report, number, len(plans)))
        report(1.0, "ready")

    def numbers(self) -> LinesTables:
        """The tables of expected lines, for `move_values`."""
        return self._numbers

    @cached_property
    def _numbers(self) -> LinesTables:
        plans = self.game.plans
        return tables_of(
            [rounds_on(plan).table("value") if plan in self._plans else None for plan in plans]
        )

    # --- points

    def points(self, state: State) -> tuple[float, ...]:
        """Each seat's total so far plus its expected lines of the round under way."""
        assert isinstance(state, Position)
        if state.phase in ("plan", "over"):
            staked = self._entering(state)
            return tuple([total + staked for total in state.totals])
        return tuple([self._points(state, seat) for seat in range(self.game.players)])

    def _points(self, state: Position, seat: int) -> float:
        if state.actor == seat:
            return max(self.move_points(state))
        lines = lines_after(
            self.game.config, self._numbers, state.plan, state.covered[seat], not state.out[seat]
        )
        return state.totals[seat] + lines

    def move_points(self, state: State) -> tuple[float, ...]:
        assert isinstance(state, Position)
        codes = state.codes()
        found = [0.0] * len(codes)
        move_values(self.game.config, self._numbers, state.unpack(), codes, len(codes), found)
        return tuple(found)

    def entering_expectation(self, state: State, event: Event) -> tuple[float, ...]:
        if type(event) is Plan:
            return (expected(self._numbers, event.plan, 0),) * self.game.players
        if not self.game.config.choices:
            return super().entering_expectation(state, event)
        after = state.apply(event)
        assert isinstance(after, Position)
        return (self._entering(after),) * self.game.players

    def _entering(self, state: Position) -> float:
        """What a round counts that begins with the choice of its plan; 0 unless one is to be chosen now."""
        choosing = state.phase == "plan" and state.actor >= 0
        return expected(self._numbers, self._best_plan, 0) if choosing else 0.0

    @cached_property
    def _best_plan(self) -> int:
        """The plan, counted from 1, that brings the most lines."""
        return max(self.game.config.choices, key=lambda plan: expected(self._numbers, plan, 0))

    # --- scores and chances

    def worth(self, state: State) -> Value:
        assert isinstance(state, Position)
        if state.over:
            return ended(state)
        if state.phase == "plan":
            return self._worth_before_plan(state)
        turn = _turn(self, state)
        options = turn.options or (After(turn.covered, True),)
        best = max(options, key=turn.expected)
        for_lines = turn.chances(best)
        return Value(
            turn.expected(best),
            tuple(_mean(for_lines, score) for score in turn.finish.score),
            max(map(turn.to_win, options), key=itemgetter(turn.seat)),
            Exact(turn=True, value=turn.decides, win=turn.solo or (turn.decides and turn.solvable)),
            turn.error(for_lines),
        )

    def moves(self, state: State) -> tuple[MoveValue, ...]:
        assert isinstance(state, Position)
        if state.phase == "plan" and state.actor >= 0:
            return tuple(
                MoveValue(move, worth.lines, worth.score[state.seat], worth.win[state.seat])
                for move, worth in zip(state.moves(), self._worth_by_plan(state), strict=True)
            )
        if state.phase != "cover":
            return ()
        turn = _turn(self, state)
        return tuple(
            MoveValue(
                move,
                turn.expected(after),
                _mean(turn.chances(after), turn.finish.score[state.seat]),
                turn.to_win(after)[state.seat],
            )
            for move, after in zip(state.moves(), turn.options, strict=True)
        )

    def _worth_before_plan(self, state: Position) -> Value:
        """Before a plan is laid out: all seats play for the most lines; the seat that chooses it, to win."""
        found = self._worth_by_plan(state)
        for_lines = max(found, key=attrgetter("lines"))
        to_win = max(found, key=lambda worth: worth.win[state.seat])
        return Value(for_lines.lines, for_lines.score, to_win.win, self.exact)

    def _worth_by_plan(self, state: Position) -> list[PlanWorth]:
        """What the round is worth on each of the plans that may come now, everybody playing for the most lines."""
        plans = self.game.config.choices or [self._plan_of(state.round)]
        return [self._worth_on(state, plan) for plan in plans]

    def _worth_on(self, state: Position, plan: int) -> PlanWorth:
        rounds = rounds_on(self.game.plans[plan - 1])
        lines = rounds.chances(0)
        found = self.race(state.round, [[totals_after(total, self.size, lines)] for total in state.totals])
        win = tuple(win[0] for win in found.win) if self.game.players > 1 else (1.0,)
        return PlanWorth(rounds.expected(0), tuple(score[0] for score in found.score), win)

    def _plan_of(self, number: int) -> int:
        """The plan, counted from 1, of a round, counted from 0; where it is chosen, the best for lines."""
        g = self.game.config
        return self._best_plan if g.choices else g.order[number % len(g.order)]

    @cached_property
    def enough(self) -> int:
        """The lowest total that ends the game."""
        total = 0
        while not is_over(self.game.config, [total] * self.game.players):
            total += 1
        return total

    @cached_property
    def size(self) -> int:
        """How many totals there can be."""
        return self.enough + max(rounds_on(plan).max_points for plan in self._plans)

    def race(self, number: int, totals: list[list[Chances]]) -> Finish:
        """How the game ends, from the chances of every seat's total after the round with this number."""

        def lines_of(later: int) -> Chances:
            return rounds_on(self.game.plans[self._plan_of(number + 1 + later) - 1]).chances(0)

        return finish_chances(totals, self.enough, lines_of)


def _mean(chances: Chances, values: Chances) -> float:
    mean: float = fsum(map(mul, chances, values))
    return mean


class _Turn:
    """A position with everything that follows from the lines its seat will have after the round."""

    def __init__(self, values: Values, state: Position) -> None:
        g, seat = values.game.config, state.seat
        self.seat, self.plan, self.solo = seat, values.game.plans[state.plan - 1], values.game.players == 1
        self.rounds = rounds_on(self.plan)
        self.covered = state.covered[seat]
        self.solvable = self.rounds.solvable(self.covered)
        #: what each of the legal moves leads to
        self.options: tuple[After, ...] = ()
        if state.actor == seat:
            self.options = tuple(
                After(self.covered | g.covers.numbers[code], stays_in(g, state.plan, code))
                for code in state.codes()
            )
        lines = range(self.rounds.max_points + 1)
        there = [points(self.plan.lines, covered) for covered in state.covered]
        totals = []
        for other, (total, covered) in enumerate(zip(state.totals, state.covered, strict=True)):
            if other == seat:
                totals.append([totals_after(total + more, values.size) for more in lines])
            elif state.out[other]:
                totals.append([totals_after(total + there[other], values.size)])
            else:
                totals.append([totals_after(total, values.size, self.rounds.chances(covered))])
        #: its cases are the numbers of lines
        self.finish = values.race(state.round, totals)
        #: by seat and number of lines: the chance to win
        self.wins = tuple(map(tuple, self.finish.win))
        # whether this seat is the last one in, and the game over after the round whatever it does
        self.decides = all(state.out[:seat] + state.out[seat + 1 :]) and is_over(
            g, [total + more for total, more in zip(state.totals, there, strict=True)]
        )

    def expected(self, after: After) -> float:
        """The expected lines of the round after a move."""
        return (
            self.rounds.expected(after.covered)
            if after.stays
            else float(points(self.plan.lines, after.covered))
        )

    def chances(self, after: After) -> Chances:
        """The chances of each number of lines if the seat continues to play for the most."""
        if after.stays:
            return self.rounds.chances(after.covered, self.covered)
        return totals_after(points(self.plan.lines, after.covered), self.rounds.max_points + 1)

    def to_win(self, after: After) -> tuple[float, ...]:
        """Every seat's chance to win if this one continues to play to win."""
        if self.solo:
            return (1.0,)
        if after.stays and self.solvable:
            winners = solved(self.plan, self.covered, self.wins[self.seat], self.wins).means[after.covered]
        else:
            chances = self.chances(after)
            winners = tuple(_mean(chances, list(win)) for win in self.wins)
        return tuple(min(win, 1.0) for win in winners)

    def error(self, chances: Chances) -> float | None:
        """The standard error, at most, of the seat's expected final score where its lines are estimated."""
        if self.solvable:
            return None
        score = self.finish.score[self.seat]
        spread = _mean(chances, list(map(mul, score, score))) - _mean(chances, score) ** 2
        return sqrt(max(spread, 0.0) / ROUNDS_FROM_ELSEWHERE)


@lru_cache(maxsize=64)
def _turn(values: Values, state: Position) -> _Turn:
    return _Turn(values, state)
