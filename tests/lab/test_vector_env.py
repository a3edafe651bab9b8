"""Environments side by side: the same as single ones, game by game."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv

from pasch.core.errors import OptionError, UnknownGame
from pasch.lab import vector_env
from pasch.lab.batch import NoBatch
from pasch.lab.gymnasium_env import PaschEnv
from pasch.lab.vector_env import PaschVectorEnv
from tests.lab.games import Case, name

CASES: list[Case] = [
    ("crowns", 1, {}),
    ("crowns", 1, {"solo_minimum": 2, "split": True}),
    ("fiese15", 1, {}),
    ("fiese15", 1, {"handicap": True, "gambler": True}),
    ("joker1", 1, {"rounds": 2}),
    ("joker2", 1, {"rounds": 1}),
    ("joker2", 1, {"rounds": 2, "five_penalty": "pushed"}),
    ("lines", 1, {"target": 3}),
    ("lines", 1, {"plans": [3, 4, 1], "target": 5}),
    ("fiese15", 1, {"by_die": True, "illegal_limit": 2}),
]


@pytest.mark.parametrize("case", CASES, ids=name)
def test_side_by_side_they_are_the_same_as_one_by_one(case: Case) -> None:
    game, _, options = case
    many = PaschVectorEnv(game, 4, penalty=2.5, **options)
    single = SyncVectorEnv([lambda: PaschEnv(game, penalty=2.5, **options)] * 4)
    assert many.single_action_space == single.single_action_space
    assert many.observation_space == single.observation_space
    generator, actions = np.random.default_rng(1), many.single_action_space.n  # type: ignore[attr-defined]
    seen, infos = many.reset(seed=5)
    expected, info = single.reset(seed=5)
    ended = refused = 0
    for _ in range(300):
        assert np.array_equal(seen, expected) and seen.dtype == expected.dtype
        assert np.array_equal(infos["action_mask"], info["action_mask"])
        assert np.array_equal(infos["action_mask"], many.action_masks())
        assert np.array_equal(infos["score"], info["score"])
        # now and then an illegal one; after the end nothing is legal
        chosen = generator.integers(-1, actions, 4)
        for row, mask in enumerate(infos["action_mask"]):
            if mask.any() and generator.random() < 0.9:
                chosen[row] = generator.choice(np.flatnonzero(mask))
        seen, rewards, over, cut, infos = many.step(chosen)
        expected, *results, info = single.step(chosen)
        for found, wanted in zip((rewards, over, cut), results, strict=True):
            assert np.array_equal(found, wanted)
        ended += (over | cut).sum()
        refused += infos["illegal"].sum()
    assert ended and refused


@pytest.mark.parametrize(
    ("game", "asked", "why"),
    [
        ("sixbysix", {"round_limit": 1}, "opponents"),
        ("joker2", {"opponents": ("greedy",)}, "opponents"),
        ("joker2", {"render_mode": "rgb_array"}, "drawn"),
        ("joker2", {"regret": True}, "regrets"),
    ],
)
def test_what_cannot_be_compiled_is_played_one_by_one_and_said_once(
    game: str, asked: dict[str, Any], why: str
) -> None:
    vector_env._say_once.cache_clear()
    with pytest.warns(UserWarning, match=f"one by one, not compiled: .*{why}"):
        envs = gymnasium.make_vec(f"pasch/{game}-v1", num_envs=2, **asked)
    envs.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = gymnasium.make_vec(f"pasch/{game}-v1", num_envs=2, **asked)
    assert isinstance(again, SyncVectorEnv) and again.reset(seed=1)[0].shape[0] == 2


def test_gymnasium_makes_them() -> None:
    envs = gymnasium.make_vec("pasch/joker1-v1", num_envs=2, rounds=1)
    own = envs.unwrapped
    assert isinstance(own, PaschVectorEnv) and own.num_envs == 2
    first, _ = own.reset(seed=[3, None])
    again, _ = own.reset(seed=3)
    assert np.array_equal(first[0], again[0])


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(NoBatch, match="opponents"):
        PaschVectorEnv("sixbysix", 2)
    with pytest.raises(NoBatch, match="drawn"):
        PaschVectorEnv("joker1", 2, render_mode="ansi")
    with pytest.raises(UnknownGame):
        PaschVectorEnv("nonsense", 2)
    with pytest.raises(OptionError, match="nobody to win against"):
        PaschVectorEnv("joker1", 2, reward="win")
    with pytest.raises(OptionError, match="seeds"):
        PaschVectorEnv("joker1", 2).reset(seed=[1])
