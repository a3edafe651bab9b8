"""Sharing out work: the same results from one process, from threads, from many processes or from a cluster.

A *unit* of work is independent of all others: its random numbers follow from the unit itself, never from
which worker does it or when. `parallel_map` is the one scheduler: it hands units to an `Executor`, returns
results in the order of the units and can keep them in a checkpoint file (`pasch.lab.checkpoint`), so that
an interrupted run resumes where it stopped. A worker that crashes is replaced and its unit repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import Any, Final, TypeVar

from pasch.lab.checkpoint import Checkpoint
from pasch.lab.executors import Executor, InProcess, Processes, Threads, WorkError

#: finished results that may wait for an earlier unit, at least
LOOKAHEAD: Final = 256

U = TypeVar("U")
R = TypeVar("R")


def parallel_map(
    function: Callable[[U], R],
    units: Iterable[U],
    *,
    workers: int = 1,
    threads: bool = False,
    ray: str | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[R, None, None]:
    """`function(unit)` for every unit, in order.

    `workers` processes do the work, or as many threads with `threads` (for compiled functions that release
    Python's lock); with `ray` (`auto` or an address) those of a Ray cluster do. For processes and clusters
    `function` has to be defined at the top of a module, and units and results have to be picklable.
    `checkpoint` stores results as they arrive and supplies those that it already holds.

    A caller that stops early closes the iterator (`contextlib.closing`); that cancels the workers.

    >>> list(parallel_map(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    with closing(make_executor(function, workers=workers, threads=threads, ray=ray)) as executor:
        yield from ordered_results(executor, units, checkpoint)


def ordered_results(
    executor: Executor, units: Iterable[Any], checkpoint: Checkpoint | None = None
) -> Generator[Any, None, None]:
    """The result of every unit, in order; as `parallel_map`, for an executor that is used repeatedly."""
    ahead = max(LOOKAHEAD, 16 * executor.capacity)
    waiting = enumerate(units)
    done: dict[int, Any] = {}
    busy = following = 0
    more = True
    while more or busy or done:
        while more and busy < executor.capacity and len(done) + busy < ahead:
            number, unit = next(waiting, (-1, None))
            if number < 0:
                more = False
            elif checkpoint is not None and number in checkpoint:
                done[number] = checkpoint[number]
            else:
                executor.submit(number, unit)
                busy += 1
        while following in done:
            yield done.pop(following)
            following += 1
        if busy:
            for number, result in executor.completed():
                busy -= 1
                done[number] = result if checkpoint is None else checkpoint.add(number, result)


def make_executor(
    function: Callable[[Any], Any], *, workers: int = 1, threads: bool = False, ray: str | None = None
) -> Executor:
    """The executor for these arguments; `close` it after use."""
    if ray is not None:
        try:
            from pasch.lab.ray_work import RayCluster
        except ModuleNotFoundError as error:
            if error.name != "ray":
                raise
            raise WorkError("Ray is not installed; it comes with: pip install 'pasch[ray]'") from None
        return RayCluster(function, ray, workers)
    if workers <= 1:
        return InProcess(function)
    return Threads(function, workers) if threads else Processes(function, workers)
