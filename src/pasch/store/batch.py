"""What several writes and deletions change in a log, worked out before any of it is written."""

from __future__ import annotations

from collections.abc import Callable

from pasch.store.base import Conflict, Deletion, LogEntry, NoTable, StoreError, TableSummary, Write


class Batch:
    """The changes of several jobs, each of which is accepted as a whole or refused.

    `heads` are those of all tables that the jobs name; they become what they are afterwards. `number` is the last
    one given to a table, and `size` is `Store.stored_size`.
    """

    def __init__(
        self, heads: dict[str, TableSummary], number: int, now: float, size: Callable[..., int]
    ) -> None:
        self.heads = heads
        self.number = number
        self._now = int(now)
        self._size = size
        #: the documents and keys of new tables
        self.made: dict[str, tuple[bytes, bytes]] = {}
        #: the new entries, perhaps none, of all tables whose heads have changed
        self.entries: dict[str, list[LogEntry]] = {}
        #: the tables to be deleted, as they were before
        self.deleted: list[TableSummary] = []

    def answer(self, job: Write | Deletion) -> int | tuple[str, ...] | StoreError:
        """Add a job; its answer, if the batch is then written."""
        try:
            return self.write(job) if isinstance(job, Write) else self._delete(job)
        except StoreError as refused:
            return refused

    def write(self, write: Write) -> int:
        """Add a new table, or entries to one; the new version."""
        table, head = write.table, self.heads.get(write.table)
        phase, made, written = write.standing
        if write.made is not None:
            if head is not None:
                raise Conflict("there is a table {table} already", table=table)
            self.number += 1
            made, written = made or self._now, written or self._now
            head = TableSummary(table, self.number, 0, write.due, phase, made, written, 0)
            self.made[table] = write.made
        elif head is None:
            raise NoTable(table)
        elif head.version != write.version:
            raise Conflict("table {table} is not at version {version}", table=table, version=write.version)
        elif write.entries:
            # the clock may be set back; and without an entry nothing has happened at the table
            head = head._replace(written=max(head.written, self._now))
        size = head.bytes + self._size(write.entries, *(write.made or ()))
        self.heads[table] = head._replace(version=write.after, due=write.due, phase=phase, bytes=size)
        self.entries.setdefault(table, []).extend(write.entries)
        return write.after

    def _delete(self, job: Deletion) -> tuple[str, ...]:
        gone = []
        for table in job.tables:
            head = self.heads.get(table)
            if head is None or (job.before is not None and head.written >= job.before):
                continue
            gone.append(table)
            del self.heads[table]
            self.entries.pop(table, None)
            if self.made.pop(table, None) is None:
                self.deleted.append(head)
        return tuple(gone)
