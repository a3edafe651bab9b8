"""What every event log promises.

A table is a document written once, when it was made, and a list of entries that only grows. Entry number
`version` (from 1) is there once and for all as soon as `append` has answered. The log does not look into
documents or entries.

Where several servers share a log, one at a time holds a table (`claim`). Each time a table is claimed its
fence, a number, grows, and what comes with a smaller one is not written: a server that was paused while
another took over cannot disturb it. A server that does not `renew` within `lease` seconds, by the
clock of the log, may lose its tables to whoever asks for them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from asyncio import Future
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from pasch.core.errors import PaschError


class StoreError(PaschError):
    """The log could not be read or written; nothing has changed."""


class Conflict(StoreError):
    """Somebody else has written to this table meanwhile, or made one of the same id."""


class Fenced(Conflict):
    """Another server has taken the table over meanwhile."""


class NoTable(StoreError):
    """There is no table with this id."""


class Uncertain(StoreError):
    """The connection to the log broke while it was written: the entries may be there or not."""


class Held(StoreError):
    """Another server holds the table."""

    def __init__(self, table: str, server: str, address: str) -> None:
        self.server = server
        #: where other servers reach it, as host:port
        self.address = address
        super().__init__("another server has table {table}", table=table)


#: the fence of a table that nobody has claimed since it was made
FIRST_FENCE: Final = 1


class LogEntry(NamedTuple):
    """One entry of a table's log."""

    body: bytes
    #: the command that caused it and who gave it, so that it is recognised when it comes again
    command: str | None = None


class StoredTable(NamedTuple):
    """All that the log holds of one table."""

    id: str
    #: what was agreed when the table was made
    document: bytes
    #: the key from which its dice follow
    key: bytes
    entries: tuple[LogEntry, ...]
    #: whether the server itself has to act next
    due: bool = False
    fence: int = FIRST_FENCE

    @property
    def version(self) -> int:
        return len(self.entries)


class Renewal(NamedTuple):
    """How it stood when a server renewed its hold on its tables."""

    #: it came too late: another server may have taken some of them
    late: bool
    #: all servers alive now
    alive: frozenset[str]


class Backlog(NamedTuple):
    """What waits to be written."""

    writes: int
    #: how long the first of them has been waiting, in seconds
    seconds: float


class Store(ABC):
    """The event log of all tables. Belongs to the event loop in which it was opened."""

    #: for how many seconds a server holds its tables without renewing; None: no other can have them
    lease: float | None = None
    #: what the servers of one log know and nobody else
    secret: bytes = b""

    @property
    @abstractmethod
    def where(self) -> str:
        """Where the log is, in words for whoever runs the server; no password in it."""

    @abstractmethod
    async def open(self) -> None:
        """Get ready; StoreError if the log cannot be used, for example because it is of a newer Pasch."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what has been begun, then let go."""

    @abstractmethod
    def create(
        self, table: str, document: bytes, key: bytes, entries: Sequence[LogEntry], due: bool
    ) -> Future[int]:
        """Make a table with its first entries; Conflict if the id is taken. See `append`."""

    @abstractmethod
    def append(
        self,
        table: str,
        version: int,
        entries: Sequence[LogEntry],
        due: bool,
        fence: int = FIRST_FENCE,
    ) -> Future[int]:
        """Add all entries after the first `version` ones, or none: Conflict unless there are just so many.

        Answers with the new version when the entries are durable. `due` notes whether the
        server itself has to act next, for `due`. `fence` is what `claim` gave; whoever made a
        table holds it with the first one.
        """

    @abstractmethod
    async def load(self, table: str) -> StoredTable:
        """A table with all its entries; NoTable if there is none."""

    @abstractmethod
    async def due(self) -> tuple[str, ...]:
        """The tables at which the server itself has to act next, less those that another holds."""

    @abstractmethod
    async def tables(self) -> tuple[str, ...]:
        """The ids of all tables, in the order in which they were made."""

    @abstractmethod
    async def delete(self, table: str) -> None:
        """Forget a table; NoTable if there is none."""

    @property
    @abstractmethod
    def backlog(self) -> Backlog:
        """What waits to be written."""

    # --- several servers -------------------------------------------------------------------------

    async def claim(self, table: str) -> StoredTable:
        """Become the one server that writes to a table, and load it; Held if another one is."""
        return await self.load(table)

    async def release(self, table: str, fence: int) -> None:
        """Give a table up, so that any server may have it at once."""
        return

    async def renew(self) -> Renewal:
        """Go on holding all tables."""
        return Renewal(False, frozenset())

    async def held(self) -> Mapping[str, int]:
        """The tables that this server holds, each with its fence."""
        return {}

    async def servers(self) -> int:
        """How many other servers use this log now."""
        return 0
