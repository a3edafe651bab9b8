"""Reading numpy's files of arrays with the standard library alone, for those who have no numpy."""

from __future__ import annotations

import ast
import io
import struct
import sys
import zipfile
from array import array
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple


class PlainArray(NamedTuple):
    """The numbers of an array in file order, its shape and its strides."""

    numbers: Sequence[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def read_npz(data: bytes, *names: str) -> list[PlainArray]:
    """These arrays of a file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [_read(archive.read(f"{name}.npy")) for name in names]


def _whole(data: bytes) -> Sequence[int]:
    numbers = array("h", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _halves(data: bytes) -> Sequence[float]:
    return struct.unpack(f"<{len(data) // 2}e", data)


#: the kinds of numbers that can be read, by numpy's names
READERS: Final[dict[str, Callable[[bytes], Sequence[float]]]] = {"<i2": _whole, "<f2": _halves}


def _read(data: bytes) -> PlainArray:
    """An array as numpy writes it: a mark, the length of a header, the header, the numbers."""
    begin = 10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:begin].decode("ascii"))
    shape: tuple[int, ...] = header["shape"]
    numbers = READERS[header["descr"]](data[begin:])
    strides, step = [0] * len(shape), 1
    places = range(len(shape))
    for place in places if header["fortran_order"] else reversed(places):
        strides[place] = step
        step *= shape[place]
    return PlainArray(numbers, shape, tuple(strides))
