"""Random games through the ordinary state interface, one thread, beside other engines in Python."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from bench.clock import per_cpu_second
from bench.peers import peers
from pasch import CHANCE, OVER, find_game
from pasch.core.game import Game

#: game, options, the decisions per CPU-second that we mean to reach
OURS: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("fiese15", {}, 50_000),
    ("joker1", {}, 50_000),
    ("joker2", {}, 50_000),
    ("lines", {"plans": [1]}, 50_000),
    ("lines", {"plans": [4]}, 0),
    ("crowns", {}, 10_000),
    ("sixbysix", {}, 0),
)


def random_game(game: Game[Any, Any], generator: Random, most: int = 20_000) -> int:
    """Play uniformly random moves and count the decisions."""
    state, decisions = game.start(), 0
    while state.actor != OVER and decisions < most:
        if state.actor == CHANCE:
            state = state.apply(state.chance().sample(generator))
        else:
            moves = state.moves()
            state = state.apply(moves[generator.randrange(len(moves))])
            decisions += 1
    return decisions


def main() -> None:
    print("Random two-player games, decisions per CPU-second, one thread, through Python")
    print(f"{'engine':<12}{'game':<32}{'decisions/s':>12}{'target':>10}")
    for name, options, target in OURS:
        game, generator = find_game(name).agree(2, options), Random(1)
        speed = per_cpu_second(partial(random_game, game, generator))
        label = name + "".join(f" {key}={value}" for key, value in options.items())
        print(f"{'Pasch':<12}{label:<32}{speed:>12,.0f}{target or '':>10}")
    for engine, label, work in peers():
        speed = per_cpu_second(work) if not label.startswith("not installed") else 0
        print(f"{engine:<12}{label:<32}{speed:>12,.0f}")
