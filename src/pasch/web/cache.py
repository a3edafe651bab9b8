"""A cache of answers with a bound in bytes."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple


class Cached(NamedTuple):
    """An encoded answer and its entity tag."""

    body: bytes
    tag: str

    @classmethod
    def of(cls, body: bytes) -> Cached:
        return cls(body, f'"{hashlib.sha256(body).hexdigest()[:24]}"')


class ByteCache:
    """Keeps the answers used last, up to so many bytes of bodies."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Cached] = OrderedDict()
        self.size = 0

    def get(self, key: Hashable) -> Cached | None:
        """The answer under this key, if it is still there."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: Hashable, answer: Cached) -> None:
        """Keep an answer; the ones used longest ago make room for it."""
        before = self._kept.pop(key, None)
        self.size += len(answer.body) - (len(before.body) if before else 0)
        self._kept[key] = answer
        while self.size > self._most:
            _, dropped = self._kept.popitem(last=False)
            self.size -= len(dropped.body)
