"""6mal6: how a round is settled, by fields or by streets.

`charge_lowest`, `bonus_sum`, `charge_losers`, `mark_highest` and `pay_out` are plain loops over what they
are given, so that `pasch.solve` can compile them as they stand and plays by these very rules.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Final, NamedTuple

FIELDS: Final = 6
HIGHEST: Final = 9
STREET: Final = 3  # fields of the shortest street

#: a seat's six fields from left to right, 0 where no card lies
Row = tuple[int, ...]
Numbers = Sequence[int]
Rows = Sequence[Numbers]


class Settlement(NamedTuple):
    """Who paid and who took how many chips, in the order of the rows, and what is in the pot then."""

    paid: tuple[int, ...]
    taken: tuple[int, ...]
    pot: int


# --- fields ---------------------------------------------------------------------------------------


def charge_lowest(rows: Rows, place: int, due: MutableSequence[int]) -> None:
    """Add to `due` what full rows pay for one field, `place` 0 being field 1: f chips if none is lower."""
    lowest = rows[0][place]
    for row in range(1, len(rows)):
        lowest = min(lowest, rows[row][place])
    for row in range(len(rows)):
        if rows[row][place] == lowest:
            due[row] += place + 1


def payers(rows: Rows) -> tuple[tuple[int, int], ...]:
    """Which full rows pay for which field, as pairs (row, field)."""
    found = []
    for place in range(FIELDS):
        due = [0] * len(rows)
        charge_lowest(rows, place, due)
        found += [(row, place + 1) for row, chips in enumerate(due) if chips]
    return tuple(found)


def dues(rows: Rows) -> tuple[int, ...]:
    """What each full row has to pay: f chips for every field f on which it is among the lowest.

    >>> dues([(6, 2, 3, 9, 7, 9), (2, 4, 3, 5, 7, 9)])
    (16, 19)
    """
    due = [0] * len(rows)
    for place in range(FIELDS):
        charge_lowest(rows, place, due)
    return tuple(due)


def bonus_sum(row: Numbers) -> int:
    """Fields 1 and 6, of which the highest sum takes the bonus."""
    return row[0] + row[-1]


# --- streets --------------------------------------------------------------------------------------


def streets(row: Row) -> tuple[tuple[int, int], ...]:
    """The row's longest runs of three or more fields rising by one, as pairs (length, first number).

    >>> streets((1, 2, 3, 7, 8, 9)), streets((5, 2, 3, 4, 5, 5))
    (((3, 1), (3, 7)), ((4, 2),))
    """
    found, start = [], 0
    for end in range(1, len(row) + 1):
        if end == len(row) or not row[start] or row[end] != row[end - 1] + 1:
            if end - start >= STREET and row[start]:
                found.append((end - start, row[start]))
            start = end
    return tuple(found)


#: what a row's streets are worth: (rank, first number, first number of the lower of two streets)
Worth = tuple[int, ...]
#: the houses that each rank stands for: none, one of 3, two of 3, one of 4, of 5, of 6
HOUSES: Final = (0, 3, 6, 4, 5, 6)
_RANKS: Final = {3: 1, 4: 3, 5: 4, 6: 5}


def street_worth(row: Row) -> Worth:
    """How good a row's streets are; the greater of two worths wins. `HOUSES[worth[0]]` are paid.

    >>> street_worth((1, 2, 3, 7, 8, 9)) < street_worth((1, 1, 1, 2, 3, 4))
    True
    """
    found = streets(row)
    if len(found) == 2:
        return (2, *sorted((first for _, first in found), reverse=True))
    return (_RANKS[found[0][0]], found[0][1], 0) if found else (0, 0, 0)


def charge_losers(houses: int, best: Sequence[bool], due: MutableSequence[int]) -> None:
    """Add to `due` what all rows pay that are not among the best: the houses of the best."""
    for row in range(len(best)):
        if not best[row]:
            due[row] += houses


# --- chips ----------------------------------------------------------------------------------------


def mark_highest(numbers: Numbers, best: MutableSequence[bool]) -> None:
    """Say of each of these numbers whether there is no higher one."""
    highest = numbers[0]
    for place in range(1, len(numbers)):
        highest = max(highest, numbers[place])
    for place in range(len(numbers)):
        best[place] = numbers[place] == highest


def pay_out(
    due: Numbers, best: Sequence[bool], prize: int, chips: Numbers, pot: int,
    paid: MutableSequence[int], taken: MutableSequence[int],
) -> int:  # fmt: skip
    """Everybody pays what is due or what is there; then each of the best takes the prize.

    A pot that is too small is split evenly among the best, and what does not divide stays in it.
    Fills in `paid` and `taken`; what is in the pot then is the answer.
    """
    winners = 0
    for row in range(len(due)):
        paid[row] = min(due[row], chips[row])
        pot += paid[row]
        winners += best[row]
    share = min(prize, pot // winners)
    for row in range(len(due)):
        taken[row] = share * best[row]
    return pot - share * winners


def _settled(due: Numbers, best: Sequence[bool], prize: int, chips: Numbers, pot: int) -> Settlement:
    paid, taken = [0] * len(due), [0] * len(due)
    left = pay_out(due, best, prize, chips, pot, paid, taken)
    return Settlement(tuple(paid), tuple(taken), left)


def settle_fields(rows: Sequence[Row], chips: Numbers, pot: int, bonus: int) -> Settlement:
    """The end of a round in the base game; rows and chips of the seats that are in."""
    best = [False] * len(rows)
    mark_highest([bonus_sum(row) for row in rows], best)
    return _settled(dues(rows), best, bonus, chips, pot)


def settle_streets(rows: Sequence[Row], chips: Numbers, pot: int) -> Settlement:
    """The end of a round with streets; rows and chips of the seats that are in."""
    worths = [street_worth(row) for row in rows]
    highest = max(worths)
    houses = HOUSES[highest[0]]
    best, due = [worth == highest for worth in worths], [0] * len(rows)
    charge_losers(houses, best, due)
    return _settled(due, best, houses, chips, pot)
