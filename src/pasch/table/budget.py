"""How much may still be written to the log: on behalf of each address, and in all."""

from __future__ import annotations

from typing import Protocol

from pasch.table.commands import Refusal
from pasch.table.schema import Command, Contribute, Move, Read, Roll, Sit, TakeBack

#: commands that carry a game on. There are only so many of them at a table, and for the table itself somebody
#: has paid, so they are accepted from an address that has used up its share
GOES_ON: tuple[type[Command], ...] = (Move, Roll, Read, Sit, Contribute, TakeBack)


class Allowance(Protocol):
    """How many bytes each address may still have written; less than nothing is a debt."""

    def level(self, address: str) -> float:
        """What an address has left."""

    def charge(self, address: str, cost: float) -> None:
        """Take so much from what an address has left, even if that leaves a debt."""


class LogBudget:
    """How much may still be written to the log.

    An address that has used up its `allowance` makes no more tables and does nothing that can be repeated
    without end; games that have begun go on, until `reserve` bytes are owed. Without an allowance addresses
    are not counted. Once the log has `most` bytes nobody makes tables.
    """

    def __init__(self, most: int, reserve: int, allowance: Allowance | None = None) -> None:
        self._most = most
        self._reserve = reserve
        self._allowance = allowance
        #: the log's size: as last measured, and what was written since
        self.size = 0

    @property
    def full(self) -> bool:
        """Whether the log has no room for further tables."""
        return self.size >= self._most

    def charge(self, address: str, size: int) -> None:
        """Count what is written on behalf of an address."""
        self.size += size
        if self._allowance is not None:
            self._allowance.charge(address, size)

    def spent(self, address: str) -> bool:
        """Whether an address has used up its share."""
        return self._allowance is not None and self._allowance.level(address) <= 0

    def exhausted(self, address: str) -> bool:
        """Whether an address has used up the reserve for games that have begun, too."""
        return self._allowance is not None and self._allowance.level(address) <= -self._reserve

    def pays(self, address: str, alone: bool) -> bool:
        """Whether an address can pay for a computer's move, at a table where others play or only computers."""
        return not (self.full or self.spent(address) if alone else self.exhausted(address))

    def check_table(self, address: str) -> None:
        """Refuse a new table for which there is no room."""
        if self.full:
            raise Refusal("full", "there is no room for further games here; those that have begun go on")
        if self.spent(address):
            raise _used_up()

    def check_command(self, address: str, command: Command) -> None:
        """Refuse a command that must not be written."""
        begun = isinstance(command, GOES_ON)
        if self.exhausted(address) if begun else self.spent(address):
            raise _used_up()


def _used_up() -> Refusal:
    return Refusal("too-fast", "your address has used up its share of the disk; try again later")
