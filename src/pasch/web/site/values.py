"""The tables of values that a site carries, and which computer players can play without those that it lacks."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from pasch.core.game import Game
from pasch.core.options import option_specs
from pasch.core.registry import AnyGame, all_games, find_part
from pasch.players.base import LEARNED
from pasch.players.levels import level_figures
from pasch.solve.tables import NotKept, building, cache_folder, settings, variants, watching
from pasch.solve.valuer import Progress, valuer
from pasch.table.computers import FALLBACK

#: a larger table is not carried
MAX_BYTES: Final = 8 * 1024 * 1024
#: a table that is not kept yet is built unless it looks like taking longer than this, in seconds, which is seen after a
#: while: those that take longer are large as well
MAX_SECONDS: Final = 120.0
FIRST_SECONDS: Final = 10.0

Tell = Callable[[str], None]


class _TooLong(Exception):
    """Building a table takes too long."""


def value_files(tell: Tell = lambda line: None, build: bool = True) -> dict[str, bytes]:
    """The tables of all games in all variants whose values a browser can read, by the file's name.

    Those of the chances to win are among them. What is not in the cache folder is built, unless it is to
    be left out; `tell` is called with a line for each.
    """
    found: set[Path] = set()
    with watching(lambda path, built: found.add(path)), building("keep" if build else "never"):
        for kind in all_games():
            usual = [kind(players) for players in kind.seats]
            for game in (*usual, *variants(kind)):
                values = valuer(game)
                if not values.plain:
                    continue
                if not {path.stem for path in found}.issuperset(values.tables):
                    tell(f"{kind.title}: {', '.join(values.tables)} …")
                with suppress(NotKept, _TooLong):
                    values.prepare(_limited())
                    # one that is open already is not opened again
                    found.update(cache_folder() / f"{name}.table" for name in values.tables)
    small = [path for path in sorted(found) if path.stat().st_size <= MAX_BYTES]
    return {path.name: path.read_bytes() for path in small}


def _limited() -> Progress:
    begun = time.monotonic()

    def report(done: float, step: str) -> None:
        elapsed = time.monotonic() - begun
        if elapsed > FIRST_SECONDS and elapsed > MAX_SECONDS * done:
            raise _TooLong

    return report


def quick(kind: AnyGame, files: Collection[str]) -> dict[str, Any]:
    """Who plays without values on a site that has these tables, and when, as the client reads it."""
    usual = kind(kind.usual_players())
    levels: list[dict[str, Any]] = [{**level_figures(usual, FALLBACK), "bot": False}]
    learned = find_part(kind.id, "learned")
    if learned is not None:
        lacks = {"boxes": True, "options": _lacking(kind, learned.knows)}
        levels.append({**level_figures(usual, LEARNED), "bot": False, "lacks": lacks})

    def known(game: Game[Any, Any]) -> bool:
        values = valuer(game)
        return values.plain and all(f"{name}.table" in files for name in values.tables)

    return {
        "levels": levels,
        "usual": not known(usual),
        # tables are made for the box that Pasch knows
        "boxes": bool(valuer(usual).tables) or not valuer(usual).plain,
        "options": _lacking(kind, known),
    }


def _lacking(kind: AnyGame, known: Callable[[Game[Any, Any]], bool]) -> dict[str, list[Any]]:
    """Options with those of their values with which a game is not known; of lists, what may be in them."""
    players, found = kind.usual_players(), {}
    for spec in option_specs(kind.Options):
        if spec.kind == "number":
            continue
        tried = [(value, kind.agree(players, {spec.name: value})) for value in settings(spec)]
        if lacking := [value for value, game in tried if not known(game)]:
            found[spec.name] = [value[0] for value in lacking] if spec.kind == "list" else lacking
    return found
