"""Executors: run one function on units of work, in this process, in threads or in other processes."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for_futures
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Final, NamedTuple, Protocol

from pasch.core.errors import PaschError
from pasch.core.prepare import prepare_types

#: a unit is given up after it has crashed so many workers
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
        finished, _ = wait_for_futures(self._running, return_when=FIRST_COMPLETED)
        return [(self._running.pop(future), future.result()) for future in finished]

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


class _Worker(NamedTuple):
    process: Any
    pipe: Connection


class _Task(NamedTuple):
    worker: _Worker
    number: int
    unit: Any
    #: workers that have crashed on this unit
    crashes: int


class Processes:
    """Runs units in processes of this machine, each started when there is work for it.

    Processes are spawned, which works alike on every system; they inherit nothing of this one's state.
    """

    def __init__(self, function: Callable[[Any], Any], workers: int) -> None:
        self.capacity = workers
        self._function = function
        self._context = multiprocessing.get_context("spawn")
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, _Task] = {}

    def submit(self, number: int, unit: Any) -> None:
        self._submit(number, unit, 0)

    def _submit(self, number: int, unit: Any, crashes: int) -> None:
        worker = self._idle.pop() if self._idle else self._start()
        # registered before it is sent anything, so that `close` stops it in any case
        self._busy[worker.pipe] = _Task(worker, number, unit, crashes)
        try:
            worker.pipe.send(unit)
        except OSError:
            self._repeat(self._busy.pop(worker.pipe))

    def completed(self) -> list[Result]:
        finished: list[Result] = []
        while not finished:
            for pipe in wait(list(self._busy)):
                assert isinstance(pipe, Connection)
                task = self._busy.pop(pipe)
                try:
                    succeeded, result = pipe.recv()
                except (EOFError, OSError, pickle.UnpicklingError):
                    self._repeat(task)
                    continue
                self._idle.append(task.worker)
                if not succeeded:
                    raise result
                finished.append((task.number, result))
        return finished

    def _repeat(self, task: _Task) -> None:
        """Run the unit of a crashed worker again in a new one."""
        _stop(task.worker)
        if task.crashes + 1 >= MAX_CRASHES:
            raise crashed(task.number)
        self._submit(task.number, task.unit, task.crashes + 1)

    def _start(self) -> _Worker:
        pipe, end = self._context.Pipe()
        process = self._context.Process(target=_run_worker, args=(self._function, end), daemon=True)
        with _interrupts_blocked():
            process.start()
        end.close()
        return _Worker(process, pipe)

    def close(self) -> None:
        for worker in [*self._idle, *(task.worker for task in self._busy.values())]:
            _stop(worker)
        self._idle.clear()
        self._busy.clear()


def crashed(number: int) -> WorkError:
    """The error for a unit that crashes every worker."""
    return WorkError(
        "unit {number} of the work has ended {crashes} workers one after the other (too little memory?)",
        number=number,
        crashes=MAX_CRASHES,
    )


def _stop(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.terminate()
    worker.process.join(5)
    if worker.process.exitcode is None:
        worker.process.kill()
        worker.process.join()
    worker.process.close()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Processes started inside ignore Ctrl-C; their parent stops them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # starting the resource tracker unblocks the signal, so it has to come first
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run_worker(function: Callable[[Any], Any], pipe: Connection) -> None:
    """A worker's loop: run units until the pipe is closed."""
    try:
        while True:
            unit = pipe.recv()
            pipe.send(run_unit(function, unit))
    except (EOFError, OSError):
        return


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
