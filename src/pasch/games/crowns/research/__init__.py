"""Research on Crowns: the training of its learned values (`training`), and fitting them to solved ones (`fit`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pasch.games.crowns.research.training import (
    MEASURED,
    Recipe,
    begin,
    finished,
    play_assignment,
    quality,
    recipe_of,
    train,
)
from pasch.games.crowns.rules import Crowns
from pasch.games.crowns.values import NAME, weights
from pasch.games.crowns.values.model import Arrays, model_key
from pasch.solve.tables import table_path, write_table
from pasch.solve.valuer import Report


class Trainer:
    """The training of Crowns as agreed; see `pasch.research.training.Trainer`."""

    compute_unit = staticmethod(play_assignment)

    def __init__(self, game: Crowns, recipe: Recipe | None = None, measured: int = MEASURED) -> None:
        self._game = game
        self._recipe = recipe or recipe_of(game)
        #: games that measure the quality
        self._measured = measured
        key = {**model_key(game), "hidden": list(self._recipe.hidden), "games": self._recipe.games}
        self._checkpoint = table_path(f"{NAME}-training", key)
        self._progress = begin(game, self._recipe, self._checkpoint)
        self._learned: Arrays = {}

    @property
    def done(self) -> int:
        return self._progress.games

    @property
    def total(self) -> int:
        return self._recipe.games

    def restart(self) -> None:
        self._checkpoint.unlink(missing_ok=True)
        self._progress = begin(self._game, self._recipe)

    def train(
        self, report: Report, enough: Callable[[], bool], compute: Callable[[Iterable[Any]], Iterable[Any]]
    ) -> bool:
        parts = (self._game, self._recipe, self._progress, report, self._checkpoint, enough)
        return train(*parts, lambda _, units: compute(units))

    def quality(self) -> tuple[float, float]:
        self._learned = finished(self._game, self._progress.model, max(1, self._measured // 100))
        return quality(self._game, self._learned, self._measured)

    def quality_before(self) -> float:
        return quality(self._game, weights(self._game), self._measured)[0]

    def install(self) -> Path:
        path = table_path(NAME, model_key(self._game))
        write_table(path, self._learned)
        return path

    def finish(self) -> None:
        self._checkpoint.unlink(missing_ok=True)
