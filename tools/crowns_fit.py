"""`python -m tools.crowns_fit [--minimum N] [--split] [--games N] [--dry] [--race]`: fit the shipped weights.

They are fitted to the table that `pasch solve crowns` makes, which has to be there. Prints how far the weights are
off before and after, on other boards than those fitted to: on average (bias) and by root mean square, by kind of
play and stage; then how well they play, quickly and one roll ahead. With `--race` those of races are learned instead.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Literal

from pasch.games.crowns.research.fit import Boards, boards_of, fit, misses
from pasch.games.crowns.research.play import quick_scores, scores_ahead
from pasch.games.crowns.research.training import RACE, begin, finished, train
from pasch.games.crowns.rules import Crowns, CrownsOptions
from pasch.games.crowns.values import Values, model, weights
from pasch.games.crowns.values.model import Arrays, Model, shipped_name, unpack, written


def told(game: Crowns, fitted: Model, boards: Boards) -> None:
    """Print how far a model is off: of all boards, and where it is worst."""
    found = misses(game, fitted, boards)
    worst = max(found, key=lambda name: abs(found[name].bias))
    widest = max(found, key=lambda name: found[name].rms)
    print(f"all boards: bias {found['all'].bias:+.3f}, rms {found['all'].rms:.3f}")
    print(
        f"largest bias {found[worst].bias:+.3f} ({worst}), largest rms {found[widest].rms:.3f} ({widest})"
    )


def show(done: float, _: str) -> None:
    """Print how much is done."""
    print(f"{done:.0%}", end="\r", flush=True)


def alone(minimum: Literal[1, 2], split: bool, games: int) -> tuple[Crowns, Arrays]:
    """Weights fitted to a solved game, and how good they are."""
    game = Crowns(1, CrownsOptions(solo_minimum=minimum, split=split))
    solved = Values(game).solved
    if solved is None:
        options = f"-o solo_minimum={minimum}{' -o split=true' if split else ''}"
        raise SystemExit(f"first make the solved table: pasch solve crowns -p 1 {options}")
    before = unpack(game, weights(game))
    assert isinstance(before, Model)
    others = boards_of(game, solved, 2_000, 7)
    told(game, before, others)
    packed = finished(game, fit(game, solved, games, show))
    after = unpack(game, packed)
    assert isinstance(after, Model)
    told(game, after, others)
    quick = quick_scores(game, after, 20_000, 9)
    print(f"quickly: {quick.mean():.3f} ± {quick.std() / len(quick) ** 0.5:.3f}")
    _, steady, _ = scores_ahead(game, after, 500, 10)
    print(f"one roll ahead: {steady.mean():.3f} ± {steady.std() / len(steady) ** 0.5:.3f}")
    return game, packed


def race() -> tuple[Crowns, Arrays]:
    """Weights of races, learned from self-play."""
    game = Crowns(2)
    learner = begin(game)
    train(game, RACE, learner, show)
    return game, finished(game, learner)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minimum", type=int, default=1, choices=(1, 2))
    parser.add_argument("--split", action="store_true")
    parser.add_argument("--games", type=int, default=40_000)
    parser.add_argument("--dry", action="store_true", help="write nothing")
    parser.add_argument("--race", action="store_true")
    args = parser.parse_args()
    game, packed = race() if args.race else alone(args.minimum, args.split, args.games)
    if not args.dry:
        path = Path(model.__file__).with_name(shipped_name(game))
        path.write_bytes(written(game, packed))
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
