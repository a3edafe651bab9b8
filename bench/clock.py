"""Measuring: work done per second of this process's own CPU time, best of a few runs."""

from __future__ import annotations

import time
from collections.abc import Callable


def per_cpu_second(work: Callable[[], int], seconds: float = 2.0, runs: int = 3) -> float:
    """What `work` counts per CPU-second, in the best run, which is the least disturbed one."""
    work()
    best = 0.0
    for _ in range(runs):
        done, started = 0, time.process_time()
        while (spent := time.process_time() - started) < seconds / runs:
            done += work()
        best = max(best, done / spent)
    return best
