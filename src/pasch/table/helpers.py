"""Helper processes: `Helpers.ask(job, lane, limit)` gives the answer of a function of `pasch.table.jobs`.

The server's own process imports no compiler and no solver. Each helper does one job at a time, so a job that takes too
long is ended with its process and hurts nobody else. Jobs wait in lanes:

- `light`: moves of players that need little, in threads of the server's own process
- `short`: moves of strong players, hints, judgements of what has just happened
- `long`: reports, and judgements of games that were played before; at least one process never does these
- `build` and `custom`: jobs that have to build values first, one at a time, in a process that ends afterwards; custom
  boxes have a lane of their own, so that printed ones never wait for them

A job that takes too long in its lane, or lacks values, moves to `build` or `custom`; the requester waits for it.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

import msgspec

from pasch.core.errors import PaschError
from pasch.core.game import Game
from pasch.table.descriptions import JobAnswer
from pasch.table.fair_queue import FairQueue, Requester
from pasch.table.limits import Rate, RateLimiter, custom_box, is_too_large

if TYPE_CHECKING:
    from pebble import ProcessPool

T = TypeVar("T")

#: the processes for short and long jobs, unless PASCH_HELPERS says otherwise
MIN_PROCESSES: Final = 2
USUAL_PROCESSES: Final = 4
MAX_PROCESSES: Final = 64
LIGHT_THREADS: Final = 2
#: after this time a long job goes before short ones, in seconds
WAITED_LONG_SECONDS: Final = 5.0
#: how often to look whether a process that has a job can still answer, and how long to wait until one has ended
CHECK_SECONDS: Final = 1.0
STOP_SECONDS: Final = 10.0
#: what it costs to start a process again that was ended, in seconds of its address's share
RESTART_SECONDS: Final = 1.0
#: for how long something is not tried again that could not be built, or is too slow although it was
RETRY_BUILD_SECONDS: Final = 60.0
MAX_REMEMBERED: Final = 1000
#: bytes of values that are built for the custom boxes of one address, at first and then per second
CUSTOM_BYTES: Final = Rate(1024, 64 * 1024 * 1024)

#: requests are encoded here, so that the event loop never waits for them
threads: Final = ThreadPoolExecutor(2, "helper requests")
light_threads: Final = ThreadPoolExecutor(LIGHT_THREADS, "light players")


class HelperFailed(PaschError):
    """The helper has ended, did not answer in time, or could not do what was asked."""


class TooSlow(HelperFailed):
    """The helper did not answer in time."""


class ProcessEnded(HelperFailed):
    """The process of a helper has ended before it answered."""


class NotYet(HelperFailed):
    """The values are still being built; ask again later."""


class Busy(HelperFailed):
    """Too much is waiting already; ask again later."""


class Job(NamedTuple):
    """A function of `pasch.table.jobs` and its arguments."""

    do: str
    requester: Requester
    #: makes the arguments, in a thread and only when it is this job's turn
    arguments: Callable[[], dict[str, Any]]
    #: the game whose values are built if they are missing; None: nothing is built
    game: Game[Any, Any] | None = None
    #: what is built, where that differs from what is built for other jobs with the same function
    needs: str = ""
    #: whether to wait while values are built; otherwise NotYet says so
    waits: bool = True

    @property
    def values(self) -> tuple[int, str] | None:
        """Equal for jobs that need the same values built; without the game itself, which may hold large tables."""
        return None if self.game is None else (hash(self.game), self.needs or self.do)


class Lane(NamedTuple):
    """Jobs of one kind, and their bounds."""

    #: jobs that wait, of all addresses and of one
    max_waiting: int
    max_each: int
    #: jobs of one address that are done at the same time
    at_once: int
    #: the time limit for each, in seconds
    seconds: float


def lanes(processes: int) -> dict[str, Lane]:
    """The lanes and their bounds for this number of processes."""
    # of an address's short jobs one process is kept free for others; long ones never take more than half
    build = Lane(max_waiting=16, max_each=4, at_once=1, seconds=600.0)
    return {
        "light": Lane(max_waiting=20_000, max_each=20_000, at_once=1, seconds=60.0),
        "short": Lane(max_waiting=512, max_each=64, at_once=max(1, processes - 1), seconds=8.0),
        "long": Lane(max_waiting=64, max_each=8, at_once=max(1, processes // 2 - 1), seconds=30.0),
        "build": build,
        "custom": build,
    }


def process_count() -> int:
    """How many processes there are for short and long jobs."""
    written = os.environ.get("PASCH_HELPERS", "")
    if not written:
        return max(MIN_PROCESSES, min(USUAL_PROCESSES, os.cpu_count() or 1))
    wanted = int(written) if re.fullmatch("[0-9]{1,4}", written) else 0
    if not MIN_PROCESSES <= wanted <= MAX_PROCESSES:
        raise PaschError(
            "PASCH_HELPERS: {got!r} is no number from {least} to {most}",
            got=written,
            least=MIN_PROCESSES,
            most=MAX_PROCESSES,
        )
    return wanted


_answers: Final = msgspec.json.Decoder(JobAnswer)


class Processes(Protocol):
    """Where jobs are done: processes, or a worker of a browser."""

    #: how many jobs are done at once, besides those that build values
    count: int
    #: whether values can be built here
    builds: bool

    async def run(self, job: Job, seconds: float, build: bool) -> bytes:
        """The `JobAnswer` to a job, as JSON; TooSlow or another HelperFailed if there is none.

        With `build` it is done where values are built. When the task is cancelled, the job is ended.
        """

    async def close(self) -> None:
        """End what is under way."""


class HelperProcess:
    """A process that calls functions, one after the other: started when first needed, restarted after a failed call.

    It is a pool of `pebble` with one process. Where several share a pool, one that is killed while it holds the lock of
    their pipe silences the others.
    """

    def __init__(self, initializer: Callable[..., None], *arguments: Any) -> None:
        self._initializer = initializer
        self._arguments = arguments
        self._pool: ProcessPool | None = None
        self._stopping: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether a call can begin at once."""
        return self._pool is not None and self._pool.active

    async def call(self, function: Callable[..., T], arguments: tuple[Any, ...], seconds: float) -> T:
        """What a function returns; TimeoutError if it takes too long, ProcessEnded if the process has ended.

        When the task is cancelled, the process is ended.
        """
        from concurrent.futures.process import BrokenProcessPool

        from pebble import ProcessExpired

        if not self.running:
            self.stop()
            self._pool = await asyncio.get_running_loop().run_in_executor(threads, self._start)
        pool = self._pool
        assert pool is not None
        failed = True
        try:
            answering = asyncio.wrap_future(pool.schedule(function, arguments, timeout=seconds))
            try:
                while not answering.done():
                    await asyncio.wait([answering], timeout=CHECK_SECONDS)
                    # a call that comes while the pool breaks, since its process was killed, is never answered
                    if not answering.done() and not pool.active:
                        raise BrokenProcessPool
                found: T = answering.result()
            finally:
                answering.cancel()
            failed = False
            return found
        except TimeoutError:
            raise
        except (ProcessExpired, RuntimeError, OSError) as error:
            detail = f"the helper has ended: {error!r}"
            raise ProcessEnded("this could not be worked out", detail=detail) from error
        finally:
            if failed:
                self.stop()

    def _start(self) -> ProcessPool:
        # a browser, which has no processes, has neither of these
        from multiprocessing import get_context

        from pebble import ProcessPool

        # spawned: a forked process would have the server's connections, and locks that nobody opens
        pool = ProcessPool(
            1, initializer=self._initializer, initargs=self._arguments, context=get_context("spawn")
        )
        assert pool.active  # which starts the process
        return pool

    def stop(self) -> None:
        """End the process, without waiting until it has ended."""
        if self._pool is not None:
            # in a thread for which nothing waits at the end: a process that was killed while it wrote may leave the
            # pool's own thread reading for ever
            self._stopping = threading.Thread(target=_stop, args=(self._pool,), daemon=True)
            self._stopping.start()
            self._pool = None

    async def close(self) -> None:
        """End the process."""
        self.stop()
        if self._stopping is not None:
            await asyncio.get_running_loop().run_in_executor(threads, self._stopping.join, STOP_SECONDS)


def _stop(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()


class HelperProcesses:
    """Processes on this machine, started when first needed."""

    builds = True

    def __init__(
        self, count: int | None = None, function: Callable[[str, bytes, bool], bytes] | None = None
    ) -> None:
        self.count = count or process_count()
        self._function = function or answer_job
        self._idle: list[HelperProcess] = []
        self._busy: set[HelperProcess] = set()

    async def run(self, job: Job, seconds: float, build: bool) -> bytes:
        loop = asyncio.get_running_loop()
        arguments = await loop.run_in_executor(threads, lambda: msgspec.json.encode(job.arguments()))
        process = None if build or not self._idle else self._idle.pop()
        process = process or HelperProcess(prepare_process, 10 if build else 5)
        self._busy.add(process)
        try:
            return await process.call(self._function, (job.do, arguments, build), seconds)
        except TimeoutError as error:
            raise TooSlow("this takes too long to work out", detail=repr(error)) from error
        finally:
            self._busy.discard(process)
            if build:
                process.stop()  # it has grown, and is rarely needed
            else:
                self._idle.insert(len(self._idle) if process.running else 0, process)

    async def close(self) -> None:
        await asyncio.gather(*(process.close() for process in (*self._idle, *self._busy)))


def prepare_process(niceness: int) -> None:
    """In a new process: let the server go first when all processors are busy, and load what jobs need."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    # compiled code lets no handler of Python run
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    import pasch.table.jobs  # noqa: F401 - loading does not count against a job's time limit


def answer_job(do: str, arguments: bytes, build: bool) -> bytes:
    """In a helper process: the answer to a job."""
    from pasch.table import jobs

    return jobs.answer(do, msgspec.json.decode(arguments), build)


# --- lanes --------------------------------------------------------------------------------------------


class _Turn:
    """A place in a lane: waited for, then held."""

    def __init__(self, requester: Requester, since: float) -> None:
        self.requester = requester
        self.since = since
        self.comes: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Helpers:
    """All helpers of a server, shared fairly. Belongs to one event loop."""

    def __init__(
        self,
        processes: Processes | None = None,
        clock: Callable[[], float] = time.monotonic,
        bounds: Mapping[str, Lane] | None = None,
    ) -> None:
        self._processes = processes or HelperProcesses()
        self._count = self._processes.count
        self._clock = clock
        self._lanes = bounds or lanes(self._count)
        self._queues = {
            name: FairQueue(lane.max_waiting, lane.max_each, lane.at_once)
            for name, lane in self._lanes.items()
        }
        self._busy = dict.fromkeys(self._lanes, 0)
        #: what is being built or waits for it, what has been built, and until when something is not tried again
        self._builds: dict[tuple[int, str], asyncio.Task[msgspec.Raw]] = {}
        self._built: dict[tuple[int, str], float] = {}
        self._refused: dict[tuple[int, str], float] = {}
        #: what the custom boxes of an address may still take
        self._custom = RateLimiter(CUSTOM_BYTES, clock)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def waiting(self) -> dict[str, int]:
        """How many jobs wait in each lane."""
        return {name: len(queue) for name, queue in self._queues.items()}

    async def run(self, work: Callable[[], T], requester: Requester) -> T:
        """The result of something that needs little, worked out in a thread."""
        async with self._turn("light", requester):
            return await asyncio.get_running_loop().run_in_executor(light_threads, work)

    async def ask(self, job: Job, lane: str = "short", limit: float | None = None) -> msgspec.Raw:
        """The JSON that a job returns; HelperFailed if there is none.

        `limit` is how long to wait for everything, in seconds: then Busy, or NotYet if values are being built, which
        continues. A job whose task is cancelled is dropped, or ended with its process.
        """
        answering = asyncio.ensure_future(self._answer(job, lane))
        self._tasks.add(answering)
        answering.add_done_callback(self._tasks.discard)
        try:
            async with asyncio.timeout(limit):
                return await answering
        except TimeoutError:
            if job.values in self._builds:
                raise _not_yet() from None
            raise _busy() from None
        except asyncio.CancelledError:
            if self._closed and not asyncio.current_task().cancelling():  # type: ignore[union-attr]
                raise HelperFailed("the server is stopping") from None
            raise

    async def _answer(self, job: Job, lane: str) -> msgspec.Raw:
        values = job.values
        if values is None:
            return _required(await self._attempt(job, lane))
        if job.game is not None and is_too_large(job.game):
            raise HelperFailed("this box is larger than those of new tables, so there are no values for it")
        if (building := self._builds.get(values)) is not None:
            await self._wait(job, building)
        if self._clock() < self._refused.get(values, 0.0):
            raise HelperFailed("this takes too long to work out")
        self._refused.pop(values, None)
        try:
            found = await self._attempt(job, lane)
        except TooSlow:
            if values in self._built:
                self._remember(self._refused, values, self._clock() + RETRY_BUILD_SECONDS)
                raise
            found = JobAnswer(missing=True)
        if not found.missing:
            return _required(found)
        building = self._builds.get(values)
        if building is not None:
            await self._wait(job, building)
            return _required(await self._attempt(job, lane))
        building = self._builds[values] = asyncio.ensure_future(self._build(job, values))
        self._tasks.add(building)
        building.add_done_callback(self._built_or_failed)
        await self._wait(job, building)
        return building.result()

    async def _wait(self, job: Job, building: asyncio.Task[msgspec.Raw]) -> None:
        """Wait until values have been built; the build continues if this job is cancelled."""
        if not job.waits:
            raise _not_yet()
        await asyncio.wait([building])

    def _built_or_failed(self, building: asyncio.Task[msgspec.Raw]) -> None:
        self._tasks.discard(building)
        if not building.cancelled():
            building.exception()  # mark as retrieved: perhaps nobody waits any more

    async def _attempt(self, job: Job, lane: str, *, build: bool = False) -> JobAnswer:
        async with self._turn(lane, job.requester):
            answer = await self._processes.run(job, self._lanes[lane].seconds, build)
        return _answers.decode(answer)

    async def _build(self, job: Job, values: tuple[int, str]) -> msgspec.Raw:
        """The answer to a job for which values have to be built."""
        assert job.game is not None
        custom, address = custom_box(job.game) is not None, job.requester.address
        try:
            if not self._processes.builds:
                raise HelperFailed("there are no values for this game on this device")
            if custom and self._custom.level(address) <= 0:
                raise Busy("the values for your custom boxes take too much room; try again later")
            found = await self._attempt(job, "custom" if custom else "build", build=True)
            if custom:
                self._custom.charge(address, found.built)
            answer = _required(found)
        except Busy:
            raise  # who asks next tries again
        except HelperFailed:
            self._remember(self._refused, values, self._clock() + RETRY_BUILD_SECONDS)
            raise
        finally:
            del self._builds[values]
        self._remember(self._built, values, 0.0)
        return answer

    def _remember(self, kept: dict[Any, float], values: tuple[int, str], until: float) -> None:
        kept.pop(values, None)
        kept[values] = until
        if len(kept) > MAX_REMEMBERED:
            del kept[next(iter(kept))]

    @asynccontextmanager
    async def _turn(self, lane: str, requester: Requester) -> AsyncIterator[None]:
        """Wait for a place in a lane, and hold it."""
        queue, turn = self._queues[lane], _Turn(requester, self._clock())
        if self._closed:
            raise HelperFailed("the server is stopping")
        if not queue.add(turn):
            raise _busy()
        self._dispatch()
        begun: float | None = None
        killed = 0.0
        try:
            await turn.comes
            begun = self._clock()
            yield
        except (TooSlow, asyncio.CancelledError):
            killed = RESTART_SECONDS
            raise
        finally:
            if turn.comes.done() and not turn.comes.cancelled():
                self._busy[lane] -= 1
                queue.done(turn, 0.0 if begun is None else self._clock() - begun + killed)
            else:
                queue.remove(turn)
            self._dispatch()

    def _dispatch(self) -> None:
        """Give every free place to the job whose turn it is."""
        while (lane := self._free_lane()) is not None:
            turn = self._queues[lane].next()
            assert isinstance(turn, _Turn)
            if turn.comes.done():  # cancelled
                self._queues[lane].done(turn, 0.0)
            else:
                self._busy[lane] += 1
                turn.comes.set_result(None)

    def _free_lane(self) -> str | None:
        """A lane with a free place and a job that may be begun."""
        busy, queues = self._busy, self._queues
        for lane, places in (("light", LIGHT_THREADS), ("build", 1), ("custom", 1)):
            if busy[lane] < places and queues[lane].ready:
                return lane
        if busy["short"] + busy["long"] >= self._count:
            return None
        short = queues["short"].ready
        since = queues["long"].oldest() if busy["long"] < max(1, self._count // 2) else None
        if since is not None and (not short or self._clock() - since >= WAITED_LONG_SECONDS):
            return "long"
        return "short" if short else None

    async def close(self) -> None:
        """End all jobs; who waits is refused."""
        self._closed = True
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._processes.close()


def _required(found: JobAnswer) -> msgspec.Raw:
    """What a job has returned; HelperFailed if it has failed."""
    if not found.answer:
        raise HelperFailed("this could not be worked out", detail=found.problem or "values are missing")
    return found.answer


def _not_yet() -> NotYet:
    return NotYet("the coach is still working the values out; ask again in a moment")


def _busy() -> Busy:
    return Busy("the helpers have too much to do; try again in a moment")
