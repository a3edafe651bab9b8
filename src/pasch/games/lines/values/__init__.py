"""Values of Shut the Lines. What is approximated, docs/values.md says.

**Lines of a round** (`turn`, `points`, `move_points`) are exact for every set of covered numbers. On plans of more than
16 numbers they are stored in single precision, which over a round adds up to less than 1e-5.

A seat's points are its total and the expected lines of the round under way. With the event that lays out the plan every
seat is credited with the expectation of the round (`entering_expectation`), which is not luck. Where the plan is
chosen, that is the expectation on the best plan, and to choose another one costs the difference.

**Final scores** (`value`) take it that every seat plays every round for the most lines (`race`). On large plans the
chances of how a round ends are estimated: from the start by 2^20 rounds (standard error below 0.0005), from elsewhere
by 2^11 (below 0.011), unless at most 12 numbers are free. The mean of these chances is exact in either case.

**Chances to win** (`win`) take it that the seat whose turn it is plays the rest of this round to win, and everybody
else for the most lines. This is solved exactly against the chances of what the others will have. It is exact for the
last one in if the game ends with this round; otherwise a little too low.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import fsum, sqrt
from operator import attrgetter, itemgetter, mul
from typing import Any

from msgspec.structs import replace

from pasch.core.events import Event
from pasch.games.lines.rules import Lines, Plan, Position, is_over, points, stays_in
from pasch.games.lines.values.race import Chances, Finish, finish_chances, totals_after
from pasch.games.lines.values.rounds import ROUNDS_FROM_ELSEWHERE, RoundValues, rounds_on, solved
from pasch.games.lines.values.tables import LinesTables, expected, lines_after, move_values, tables_of
from pasch.solve.tables import table_path
from pasch.solve.valuer import Exact, MoveValue, Progress, Value, Valuer, ended, no_progress, part_of

__all__ = ["Values", "move_values"]


class Values(Valuer):
    """The values of one game with its options."""

    game: Lines
    counts_rounds = True

    # --- tables

    @property
    def _rounds(self) -> list[RoundValues]:
        """Rounds on each of the plans that are played."""
        return [rounds_on(plan) for plan in self.game.played]

    @property
    def plain(self) -> bool:
        return all(rounds.small for rounds in self._rounds)

    @property
    def exact(self) -> Exact:
        return Exact(turn=True, win=self.game.players == 1)

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(sorted({table_path("lines", rounds.key).stem for rounds in self._rounds}))

    @property
    def ready(self) -> bool:
        return all(rounds.open() for rounds in self._rounds)

    def prepare(self, report: Progress = no_progress) -> None:
        every = self._rounds
        for number, rounds in enumerate(every):
            rounds.prepare(part_of(report, number, len(every)))
        report(1.0, "ready")

    def numbers(self) -> LinesTables:
        """The tables of expected lines, for `move_values`."""
        return self._numbers

    @cached_property
    def _numbers(self) -> LinesTables:
        game = self.game
        return tables_of(
            [rounds_on(plan).table("value") if plan in game.played else None for plan in game.plans]
        )

    # --- points

    def points(self, state: Any) -> tuple[float, ...]:
        """Each seat's total so far plus its expected lines of the round under way."""
        if state.phase in ("plan", "over"):
            staked = self._entering(state)
            return tuple([total + staked for total in state.totals])
        g, v = self.game.config, self._numbers
        boards = zip(state.totals, state.covered, state.out, strict=True)
        found = [total + lines_after(g, v, state.plan, covered, not out) for total, covered, out in boards]
        if state.actor >= 0:
            found[state.actor] = max(self.move_points(state))
        return tuple(found)

    def move_points(self, state: Any) -> tuple[float, ...]:
        codes = state.codes()
        found = [0.0] * len(codes)
        move_values(self.game.config, self._numbers, state.unpack(), codes, len(codes), found)
        return tuple(found)

    def entering_expectation(self, state: Any, event: Event) -> tuple[float, ...]:
        if type(event) is Plan:
            return (expected(self._numbers, event.plan, 0),) * self.game.players
        return (self._entering(state.apply(event)),) * self.game.players

    def _entering(self, state: Position) -> float:
        """What a round counts that begins with the choice of its plan; 0 unless one is to be chosen now."""
        choosing = state.phase == "plan" and state.actor >= 0
        return expected(self._numbers, self._best_plan, 0) if choosing else 0.0

    @cached_property
    def _best_plan(self) -> int:
        """The plan, counted from 1, that brings the most lines."""
        return max(self.game.config.choices, key=lambda plan: expected(self._numbers, plan, 0))

    # --- scores and chances

    def worth(self, state: Any) -> Value:
        if state.over:
            return ended(state)
        found = _worths(self, state)
        to_win = max([each.win for each in found], key=itemgetter(state.seat))
        return replace(max(found, key=attrgetter("turn")), win=to_win)

    def moves(self, state: Any) -> tuple[MoveValue, ...]:
        if state.actor < 0:
            return ()
        seat, found = state.seat, zip(state.moves(), _worths(self, state), strict=True)
        return tuple(MoveValue(move, each.turn, each.value[seat], each.win[seat]) for move, each in found)

    def worth_on(self, state: Position, plan: int) -> Value:
        """What a round on a plan is worth before its first roll, everybody playing for the most lines."""
        rounds = rounds_on(self.game.plans[plan - 1])
        lines = rounds.chances(0)
        finish = self.race(state.round, [[totals_after(total, self.size, lines)] for total in state.totals])
        score, win = (tuple([each[0] for each in of_seats]) for of_seats in (finish.score, finish.win))
        return Value(rounds.expected(0), score, win if self.game.players > 1 else (1.0,), self.exact)

    def plan_of(self, number: int) -> int:
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
        return self.enough + max(rounds.max_points for rounds in self._rounds)

    def race(self, number: int, totals: list[list[Chances]]) -> Finish:
        """How the game ends, from the chances of every seat's total after the round with this number."""

        def lines_of(later: int) -> Chances:
            return rounds_on(self.game.plans[self.plan_of(number + 1 + later) - 1]).chances(0)

        return finish_chances(totals, self.enough, lines_of)


@lru_cache(maxsize=64)
def _worths(values: Values, state: Position) -> list[Any]:
    """What a position is worth after each of the moves; before a roll or a plan that is laid, as it is.

    With expected scores if the seat plays for the most lines, and chances if it plays to win.
    """
    g, seat = values.game.config, state.seat
    if state.phase == "plan":
        return [values.worth_on(state, plan) for plan in g.choices or [values.plan_of(state.round)]]
    turn, own = _Turn(values, state), state.covered[seat]
    if state.phase == "roll":
        return [turn.worth(own, True)]
    return [
        turn.worth(own | g.covers.numbers[code], stays_in(g, state.plan, code)) for code in state.codes()
    ]


def _mean(chances: Chances, values: Sequence[float]) -> float:
    mean: float = fsum(map(mul, chances, values))
    return mean


class _Turn:
    """A seat's turn with everything that follows from the lines it will have after the round."""

    def __init__(self, values: Values, state: Position) -> None:
        seat, self.plan = state.seat, values.game.plans[state.plan - 1]
        self.rounds, self.covered = rounds_on(self.plan), state.covered[seat]
        self.solvable = self.rounds.solvable(self.covered)
        there = [points(self.plan.lines, covered) for covered in state.covered]
        totals = []
        for other, (total, covered) in enumerate(zip(state.totals, state.covered, strict=True)):
            if other == seat:
                lines = range(self.rounds.max_points + 1)
                totals.append([totals_after(total + more, values.size) for more in lines])
            elif state.out[other]:
                totals.append([totals_after(total + there[other], values.size)])
            else:
                totals.append([totals_after(total, values.size, self.rounds.chances(covered))])
        finish = values.race(state.round, totals)
        #: by seat and number of lines: the expected final score and the chance to win; and those of this seat
        self.scores, self.wins = finish.score, tuple(map(tuple, finish.win))
        self.own_scores, self.own_wins = self.scores[seat], self.wins[seat]
        self.alone = values.game.players == 1
        # whether this seat is the last one in, and the game over after the round whatever it does
        decides = all(state.out[:seat] + state.out[seat + 1 :]) and is_over(
            values.game.config, [total + more for total, more in zip(state.totals, there, strict=True)]
        )
        self.exact = Exact(turn=True, value=decides, win=self.alone or (decides and self.solvable))

    def worth(self, covered: int, stays: bool) -> Value:
        """What it is worth to have covered these numbers, and to stay in the round or be out."""
        rounds, there = self.rounds, points(self.plan.lines, covered)
        if stays:
            lines, chances = rounds.expected(covered), rounds.chances(covered, self.covered)
        else:
            lines, chances = float(there), totals_after(there, rounds.max_points + 1)
        if self.alone:
            win = [1.0]
        elif stays and self.solvable:
            win = [*solved(self.plan, self.covered, self.own_wins, self.wins).means[covered]]
        else:
            win = [_mean(chances, wins) for wins in self.wins]
        value = tuple([_mean(chances, scores) for scores in self.scores])
        win = [min(1.0, each) for each in win]
        return Value(lines, value, tuple(win), self.exact, self._error(chances))

    def _error(self, chances: Chances) -> float | None:
        """The standard error, at most, of the seat's expected final score where its lines are estimated."""
        if self.solvable:
            return None
        score = self.own_scores
        spread = _mean(chances, list(map(mul, score, score))) - _mean(chances, score) ** 2
        return sqrt(max(spread, 0.0) / ROUNDS_FROM_ELSEWHERE)
