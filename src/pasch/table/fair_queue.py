"""Who is helped next: fairly among addresses, then among their tables.

Nothing here waits, runs anything or reads a clock; `pasch.table.helpers` does.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Final, NamedTuple, Protocol

#: what a job that is being done counts before it is known how long it has taken, in seconds
GUESS_SECONDS: Final = 0.1
#: what every job counts at least, in seconds, so that very short ones are shared fairly, too
MIN_SECONDS: Final = 0.001


class Requester(NamedTuple):
    """Who wants something done: the address that pays for it, and the table it is for."""

    address: str
    table: str


class Waiting(Protocol):
    """Something that waits for its turn."""

    requester: Requester
    #: when it was queued
    since: float


class _Share:
    """What one address has waiting, and how much it was helped."""

    def __init__(self, helped: float) -> None:
        #: the seconds it was helped, counted from when it was last as far as everybody else
        self.helped = helped
        self.running = 0
        self.waiting = 0
        #: the table that was helped longest ago first
        self.tables: OrderedDict[str, deque[Waiting]] = OrderedDict()

    @property
    def rank(self) -> float:
        return self.helped + self.running * GUESS_SECONDS


class FairQueue:
    """Jobs that wait. The next one is of the address that was helped least, and of its tables each in turn.

    This is weighted fair queueing with equal weights: a new address starts with the average service of all
    waiting addresses, so it is served soon but has no credit; and since that average grows, new addresses never
    starve the others.
    """

    def __init__(self, max_waiting: int, max_each: int, at_once: int) -> None:
        self._max_waiting = max_waiting
        self._max_each = max_each
        self._at_once = at_once
        self._shares: dict[str, _Share] = {}
        self._waiting = 0
        #: how much an address was helped that has wanted something all the time
        self._level = 0.0

    def __len__(self) -> int:
        return self._waiting

    def add(self, job: Waiting) -> bool:
        """Queue a job; False if the queue is full."""
        address, table = job.requester
        share = self._shares.get(address)
        if self._waiting >= self._max_waiting or (share is not None and share.waiting >= self._max_each):
            return False
        if share is None:
            share = self._shares[address] = _Share(self._level)
        elif not (share.waiting or share.running):
            share.helped = max(share.helped, self._level)
        share.tables.setdefault(table, deque()).append(job)
        share.waiting += 1
        self._waiting += 1
        return True

    def next(self) -> Waiting | None:
        """Take the job to be done next; None if none may be begun now."""
        share = min(self._ready(), key=lambda share: share.rank, default=None)
        if share is None:
            return None
        table, jobs = share.tables.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            share.tables[table] = jobs
        share.waiting -= 1
        share.running += 1
        self._waiting -= 1
        return job

    @property
    def ready(self) -> bool:
        """Whether a job may be begun now."""
        return bool(self._ready())

    def oldest(self) -> float | None:
        """Since when the job has been waiting that could be begun now and has waited longest."""
        return min(
            (jobs[0].since for share in self._ready() for jobs in share.tables.values()), default=None
        )

    def _ready(self) -> list[_Share]:
        return [s for s in self._shares.values() if s.waiting and s.running < self._at_once]

    def done(self, job: Waiting, seconds: float) -> None:
        """Note that a job which was begun has ended, and how long it has taken."""
        active = sum(bool(s.waiting or s.running) for s in self._shares.values())
        seconds = max(seconds, MIN_SECONDS)
        share = self._shares[job.requester.address]
        share.running -= 1
        share.helped += seconds
        self._level += seconds / active
        self._forget()

    def remove(self, job: Waiting) -> None:
        """Drop a job that has not been begun, if it is there."""
        share = self._shares.get(job.requester.address)
        jobs = None if share is None else share.tables.get(job.requester.table)
        if share is None or not jobs or job not in jobs:
            return
        jobs.remove(job)
        if not jobs:
            del share.tables[job.requester.table]
        share.waiting -= 1
        self._waiting -= 1
        self._forget()

    def _forget(self) -> None:
        """Drop the addresses that want nothing and were helped no more than others; all, when none wants anything."""
        idle = {name: s for name, s in self._shares.items() if not (s.waiting or s.running)}
        everybody = len(idle) == len(self._shares)
        for name, share in idle.items():
            if everybody or share.helped <= self._level:
                del self._shares[name]
