"""Tables of values survive, and damaged ones are built again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pasch.solve.tables import Arrays, read_table, table, table_path
from pasch.solve.valuer import Report


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PASCH_CACHE", str(tmp_path))
    return tmp_path


class Builder:
    """Counts how often it had to build."""

    def __init__(self) -> None:
        self.built = 0

    def __call__(self, report: Report) -> Arrays:
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


def test_another_key_is_another_table() -> None:
    build = Builder()
    table("test", {"rules": 1}, build)
    table("test", {"rules": 2}, build)
    assert build.built == 2


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "longer", "magic"])
def test_a_damaged_table_is_noticed_and_built_again(damage: str) -> None:
    build = Builder()
    table("test", 1, build)
    path = table_path("test", 1)
    data = bytearray(path.read_bytes())
    if damage == "cut":
        del data[-9:]
    elif damage == "flip":
        data[-3] ^= 1
    elif damage == "empty":
        data.clear()
    elif damage == "longer":
        data += b"x"
    else:
        data[0] ^= 1
    path.write_bytes(data)
    assert read_table(path) is None
    assert np.array_equal(table("test", 1, build)["a"], np.arange(7))
    assert build.built == 2


def test_an_interrupted_build_leaves_nothing(cache: Path) -> None:
    def fails(report: Report) -> Arrays:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        table("test", 1, fails)
    assert list(cache.iterdir()) == []
