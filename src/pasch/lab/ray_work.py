"""Work on a Ray cluster. Only this module imports Ray, and only when a cluster is asked for."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any, Final

# no usage statistics are sent; Ray reads this when it is imported
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from ray.exceptions import RayError, WorkerCrashedError

from pasch.lab.checkpoint import code_version
from pasch.lab.executors import MAX_CRASHES, Result, WorkError, crashed, run_unit

#: the address that stands for a cluster on this machine
AUTO: Final = "auto"
#: attempts to start a cluster: on a busy machine it may exceed Ray's own time limit of half a minute
START_ATTEMPTS: Final = 3


class RayCluster:
    """Runs units on a Ray cluster, two for each processor, so that none waits for the scheduler.

    Ray itself repeats a unit when its worker or its machine is lost.
    """

    def __init__(self, function: Callable[[Any], Any], address: str, workers: int) -> None:
        self._own = not ray.is_initialized()
        if self._own:
            connect(address, workers)
        self.capacity = 2 * max(1, int(_resources().get("CPU", 1)))
        self._task = ray.remote(num_cpus=1, max_retries=MAX_CRASHES - 1, max_calls=0)(_run)
        # stored in the cluster once, not sent with every unit
        self._function = ray.put(function)
        self._version = code_version()
        self._busy: dict[Any, int] = {}

    def submit(self, number: int, unit: Any) -> None:
        self._busy[self._task.remote(self._function, unit, self._version)] = number

    def completed(self) -> list[Result]:
        ready, _ = ray.wait(list(self._busy), num_returns=1)
        finished = []
        for reference in ready:
            number = self._busy.pop(reference)
            try:
                succeeded, result = ray.get(reference)
            except WorkerCrashedError:
                raise crashed(number) from None
            except RayError as error:
                raise WorkError("the cluster failed: {problem}", problem=str(error)) from error
            if not succeeded:
                raise result
            finished.append((number, result))
        return finished

    def close(self) -> None:
        for reference in self._busy:
            ray.cancel(reference, force=True)
        self._busy.clear()
        if self._own:
            ray.shutdown()


def connect(address: str, workers: int) -> None:
    """Connect to the cluster at an address; `auto`: this machine's, which is started if there is none."""
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError) as error:
        if address != AUTO:
            raise WorkError(
                "there is no Ray cluster at {address}: {problem}", address=address, problem=str(error)
            ) from None
        _start(workers, **quiet)


def _start(workers: int, **settings: Any) -> None:
    """Start a cluster on this machine that ends with this process."""
    cpus = workers if workers > 1 else None
    for attempts_left in reversed(range(START_ATTEMPTS)):
        try:
            ray.init(address="local", num_cpus=cpus, include_dashboard=False, **settings)
            return
        except Exception as error:  # Ray has no better name for it
            ray.shutdown()
            if not attempts_left:
                raise WorkError("no Ray cluster could be started: {problem}", problem=str(error)) from error


def _resources() -> dict[str, float]:
    found: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return found


def _run(function: Callable[[Any], Any], unit: Any, wanted: str) -> tuple[bool, Any]:
    """Run one unit in a worker that has the same code."""
    here = code_version()
    if here != wanted:
        return False, WorkError(
            "a machine of the cluster has another Pasch: {here}, not {wanted}", here=here, wanted=wanted
        )
    return run_unit(function, unit)
