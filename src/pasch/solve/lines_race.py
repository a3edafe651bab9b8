"""The race to the target: final scores and winners, from the chances of each seat's lines in every round.

Seats do not block each other, so as long as nobody looks at the others' boards their totals are
independent. The only thing that ties them is the end: the game is over after the first round in which
somebody has reached the target. So one row of chances per seat is enough, for any number of seats: of the
totals, together with "below the target up to now", round by round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: games that go on with a smaller chance than this are not followed further, nor longer than this
NEGLIGIBLE: Final = 1e-13
MOST_ROUNDS: Final = 4_000


class Outlook(NamedTuple):
    """By seat, for each case: the chance to be among the winners, and the expected final score."""

    win: tuple[Floats, ...]
    score: tuple[Floats, ...]


def certain(cases: Sequence[int], size: int) -> Floats:
    """Totals that are known: one case a row."""
    rows: Floats = np.eye(size)[list(cases)]
    return rows


def shifted(total: int, lines: Floats, size: int) -> Floats:
    """The chances of each total, one row, from those of each number of lines in addition to `total`."""
    row = np.zeros((1, size))
    row[0, total : total + len(lines)] = lines
    return row


def outlook(totals: Sequence[Floats], target: int, lines_of: Callable[[int], Floats]) -> Outlook:
    """How the game ends if before the round under way everybody was below the target.

    `totals` are each seat's chances of every total after this round, a row for each case (seats for which
    all cases are alike have one row); `lines_of(r)` the chances of each number of lines in the r-th round
    after this one.
    """
    seats = range(len(totals))
    win: list[Floats] = [np.zeros(1) for _ in seats]
    score: list[Floats] = [np.zeros(1) for _ in seats]
    rows = list(totals)
    going: list[Floats] = [np.ones(1) for _ in seats]
    for number in range(MOST_ROUNDS):
        values = np.arange(rows[0].shape[1])
        up_to = [row.cumsum(axis=1)[:, target:] for row in rows]
        on = [row[:, :target] for row in rows]
        still: list[Floats] = [row.sum(axis=1) for row in on]
        for seat in seats:
            others = [other for other in seats if other != seat]
            best = prod((up_to[other] for other in others), start=rows[seat][:, target:])
            win[seat] = win[seat] + best.sum(axis=1)
            before = prod((going[other] for other in others), start=rows[seat] @ values)
            after = prod((still[other] for other in others), start=on[seat] @ values[:target])
            score[seat] = score[seat] + before - after
        if np.max(prod(still)) < NEGLIGIBLE:
            break
        lines = lines_of(number)
        rows, going = [_added(row, lines) for row in on], still
    return Outlook(tuple(win), tuple(score))


def _added(row: Floats, lines: Floats) -> Floats:
    """The chances of totals after one more round."""
    longer = np.zeros((len(row), row.shape[1] + len(lines) - 1))
    for more, chance in enumerate(lines):
        if chance:
            longer[:, more : more + row.shape[1]] += chance * row
    return longer
