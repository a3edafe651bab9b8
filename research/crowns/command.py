"""`python -m research crowns`: solve Crowns alone with its edge relaxed, and fit the weights that ship with Pasch."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Literal

import click
import numpy as np

from pasch.games.crowns.rules import Crowns, CrownsOptions
from pasch.games.crowns.values import model, weights
from pasch.games.crowns.values.model import Arrays, Model, shipped_name, unpack
from pasch.games.crowns.values.training import RACE, draw_games, finished, quick_games, scores_ahead, train
from pasch.solve.valuer import Progress
from pasch.terminal.screen import watched
from research.crowns.fit import Boards, boards_of, fit, misses
from research.crowns.solved import solved, solved_path


def print_misses(game: Crowns, fitted: Model, boards: Boards) -> None:
    """Print the errors of a model: over all boards, and where they are largest."""
    found = misses(game, fitted, boards)
    worst = max(found, key=lambda name: abs(found[name].bias))
    widest = max(found, key=lambda name: found[name].rms)
    click.echo(f"all boards: bias {found['all'].bias:+.3f}, rms {found['all'].rms:.3f}")
    click.echo(
        f"largest bias {found[worst].bias:+.3f} ({worst}), largest rms {found[widest].rms:.3f} ({widest})"
    )


def alone(game: Crowns, games: int, report: Progress) -> Arrays:
    """Weights fitted to a solved game, and how good they are."""
    table = solved(game, report)
    before = unpack(game, weights(game))
    others = boards_of(game, table, 2_000, 7)
    print_misses(game, before, others)
    packed = finished(game, fit(game, table, games, report))
    after = unpack(game, packed)
    print_misses(game, after, others)
    quick = quick_games(game, after, draw_games(game, 20_000, 9)).scores
    click.echo(f"quickly: {quick.mean():.3f} ± {quick.std() / len(quick) ** 0.5:.3f}")
    steady = scores_ahead(game, after, 500, 10).steady
    click.echo(f"one roll ahead: {steady.mean():.3f} ± {steady.std() / len(steady) ** 0.5:.3f}")
    return packed


def written(arrays: Arrays) -> bytes:
    """A file of weights as it ships with the package; neighbouring paces, much alike, lie side by side."""
    small = {
        name: array.astype(np.float16) if name in ("net", "spread") else array
        for name, array in arrays.items()
    }
    file, turned = io.BytesIO(), {name: np.asfortranarray(array) for name, array in small.items()}
    np.savez_compressed(file, allow_pickle=False, **turned)
    return file.getvalue()


def bound(game: Crowns, report: Progress) -> None:
    """Solve a game and print the upper bound of the average, and how well the solved values play."""
    most, play, error = solved(game, report)["figures"].tolist()
    click.echo(
        f"Crowns alone, minimum {game.config.minimum}: nobody averages more than {most:.3f}; "
        f"the solved values, one roll ahead, average {play:.3f} ± {error:.3f}"
    )
    click.echo(f"The table: {solved_path(game)}")


@click.command(short_help="Solve Crowns alone with its edge relaxed; fit the weights that ship.")
@click.option("--minimum", type=click.Choice(["1", "2"]), default="1", help="The option solo_minimum.")
@click.option("--split", is_flag=True, help="The option split.")
@click.option("--fit", "fitted", is_flag=True, help="Fit the shipped weights to the solved table.")
@click.option("--games", type=click.IntRange(min=1), default=40_000, show_default=True, help="For --fit.")
@click.option("--race", "for_races", is_flag=True, help="Learn the shipped weights of races instead.")
@click.option("--dry", is_flag=True, help="With --fit or --race: write no weights.")
def crowns(
    minimum: Literal["1", "2"], split: bool, fitted: bool, games: int, for_races: bool, dry: bool
) -> None:
    """Solve Crowns alone with its edge relaxed: print an upper bound of the average, and how well its values play.

    The table takes minutes and 420 MiB in the cache folder (1.1 GiB with --minimum 2). With --fit the weights that ship
    with Pasch are fitted to it: how far they are off before and after, on other boards than those fitted to, on average
    (bias) and by root mean square, by kind of play and stage; then how well they play, quickly and one roll ahead.
    """
    options = CrownsOptions(solo_minimum=1 if minimum == "1" else 2, split=split)
    game = Crowns(2) if for_races else Crowns(1, options)
    with watched(game.title) as report:
        if not fitted and not for_races:
            bound(game, report)
            return
        packed = finished(game, train(game, RACE, report)) if for_races else alone(game, games, report)
    if not dry:
        path = Path(model.__file__).with_name(shipped_name(game))
        path.write_bytes(written(packed))
        click.echo(f"Written: {path} ({path.stat().st_size} bytes)")
