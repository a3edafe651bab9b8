"""The coach's figures on a receipt: few, rounded, and reproducible anywhere.

They are read from a report's JSON values, so that a server that only forwards reports needs no solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from pasch.core.receipt import Finding, Hex, Receipt, fingerprint

#: digits after the point
DIGITS: Final = 6
#: tolerance for rounding in numbers computed elsewhere
CLOSE: Final = 2e-6


class SeatFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One seat's ledger: expectation + luck - costs + others + estimates = result; rounds count as expectation."""

    expectation: float
    luck: float
    costs: float
    others: float
    result: float
    #: what estimates leave over; older receipts have it in the expectation
    estimates: float = 0.0


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The coach's figures of a finished game."""

    #: the source of the values
    solver: str
    #: whether they are exact; otherwise they are estimates
    exact: bool
    #: the tables that they come from, each with the hash of what its numbers follow from
    tables: list[str]
    seats: list[SeatFigures]
    #: of all this and of the rules that it follows from
    hash: Hex

    @classmethod
    def of(cls, report: Mapping[str, Any], rules: str) -> Figures:
        """The numbers of a report, as JSON values, of a game by the rules with this hash."""
        seats = [_figures(seat["ledger"]) for seat in report["seats"]]
        solver, tables = f"pasch.solve.{report['game']}", list(report["tables"])
        made = cls(solver, report["exact"], tables, seats, "")
        return msgspec.structs.replace(made, hash=made.fingerprint(rules))

    def fingerprint(self, rules: str) -> str:
        seats = msgspec.to_builtins(self.seats)
        return fingerprint([rules, self.solver, self.exact, self.tables, seats])


def _figures(ledger: Mapping[str, float]) -> SeatFigures:
    found = {name: _rounded(ledger[name]) for name in SeatFigures.__struct_fields__}
    return SeatFigures(**found | {"expectation": _rounded(ledger["expectation"] + ledger["rounds"])})


def _rounded(number: float) -> float:
    # no negative zero
    return round(number, DIGITS) + 0.0


def check_figures(receipt: Receipt, report: Mapping[str, Any]) -> list[Finding]:
    """What is wrong with the figures on a receipt, compared with the report of its record."""
    try:
        written = msgspec.convert(receipt.coach, Figures, strict=True)
    except msgspec.ValidationError as error:
        return [Finding(None, f"coach: {error}")]
    right = Figures.of(report, receipt.rules.hash)
    found = []
    if written.fingerprint(receipt.rules.hash) != written.hash:
        found.append(Finding(None, "coach: the hash does not fit the numbers"))
    if (written.solver, written.exact, len(written.seats)) != (right.solver, right.exact, len(right.seats)):
        return [*found, Finding(None, "coach: these are not the numbers of this game")]
    wrong = []
    for seat, (one, other) in enumerate(zip(written.seats, right.seats, strict=True)):
        for name in SeatFigures.__struct_fields__:
            says, truth = getattr(one, name), getattr(other, name)
            if not abs(says - truth) <= CLOSE:
                words = f"coach: seat {seat}, {name}: {says} was written, but it is {truth}"
                wrong.append(Finding(None, words))
    if wrong and written.tables != right.tables:
        here, there = ", ".join(right.tables), ", ".join(written.tables)
        found.append(Finding(None, f"coach: it had the tables {there}; this Pasch has {here}"))
    return found + wrong
