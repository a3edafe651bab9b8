"""Solving Shut the Lines: time on the clock, CPU time of all threads, memory, size of the tables."""

from __future__ import annotations

import resource
import sys
import time

from pasch.games.lines.box import PlanTable
from pasch.games.lines.rules import Lines
from pasch.games.lines.values.large import simulated, solve_large
from pasch.games.lines.values.rounds import RoundValues

MIB = 1 << 20


def peak() -> float:
    """The peak memory of this process, in MiB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MIB


def warm_up(dice: int) -> None:
    """Compile and load what large plans need, on as few sets as possible."""
    toy = PlanTable(dice, 0b1111111, (0b111,))
    simulated(toy, solve_large(toy), 0, 1)


def main(plans: tuple[int, ...] = (1, 2, 3, 4)) -> None:
    game = Lines(2)
    print("Shut the Lines, expected lines of a round from every set of covered numbers (after compilation)")
    print(
        f"{'plan':<6}{'sets':>12}{'lines':>10}{'clock s':>10}{'CPU s':>8}{'tables MiB':>12}{'more MiB':>10}"
    )
    for number in plans:
        rounds = RoundValues(game.plans[number - 1])
        if not rounds.small:
            warm_up(rounds.plan.dice)
        before, clock, cpu = peak(), time.perf_counter(), time.process_time()
        built = rounds.build()
        clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
        size = sum(memoryview(array).nbytes for array in built.values()) / MIB
        print(
            f"{number:<6}{rounds.plan.full + 1:>12,}{built['value'][0]:>10.5f}{clock:>10.2f}{cpu:>8.2f}{size:>12.2f}"
            f"{peak() - before:>10.1f}"
        )


if __name__ == "__main__":
    main()
