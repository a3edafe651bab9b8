"""Where a site has no values, so that of the computer players only those can play that need none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from pasch.core.game import Game
from pasch.core.options import option_specs
from pasch.core.registry import AnyGame, find_part
from pasch.players.base import LEARNED
from pasch.players.levels import level_figures
from pasch.solve.valuer import valuer
from pasch.solve.variants import settings
from pasch.table.computers import FALLBACK


def quick(kind: AnyGame, files: Collection[str]) -> dict[str, Any]:
    """Who plays without values on a site that has these tables, and when, as `static/app/levels.js` reads it."""
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
    return {name: values for name, values in _each_lacking(kind, known) if values}


def _each_lacking(
    kind: AnyGame, known: Callable[[Game[Any, Any]], bool]
) -> Iterator[tuple[str, list[Any]]]:
    players = kind.usual_players()
    for spec in option_specs(kind.Options):
        if spec.kind == "number":
            continue
        tried = [(value, kind.agree(players, {spec.name: value})) for value in settings(spec)]
        lacking = [value for value, game in tried if not known(game)]
        yield spec.name, [value[0] for value in lacking] if spec.kind == "list" else lacking
