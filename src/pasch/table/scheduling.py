"""Who is helped next: fairly among addresses, then among their tables, and short jobs before long ones.

Nothing here waits, runs anything or reads a clock; `pasch.table.helper_pool` does.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

#: what a job that is being done counts before it is known how long it has taken, in seconds
GUESS: Final = 0.1
#: every job counts so many seconds at least, so that very short ones are shared fairly, too
LEAST: Final = 0.001
#: after so many seconds a job of a later lane goes before those of earlier ones
WAITED_LONG: Final = 5.0


class Asker(NamedTuple):
    """Who wants something done: the address that pays for it, and the table it is for."""

    address: str
    table: str


class Job:
    """Something to be done for somebody."""

    def __init__(self, asker: Asker, lane: str) -> None:
        self.asker = asker
        self.lane = lane
        #: when it was queued
        self.since = 0.0


class Lane(NamedTuple):
    """Jobs of one kind, and their bounds."""

    #: jobs that wait, of all addresses and of one
    most: int
    most_each: int
    #: jobs of one address that are done at the same time
    at_once: int
    #: the time limit for each, in seconds
    seconds: float


class _Share:
    """What one address has waiting, and how much it was helped."""

    def __init__(self, helped: float) -> None:
        #: the seconds it was helped, counted from when it was last as far as everybody else
        self.helped = helped
        self.running = 0
        self.waiting = 0
        #: the table that was helped longest ago first
        self.tables: OrderedDict[str, deque[Job]] = OrderedDict()

    @property
    def rank(self) -> float:
        return self.helped + self.running * GUESS


class FairQueue:
    """Jobs that wait. The next one is of the address that was helped least, and of its tables each in turn.

    This is weighted fair queueing with equal weights: an address that comes anew counts as helped as much as
    everybody who waits has been on average, so it is next soon and has no credit either; and since that average
    grows, those who come anew never keep others waiting for ever.
    """

    def __init__(self, most: int, most_each: int, at_once: int) -> None:
        self._most = most
        self._most_each = most_each
        self._at_once = at_once
        self._shares: dict[str, _Share] = {}
        self._waiting = 0
        #: how much an address was helped that has wanted something all the time
        self._level = 0.0

    def __len__(self) -> int:
        return self._waiting

    def add(self, job: Job) -> bool:
        """Queue a job; False if there is no room for it."""
        share = self._shares.get(job.asker.address)
        if self._waiting >= self._most or (share is not None and share.waiting >= self._most_each):
            return False
        if share is None:
            share = self._shares[job.asker.address] = _Share(self._level)
        elif not (share.waiting or share.running):
            share.helped = max(share.helped, self._level)
        share.tables.setdefault(job.asker.table, deque()).append(job)
        share.waiting += 1
        self._waiting += 1
        return True

    def next(self) -> Job | None:
        """Take the job to be done next; None if none may be begun now."""
        ready = [s for s in self._shares.values() if s.waiting and s.running < self._at_once]
        if not ready:
            return None
        share = min(ready, key=lambda share: share.rank)
        table, jobs = share.tables.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            share.tables[table] = jobs
        share.waiting -= 1
        share.running += 1
        self._waiting -= 1
        return job

    def oldest(self) -> float | None:
        """Since when the job has been waiting that could be begun now and has waited longest."""
        ready = [s for s in self._shares.values() if s.waiting and s.running < self._at_once]
        return min((jobs[0].since for share in ready for jobs in share.tables.values()), default=None)

    def done(self, job: Job, seconds: float) -> None:
        """Note that a job which was begun has ended, after so many seconds."""
        active, seconds = (
            sum(bool(s.waiting or s.running) for s in self._shares.values()),
            max(seconds, LEAST),
        )
        share = self._shares[job.asker.address]
        share.running -= 1
        share.helped += seconds
        self._level += seconds / active
        self._forget()

    def remove(self, job: Job) -> None:
        """Drop a job that has not been begun, if it is there."""
        share = self._shares.get(job.asker.address)
        jobs = None if share is None else share.tables.get(job.asker.table)
        if share is None or not jobs or job not in jobs:
            return
        jobs.remove(job)
        if not jobs:
            del share.tables[job.asker.table]
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


class Schedule:
    """The queues of all lanes, the more urgent ones first."""

    def __init__(self, lanes: Mapping[str, Lane]) -> None:
        self.lanes = lanes
        self._queues = {
            name: FairQueue(lane.most, lane.most_each, lane.at_once) for name, lane in lanes.items()
        }

    def waiting(self) -> dict[str, int]:
        """How many jobs wait in each lane."""
        return {name: len(queue) for name, queue in self._queues.items()}

    def add(self, job: Job, now: float) -> bool:
        """Queue a job in its lane; False if there is no room."""
        job.since = now
        return self._queues[job.lane].add(job)

    def next(self, lanes: Sequence[str], now: float) -> Job | None:
        """The job to be done next among those of these lanes: one that has waited long, else the most urgent."""
        late = []
        for place, lane in enumerate(lanes[1:]):
            since = self._queues[lane].oldest()
            if since is not None and now - since >= WAITED_LONG:
                late.append((since, place, lane))
        for lane in (*[lane for _, _, lane in sorted(late)], *lanes):
            job = self._queues[lane].next()
            if job is not None:
                return job
        return None

    def done(self, job: Job, seconds: float) -> None:
        self._queues[job.lane].done(job, seconds)

    def remove(self, job: Job) -> None:
        self._queues[job.lane].remove(job)
