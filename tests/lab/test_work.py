"""Work in pieces: order, workers that die, errors, and what is kept of an interrupted run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from pasch.core.errors import PaschError
from pasch.lab.kept import Kept, KeptError, fingerprint
from pasch.lab.work import WorkError, spread
from tests.lab.labour import Unit, fatal, refused, square, wrong

SQUARES = [number**2 for number in range(12)]
RUN = {"game": "fiese15", "seed": "1"}


def test_a_worker_that_dies_is_replaced_and_its_unit_done_again(tmp_path: Path) -> None:
    mark = tmp_path / "died"
    units = [Unit(number, str(mark) if number == 5 else None) for number in range(12)]
    assert list(spread(square, units, workers=2)) == SQUARES
    assert mark.exists()


def test_a_unit_that_ends_everybody_who_touches_it_is_given_up() -> None:
    with pytest.raises(WorkError, match="unit 1 of the work has ended 3 workers"):
        list(spread(fatal, range(3), workers=2))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_goes_wrong_in_a_unit_is_raised(workers: int) -> None:
    with pytest.raises(ValueError, match="one is wrong"):
        list(spread(wrong, range(3), workers=workers))


def test_what_pasch_refuses_in_a_unit_is_refused_in_the_same_words() -> None:
    with pytest.raises(PaschError, match=r"the game \d is over"):
        list(spread(refused, range(3), workers=2))


def test_units_may_be_endless_and_nobody_works_on_when_enough_is_done() -> None:
    def endless() -> Any:
        number = 0
        while True:
            yield Unit(number)
            number += 1

    with closing(spread(square, endless())) as results:
        assert [next(results) for _ in range(12)] == SQUARES


def test_without_ray_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "pasch.lab.ray_work", raising=False)
    with pytest.raises(WorkError, match=r"pip install 'pasch\[ray\]'"):
        list(spread(square, [Unit(1)], ray="auto"))


# --- what is kept -----------------------------------------------------------------------------------


class Counter:
    """Counts what is done anew."""

    def __init__(self) -> None:
        self.done: list[int] = []

    def __call__(self, number: int) -> tuple[int, float]:
        self.done.append(number)
        return number, number / 3


def kept_run(path: Path, numbers: int, run: dict[str, str] = RUN) -> tuple[list[Any], list[int], int]:
    """Results, what was done anew, damaged lines."""
    counter = Counter()
    with closing(Kept(path, run, tuple[int, float])) as kept:
        found = list(spread(counter, range(numbers), kept=kept))
    return found, counter.done, kept.damaged


def test_only_what_is_missing_is_done(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    first, done, _ = kept_run(file, 3)
    assert (len(first), done) == (3, [0, 1, 2])
    again, done, _ = kept_run(file, 5)
    assert done == [3, 4] and again[:3] == first
    assert again == [(number, number / 3) for number in range(5)]


def torn(text: bytes) -> bytes:
    return text[:-9]


def damaged(text: bytes) -> bytes:
    return text.replace(b'"unit":2,"result":[2', b'"unit":2,"result":[7')


@pytest.mark.parametrize(("harm", "redone"), [(torn, 3), (damaged, 2)])
def test_a_torn_or_damaged_line_is_noticed(
    tmp_path: Path, harm: Callable[[bytes], bytes], redone: int
) -> None:
    file = tmp_path / "run.jsonl"
    whole, _, _ = kept_run(file, 4)
    file.write_bytes(harm(file.read_bytes()))
    found, done, lines = kept_run(file, 4)
    assert (found, done, lines) == (whole, [redone], 1)
    # and the file is good again
    assert kept_run(file, 4)[:2] == (whole, [])


def test_a_file_torn_in_its_first_line_begins_anew(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    kept_run(file, 0)
    file.write_bytes(file.read_bytes()[:20])
    assert kept_run(file, 2)[1] == [0, 1]
    assert kept_run(file, 2)[1] == []


def test_the_file_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    kept_run(file, 2)
    with pytest.raises(KeptError, match='another run: its seed is "1", not "2"'):
        kept_run(file, 2, {**RUN, "seed": "2"})


@pytest.mark.parametrize("text", ["poem\n", '{"players": 2}\n', "[1]\n[2]\n"])
def test_a_file_that_is_no_progress_file_is_left_alone(tmp_path: Path, text: str) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(text, "utf-8")
    with pytest.raises(KeptError):
        kept_run(file, 2)
    assert file.read_text("utf-8") == text


def test_the_fingerprint_names_the_version() -> None:
    assert fingerprint().startswith(version("pasch") + " ")
