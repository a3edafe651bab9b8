"""The workers of a Ray cluster. Only this module imports Ray, and only when a cluster is asked for."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

# nothing is told to anybody about who uses what; Ray looks at this when it is imported
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from ray.exceptions import RayError, WorkerCrashedError

from pasch.lab.kept import fingerprint
from pasch.lab.work import DEATHS, Done, WorkError, answer, gave_up

#: what to write instead of an address for the cluster of this machine
AUTO: Final = "auto"
#: a machine that is very busy may need more than the half minute that Ray waits for itself
TRIES: Final = 3


class Cluster:
    """As many units at once as the cluster has processors, and one more each, so that nobody waits.

    Ray itself does a unit again when the worker or the machine that had it is gone.
    """

    def __init__(self, function: Callable[[Any], Any], address: str, workers: int) -> None:
        self._own = not ray.is_initialized()
        if self._own:
            join(address, workers)
        self.room = 2 * max(1, int(_resources().get("CPU", 1)))
        self._task = ray.remote(num_cpus=1, max_retries=DEATHS - 1, max_calls=0)(_done)
        # stored in the cluster once, not sent with every unit
        self._function = ray.put(function)
        self._wanted = fingerprint()
        self._busy: dict[Any, int] = {}

    def give(self, number: int, unit: Any) -> None:
        self._busy[self._task.remote(self._function, unit, self._wanted)] = number

    def take(self) -> list[Done]:
        ready, _ = ray.wait(list(self._busy), num_returns=1)
        finished = []
        for reference in ready:
            number = self._busy.pop(reference)
            try:
                well, result = ray.get(reference)
            except WorkerCrashedError:
                raise gave_up(number) from None
            except RayError as error:
                raise WorkError("the cluster failed: {problem}", problem=str(error)) from error
            if not well:
                raise result
            finished.append((number, result))
        return finished

    def close(self) -> None:
        for reference in self._busy:
            ray.cancel(reference, force=True)
        self._busy.clear()
        if self._own:
            ray.shutdown()


@contextmanager
def joined(address: str, *, workers: int = 1) -> Iterator[None]:
    """Several runs on the same cluster: it is joined, or started, once for all of them."""
    join(address, workers)
    try:
        yield
    finally:
        ray.shutdown()


def join(address: str, workers: int) -> None:
    """Join the cluster at an address; `auto`: the one of this machine, or one that is started for us."""
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
    """A cluster of this machine alone, as long as this process lives."""
    cpus = workers if workers > 1 else None
    for tries_left in reversed(range(TRIES)):
        try:
            ray.init(address="local", num_cpus=cpus, include_dashboard=False, **settings)
            return
        except Exception as error:  # Ray has no better name for it
            ray.shutdown()
            if not tries_left:
                raise WorkError("no Ray cluster could be started: {problem}", problem=str(error)) from error


def _resources() -> dict[str, float]:
    found: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return found


def _done(function: Callable[[Any], Any], unit: Any, wanted: str) -> tuple[bool, Any]:
    """One unit, in a worker."""
    here = fingerprint()
    if here != wanted:
        return False, WorkError(
            "a machine of the cluster has another Pasch: {here}, not {wanted}", here=here, wanted=wanted
        )
    return answer(function, unit)
