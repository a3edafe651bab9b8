"""Processes that call functions for the server: jobs of helpers, and the programs of bots."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from pasch.store.base import setting
from pasch.table.helpers import HelperFailed, Job, TooSlow

if TYPE_CHECKING:
    from pebble import ProcessPool

T = TypeVar("T")

#: the processes for short jobs, unless PASCH_HELPERS says otherwise
MIN_PROCESSES: Final = 2
USUAL_PROCESSES: Final = 4
MAX_PROCESSES: Final = 64
#: interval of checks whether a busy process is alive, and timeout of its end, in seconds
CHECK_SECONDS: Final = 1.0
STOP_SECONDS: Final = 10.0

#: requests are encoded here, so that the event loop never waits for them
threads: Final = ThreadPoolExecutor(2, "helper requests")


class ProcessEnded(HelperFailed):
    """The process of a helper has ended before it answered."""


def process_count() -> int:
    """The number of processes for short jobs."""
    usual = max(MIN_PROCESSES, min(USUAL_PROCESSES, os.cpu_count() or 1))
    return int(setting("PASCH_HELPERS", usual, MIN_PROCESSES, MAX_PROCESSES))


class HelperProcess:
    """A process that calls functions, one after the other: started when first needed, restarted after a failed call.

    It is a pool of `pebble` with one process. Where several share a pool, one that is killed while it holds the lock of
    their pipe silences the others.
    """

    def __init__(self, initializer: Callable[..., None] | None = None, *arguments: Any) -> None:
        self._initializer = initializer
        self._arguments = arguments
        self._pool: ProcessPool | None = None
        self._stopping: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether a call can begin immediately."""
        return self._pool is not None and self._pool.active

    async def call(self, function: Callable[..., T], arguments: tuple[Any, ...], seconds: float) -> T:
        """What a function returns; TimeoutError if it takes too long, ProcessEnded if the process has ended.

        When the task is cancelled, the process is ended.
        """
        from pebble import ProcessExpired

        if not self.running:
            self.stop()
            self._pool = await asyncio.get_running_loop().run_in_executor(threads, self._start)
        pool = self._pool
        assert pool is not None
        try:
            answering = asyncio.wrap_future(pool.schedule(function, arguments, timeout=seconds))
            try:
                # a call made while the pool breaks because its process was killed is never answered
                while not answering.done() and pool.active:
                    await asyncio.wait([answering], timeout=CHECK_SECONDS)
            finally:
                answering.cancel()
            if answering.cancelled():
                raise RuntimeError("the pool has broken")
            found: T = answering.result()
            return found
        except BaseException as error:
            self.stop()
            if isinstance(error, TimeoutError) or not isinstance(
                error, (ProcessExpired, RuntimeError, OSError)
            ):
                raise
            detail = f"the helper has ended: {error!r}"
            raise ProcessEnded("this could not be worked out", detail=detail) from error

    def _start(self) -> ProcessPool:
        # a browser, which has no processes, has neither of these
        from multiprocessing import get_context

        from pebble import ProcessPool

        # spawned: a forked process would have the server's connections, and locks that are never released
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


class HelperProcesses:
    """Processes on this machine, started when first needed."""

    builds = True

    def __init__(
        self, count: int | None = None, function: Callable[[str, bytes, bool], bytes] = answer_job
    ) -> None:
        self.count = count or process_count()
        self._function = function
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
