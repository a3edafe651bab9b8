"""Training: learning the values of a game by self-play, where a game offers it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol, cast

from pasch.core.errors import PaschError
from pasch.core.game import Game
from pasch.core.registry import find_part
from pasch.lab.work import make_executor, ordered_results
from pasch.solve.valuer import Report, silent

#: computes units of work, in order
Compute = Callable[[Iterable[Any]], Iterable[Any]]


class NothingToTrain(PaschError):
    """The values of a game are computed, not learned."""


class Trainer(Protocol):
    """The training of one game as agreed: the class `Trainer` of the game's `research` module.

    A new trainer continues from the checkpoint of a run that was stopped, if there is one.
    """

    @property
    def compute_unit(self) -> Callable[[Any], Any]:
        """The function that computes a unit of work; defined at the top of a module."""

    @property
    def done(self) -> int:
        """Games played so far."""

    @property
    def total(self) -> int:
        """Games of the whole training."""

    def restart(self) -> None:
        """Forget the checkpoint and begin anew."""

    def train(self, report: Report, enough: Callable[[], bool], compute: Compute) -> bool:
        """Learn until all games are played or `enough`; whether all are. Writes checkpoints."""

    def quality(self) -> tuple[float, float]:
        """The mean score with what was learned, and its standard error."""

    def quality_before(self) -> float:
        """The mean score with the values in use now."""

    def install(self) -> Path:
        """Use what was learned from now on; the file it is kept in."""

    def finish(self) -> None:
        """Remove the checkpoint."""


def make_trainer(game: Game[Any, Any]) -> Trainer:
    """The trainer of a game as agreed; NothingToTrain if its values are not learned."""
    kind = getattr(find_part(game.id, "research"), "Trainer", None)
    if kind is None:
        raise NothingToTrain("the values of {title} are computed, not learned", title=game.title)
    return cast(Trainer, kind(game))


def train(
    trainer: Trainer,
    enough: Callable[[], bool],
    report: Report = silent,
    *,
    workers: int = 1,
    ray: str | None = None,
) -> bool:
    """Train until all games are played or `enough`; whether all are.

    The result is the same with any number of workers, and on a Ray cluster.
    """
    with closing(make_executor(trainer.compute_unit, workers=workers, ray=ray)) as executor:
        return trainer.train(report, enough, lambda units: ordered_results(executor, units))
