"""Tables whose entries are computed on first access."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any


@Sequence.register
class LazyTable(dict[int, Any]):
    """A table by one number, or by several, each below its size; `make` computes an entry on first access.

    A dictionary, because its lookup is fastest.
    """

    def __init__(self, sizes: int | Sequence[int], make: Callable[..., Any]) -> None:
        super().__init__()
        self._size, *self._sizes = (sizes,) if isinstance(sizes, int) else sizes
        self._make = make

    def __missing__(self, place: int) -> Any:
        if not 0 <= place < self._size:
            raise IndexError(place)
        make = partial(self._make, place)
        entry = self[place] = LazyTable(self._sizes, make) if self._sizes else make()
        return entry

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(self._size))
