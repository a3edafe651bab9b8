"""The helper processes of a server, shared fairly.

Each process does one job at a time, so that a job that exceeds its time limit can be ended by killing the process,
and nobody else is hurt. The jobs wait in lanes:

- `light`: moves of players that need little, in threads of the server's own process
- `short`: moves of strong players, hints, judgements of what has just happened
- `long`: reports, and judgements of games that were played before; at least one process never does these
- `build`: tables of values that are missing, one at a time, in a process that is ended afterwards

A job of the lane `short` that takes too long, or lacks a table, is given to `build` in the background; until that
has been done everybody who asks for the same is told NotYet at once.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, TypeVar

from pasch.core.errors import PaschError
from pasch.core.game import Game
from pasch.table.helper import Helper, HelperFailed, TooSlow, threads
from pasch.table.scheduling import Asker, Job, Lane, Schedule

T = TypeVar("T")

#: the processes for short and long jobs, unless PASCH_HELPERS says otherwise
LEAST_PROCESSES: Final = 2
USUAL_PROCESSES: Final = 4
MOST_PROCESSES: Final = 64
#: threads for light players
LIGHT_THREADS: Final = 2
light_threads: Final = ThreadPoolExecutor(LIGHT_THREADS, "light players")
#: for how long something is not tried again that could not be built, or is too slow although it was, in seconds
HOPELESS: Final = 60.0
#: so many things that were built or are hopeless are remembered
MOST_REMEMBERED: Final = 1000


class Need(NamedTuple):
    """What a job needs to be built; equal for jobs that need the same."""

    #: of the game as agreed; the game itself may hold large tables, and this is remembered for long
    game: int
    what: str

    @classmethod
    def of(cls, game: Game[Any, Any], what: str) -> Need:
        return cls(hash(game), what)


class NotYet(HelperFailed):
    """The values are still being built; ask again later."""


class Busy(HelperFailed):
    """Too much is waiting already; ask again later."""


def lanes(processes: int) -> dict[str, Lane]:
    """The lanes and their bounds for so many processes."""
    # of an address's short jobs one process is kept free for others; long ones never take more than half
    return {
        "light": Lane(most=20_000, most_each=20_000, at_once=1, seconds=60.0),
        "short": Lane(most=512, most_each=64, at_once=max(1, processes - 1), seconds=8.0),
        "long": Lane(most=64, most_each=8, at_once=max(1, processes // 2 - 1), seconds=30.0),
        "build": Lane(most=16, most_each=4, at_once=1, seconds=600.0),
    }


def process_count() -> int:
    """How many processes there are for short and long jobs."""
    written = os.environ.get("PASCH_HELPERS", "")
    if not written:
        return max(LEAST_PROCESSES, min(USUAL_PROCESSES, os.cpu_count() or 1))
    wanted = int(written) if re.fullmatch("[0-9]{1,4}", written) else 0
    if not LEAST_PROCESSES <= wanted <= MOST_PROCESSES:
        raise PaschError(
            "PASCH_HELPERS: {got!r} is no number from {least} to {most}",
            got=written,
            least=LEAST_PROCESSES,
            most=MOST_PROCESSES,
        )
    return wanted


class _Job(Job):
    """A job and its future answer."""

    def __init__(self, asker: Asker, lane: str, work: Callable[[Helper, float], Any]) -> None:
        super().__init__(asker, lane)
        self.work = work
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class _Worker:
    """A process, or the place of a thread, and the lanes that it takes jobs of, the most urgent first."""

    def __init__(self, helper: Helper, *takes: str) -> None:
        self.helper = helper
        self.takes = takes
        self.busy = False


class HelperPool:
    """All helper processes of a server. Belongs to one event loop."""

    def __init__(
        self,
        helper: Callable[[], Helper] = Helper,
        processes: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        bounds: dict[str, Lane] | None = None,
        builder: Callable[[], Helper] | None = None,
    ) -> None:
        count = processes or process_count()
        self._clock = clock
        self._schedule = Schedule(bounds or lanes(count))
        self._workers = [
            _Worker(helper(), "short", "long")
            if number >= count - max(1, count // 2)
            else _Worker(helper(), "short")
            for number in range(count)
        ]
        self._workers.append(_Worker((builder or helper)(), "build"))
        self._workers += [_Worker(helper(), "light") for _ in range(LIGHT_THREADS)]
        self._tasks: set[asyncio.Task[None]] = set()
        self._jobs: set[_Job] = set()
        #: what is being built or waits for it
        self._building: dict[Need, asyncio.Task[None]] = {}
        #: what has been built
        self._built: dict[Need, None] = {}
        #: until when something is not tried again
        self._hopeless: dict[Need, float] = {}
        self._closed = False

    @property
    def waiting(self) -> dict[str, int]:
        """How many jobs wait in each lane."""
        return self._schedule.waiting()

    async def run(self, work: Callable[[], T], asker: Asker) -> T:
        """The result of something that needs little, worked out in a thread."""

        async def in_thread(helper: Helper, limit: float) -> T:
            return await asyncio.get_running_loop().run_in_executor(light_threads, work)

        result: T = await self._queued(_Job(asker, "light", in_thread))
        return result

    async def ask(
        self,
        do: str,
        describe: Callable[[], dict[str, Any]],
        asker: Asker,
        *,
        need: Need | None = None,
        lane: str = "short",
        patience: float | None = None,
    ) -> Any:
        """The answer of a helper's function `do`; NotYet, Busy or another HelperFailed if there is none.

        `describe` makes its arguments, in a thread and only when it is this job's turn; `need` says what is built
        if it is missing or the job too slow (None: nothing); `patience` is how long to wait for everything, in seconds.
        """
        if need is not None:
            self._refuse_hopeless(need)
        try:
            async with asyncio.timeout(patience):
                answer = await self._queued(_Job(asker, lane, _asking(do, describe)))
        except TooSlow:
            if lane != "short" or need is None:
                raise
            if need in self._built:
                self._remember(self._hopeless, need, self._clock() + HOPELESS)
                raise
            answer = None
        except TimeoutError:
            raise Busy("the helpers have too much to do; try again in a moment") from None
        if answer is None and need is not None:
            self._build(do, describe, asker, need)
        if answer is None:
            raise _not_yet()
        return answer

    async def built(self, need: Need, patience: float) -> None:
        """Wait until what is being built is there, but no longer than so many seconds."""
        task = self._building.get(need)
        if task is not None:
            await asyncio.wait([task], timeout=patience)

    def _refuse_hopeless(self, need: Need) -> None:
        if need in self._building:
            raise _not_yet()
        until = self._hopeless.get(need)
        if until is not None:
            if self._clock() < until:
                raise HelperFailed("this takes too long to work out")
            del self._hopeless[need]

    def _build(self, do: str, describe: Callable[[], dict[str, Any]], asker: Asker, need: Need) -> None:
        """Have built what a request lacks."""
        if need in self._building or self._closed:
            return

        def details() -> dict[str, Any]:
            return {**describe(), "for": do}

        async def work() -> None:
            try:
                await self._queued(_Job(asker, "build", _asking("build", details)))
            except Busy:
                return  # whoever asks next tries again
            except HelperFailed:
                self._remember(self._hopeless, need, self._clock() + HOPELESS)
            else:
                self._remember(self._built, need, None)
            finally:
                del self._building[need]

        self._building[need] = self._start(work())

    def _remember(self, kept: dict[Need, T], need: Need, what: T) -> None:
        kept.pop(need, None)
        kept[need] = what
        if len(kept) > MOST_REMEMBERED:
            del kept[next(iter(kept))]

    # --- jobs ----------------------------------------------------------------------------------------

    async def _queued(self, job: _Job) -> Any:
        """The answer to a job, when its turn has come."""
        if self._closed:
            raise HelperFailed("the server is stopping")
        if not self._schedule.add(job, self._clock()):
            raise Busy("the helpers have too much to do; try again in a moment")
        self._jobs.add(job)
        self._dispatch()
        try:
            return await job.answer
        finally:
            self._jobs.discard(job)
            self._schedule.remove(job)

    def _dispatch(self) -> None:
        """Give every worker that is free a job, if there is one for it."""
        for worker in self._workers:
            if not worker.busy and not self._closed:
                job = self._schedule.next(worker.takes, self._clock())
                if job is not None:
                    assert isinstance(job, _Job)
                    worker.busy = True
                    self._start(self._work(worker, job))

    async def _work(self, worker: _Worker, job: _Job) -> None:
        begun = self._clock()
        try:
            answer = await job.work(worker.helper, self._schedule.lanes[job.lane].seconds)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is for whoever waits
            if not job.answer.done():
                job.answer.set_exception(error)
            if isinstance(error, TooSlow):
                await worker.helper.close()
        else:
            if not job.answer.done():
                job.answer.set_result(answer)
        finally:
            if job.lane == "build":
                await worker.helper.close()  # it has grown, and is rarely needed
            self._schedule.done(job, self._clock() - begun)
            worker.busy = False
            self._dispatch()

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Kill all processes; whoever waits is refused."""
        self._closed = True
        for job in self._jobs:
            if not job.answer.done():
                job.answer.set_exception(HelperFailed("the server is stopping"))
        for worker in self._workers:
            await worker.helper.close()


def _asking(do: str, describe: Callable[[], dict[str, Any]]) -> Callable[[Helper, float], Any]:
    """The work of asking a helper's function."""

    async def work(helper: Helper, limit: float) -> Any:
        details = await asyncio.get_running_loop().run_in_executor(threads, describe)
        return await helper.ask(do, limit, **details)

    return work


def _not_yet() -> NotYet:
    return NotYet("the coach is still working the values out; ask again in a moment")
