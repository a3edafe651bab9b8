"""The ledger of a game: expectation + luck - costs = result, for every seat and turn.

With V a seat's expected final score under best play: the expectation is V at the start, the luck of a roll is V after
it less V before it, and the cost of a move is V of the best move less V of the one made. What else changes V has
columns of its own: rounds that begin to count, what the others' moves did to a seat, and what estimates correct in
themselves, which is zero with exact values. Every number about an event that is shown anywhere, at the table, in the
report or in the replay, is made by `weigh`.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import fsum, sqrt
from typing import Any, Literal

import msgspec

from pasch.coach.reasons import begins_turn
from pasch.core.events import Event
from pasch.core.match import Match
from pasch.core.rules import EQUAL
from pasch.core.state import CHANCE, State
from pasch.solve.valuer import Valuer, valuer

# sums of points are `fsum`, which is exact: `sum` has other last digits in older Pythons than in a browser's

Kind = Literal["move", "chance"]


class LedgerEntry(msgspec.Struct, frozen=True):
    """One event and how it changed every seat's expectation."""

    #: the event's number in the record, counted from 1
    number: int
    kind: Kind
    #: whose event it is; None for what concerns the whole table
    seat: int | None
    event: dict[str, Any]
    #: of a roll: its luck for each seat
    luck: tuple[float, ...]
    #: of a move: what it gave away for the seat that made it
    cost: float
    #: of a move: what it did to the other seats
    others: tuple[float, ...]
    #: expectation that begins to count with this event, per seat: a new round or turn whose points were
    #: not counted before
    entering_expectation: tuple[float, ...]
    #: what the estimates correct in themselves, per seat; zero with exact values
    corrections: tuple[float, ...]
    #: each seat's expected final score after the event
    points: tuple[float, ...]
    #: of a move that cost something: the best one instead
    best: dict[str, Any] | None = None
    #: of a move: the average loss of a random move
    random_cost: float = 0.0


class Account(msgspec.Struct, frozen=True):
    """One seat's game, or one turn of it: expectation + rounds + luck - costs + others + estimates = result."""

    #: the value of the start
    expectation: float
    #: what rounds that began later bring on average; only where the number of rounds is open
    rounds: float
    luck: float
    costs: float
    #: what the other seats' moves did
    others: float
    #: what estimates leave over, and its standard error; zero with exact values
    estimates: float
    estimates_error: float
    result: float

    @property
    def without_luck(self) -> float:
        """The result with average luck."""
        return self.result - self.luck


class LedgerTurn(msgspec.Struct, frozen=True, rename={"account": "ledger"}):
    """A turn: what one seat did and rolled without a break."""

    seat: int
    #: the numbers of its first and last event
    first: int
    last: int
    #: expectation is that of the final score before the turn, result that after it
    account: Account


class SeatLedger(msgspec.Struct, frozen=True, rename={"account": "ledger"}):
    """A seat's whole game."""

    seat: int
    account: Account
    #: 100 for best play throughout, 0 for what uniformly random moves would have given away; None if
    #: there was never anything to choose
    accuracy: float | None
    decisions: int
    mistakes: int


class Ledger(msgspec.Struct, frozen=True):
    """A whole game: what each event did to every seat, and the sums of turns and seats."""

    #: each seat's expected final score before the first event
    start: tuple[float, ...]
    #: one for each event
    entries: tuple[LedgerEntry, ...]
    turns: tuple[LedgerTurn, ...]
    seats: tuple[SeatLedger, ...]
    #: whether the values are exact; otherwise they are estimates
    exact: bool

    def expensive(self, most: int | None = 3, seat: int | None = None) -> tuple[LedgerEntry, ...]:
        """The moves that gave most away."""
        found = [e for e in self.entries if e.cost > EQUAL and seat in (None, e.seat)]
        return tuple(sorted(found, key=lambda entry: (-entry.cost, entry.number))[:most])

    def rolls(self, seat: int, most: int = 3) -> tuple[LedgerEntry, ...]:
        """The rolls of a seat with most luck, good or bad."""
        found = [e for e in self.entries if e.seat == seat and abs(e.luck[seat]) > EQUAL]
        return tuple(sorted(found, key=lambda entry: (-abs(entry.luck[seat]), entry.number))[:most])


def keep_ledger(
    match: Match, values: Valuer | None = None, *, to_win: Container[int] | None = None
) -> Ledger:
    """The ledger of a match, finished or not.

    With `to_win` it is kept in chances to win instead of points, and judges the moves of these seats only. The
    chances have to be known.
    """
    values = values or valuer(match.game)
    events = match.events
    points = [_standing(values, match.at(number), to_win) for number in range(len(events) + 1)]
    entries = tuple(
        weigh(values, match.at(number), event, number + 1, points[number], points[number + 1], to_win)
        for number, event in enumerate(events)
    )
    return Ledger(
        points[0],
        entries,
        tuple(_turns(match, entries, points)),
        tuple(
            _seat(seat, entries, points[0][seat], points[-1][seat]) for seat in range(match.game.players)
        ),
        exact_points(values) if to_win is None else values.exact.win,
    )


def _standing(values: Valuer, state: State, to_win: Container[int] | None) -> tuple[float, ...]:
    """Each seat's expected final score, or chance to win."""
    return values.points(state) if to_win is None else values.worth(state).win or ()


def exact_points(values: Valuer) -> bool:
    """Whether the ledger of this game is exact: the points of turns and of what follows them.

    Where the number of rounds is open, each round's expectation counts from the round's beginning.
    """
    return values.exact.value or (values.exact.turn and values.counts_rounds)


def weigh(
    values: Valuer,
    state: State,
    event: Event,
    number: int,
    before: tuple[float, ...],
    after: tuple[float, ...],
    to_win: Container[int] | None = None,
) -> LedgerEntry:
    """What an event did to every seat, whose expected final scores were `before` and are `after`.

    With `to_win` these are chances to win; see `keep_ledger`.
    """
    nothing = (0.0,) * len(before)
    entering = values.entering_expectation(state, event) if to_win is None else nothing
    change = [new - old - begun for new, old, begun in zip(after, before, entering, strict=True)]
    cost, random_cost, best, luck, others = 0.0, 0.0, None, nothing, nothing
    if state.actor == CHANCE:
        corrections = values.corrections(state, event) if to_win is None else nothing
        luck = tuple([moved - corrected for moved, corrected in zip(change, corrections, strict=True)])
    else:
        # a move is judged by what the seat could know
        seat, view = state.actor, state.view(state.actor)
        moves, worth = view.moves(), _worth(values, view, to_win)
        most = max(worth)
        cost, random_cost = most - worth[moves.index(event)], most - fsum(worth) / len(worth)
        best = moves[worth.index(most)].json() if cost > EQUAL else None
        others = tuple([0.0 if other == seat else moved for other, moved in enumerate(change)])
        corrections = tuple([change[seat] + cost if other == seat else 0.0 for other in range(len(before))])
    return LedgerEntry(
        number,
        "chance" if state.actor == CHANCE else "move",
        event.seat,
        event.json(),
        luck,
        cost,
        others,
        entering,
        corrections,
        after,
        best,
        random_cost,
    )


def _worth(values: Valuer, view: State, to_win: Container[int] | None) -> Sequence[float]:
    """The value of each move to the mover; empty if its moves are not judged."""
    if to_win is None:
        return values.move_points(view)
    moves = values.moves(view) if view.actor in to_win else ()
    return [entry.win or 0.0 for entry in moves] or (0.0,) * len(view.moves())


def _seat(seat: int, entries: tuple[LedgerEntry, ...], start: float, result: float) -> SeatLedger:
    own = [entry for entry in entries if entry.kind == "move" and entry.seat == seat]
    account = _account(seat, entries, start, result)
    return SeatLedger(
        seat,
        account,
        accuracy(account.costs, fsum(entry.random_cost for entry in own)),
        len(own),
        sum(entry.cost > EQUAL for entry in own),
    )


def accuracy(costs: float, random_costs: float) -> float | None:
    """100 for moves that give nothing away, 0 for moves that cost at least as much as random ones."""
    return 100 * max(0.0, 1 - costs / random_costs) if random_costs > EQUAL else None


def _account(seat: int, entries: tuple[LedgerEntry, ...], start: float, result: float) -> Account:
    corrections = [entry.corrections[seat] for entry in entries]
    return Account(
        start,
        fsum([entry.entering_expectation[seat] for entry in entries]),
        fsum([entry.luck[seat] for entry in entries]),
        fsum([entry.cost for entry in entries if entry.seat == seat]),
        fsum([entry.others[seat] for entry in entries]),
        fsum(corrections),
        # estimates that are right on average correct themselves by steps of mean zero
        sqrt(fsum([step * step for step in corrections])),
        result,
    )


def _turns(
    match: Match, entries: tuple[LedgerEntry, ...], points: list[tuple[float, ...]]
) -> list[LedgerTurn]:
    """The turns, in order; what concerns the whole table belongs to none of them."""
    turns: list[LedgerTurn] = []
    events, begin = match.events, 0
    for place, entry in enumerate(entries):
        after = place + 1
        if after < len(entries) and entries[after].seat == entry.seat:
            first, state = match.at(begin), match.at(after)
            if entry.seat is None or not begins_turn(first, state, events[after]):
                continue
        if entry.seat is not None:
            seat, own = entry.seat, entries[begin : place + 1]
            account = _account(seat, own, points[begin][seat], points[place + 1][seat])
            turns.append(LedgerTurn(seat, begin + 1, place + 1, account))
        begin = place + 1
    return turns
