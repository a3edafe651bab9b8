"""Prepares the types that threads share."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pasch.core.registry import all_games


def prepare_types() -> frozenset[type[msgspec.Struct]]:
    """Prepare every type that is loaded, those of all games included, and return those that msgspec can read.

    Call it after the imports and before threads start. msgspec prepares a type when something is converted to it for
    the first time, and other threads see the type half prepared meanwhile: the process then dies of SIGSEGV (msgspec
    0.22 and older, where Python has a GIL). Types that are prepared already cost next to nothing.
    """
    all_games()
    return frozenset(filter(_prepare, set(_below(msgspec.Struct))))


def _below(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def _prepare(kind: type[msgspec.Struct]) -> bool:
    try:
        msgspec.json.Decoder(kind)
    except (NameError, TypeError):
        return False  # a field's type is known to type checkers only, so that nothing is ever converted to this one
    return True
