"""Executors: run one function on units of work, in this process, in threads or in other processes."""

from __future__ import annotations

import multiprocessing
import pickle
import traceback
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Final, Protocol

from pebble import ProcessExpired, ProcessPool

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
    """Runs units in processes of this machine.

    Processes are spawned, which works alike on every system; they inherit nothing of this one's state.
    """

    def __init__(self, function: Callable[[Any], Any], workers: int) -> None:
        self.capacity = 2 * workers
        self._function = function
        self._pool = ProcessPool(workers, context=multiprocessing.get_context("spawn"))
        #: of each unit its number, itself and how many workers have crashed on it
        self._running: dict[Future[Any], tuple[int, Any, int]] = {}

    def submit(self, number: int, unit: Any, crashes: int = 0) -> None:
        self._running[self._pool.schedule(run_unit, args=[self._function, unit])] = number, unit, crashes

    def completed(self) -> list[Result]:
        finished: list[Result] = []
        while not finished:
            for future in wait(self._running, return_when=FIRST_COMPLETED).done:
                number, unit, crashes = self._running.pop(future)
                try:
                    succeeded, result = future.result()
                except ProcessExpired:
                    if crashes + 1 == MAX_CRASHES:
                        raise crashed(number) from None
                    self.submit(number, unit, crashes + 1)
                    continue
                if not succeeded:
                    raise result
                finished.append((number, result))
        return finished

    def close(self) -> None:
        self._pool.stop()
        self._pool.join()


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
