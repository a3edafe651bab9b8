"""What a table of values is named by: the sources that its numbers follow from, and what matters of options and box.

The sources are those of the game's package, of `pasch.core` and of `pasch.solve`, so a table that other rules or
another solver made is never read. A site of `pasch site` has bytecode in place of sources and carries the digests of
the machine that made its tables (`DIGESTS`). Receipts do not use this digest: a game stays valid when a source changes.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from pasch.core.game import Game
from pasch.core.registry import AnyGame

#: in the archive of a site, beside this module: the digests of its games, by id
DIGESTS: Final = "digests.json"
#: packages that the numbers of every game follow from
COMMON: Final = ("pasch.core", "pasch.solve")
#: modules of `pasch.core` that change now and then, and from which no number follows
NOT_IN_CORE: Final = frozenset(("errors", "lesson", "receipt", "record", "texts", "version", "words"))
#: the same in a game's package: what shows and explains it
NOT_IN_GAMES: Final = frozenset(("coach", "show", "terminal"))


def table_key(game: Game[Any, Any], **matter: Any) -> dict[str, Any]:
    """What a table of a game follows from: the sources, and what matters of options, box and players."""
    return {"sources": source_digest(type(game)), **matter}


@cache
def source_digest(game: AnyGame, *more: str) -> str:
    """A digest of the sources that a game's values follow from, those of `more` packages among them.

    Without sources it is one of the bytecode; of a game typed in at a prompt it is another one in every process.
    """
    if not more and (carried := _carried().get(game.id)):
        return carried
    modules = [kind.__module__ for kind in game.__mro__ if issubclass(kind, Game) and kind is not Game]
    digest = hashlib.sha256()
    for name, data in _sources(modules, (*COMMON, *more)):
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:32]


@cache
def _carried() -> dict[str, str]:
    """The digests that a site carries; none elsewhere."""
    file = resources.files(__package__).joinpath(DIGESTS)
    carried: dict[str, str] = json.loads(file.read_bytes()) if file.is_file() else {}
    return carried


def _sources(modules: Iterable[str], packages: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The names and contents of the packages' modules and of those in whose packages these modules lie."""
    alone = [name for name in modules if not sys.modules[name].__package__]
    beside = [str(sys.modules[name].__package__) for name in modules if name not in alone]
    for package in sorted({*packages, *beside}):
        yield from _files(resources.files(package), package)
    for name in alone:
        file = getattr(sys.modules[name], "__file__", None)
        yield name, Path(file).read_bytes() if file else secrets.token_bytes(16)


def _files(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    """The modules of a package and of those within it from which numbers follow, in alphabetical order."""
    left_out = NOT_IN_CORE if name == "pasch.core" else NOT_IN_GAMES
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        stem, _, kind = one.name.rpartition(".")
        if kind in ("py", "pyc") and stem not in left_out:
            yield f"{name}.{stem}", one.read_bytes()
        elif one.is_dir() and one.name != "__pycache__":
            yield from _files(one, f"{name}.{one.name}")
