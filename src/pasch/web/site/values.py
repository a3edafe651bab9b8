"""The tables of values that are small enough for a site to carry, and that browsers can read."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from pasch.core.registry import all_games
from pasch.solve.tables import NotKept, building, cache_folder, watching
from pasch.solve.valuer import Report, valuer
from pasch.solve.variants import variants

#: a larger table is not carried
MOST_BYTES: Final = 8 * 1024 * 1024
#: a table that is not kept yet is built unless it looks like taking longer than this, in seconds, which is seen after a
#: while: those that take longer are large as well
MOST_SECONDS: Final = 120.0
A_WHILE: Final = 10.0

Tell = Callable[[str], None]


class _TooLong(Exception):
    """Building a table takes too long."""


def value_files(tell: Tell = lambda line: None, build: bool = True) -> dict[str, bytes]:
    """The tables of all games in all variants whose values a browser can read, by the file's name.

    Those of the chances to win are among them. What is not in the cache folder is built, unless it is to
    be left out; `tell` is told of each.
    """
    found: set[Path] = set()
    with watching(lambda path, built: found.add(path)), building("keep" if build else "never"):
        for kind in all_games():
            usual = [kind(players) for players in kind.seats]
            for game in (*usual, *variants(kind)):
                values = valuer(game)
                if not values.plain:
                    continue
                if not _stems(found).issuperset(values.tables):
                    tell(f"{kind.title}: {', '.join(values.tables)} …")
                with suppress(NotKept, _TooLong):
                    values.prepare(_limited(time.monotonic))
                    # one that is open already is not opened again
                    found.update(cache_folder() / f"{name}.table" for name in values.tables)
    small = [path for path in sorted(found) if path.stat().st_size <= MOST_BYTES]
    return {path.name: path.read_bytes() for path in small}


def _stems(files: set[Path]) -> set[str]:
    return {file.stem for file in files}


def _limited(clock: Callable[[], float]) -> Report:
    begun = clock()

    def report(done: float, step: str) -> None:
        elapsed = clock() - begun
        if elapsed > A_WHILE and elapsed > MOST_SECONDS * done:
            raise _TooLong

    return report
