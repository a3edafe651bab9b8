"""Values of Shut the Lines.

Three kinds of numbers, from the surest to the least sure.

**Lines of a round** (`turn`, `points`, `move_points`) are exact for every set of covered numbers of every
plan. On plans of up to 16 numbers they are right to about 1e-14; on larger ones they are stored in single
precision, each rounded once, which over a round adds up to less than 1e-5.

The ledger's currency is the total so far plus the expected lines of the round under way. How many rounds
there will be nobody knows, and a player cannot do anything about rounds that have not begun, so these count
nothing until they begin: with the event that lays out the plan, every seat is credited with the
expectation of the round. `stakes` says how much that is. It is not luck.

**Final scores** (`value`) take it that every seat plays every round for the most lines. For this way of
playing they are exact, with any number of seats (`pasch.solve.lines_race`), on plans of up to 16 numbers.
They are not called exact, because the most lines now is not always the best way to the highest
final score: who reaches the target early ends the game. On larger plans the chances of how a round ends
are estimated by playing: from the start by 2^20 rounds (standard error of a chance below 0.0005), from
elsewhere by 2^11 (below 0.011), except towards the end of a round, when at most 12 numbers are free and
they are solved. The mean of these chances is exact in either case.

**Chances to win** (`win`) take it that the seat whose turn it is plays the rest of this round to win, all
others and all later rounds for the most lines. "To win" is solved exactly against the chances of what
the others will have; what a seat could gain by watching how the others fare during the round is left
out, and so is that others may play to win too. So a chance is somewhat too low for the seat in
question while others are still in the round. It is exact for the last one in: when all others are
out and the game is certain to end with this round, it is the greatest chance of reaching what is needed. On
large plans with many free numbers the seat, too, is taken to play for the most lines.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.state import State
from pasch.games.lines import (
    Cover,
    Groups,
    Lines,
    LinesState,
    Plan,
    PlanTable,
    groupings,
    partial_groupings,
)
from pasch.solve.lines_race import Floats, Outlook, certain, outlook, shifted
from pasch.solve.lines_rounds import ROUNDS_FROM_ELSEWHERE, Rounds, rounds_on
from pasch.solve.lines_solver import Play
from pasch.solve.tables import table_path
from pasch.solve.valuer import Exact, MoveWorth, Report, Valuer, Worth, silent


class After(NamedTuple):
    """A seat's board after a move."""

    covered: int
    #: whether it stays in the round
    stays: bool


@cache
def _covers(roll: tuple[int, ...]) -> dict[Groups, After]:
    """For each way to make groups what it covers, and whether it uses all the dice."""
    whole = {way.groups for way in groupings(roll)}
    return {way.groups: After(way.mask, way.groups in whole) for way in partial_groupings(roll)}


class Values(Valuer):
    """The values of one game as agreed."""

    game: Lines

    def __init__(self, game: Game[Any, Any]) -> None:
        super().__init__(game)
        self._plans: tuple[PlanTable, ...] = tuple(map(self.game.plan, self.game.options.plans))

    # --- tables

    @property
    def exact(self) -> Exact:
        return Exact(turn=True, win=self.game.players == 1)

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(sorted({table_path("lines", rounds_on(plan).key).stem for plan in self._plans}))

    @property
    def ready(self) -> bool:
        return all(rounds_on(plan).open() for plan in set(self._plans))

    def prepare(self, report: Report = silent) -> None:
        plans = sorted(set(self._plans), key=lambda plan: plan.full)
        for number, plan in enumerate(plans):

            def share(done: float, step: str, number: int = number) -> None:
                report((number + done) / len(plans), step)

            rounds_on(plan).prepare(share)
        report(1.0, "ready")

    # --- points

    def points(self, state: State) -> tuple[float, ...]:
        """Each seat's total so far plus its expected lines of the round under way."""
        assert isinstance(state, LinesState)
        if state.phase in ("plan", "over"):
            return tuple(map(float, state.totals))
        return tuple(total + self._expected(state, seat) for seat, total in enumerate(state.totals))

    def move_points(self, state: State) -> tuple[float, ...]:
        assert isinstance(state, LinesState)
        total = state.totals[state.seat]
        return tuple(total + self._lines(state, after) for after in self._afters(state))

    def stakes(self, state: State, event: Event) -> tuple[float, ...]:
        if type(event) is not Plan:
            return super().stakes(state, event)
        return (rounds_on(self.game.plan(event.plan)).expected(0),) * self.game.players

    def _expected(self, state: LinesState, seat: int) -> float:
        """The lines that a seat may expect of the round under way."""
        if state.out[seat]:
            return float(state.table.points(state.covered[seat]))
        if state.actor == seat:
            return max(self._lines(state, after) for after in self._afters(state))
        return rounds_on(state.table).expected(state.covered[seat])

    def _afters(self, state: LinesState) -> tuple[After, ...]:
        """What each of the legal moves leads to."""
        covers, covered = _covers(state.rolled), state.covered[state.seat]
        found = []
        for move in state.moves():
            assert isinstance(move, Cover)
            mask, whole = covers[move.cover]
            found.append(After(covered | mask, whole))
        return tuple(found)

    def _lines(self, state: LinesState, after: After) -> float:
        """The expected lines of the round after a move."""
        if after.stays:
            return rounds_on(state.table).expected(after.covered)
        return float(state.table.points(after.covered))

    # --- scores and chances

    def worth(self, state: State) -> Worth:
        assert isinstance(state, LinesState)
        if state.phase == "over":
            won = tuple(float(seat in state.winners()) for seat in range(self.game.players))
            return Worth(None, self.points(state), won, Exact(turn=True, value=True, win=True))
        if state.phase == "plan":
            return self._worth_of_round(state)
        turn = _turn(self, state)
        options = self._afters(state) or (After(state.covered[state.seat], True),)
        lines = [self._lines(state, after) for after in options]
        most = max(lines)
        for_lines = turn.chances(options[lines.index(most)])
        to_win = max((turn.to_win(after) for after in options), key=lambda found: found.win)
        sure = turn.decides
        return Worth(
            most,
            tuple(float(for_lines @ score) for score in turn.outlook.score),
            turn.winners(to_win.chances),
            Exact(turn=True, value=sure, win=self.game.players == 1 or (sure and turn.solvable)),
            turn.error(for_lines),
        )

    def moves(self, state: State) -> tuple[MoveWorth, ...]:
        assert isinstance(state, LinesState)
        if state.phase != "cover":
            return ()
        turn = _turn(self, state)
        return tuple(
            MoveWorth(
                move,
                self._lines(state, after),
                float(turn.chances(after) @ turn.outlook.score[state.seat]),
                1.0 if turn.solo else turn.to_win(after).win,
            )
            for move, after in zip(state.moves(), self._afters(state), strict=True)
        )

    def _worth_of_round(self, state: LinesState) -> Worth:
        """Before a plan is laid out: everybody is about to play for the most lines."""
        rounds = rounds_on(self.game.plan(self.game.plan_of_round(state.round)))
        lines = rounds.chances(0)
        found = self.race(state, [shifted(total, lines, self.size) for total in state.totals])
        return Worth(
            rounds.expected(0),
            tuple(float(score[0]) for score in found.score),
            tuple(float(win[0]) for win in found.win) if self.game.players > 1 else (1.0,),
            self.exact,
        )

    @property
    def size(self) -> int:
        """How many totals there can be."""
        return self.game.options.target + max(len(plan.lines) for plan in self._plans)

    def race(self, state: LinesState, totals: list[Floats]) -> Outlook:
        """How the game ends, from the chances of every seat's total after the round under way."""

        def lines_of(later: int) -> Floats:
            return rounds_on(self._plans[(state.round + 1 + later) % len(self._plans)]).chances(0)

        return outlook(totals, self.game.options.target, lines_of)


class ToWin(NamedTuple):
    """Play to win: the chance, and how the round ends."""

    win: float
    chances: Floats


class _Turn:
    """A position with everything that follows from the lines its seat will have after the round."""

    def __init__(self, values: Values, state: LinesState) -> None:
        self.seat, self.plan, self.solo = state.seat, state.table, values.game.players == 1
        self.rounds: Rounds = rounds_on(self.plan)
        self.covered = state.covered[self.seat]
        self.solvable = self.rounds.solvable(self.covered)
        self._for_lines: Play | None = self.rounds.for_lines(self.covered)
        self.lines = range(len(self.plan.lines) + 1)
        totals = []
        for seat, (total, covered) in enumerate(zip(state.totals, state.covered, strict=True)):
            if seat == self.seat:
                totals.append(certain([total + lines for lines in self.lines], values.size))
            elif state.out[seat]:
                totals.append(certain([total + self.plan.points(covered)], values.size))
            else:
                totals.append(shifted(total, self.rounds.chances(covered), values.size))
        #: its cases are the numbers of lines
        self.outlook = values.race(state, totals)
        self.reward = tuple(self.outlook.win[self.seat].tolist())
        self.decides = self._decides(state, values.game.options.target)

    def _decides(self, state: LinesState, target: int) -> bool:
        """Whether this seat is the last one in, and the game over after the round whatever it does."""
        if not all(out for seat, out in enumerate(state.out) if seat != self.seat):
            return False
        reached = (
            total + self.plan.points(own) for total, own in zip(state.totals, state.covered, strict=True)
        )
        return max(reached) >= target

    def chances(self, after: After) -> Floats:
        """The chances of each number of lines if the seat goes on for the most."""
        if after.stays:
            return self.rounds.chances(after.covered, self._for_lines)
        return certain([self.plan.points(after.covered)], len(self.lines)).reshape(-1)

    def to_win(self, after: After) -> ToWin:
        """What comes of it if the seat goes on to win."""
        if after.stays and self.solvable:
            play = self.rounds.play(self.covered, self.reward)
            return ToWin(min(play.reward(after.covered), 1.0), play.chances(after.covered))
        chances = self.chances(after)
        return ToWin(min(float(chances @ self.reward), 1.0), chances)

    def winners(self, chances: Floats) -> tuple[float, ...]:
        """Every seat's chance to be among the winners, by those of each number of lines of this one."""
        return (1.0,) if self.solo else tuple(min(float(chances @ win), 1.0) for win in self.outlook.win)

    def error(self, chances: Floats) -> float | None:
        """The standard error, at most, of the seat's expected final score where its lines are estimated."""
        if self.solvable:
            return None
        score = self.outlook.score[self.seat]
        spread = float(chances @ score**2 - (chances @ score) ** 2)
        return float((max(spread, 0.0) / ROUNDS_FROM_ELSEWHERE) ** 0.5)


@lru_cache(maxsize=64)
def _turn(values: Values, state: LinesState) -> _Turn:
    return _Turn(values, state)
