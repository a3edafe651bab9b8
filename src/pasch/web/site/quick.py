"""Where a site has no values, so that of the computer players only the quick one can play."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from pasch.core.game import Game
from pasch.core.options import option_specs
from pasch.core.registry import AnyGame
from pasch.players.levels import level_figures
from pasch.solve.valuer import valuer
from pasch.solve.variants import settings
from pasch.table.computers import FALLBACK


def quick(kind: AnyGame, files: Collection[str]) -> dict[str, Any]:
    """When only the quick player is left, of a site with these tables of values, as `static/js/levels.js` reads it."""
    usual = kind(kind.usual_players())
    return {
        "levels": [{**level_figures(usual, FALLBACK), "bot": False}],
        "usual": not _known(usual, files),
        # tables are made for the box that Pasch knows
        "boxes": bool(valuer(usual).tables) or not valuer(usual).plain,
        "options": {name: values for name, values in _without_values(kind, files) if values},
    }


def _without_values(kind: AnyGame, files: Collection[str]) -> Iterator[tuple[str, list[Any]]]:
    """Each option with those of its values for which there are no tables; of lists, what may be in them."""
    players = kind.usual_players()
    for spec in option_specs(kind.Options):
        if spec.kind == "number":
            continue
        tried = [(value, kind.agree(players, {spec.name: value})) for value in settings(spec)]
        lacking = [value for value, game in tried if not _known(game, files)]
        yield spec.name, [value[0] for value in lacking] if spec.kind == "list" else lacking


def _known(game: Game[Any, Any], files: Collection[str]) -> bool:
    values = valuer(game)
    return values.plain and all(f"{name}.table" in files for name in values.tables)
