"""Executors: run one function on units of work, in this process, in threads or in other processes."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final, Protocol

from pasch.core.errors import PaschError
from pasch.core.prepare import prepare_types

#: a unit is given up after it has crashed this many workers
MAX_CRASHES: Final = 3

#: a unit's number and its result
Result = tuple[int, Any]


class WorkError(PaschError):
    """Work cannot be done: a unit crashes its workers, or there are no workers."""


class Executor(Protocol):
    """Runs one function on units of work."""

    #: how many units may be under way at once
    capacity: int

    def submit(self, number: int, unit: Any) -> None:
        """Start a unit; never more than `capacity` at once."""

    def completed(self) -> list[Result]:
        """Wait for at least one unit to finish; an exception raised in a unit is raised here."""

    def close(self) -> None:
        """Cancel all workers."""


class InProcess:
    """Runs every unit in this process."""

    capacity = 1

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._units: list[tuple[int, Any]] = []

    def submit(self, number: int, unit: Any) -> None:
        self._units.append((number, unit))

    def completed(self) -> list[Result]:
        number, unit = self._units.pop()
        return [(number, self._function(unit))]

    def close(self) -> None:
        self._units.clear()


class Threads:
    """Runs units in threads of this process."""

    def __init__(self, function: Callable[[Any], Any], workers: int) -> None:
        # one unit more for each thread, so that none waits for the scheduler
        self.capacity = 2 * workers
        self._function = function
        prepare_types()
        self._pool = ThreadPoolExecutor(workers)
        self._running: dict[Future[Any], int] = {}

    def submit(self, number: int, unit: Any) -> None:
        self._running[self._pool.submit(self._function, unit)] = number

    def completed(self) -> list[Result]:
        finished, _ = wait(self._running, return_when=FIRST_COMPLETED)
        return [(self._running.pop(future), future.result()) for future in finished]

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


class Processes:
    """Runs units in processes of this machine, which are spawned: that works alike on every system."""

    def __init__(self, function: Callable[[Any], Any], workers: int) -> None:
        self.capacity = 2 * workers
        self._function, self._workers = function, workers
        self._context = multiprocessing.get_context("spawn")
        #: processes end when the second of these is closed
        self._followed, self._open = self._context.Pipe(duplex=False)
        self._pool = self._start(workers)
        self._running: dict[Future[Any], tuple[int, Any]] = {}

    def _start(self, workers: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(workers, self._context, _end_with, (self._followed,))

    def submit(self, number: int, unit: Any) -> None:
        try:
            future = self._pool.submit(run_unit, self._function, unit)
        except BrokenProcessPool:
            self._pool = self._start(self._workers)
            future = self._pool.submit(run_unit, self._function, unit)
        self._running[future] = number, unit

    def completed(self) -> list[Result]:
        finished = []
        for future in wait(self._running, return_when=FIRST_COMPLETED).done:
            number, unit = self._running.pop(future)
            broken = isinstance(future.exception(), BrokenProcessPool)
            succeeded, result = self._repeat(number, unit) if broken else future.result()
            if not succeeded:
                raise result
            finished.append((number, result))
        return finished

    def _repeat(self, number: int, unit: Any) -> tuple[bool, Any]:
        """Run a unit that was open when a worker crashed alone, so that it is clear which one crashes them."""
        for _ in range(MAX_CRASHES - 1):
            with self._start(1) as alone, suppress(BrokenProcessPool):
                return alone.submit(run_unit, self._function, unit).result()
        raise crashed(number)

    def close(self) -> None:
        self._open.close()
        self._pool.shutdown(cancel_futures=True)
        self._followed.close()


def _end_with(parent: Connection) -> None:
    """Let this worker end as soon as its parent closes its end of the pipe; Ctrl-C is the parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow() -> None:
        parent.poll(None)
        os._exit(0)

    threading.Thread(target=follow, daemon=True).start()


def crashed(number: int) -> WorkError:
    """The error for a unit that crashes every worker."""
    return WorkError(
        "unit {number} of the work has ended {crashes} workers one after the other (too little memory?)",
        number=number,
        crashes=MAX_CRASHES,
    )


def run_unit(function: Callable[[Any], Any], unit: Any) -> tuple[bool, Any]:
    """Whether the unit succeeded, and its result or a picklable exception."""
    try:
        return True, function(unit)
    except PaschError as error:
        return False, WorkError(error.reason)
    except Exception as error:  # noqa: BLE001 - it is raised again in the parent process
        error.add_note("".join(traceback.format_exception(error)))
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # noqa: BLE001 - exceptions may fail to pickle in any way
            return False, RuntimeError("".join(traceback.format_exception(error)))
        return False, error
