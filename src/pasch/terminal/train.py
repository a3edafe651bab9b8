"""Learning the values of a game, with a progress bar; it can be stopped and resumed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pasch.core.registry import find_game
from pasch.research.training import Trainer, make_trainer, train
from pasch.terminal.progress import watched
from pasch.terminal.screen import console


def train_game(
    game: str,
    players: int | None,
    options: Mapping[str, Any],
    components: Path | None,
    minutes: float | None,
    resume: bool,
    workers: int = 1,
    ray: str | None = None,
) -> None:
    """Learn the values of a game as agreed; without `players`, for as few as can play it."""
    kind = find_game(game)
    agreed = kind.agree(players or kind.seats[0], options, components=components)
    learn(make_trainer(agreed), agreed.title, minutes, resume, workers=workers, ray=ray)


def learn(
    trainer: Trainer,
    title: str,
    minutes: float | None,
    resume: bool,
    *,
    workers: int = 1,
    ray: str | None = None,
) -> None:
    """Train for at most `minutes`; use what was learned if it is better than what was used before."""
    screen = console(wide=True)
    if not resume:
        trainer.restart()
    stop_at = None if minutes is None else time.monotonic() + 60 * minutes
    try:
        with watched(title) as report:
            done = train(
                trainer,
                lambda: stop_at is not None and time.monotonic() >= stop_at,
                report,
                workers=workers,
                ray=ray,
            )
    except KeyboardInterrupt:
        done = False
    if not done:
        share = trainer.done / trainer.total
        screen.print(f"{trainer.done:,} of {trainer.total:,} games ({share:.0%}) are learned and kept.")
        screen.print("Go on with the same command and --resume.")
        return
    average, error = trainer.quality()
    before = trainer.quality_before()
    screen.print(f"What was learned averages {average:.2f} points (standard error {error:.2f}).")
    if average > before:
        path = trainer.install()
        screen.print(
            f"That is better than {before:.2f} before, so it is used from now on: {path}", soft_wrap=True
        )
    else:
        screen.print(f"What was used before averages {before:.2f}; it stays in use.")
    trainer.finish()
