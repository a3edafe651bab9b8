"""Learn Würfel Joker 1 alone from experience, with a table, and say how far from the optimum it ends.

    python examples/learn_tabular.py [seconds]

Q-learning with the legal actions of `infos["action_mask"]`, in a thousand compiled environments side by side. What it
uses of the game: points of a round do not depend on other rounds. So the table leaves the parts `round` and `totals` of
the observation out, and expects nothing beyond the end of a round. It receives no values: the optimum is computed
at the end, to compare.
"""

import sys
import time
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import pasch
import pasch.lab.gymnasium_env

ENVS, GAMES = 1024, 20_000


class Learner:
    """A table of the expected return of each action until the end of the round, by observation."""

    def __init__(self, game: pasch.Game[Any, Any]) -> None:
        names = np.array([part.name for part in pasch.layout(game) for _ in range(part.size)])
        self.kept, self.round = np.flatnonzero(~np.isin(names, ["round", "totals"])), names == "round"
        self.rows: dict[bytes, int] = {}
        self.worth = np.zeros((1 << 13, len(pasch.actions(game))))
        self.visits = np.zeros_like(self.worth)

    def places(self, seen: NDArray[Any]) -> NDArray[np.int64]:
        """The rows of the table for observations."""
        written = np.ascontiguousarray(seen[:, self.kept].astype(np.int8))
        return np.array([self.rows.setdefault(row.tobytes(), len(self.rows)) for row in written])

    def values(self, seen: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.float64]:
        """The expected return of each legal action."""
        return np.where(masks > 0, self.worth[self.places(seen)], -np.inf)

    def learn(self, before: NDArray[Any], chosen: NDArray[Any], rewards: NDArray[Any], after: NDArray[Any],
              masks: NDArray[Any]) -> None:  # fmt: skip
        """Learn from steps; after the end of a round there is no further return."""
        more = self.values(after, masks).max(axis=1)
        ended = (after[:, self.round] != before[:, self.round])[:, 0] | ~np.isfinite(more)
        target = rewards + np.where(ended, 0.0, np.where(np.isfinite(more), more, 0.0))
        here = self.places(before)
        np.add.at(self.visits, (here, chosen), 1)
        rate = np.maximum(1e-3, self.visits[here, chosen] ** -0.7)
        np.add.at(self.worth, (here, chosen), rate * (target - self.worth[here, chosen]))


def play(learner: Learner, envs: Any, seconds: float | None, seed: int) -> list[float]:
    """The scores of games: played for some seconds while learning, or `GAMES` of them without exploring."""
    generator, scores, begun = np.random.default_rng(seed), list[float](), time.perf_counter()
    seen, infos = envs.reset(seed=seed)
    while len(scores) < GAMES if seconds is None else time.perf_counter() - begun < seconds:
        masks = infos["action_mask"]
        chosen = learner.values(seen, masks).argmax(axis=1)
        if seconds is not None:
            share = 0.2 * (1 - (time.perf_counter() - begun) / seconds)
            tries = generator.random(ENVS) < share
            chosen = np.where(tries, (generator.random(masks.shape) * masks).argmax(axis=1), chosen)
        after, rewards, over, _, infos = envs.step(chosen)
        if seconds is not None:
            moved = masks.any(axis=1)  # the others have just begun a new game
            learner.learn(
                seen[moved], chosen[moved], rewards[moved], after[moved], infos["action_mask"][moved]
            )
        scores += infos["score"][over].tolist()
        seen = after
    return scores


def main(seconds: float) -> None:
    envs = gymnasium.make_vec("pasch/joker1-v1", num_envs=ENVS)
    game = pasch.find_game("joker1").agree(1)
    learner = Learner(game)
    games = len(play(learner, envs, seconds, seed=1))
    print(f"learned from {games:,} games in {seconds:.0f} s; {len(learner.rows):,} positions in the table")
    scores = np.array(play(learner, envs, None, seed=2))
    value = pasch.value(game.start()).value
    assert value is not None
    mean, error = scores.mean(), scores.std() / len(scores) ** 0.5
    print(f"mean score {mean:.1f} ± {2 * error:.1f}, optimum {value[0]:.2f}: {mean / value[0]:.1%} of it")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 300)
