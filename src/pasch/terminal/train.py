"""Learning the values of Crowns, with a bar; it can be stopped and resumed."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

from pasch.core.errors import PaschError
from pasch.core.registry import find_game
from pasch.games.crowns import Crowns
from pasch.lab.work import hire, results
from pasch.solve.crowns import NAME, weights
from pasch.solve.crowns_model import model_key
from pasch.solve.crowns_training import MEASURED, Plan, begin, finished, plan_of, play_part, quality, train
from pasch.solve.tables import table_path, write_table
from pasch.terminal.progress import watched
from pasch.terminal.screen import console

#: a race needs two; more make no difference to what is learned
RACERS = 2


class NothingToLearn(PaschError):
    """Only the values of Crowns are learned."""


def train_game(
    game: str,
    minimum: int,
    race: bool,
    split: bool,
    components: Path | None,
    minutes: float | None,
    resume: bool,
    workers: int = 1,
    ray: str | None = None,
) -> None:
    """Learn, and use what was learned if it plays better than what was used before."""
    found = find_game(game)
    if not issubclass(found, Crowns):
        raise NothingToLearn("the values of {title} are computed, not learned", title=found.title)
    options = {"solo_minimum": minimum, "split": split}
    agreed = Crowns.agree(RACERS if race else 1, options, components=components)
    learn(agreed, plan_of(agreed), minutes, resume, workers=workers, ray=ray)


def learn(
    game: Crowns,
    plan: Plan,
    minutes: float | None,
    resume: bool,
    measured: int = MEASURED,
    *,
    workers: int = 1,
    ray: str | None = None,
) -> None:
    """Learn by a plan for so many minutes at most, and say what came of it.

    What is learned is the same with any number of workers, and on a Ray cluster.
    """
    key = {**model_key(game), "hidden": list(plan.hidden), "games": plan.games}
    checkpoint = table_path(f"{NAME}-training", key)
    screen = console(wide=True)
    if not resume:
        checkpoint.unlink(missing_ok=True)
    progress = begin(game, plan, checkpoint)
    stop_at = None if minutes is None else time.monotonic() + 60 * minutes
    try:
        with watched(game.title) as report, closing(hire(play_part, workers=workers, ray=ray)) as crew:
            done = train(
                game,
                plan,
                progress,
                report,
                checkpoint,
                lambda: stop_at is not None and time.monotonic() >= stop_at,
                lambda _, parts: results(crew, parts),
            )
    except KeyboardInterrupt:
        done = False
    if not done:
        share = progress.games / plan.games
        screen.print(f"{progress.games:,} of {plan.games:,} games ({share:.0%}) are learned and kept.")
        screen.print("Go on with the same command and --resume.")
        return
    new = finished(game, progress.model, max(1, measured // 100))
    average, error = quality(game, new, measured)
    before, _ = quality(game, weights(game), measured)
    screen.print(f"What was learned averages {average:.2f} points (standard error {error:.2f}).")
    if average > before:
        path = table_path(NAME, model_key(game))
        write_table(path, new)
        screen.print(
            f"That is better than {before:.2f} before, so it is used from now on: {path}", soft_wrap=True
        )
    else:
        screen.print(f"What was used before averages {before:.2f}; it stays in use.")
    checkpoint.unlink(missing_ok=True)
