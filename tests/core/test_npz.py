"""numpy's files, read without it."""

from __future__ import annotations

import io

import numpy as np
import pytest

from pasch.core.npz import read_npz


@pytest.mark.parametrize("turn", [np.ascontiguousarray, np.asfortranarray])
def test_arrays_are_read_as_numpy_reads_them(turn: object) -> None:
    assert callable(turn)
    whole = turn(np.arange(-30, 30, dtype=np.int16).reshape(3, 4, 5))
    halves = turn((np.arange(6, dtype=np.float16) / 4).reshape(2, 3))
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, whole=whole, halves=halves)
    for wanted, read in zip((whole, halves), read_npz(file.getvalue(), "whole", "halves"), strict=True):
        assert read.shape == wanted.shape
        for place, number in np.ndenumerate(wanted):
            at = sum(index * step for index, step in zip(place, read.strides, strict=True))
            assert read.numbers[at] == number
