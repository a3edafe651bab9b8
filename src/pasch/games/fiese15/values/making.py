"""Tables of Fiese 15, made by compiled code. Whoever reads them does not import this."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pasch.games.fiese15.rules import Fiese15
from pasch.games.fiese15.values.turn import (
    MOST_POINTS,
    SETS,
    SUMS,
    StripTurn,
    one_turn,
    shape_of,
    walk,
    walked,
)
from pasch.solve.compiled import compile_plain
from pasch.solve.records import arrays, records
from pasch.solve.turn import Turn
from pasch.solve.valuer import Report

Targets = tuple[int, ...]


@cache
def _compiled_walk() -> Any:
    return compile_plain(walk, name="fiese15")


@lru_cache(maxsize=16)
def compiled_turn(game: Fiese15, targets: Targets) -> StripTurn:
    """A turn under these targets, as `strip_turn` has it; those last used are kept."""
    shape = shape_of(targets)

    def compiled_walk(g: Any, s: Any, shape: Any, *rest: Any) -> int:
        found: int = _compiled_walk()(arrays(g), records(game, 1)[0], arrays(shape), *rest)
        return found

    graph, nodes = walked(
        one_turn(game.config),
        game.start().unpack(),
        shape,
        lambda kind, size: np.zeros(size, kind),
        compiled_walk,
    )
    return StripTurn(shape, nodes, Turn(graph, range(MOST_POINTS + 1), len(graph.actor) - 1, compiled=True))


def build_points(game: Fiese15, sides: Sequence[Targets], report: Report) -> dict[str, NDArray[Any]]:
    """Expected points by side, bit mask of dice set aside and pips, before a roll and when these were just set aside;
    and the chances of a turn's scores by side."""
    rolling, keeping = (np.zeros((len(sides), SETS, SUMS)) for _ in range(2))
    scores = np.zeros((len(sides), MOST_POINTS + 1))
    for side, targets in enumerate(sides):
        report(side / len(sides), f"targets {' '.join(map(str, targets))}")
        strip = compiled_turn(game, targets)
        for dice in range(SETS):
            for pips, value in strip.rolling(dice) if dice < SETS - 1 else ():
                rolling[side, dice, pips] = value
            for pips, value in strip.keeping(dice):
                keeping[side, dice, pips] = value
        found = strip.turn.distribution()
        scores[side, found.low : found.high + 1] = found.chances
    return {"rolling": rolling, "keeping": keeping, "scores": scores}


def build_duels(
    game: Fiese15, sides: Sequence[Targets], turns: int, report: Report
) -> dict[str, NDArray[Any]]:
    """The last turns of two seats under the same targets, by side."""
    made = {}
    for side, targets in enumerate(sides):
        report(side / len(sides), f"the last round, targets {' '.join(map(str, targets))}")
        for name, array in compiled_turn(game, targets).turn.build_duel(turns).items():
            made[f"{name} {side}"] = array
    return made
