"""The variants of a game for which tables of values are built."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from pasch.core.game import Game
from pasch.core.options import OptionSpec, option_specs
from pasch.core.registry import AnyGame


def variants(game: AnyGame) -> Iterator[Game[Any, Any]]:
    """The game with every switch and choice, for one player, two players and the maximum number."""
    specs = [spec for spec in option_specs(game.Options) if spec.kind != "number"]
    for chosen in product(*map(settings, specs)):
        for players in sorted({1, 2, game.seats[-1]}):
            if players in game.seats:
                yield game.agree(players, dict(zip([spec.name for spec in specs], chosen, strict=True)))


def settings(spec: OptionSpec) -> list[Any]:
    """The values of a switch or a choice; for a list, the lists with one item."""
    if spec.kind == "switch":
        return [False, True]
    return [[choice] for choice in spec.choices] if spec.kind == "list" else list(spec.choices)
