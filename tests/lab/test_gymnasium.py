"""Gymnasium: its own checks pass, masks are right, rewards add up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from pasch.core.chance import Generator, seed_key
from pasch.core.errors import ComponentError, OptionError, UnknownPlayer
from pasch.core.events import Event
from pasch.core.registry import game_ids
from pasch.core.state import State
from pasch.lab.actions import actions
from pasch.lab.gymnasium_env import PaschEnv, register_envs, solo_games
from pasch.players.arena import play_game
from pasch.players.base import player
from tests.lab.games import SOLO, Case, name


@pytest.mark.parametrize("case", SOLO, ids=name)
def test_gymnasiums_own_checks_pass(case: Case) -> None:
    game, _, options = case
    env = gymnasium.make(f"pasch/{game}-v0", **options)
    check_env(env.unwrapped)


def test_every_game_is_registered() -> None:
    assert solo_games() == ("crowns", "fiese15", "joker1", "joker2", "lines")
    register_envs()
    for game in game_ids():
        assert gymnasium.spec(f"pasch/{game}-v0").kwargs == {"game": game}


@pytest.mark.parametrize(
    ("game", "opponents", "options"),
    [("sixbysix", None, {"round_limit": 2}), ("joker2", ("random", "greedy"), {"rounds": 2})],
)
def test_opponents_play_as_they_do_everywhere(
    game: str, opponents: tuple[str, ...] | None, options: dict[str, Any]
) -> None:
    """Against a player that takes the first legal action: the same game as in the arena."""
    check_env(gymnasium.make(f"pasch/{game}-v0", opponents=opponents, **options).unwrapped)
    env = PaschEnv(game, opponents=opponents, **options)
    _, info = env.reset(seed=4)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, info = env.step(np.int64(np.flatnonzero(info["action_mask"])[0]))
        total += float(reward)
    numbered = actions(env.game)

    class First:
        def choose(self, view: State, generator: Generator) -> Event:
            return numbered.move(numbered.legal(view)[0], view.actor)

    others = [player(name) for name in opponents or ("greedy",)]
    match = play_game(env.game, [First(), *others], seed_key(4))
    assert env.episode.match.events == match.events
    assert total == match.state.scores()[0] - env.game.start().scores()[0]


@pytest.mark.parametrize("case", SOLO, ids=name)
def test_rewards_add_up_to_the_score(case: Case) -> None:
    game, _, options = case
    env = PaschEnv(game, **options)
    _, info = env.reset(seed=3)
    env.action_space.seed(3)
    total, over = 0.0, False
    while not over:
        assert np.array_equal(info["action_mask"], env.action_masks())
        action = env.action_space.sample(mask=info["action_mask"])
        _, reward, over, truncated, info = env.step(action)
        total += float(reward)
        assert not truncated and "illegal" not in info
    assert total == info["score"] == env.episode.state.scores()[0]
    assert not env.action_masks().any()


def test_an_illegal_action_changes_nothing_and_is_explained() -> None:
    env = PaschEnv("fiese15", penalty=2.5)
    seen, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, over, truncated, told = env.step(np.int64(wrong))
    assert np.array_equal(seen, after) and not over and not truncated
    assert reward == env.episode.state.scores()[0] - 2.5
    assert told["illegal"]


def test_after_the_end_nothing_is_legal() -> None:
    env = PaschEnv("joker2", rounds=1)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, info = env.step(np.int64(np.flatnonzero(info["action_mask"])[-1]))
    _, reward, over, _, info = env.step(np.int64(0))
    assert over and reward == 0 and info["illegal"] == "the game is over"


def test_a_seed_decides_this_game_and_the_next_ones() -> None:
    one, two = PaschEnv("crowns"), PaschEnv("crowns")
    for seed in (5, None, None):
        seen, _ = one.reset(seed=seed)
        again, _ = two.reset(seed=seed)
        assert np.array_equal(seen, again)
    assert one.episode.match.events == two.episode.match.events


def test_it_can_be_looked_at() -> None:
    env = PaschEnv("joker2", render_mode="ansi")
    env.reset(seed=1)
    assert "slides: 0" in str(env.render())
    assert PaschEnv("joker2").render() is None


def test_what_cannot_be_played_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="6mal6 is for 2 to 6 players, not for 1"):
        PaschEnv("sixbysix", opponents=())
    with pytest.raises(UnknownPlayer):
        PaschEnv("sixbysix", opponents=("nobody",))
    with pytest.raises(OptionError, match="no option 'jokers'"):
        PaschEnv("joker1", jokers=3)
    with pytest.raises(OptionError, match="render_mode"):
        PaschEnv("joker1", render_mode="human")
    with pytest.raises(ComponentError, match="No such file"):
        PaschEnv("joker1", components=tmp_path / "box.toml")
