"""Games in batches: millions of them, compiled, with the players that need no Python.

    from pasch.lab.batch import batch

    games = batch(find_game("fiese15").agree(2), ["greedy", "random"])
    played = games.play(100_000, seed="1")
    played.scores.mean(axis=0)

Every game and variant, with the players `random`, `greedy`, `easy`, `medium`, `hard` and `perfect`. The
kernels look up tables made by asking the game's own rules, so that they play the games of the ordinary
engine: with the same numbers drawn, the same decisions and the same scores (a test compares them).
"""

from __future__ import annotations

from pasch.lab.batch.batches import Batch, NoBatch, Played, batch, batched_games, play_many, steps

__all__ = ["Batch", "NoBatch", "Played", "batch", "batched_games", "play_many", "steps"]
