"""Tables of values survive, and damaged ones are built again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pasch.solve.tables import Arrays, NotKept, building, limit_own_tables, read_table, table, table_path
from pasch.solve.valuer import Progress


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PASCH_CACHE", str(tmp_path))
    return tmp_path


class Builder:
    """Counts how often it had to build."""

    def __init__(self) -> None:
        self.built = 0

    def __call__(self, report: Progress) -> Arrays:
        self.built += 1
        report(0.5, "half")
        return {"a": np.arange(7, dtype=np.int16), "b": np.ones((3, 5), np.float32) / 3}


def test_a_table_is_built_once_and_mapped() -> None:
    build = Builder()
    for _ in range(3):
        arrays = table("test", {"rules": 1}, build)
        assert list(arrays) == ["a", "b"]
        assert np.array_equal(arrays["a"], np.arange(7))
        assert arrays["b"].format == "f" and arrays["b"].shape == (3, 5)
        assert arrays["b"].readonly
    assert build.built == 1


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[:-9],
    "flipped": lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:],
    "empty": lambda data: b"",
    "longer": lambda data: data + b"x",
    "other": lambda data: b"q" + data[1:],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_table_is_noticed_and_built_again(damage: str) -> None:
    build, path = Builder(), table_path("test", 1)
    table("test", 1, build)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert read_table(path) is None
    assert np.array_equal(table("test", 1, build)["a"], np.arange(7))
    assert build.built == 2


def test_an_interrupted_build_leaves_nothing(cache: Path) -> None:
    def fails(report: Progress) -> Arrays:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        table("test", 1, fails)
    assert list(cache.iterdir()) == []


def test_where_nothing_may_be_built_what_is_missing_is_said() -> None:
    build = Builder()
    with building("never"):
        with pytest.raises(NotKept):
            table("test", 1, build)
        assert build.built == 0
    table("test", 1, build)
    with building("never"):
        assert list(table("test", 1, build)) == ["a", "b"]
    assert build.built == 1


def test_tables_of_strangers_boxes_are_limited_and_the_usual_ones_stay(cache: Path) -> None:
    table("usual", 0, Builder())
    with building("own"):
        for number in range(6):
            table("own", number, Builder())
            os.utime(table_path("own", number), (number, number))
    # one that is used again is kept longer
    table("own", 0, Builder())
    limit_own_tables(max_files=3)
    usual, *own = (table_path("usual", 0), *(table_path("own", number) for number in (0, 4, 5)))
    assert {*cache.iterdir()} == {usual, *own}
    limit_own_tables(max_bytes=2 * own[0].stat().st_size)
    assert {*cache.iterdir()} == {usual, own[0], own[2]}
    broken = cache / "broken.table"
    broken.write_bytes(b"pasch table 1\nnonsense")
    limit_own_tables(max_files=0)
    assert {*cache.iterdir()} == {usual, broken}
