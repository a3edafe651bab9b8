"""Crowns: how fast its values are, and how well they play in a bounded number of games."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from bench.clock import per_cpu_second
from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.state import CHANCE
from pasch.games.crowns.rules import Crowns, CrownsOptions
from pasch.games.crowns.values import Values, weights
from pasch.games.crowns.values.model import unpack
from pasch.games.crowns.values.training import draw_games, quick_games, scores_ahead

QUICK_GAMES = 20_000
AHEAD_GAMES = 200


def main() -> None:
    """Print decisions per second and averages."""
    print("Crowns: all moves of a position valued one roll ahead (positions per CPU-second)")
    for game in (Crowns(1), Crowns(1, CrownsOptions(solo_minimum=2)), Crowns(2), Crowns(6)):
        alone = f", minimum {game.options.solo_minimum}" if game.players == 1 else ""
        label = f"{game.players} players{alone}"
        print(f"{label:<40}{_valued(game):>12,.0f}", flush=True)
    print("\nCrowns alone (average, standard error, games per CPU-second; ahead: luck taken out)")
    _average(Crowns(1))
    _average(Crowns(1, CrownsOptions(solo_minimum=2)))


def _average(game: Crowns) -> None:
    model = unpack(game, weights(game))
    label = f"minimum {game.options.solo_minimum}"
    _print(
        f"{label}, learned value",
        QUICK_GAMES,
        lambda n: quick_games(game, model, draw_games(game, n, 1)).scores[:, 0],
    )
    _print(f"{label}, one roll ahead", AHEAD_GAMES, lambda n: scores_ahead(game, model, n, 1).steady)


def _print(label: str, games: int, play: Callable[[int], NDArray[Any]]) -> None:
    play(1)
    begun = time.process_time()
    scores = play(games)
    speed = games / (time.process_time() - begun)
    error = scores.std() / games**0.5
    print(f"{label:<40}{scores.mean():>12.2f}{error:>12.3f}{speed:>12,.0f}", flush=True)


def _valued(game: Crowns) -> float:
    values, generator = Values(game), KeyedGenerator(seed_key("bench"))
    state = game.start()
    rolled = state.apply(state.chance().sample(generator))
    values.move_points(rolled)  # what has to be compiled and opened the first time

    def work() -> int:
        nonlocal state
        if state.over:
            state = game.start()
        if state.actor == CHANCE:
            state = state.apply(state.chance().sample(generator))
            return 0
        points = values.move_points(state)
        state = state.apply(state.moves()[points.index(max(points))])
        return 1

    return per_cpu_second(work, seconds=1.0, runs=1)


if __name__ == "__main__":
    main()
