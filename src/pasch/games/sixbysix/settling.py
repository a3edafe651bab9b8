"""6mal6: how a round is settled, by fields or by streets.

These functions are run as they stand and compiled (see `pasch.core.rules`). `rows` are the six fields of each seat, 0
where no card lies; `order` holds the seats of the round, of which the first `playing` count.
"""

from __future__ import annotations

from typing import Any, Final

FIELDS: Final = 6
HIGHEST: Final = 9
STREET: Final = 3  # fields of the shortest street

#: a seat's six fields from left to right, 0 where no card lies
Row = tuple[int, ...]

# --- fields ---------------------------------------------------------------------------------------


def is_lowest(rows: Any, order: Any, playing: int, seat: int, place: int) -> bool:
    """Whether nobody in the round has a lower card on a field, `place` 0 being field 1."""
    for player in range(playing):
        if rows[order[player]][place] < rows[seat][place]:
            return False
    return True


def field_dues(rows: Any, order: Any, playing: int, seat: int) -> int:
    """What a full row has to pay: f chips for every field f on which it is among the lowest.

    >>> rows = [(6, 2, 3, 9, 7, 9), (2, 4, 3, 5, 7, 9)]
    >>> [field_dues(rows, (0, 1), 2, seat) for seat in (0, 1)]
    [16, 19]
    """
    due = 0
    for place in range(FIELDS):
        if is_lowest(rows, order, playing, seat, place):
            due += place + 1
    return due


def bonus_sum(row: Any) -> int:
    """Fields 1 and 6, of which the highest sum takes the bonus."""
    return row[0] + row[FIELDS - 1]


# --- streets --------------------------------------------------------------------------------------

#: the worth of a row's streets is one number, of which the greater wins: its rank times RANK, plus the first number of
#: the higher street times FIRST, plus that of the lower of two streets
RANK: Final = 100
FIRST: Final = 10
#: by rank (none, one street of 3, two of 3, one of 4, of 5, of 6): the houses that are paid
HOUSES: Final = (0, 3, 6, 4, 5, 6)
#: the rank of one street by its length
RANKS: Final = (0, 0, 0, 1, 3, 4, 5)


def street_end(row: Any, start: int) -> int:
    """Behind which field the longest run ends that begins there and rises by one from field to field."""
    end = start + 1
    while end < FIELDS and row[start] > 0 and row[end] == row[end - 1] + 1:
        end += 1
    return end


def street_worth(row: Any) -> int:
    """How good a row's streets are; the greater wins.

    >>> street_worth((1, 2, 3, 7, 8, 9)) < street_worth((1, 1, 1, 2, 3, 4))
    True
    """
    worth, start = 0, 0
    while start < FIELDS:
        end = street_end(row, start)
        if end - start >= STREET and row[start] > 0:
            if worth > 0:
                before = worth // FIRST % FIRST
                return 2 * RANK + max(before, row[start]) * FIRST + min(before, row[start])
            worth = RANKS[end - start] * RANK + row[start] * FIRST
        start = end
    return worth


def houses(worth: int) -> int:
    """How many chips the losers pay and each winner takes, by the best worth."""
    return HOUSES[worth // RANK]


# --- chips ----------------------------------------------------------------------------------------


def rank(streets: bool, row: Any) -> int:
    """What decides who takes the prize: the sum of fields 1 and 6, or the worth of the streets."""
    return street_worth(row) if streets else bonus_sum(row)


def best_rank(streets: bool, rows: Any, order: Any, playing: int) -> int:
    """The highest rank in the round."""
    best = 0
    for player in range(playing):
        best = max(best, rank(streets, rows[order[player]]))
    return best


def dues(streets: bool, rows: Any, order: Any, playing: int, seat: int) -> int:
    """What a seat has to pay, whether it has that many chips or not."""
    if not streets:
        return field_dues(rows, order, playing, seat)
    best = best_rank(streets, rows, order, playing)
    return 0 if rank(streets, rows[seat]) == best else houses(best)


def settle(streets: bool, bonus: int, rows: Any, order: Any, playing: int, chips: Any, pot: int) -> int:
    """Everybody pays what is due or what is there; then each of the best takes the prize. What is in the pot then.

    The prize is the bonus, or as many chips as the best has houses. A pot that is too small is split evenly among the
    best, and what does not divide stays in it. `chips` by seat.
    """
    for player in range(playing):
        seat = order[player]
        paid = min(dues(streets, rows, order, playing, seat), chips[seat])
        chips[seat] -= paid
        pot += paid
    best, winners = best_rank(streets, rows, order, playing), 0
    for player in range(playing):
        winners += rank(streets, rows[order[player]]) == best
    share = min(houses(best) if streets else bonus, pot // winners)
    for player in range(playing):
        if rank(streets, rows[order[player]]) == best:
            chips[order[player]] += share
    return pot - share * winners


# --- for people ------------------------------------------------------------------------------------


def streets(row: Row) -> tuple[range, ...]:
    """The places of each of a row's streets.

    >>> streets((1, 2, 3, 7, 8, 9)), streets((5, 2, 3, 4, 5, 5))
    ((range(0, 3), range(3, 6)), (range(1, 5),))
    """
    found, start = [], 0
    while start < FIELDS:
        end = street_end(row, start)
        if end - start >= STREET and row[start] > 0:
            found.append(range(start, end))
        start = end
    return tuple(found)


def deciding(state: Any) -> list[tuple[int, int]]:
    """Seat and field of the cards that decided the round just settled: the lowest on each field, or the streets."""
    played = [seat for seat, row in enumerate(state.rows) if all(row)]
    if state.phase not in ("deal", "over"):
        return []
    if state.game.options.streets:
        return [(seat, place + 1) for seat in played for run in streets(state.rows[seat]) for place in run]
    pairs = ((seat, place) for place in range(FIELDS) for seat in played)
    return [(s, p + 1) for s, p in pairs if is_lowest(state.rows, played, len(played), s, p)]
