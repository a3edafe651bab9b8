"""Sharing out work: the same results from one process, from threads, from many processes or from a cluster.

A *unit* of work is independent of all others: its random numbers follow from the unit itself, never from
which worker does it or when. `parallel_map` returns results in the order of the units and can keep them in a
checkpoint file (`pasch.lab.checkpoint`), so that an interrupted run resumes where it stopped.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

from pasch.core.errors import PaschError
from pasch.core.prepare import prepare_types
from pasch.lab.checkpoint import Checkpoint, code_version

#: Ray gives a unit up after it has crashed this many workers
MAX_CRASHES: Final = 3
#: units for each worker that may be under way or wait for an earlier one
UNITS_PER_WORKER: Final = 4
#: the address of a cluster on this machine
AUTO: Final = "auto"
#: attempts to start a cluster: on a busy machine it may exceed Ray's own time limit of half a minute
START_ATTEMPTS: Final = 3

U = TypeVar("U")
R = TypeVar("R")

#: starts a unit; the returned function waits for the result, or raises the error
Submit = Callable[[Any], Callable[[], Any]]
#: the units that may be under way beside the one that is waited for, and what starts one
Executor = AbstractContextManager[tuple[int, Submit]]


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

    `workers` processes do the work, or threads with `threads` (for compiled functions that release
    Python's lock); with `ray` (`auto` or an address) those of a Ray cluster do. For processes and clusters
    `function` has to be defined at the top of a module, and units and results have to be picklable.
    `checkpoint` stores results and supplies those that it already holds.

    A caller that stops early closes the iterator (`contextlib.closing`); that cancels the workers.

    >>> list(parallel_map(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    executor: Executor
    if ray is not None:
        executor = _on_cluster(function, ray, workers)
    elif workers <= 1:
        executor = nullcontext((0, lambda unit: partial(function, unit)))
    else:
        executor = (_in_threads if threads else _in_processes)(function, workers)
    with executor as (ahead, submit):
        started: deque[tuple[int, Callable[[], Any]]] = deque()

        def first_result() -> Any:
            number, result = started.popleft()
            if checkpoint is None:
                return result()
            return checkpoint[number] if number in checkpoint else checkpoint.add(number, result())

        for number, unit in enumerate(units):
            stored = checkpoint is not None and number in checkpoint
            started.append((number, lambda: None) if stored else (number, submit(unit)))
            while len(started) > ahead:
                yield first_result()
        while started:
            yield first_result()


@contextmanager
def _in_threads(function: Callable[[Any], Any], workers: int) -> Iterator[tuple[int, Submit]]:
    prepare_types()
    pool = ThreadPoolExecutor(workers)
    try:
        yield UNITS_PER_WORKER * workers, lambda unit: pool.submit(function, unit).result
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _in_processes(function: Callable[[Any], Any], workers: int) -> Iterator[tuple[int, Submit]]:
    """Run units in processes of this machine, which are spawned: that works alike on every system."""
    context = multiprocessing.get_context("spawn")
    # processes end when the second of these is closed
    followed, kept_open = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, context, _end_with, (followed,))
    try:
        yield UNITS_PER_WORKER * workers, lambda unit: pool.submit(function, unit).result
    except BrokenProcessPool:
        raise PaschError("a worker has ended in the middle of its work (too little memory?)") from None
    finally:
        kept_open.close()
        pool.shutdown(cancel_futures=True)
        followed.close()


def _end_with(parent: Connection) -> None:
    """Let this worker end as soon as its parent closes its end of the pipe; Ctrl-C is the parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow() -> None:
        parent.poll(None)
        os._exit(0)

    threading.Thread(target=follow, daemon=True).start()


# --- Ray ------------------------------------------------------------------------------------------


@contextmanager
def _on_cluster(function: Callable[[Any], Any], address: str, workers: int) -> Iterator[tuple[int, Submit]]:
    """Run units on a Ray cluster, which repeats a unit itself when its worker or its machine is lost."""
    ray = _ray()
    own = not ray.is_initialized()
    if own:
        connect(address, workers)
    task = ray.remote(num_cpus=1, max_retries=MAX_CRASHES - 1, max_calls=0)(_run_on_cluster)
    # stored in the cluster once, not sent with every unit
    shared, version, running = ray.put(function), code_version(), set()

    def submit(unit: Any) -> Callable[[], Any]:
        reference = task.remote(shared, unit, version)
        running.add(reference)

        def result() -> Any:
            try:
                found = ray.get(reference)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from error
            except ray.exceptions.RayError as error:
                raise PaschError("the cluster failed: {problem}", problem=str(error)) from error
            running.discard(reference)
            return found

        return result

    try:
        yield UNITS_PER_WORKER * max(1, int(ray.cluster_resources().get("CPU", 1))), submit
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
        if own:
            ray.shutdown()


def _ray() -> Any:
    """Ray, which is imported only when a cluster is asked for."""
    # no usage statistics are sent; Ray reads this when it is imported
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise PaschError("Ray is not installed; it comes with: pip install 'pasch[ray]'") from None
    return ray


def connect(address: str, workers: int) -> None:
    """Connect to the cluster at an address; `auto`: this machine's, which is started if there is none."""
    ray, quiet = _ray(), {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        ray.init(address=address, **quiet)
        return
    except (ConnectionError, ValueError, RuntimeError) as error:
        if address != AUTO:
            raise PaschError(
                "there is no Ray cluster at {address}: {problem}", address=address, problem=str(error)
            ) from None
    # one on this machine that ends with this process
    cpus = workers if workers > 1 else None
    for attempts_left in reversed(range(START_ATTEMPTS)):
        try:
            ray.init(address="local", num_cpus=cpus, include_dashboard=False, **quiet)
            return
        except Exception as error:  # Ray has no better name for it
            ray.shutdown()
            if not attempts_left:
                raise PaschError(
                    "no Ray cluster could be started: {problem}", problem=str(error)
                ) from error


def _run_on_cluster(function: Callable[[Any], Any], unit: Any, wanted: str) -> Any:
    """Run one unit in a worker that has the same code."""
    if (here := code_version()) != wanted:
        said = "a machine of the cluster has another Pasch: {here}, not {wanted}"
        raise PaschError(said, here=here, wanted=wanted)
    return function(unit)
