"""Masked PPO (sb3-contrib) in a game alone, compared with the optimum.

    pip install "pasch[gymnasium]" sb3-contrib
    python examples/learn_ppo.py [game] [steps]

Observations are scaled to 0 … 1 by their bounds, rewards by a tenth; in Fiese 15 dice are set aside die by die.
"""

import sys
import time
from typing import Any

import gymnasium
import numpy as np
from gymnasium.wrappers import RescaleObservation, TransformReward
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import pasch
import pasch.lab.gymnasium_env

GAMES = 1000


def scaled(env: gymnasium.Env[Any, Any]) -> gymnasium.Env[Any, Any]:
    """An environment with rewards and observations scaled for PPO."""
    space: Any = env.observation_space
    env = RescaleObservation(env, np.zeros_like(space.low), np.ones_like(space.high))
    return TransformReward(env, lambda reward: float(reward) / 10)


def main(game: str, steps: int) -> None:
    asked = {"by_die": True} if game == "fiese15" else {}
    envs = make_vec_env(f"pasch/{game}-v1", 16, seed=1, wrapper_class=scaled, env_kwargs=asked)
    model = MaskablePPO(
        "MlpPolicy", envs, n_steps=512, batch_size=1024, gamma=1.0, gae_lambda=0.95, ent_coef=0.01,
        learning_rate=lambda left: 1e-3 * left, policy_kwargs={"net_arch": [128, 128]}, seed=1, device="cpu",
    )  # fmt: skip
    begun = time.perf_counter()
    model.learn(steps)
    print(f"{steps:,} steps of {game} in {time.perf_counter() - begun:.0f} s")
    env, scores = scaled(gymnasium.make(f"pasch/{game}-v1", **asked)), []
    for number in range(GAMES):
        seen, info = env.reset(seed=10_000 + number)
        over = False
        while not over:
            action, _ = model.predict(seen, action_masks=info["action_mask"], deterministic=True)
            seen, _, over, _, info = env.step(action)
        scores.append(info["score"])
    value = pasch.value(pasch.find_game(game).agree(1).start()).value
    assert value is not None
    mean, error = np.mean(scores), np.std(scores) / len(scores) ** 0.5
    print(
        f"mean score {mean:.1f} ± {2 * error:.1f} in {GAMES} games, optimum {value[0]:.2f}: {mean / value[0]:.1%}"
    )


if __name__ == "__main__":
    main(
        sys.argv[1] if len(sys.argv) > 1 else "fiese15",
        int(sys.argv[2]) if len(sys.argv) > 2 else 300_000,
    )
