"""Work in pieces: the same results with one process, with many, or on a cluster of computers.

A *unit* of work is independent of all others: whatever chance it needs follows from what is in it, never
from who does it or when. So `spread` may hand units out as it likes. Results come back in the order of the
units, a worker that dies is replaced and its unit done again, and what is finished can be kept in a file
(`pasch.lab.kept`), so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from pasch.core.errors import PaschError
from pasch.lab.kept import Kept

#: a unit that ends so many workers is taken to be the reason
DEATHS: Final = 3
#: results that may wait for one that comes before them, at least
AHEAD: Final = 256

U = TypeVar("U")
R = TypeVar("R")
#: number of a unit, and what came of it
Done = tuple[int, Any]


class WorkError(PaschError):
    """Work cannot be done: workers die of it, or there is nobody to do it."""


class Crew(Protocol):
    """Those who do the work."""

    #: how many units they take at once
    room: int

    def give(self, number: int, unit: Any) -> None:
        """Hand a unit out. Never more than there is room for."""

    def take(self) -> list[Done]:
        """Wait until at least one unit is finished. What went wrong in a unit is raised."""

    def close(self) -> None:
        """Send everybody home at once."""


def spread(
    function: Callable[[U], R],
    units: Iterable[U],
    *,
    workers: int = 1,
    ray: str | None = None,
    kept: Kept | None = None,
) -> Generator[R, None, None]:
    """`function(unit)` for every unit, in order.

    `function` stands at the top of a module, and units and results can be pickled, so that they can travel.
    `workers` processes do the work; with `ray` (`auto` or an address) those of a Ray cluster do. `kept`
    keeps results as they come in and gives back those that are there already.

    Whoever stops in the middle closes the iterator (`contextlib.closing`), and nobody works on.

    >>> list(spread(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    with closing(hire(function, workers=workers, ray=ray)) as crew:
        yield from results(crew, units, kept)


def results(crew: Crew, units: Iterable[Any], kept: Kept | None = None) -> Generator[Any, None, None]:
    """What `crew` makes of every unit, in order; as `spread`, for those who need a crew more than once."""
    ahead = max(AHEAD, 16 * crew.room)
    waiting = enumerate(units)
    done: dict[int, Any] = {}
    busy = following = 0
    more = True
    while more or busy or done:
        while more and busy < crew.room and len(done) + busy < ahead:
            number, unit = next(waiting, (-1, None))
            if number < 0:
                more = False
            elif kept is not None and number in kept:
                done[number] = kept[number]
            else:
                crew.give(number, unit)
                busy += 1
        while following in done:
            yield done.pop(following)
            following += 1
        if busy:
            for number, result in crew.take():
                busy -= 1
                done[number] = result if kept is None else kept.add(number, result)


def hire(function: Callable[[Any], Any], *, workers: int = 1, ray: str | None = None) -> Crew:
    """Those who do `function`, until they are sent home (`close`)."""
    if ray is not None:
        try:
            from pasch.lab.ray_work import Cluster
        except ModuleNotFoundError as error:
            if error.name != "ray":
                raise
            raise WorkError("Ray is not installed; it comes with: pip install 'pasch[ray]'") from None
        return Cluster(function, ray, workers)
    return Alone(function) if workers <= 1 else Processes(function, workers)


class Alone:
    """This process does everything itself."""

    room = 1

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._units: list[tuple[int, Any]] = []

    def give(self, number: int, unit: Any) -> None:
        self._units.append((number, unit))

    def take(self) -> list[Done]:
        number, unit = self._units.pop()
        return [(number, self._function(unit))]

    def close(self) -> None:
        self._units.clear()


class _Worker(NamedTuple):
    process: Any
    pipe: Connection


class _Task(NamedTuple):
    worker: _Worker
    number: int
    unit: Any
    #: workers that have died with this unit in their hands
    deaths: int


class Processes:
    """Processes of this machine, each started when there is work for it.

    They come into being by `spawn`, the same on every system, and know nothing of this one's state.
    """

    def __init__(self, function: Callable[[Any], Any], workers: int) -> None:
        self.room = workers
        self._function = function
        self._context = multiprocessing.get_context("spawn")
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, _Task] = {}

    def give(self, number: int, unit: Any) -> None:
        self._give(number, unit, 0)

    def _give(self, number: int, unit: Any, deaths: int) -> None:
        worker = self._idle.pop() if self._idle else self._hire()
        # known before it is told, so that it is sent home in any case
        self._busy[worker.pipe] = _Task(worker, number, unit, deaths)
        try:
            worker.pipe.send(unit)
        except OSError:
            self._replace(self._busy.pop(worker.pipe))

    def take(self) -> list[Done]:
        finished: list[Done] = []
        while not finished:
            for pipe in wait(list(self._busy)):
                assert isinstance(pipe, Connection)
                task = self._busy.pop(pipe)
                try:
                    well, result = pipe.recv()
                except (EOFError, OSError, pickle.UnpicklingError):
                    self._replace(task)
                    continue
                self._idle.append(task.worker)
                if not well:
                    raise result
                finished.append((task.number, result))
        return finished

    def _replace(self, task: _Task) -> None:
        """Somebody has died: do the unit again, with another."""
        _dismiss(task.worker)
        if task.deaths + 1 >= DEATHS:
            raise gave_up(task.number)
        self._give(task.number, task.unit, task.deaths + 1)

    def _hire(self) -> _Worker:
        pipe, end = self._context.Pipe()
        process = self._context.Process(target=_work, args=(self._function, end), daemon=True)
        with _deaf():
            process.start()
        end.close()
        return _Worker(process, pipe)

    def close(self) -> None:
        for worker in [*self._idle, *(task.worker for task in self._busy.values())]:
            _dismiss(worker)
        self._idle.clear()
        self._busy.clear()


def gave_up(number: int) -> WorkError:
    """What to say when one unit ends everybody who touches it."""
    return WorkError(
        "unit {number} of the work has ended {deaths} workers one after the other (too little memory?)",
        number=number,
        deaths=DEATHS,
    )


def _dismiss(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.terminate()
    worker.process.join(5)
    if worker.process.exitcode is None:
        worker.process.kill()
        worker.process.join()
    worker.process.close()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes begun meanwhile do not hear Ctrl-C; it is for the one that began them to stop them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # starting this one unblocks the signal, so it comes first
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(function: Callable[[Any], Any], pipe: Connection) -> None:
    """What a worker does until nobody wants anything of it any more."""
    try:
        while True:
            unit = pipe.recv()
            pipe.send(answer(function, unit))
    except (EOFError, OSError):
        return


def answer(function: Callable[[Any], Any], unit: Any) -> tuple[bool, Any]:
    """Whether it went well, and the result, or what went wrong in a form that can travel."""
    try:
        return True, function(unit)
    except PaschError as error:
        return False, WorkError(error.reason)
    except Exception as error:  # noqa: BLE001 - it is raised where somebody can see it
        error.add_note("".join(traceback.format_exception(error)))
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # noqa: BLE001 - whatever keeps it from travelling
            return False, RuntimeError("".join(traceback.format_exception(error)))
        return False, error
