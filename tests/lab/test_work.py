"""Shared-out work: order, errors, and checkpoints of interrupted runs."""

from __future__ import annotations

import sqlite3
import sys
import threading
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pasch.core.errors import IllegalMove, PaschError
from pasch.lab.checkpoint import Checkpoint
from pasch.lab.work import parallel_map
from tests.lab.worker_functions import asleep, fatal, refused, wrong

RUN = {"game": "fiese15", "seed": "1"}


def test_threads_give_results_in_order() -> None:
    second = threading.Event()

    def work(number: int) -> int:
        if number == 1:
            second.set()
        assert second.wait(60), "the second unit begins before the first ends"
        return number**2

    assert list(parallel_map(work, range(12), workers=2, threads=True)) == [
        number**2 for number in range(12)
    ]


@pytest.mark.parametrize(
    ("function", "workers", "kind", "said"),
    [
        (wrong, 1, ValueError, "one is wrong"),
        (wrong, 2, ValueError, "one is wrong"),
        (refused, 1, IllegalMove, r"the game \{0\} is over"),
        (refused, 2, IllegalMove, r"the game \{0\} is over"),
        (fatal, 2, PaschError, "a worker has ended"),
    ],
)
def test_what_ends_a_unit_is_raised(function: Any, workers: int, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        list(parallel_map(function, range(3), workers=workers))


def test_units_may_be_endless_and_closing_cancels_the_workers() -> None:
    # all units after the first sleep for ever
    with closing(parallel_map(asleep, count(), workers=2)) as results:
        assert next(results) == 0


def test_without_ray_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(PaschError, match=r"pip install 'pasch\[ray\]'"):
        list(parallel_map(fatal, [1], ray="auto"))


# --- checkpoints ------------------------------------------------------------------------------------


def resumed(path: Path, numbers: int, run: dict[str, str] = RUN) -> tuple[list[Any], list[int]]:
    """Results, and the units that were computed."""
    done: list[int] = []

    def compute(number: int) -> tuple[int, float]:
        done.append(number)
        return number, number / 3

    with closing(Checkpoint(path, run, tuple[int, float])) as checkpoint:
        found = list(parallel_map(compute, range(numbers), checkpoint=checkpoint))
    return found, done


def test_only_what_is_missing_is_done(tmp_path: Path) -> None:
    file = tmp_path / "run.sqlite"
    first, done = resumed(file, 3)
    assert (len(first), done) == (3, [0, 1, 2])
    again, done = resumed(file, 5)
    assert done == [3, 4] and again[:3] == first
    assert again == [(number, number / 3) for number in range(5)]


def test_the_file_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.sqlite"
    resumed(file, 2)
    with pytest.raises(PaschError, match='another run: its seed is "1", not "2"'):
        resumed(file, 2, {**RUN, "seed": "2"})


def test_a_file_that_is_no_progress_file_is_left_alone(tmp_path: Path) -> None:
    poem, other = tmp_path / "poem.txt", tmp_path / "other.sqlite"
    poem.write_text("[1]\n[2]\n", "utf-8")
    with closing(sqlite3.connect(other)) as database:
        database.execute("create table poems (line text)")
    for file in (poem, other):
        before = file.read_bytes()
        with pytest.raises(PaschError, match="no progress file"):
            resumed(file, 2)
        assert file.read_bytes() == before
