"""What to practise: the costs of a player's games by kind of decision, and their mistakes as puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from statistics import fmean

import msgspec

from pasch.coach.ledger import Ledger, LedgerEntry, keep_ledger
from pasch.coach.puzzle_plan import puzzle_plan
from pasch.coach.puzzles import Puzzle, puzzle_at
from pasch.coach.reasons import Habit, habit
from pasch.core.match import Match
from pasch.core.words import Sentence


class HabitCost(msgspec.Struct, frozen=True):
    """What one kind of mistake cost in one game, in one situation."""

    name: str
    slug: str
    when: Sentence | None
    times: int
    cost: float


class SeatPractice(msgspec.Struct, frozen=True):
    """One seat's game, in the figures that are compared over many games."""

    seat: int
    score: int
    won: bool
    costs: float
    #: the result with the same costs and no luck at all
    without_luck: float
    #: in per cent; None if there was never anything to choose
    accuracy: float | None
    #: the most expensive first
    habits: tuple[HabitCost, ...]


class Interval(msgspec.Struct, frozen=True):
    """A mean with its 95 % confidence interval, mean ± margin."""

    mean: float
    #: None where there are too few values
    margin: float | None

    def shown(self, digits: int = 1, times: int = 1) -> str:
        """As `12.3 ± 0.4`, multiplied by `times`: 100 for per cent."""
        margin = "?" if self.margin is None else f"{times * self.margin:.{digits}f}"
        return f"{times * self.mean:.{digits}f} ± {margin}"


def practice(match: Match, ledger: Ledger | None = None) -> tuple[SeatPractice, ...]:
    """Every seat's figures of a finished game."""
    kept = ledger or keep_ledger(match)
    scores, winners = match.state.scores(), match.state.winners()
    return tuple(
        SeatPractice(
            seat.seat,
            scores[seat.seat],
            seat.seat in winners,
            seat.account.costs,
            seat.account.without_luck,
            seat.accuracy,
            _habits(match, kept.expensive(None, seat.seat)),
        )
        for seat in kept.seats
    )


def mistakes(match: Match, seat: int, most: int, ledger: Ledger | None = None) -> tuple[Puzzle, ...]:
    """The moves of a seat that gave most away, as puzzles; at least what the game's `puzzle.toml` states."""
    kept, least = ledger or keep_ledger(match), puzzle_plan(match.game.id).mistake
    expensive = [entry for entry in kept.expensive(most, seat) if entry.cost >= least]
    found = [puzzle_at(match, entry.number - 1, match.events[entry.number - 1]) for entry in expensive]
    return tuple(puzzle for puzzle in found if puzzle is not None)


def interval(values: Sequence[float]) -> Interval:
    """The mean of some independent values.

    >>> interval([1.0, 3.0]).mean
    2.0
    """
    mean, count = fmean(values), len(values)
    if count < 2:
        return Interval(mean, None)
    squares = fsum([(value - mean) ** 2 for value in values])
    return Interval(mean, quantile(count - 1) * sqrt(squares / (count - 1) / count))


def quantile(free: int) -> float:
    """The 97.5 % quantile of Student's distribution (Cornish and Fisher's expansion).

    >>> [round(quantile(free), 2) for free in (1, 2, 4, 9, 1000)]
    [12.71, 4.3, 2.78, 2.26, 1.96]
    """
    if free < 3:
        return (12.706204736, 4.302652730)[free - 1]
    z = 1.959963985
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / free**power for power, term in enumerate(terms, 1)))


def _habits(match: Match, entries: Sequence[LedgerEntry]) -> tuple[HabitCost, ...]:
    kinds: dict[tuple[str, str], list[tuple[float, Habit]]] = {}
    for entry in entries:
        before = match.at(entry.number - 1)
        best = match.game.read_event(entry.best)
        kind = habit(before.view(before.actor), match.events[entry.number - 1], best)
        kinds.setdefault((kind.name, str(kind.when)), []).append((entry.cost, kind))
    found = [
        HabitCost(kind.name, kind.slug, kind.when, len(made), sum(cost for cost, _ in made))
        for made in kinds.values()
        for kind in [made[0][1]]
    ]
    return tuple(sorted(found, key=lambda one: (-one.cost, one.name)))
