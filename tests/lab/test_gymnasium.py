"""Gymnasium: its own checks pass, masks are right, rewards add up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from pasch.core.chance import Generator, seed_key
from pasch.core.errors import ComponentError, OptionError, UnknownPlayer
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.fiese15.rules import COLOURS
from pasch.lab.actions import actions
from pasch.lab.gymnasium_env import PaschEnv
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve.valuer import valuer
from tests.lab.games import SOLO, Case, choices, name, random_game


@pytest.mark.parametrize("case", SOLO, ids=name)
def test_gymnasiums_own_checks_pass(case: Case) -> None:
    game, _, options = case
    env = gymnasium.make(f"pasch/{game}-v1", **options)
    check_env(env.unwrapped)


@pytest.mark.parametrize(
    ("game", "opponents", "options"),
    [("sixbysix", None, {"round_limit": 2}), ("joker2", ("random", "greedy"), {"rounds": 2})],
)
def test_opponents_play_as_they_do_everywhere(
    game: str, opponents: tuple[str, ...] | None, options: dict[str, Any]
) -> None:
    """Against a player that takes the first legal action: the same game as in the arena."""
    check_env(gymnasium.make(f"pasch/{game}-v1", opponents=opponents, **options).unwrapped)
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
def test_a_seed_and_choices_are_one_game_and_rewards_add_up_to_its_score(case: Case) -> None:
    match, (game, _, options) = random_game(case, 3), case
    env = PaschEnv(game, **options)
    _, info = env.reset(seed=3)
    total = 0.0
    for action in choices(match):
        assert np.array_equal(info["action_mask"], env.action_masks())
        _, reward, over, truncated, info = env.step(np.int64(action))
        total += float(reward)
        assert not truncated and "illegal" not in info
    assert over and env.episode.match.record() == match.record()
    assert total == info["score"] == env.episode.state.scores()[0]
    assert not env.action_masks().any()


def test_an_illegal_action_changes_nothing_and_is_explained() -> None:
    env = PaschEnv("fiese15", penalty=2.5)
    seen, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, over, truncated, refused = env.step(np.int64(wrong))
    assert np.array_equal(seen, after) and not over and not truncated
    assert reward == env.episode.state.scores()[0] - 2.5
    assert refused["illegal"]


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
    assert env.render() == str(env.episode.state) and "Round 1" in str(env.render())
    assert PaschEnv("joker2").render() is None
    drawn = PaschEnv("fiese15", render_mode="rgb_array")
    shapes = set()
    for seed in range(3):
        drawn.reset(seed=seed)
        for _ in range(20):
            shapes.add(drawn.render().shape)
            drawn.step(np.int64(np.flatnonzero(drawn.action_masks())[0]))
        assert drawn.render().dtype == np.uint8 and len(np.unique(drawn.render())) > 5
    assert len(shapes) == 1, "a video needs pictures of one size"


def test_a_render_mode_that_we_do_not_have_is_only_warned_about() -> None:
    with pytest.warns(UserWarning, match="render_mode='depth'"):
        env = gymnasium.make("pasch/joker2-v1", render_mode="depth")
    env.reset(seed=1)
    assert env.unwrapped.render() is None


def test_gymnasium_makes_them_without_another_import() -> None:
    script = "import gymnasium; print(gymnasium.make('pasch.lab.gymnasium_env:pasch/lines-v1').reset(seed=1)[0].sum())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_illegal_actions_in_a_row_truncate_the_episode() -> None:
    env = PaschEnv("fiese15", illegal_limit=3)
    env.reset(seed=1)
    wrong = np.int64(np.flatnonzero(env.action_masks() == 0)[0])
    right = np.int64(np.flatnonzero(env.action_masks())[0])
    cuts = [env.step(action)[3] for action in (wrong, wrong, right)]
    assert cuts == [False] * 3, "a legal action between them begins the count anew"
    wrong = np.int64(np.flatnonzero(env.action_masks() == 0)[0])
    *_, cut, info = [env.step(wrong) for _ in range(3)][-1]
    assert cut and info["truncated"] == "3 illegal actions in a row" and info["illegal"]
    env.reset()
    assert not env.step(np.int64(-1))[3]
    usual = PaschEnv("fiese15")
    usual.reset(seed=1)
    assert [usual.step(np.int64(-1))[3] for _ in range(100)] == [*[False] * 99, True]


def test_wins_are_rewarded_if_wanted() -> None:
    for seed in range(4):
        env = PaschEnv("joker2", opponents=("random", "random"), reward="win", rounds=1)
        env.reset(seed=seed)
        rewards, over = [], False
        while not over:
            action = np.flatnonzero(env.action_masks())[0]
            _, reward, over, _, _ = env.step(np.int64(action))
            rewards.append(reward)
        winners = env.episode.state.winners()
        assert rewards[-1] == ((3 - len(winners)) / len(winners) if 0 in winners else -1)
        assert not any(rewards[:-1])
    with pytest.raises(OptionError, match="nobody to win against"):
        PaschEnv("joker2", reward="win")
    with pytest.raises(OptionError, match="points or win"):
        PaschEnv("joker2", reward="glory")  # type: ignore[arg-type]


def test_regrets_are_what_the_values_say() -> None:
    env = PaschEnv("joker2", rounds=1, regret=True)
    _, info = env.reset(seed=1)
    value = valuer(env.game).points(env.episode.state)[0]
    total, given, over = 0.0, 0.0, False
    while not over:
        legal = info["action_mask"] > 0
        assert info["exact"] and np.array_equal(np.isfinite(info["regret"]), legal)
        assert info["regret"].min() == 0
        action = int(np.flatnonzero(legal)[-1])
        moves = valuer(env.game).move_points(env.episode.state)
        assert info["regret"][legal].max() == pytest.approx(max(moves) - min(moves))
        given += info["regret"][action]
        _, reward, over, _, info = env.step(np.int64(action))
        total += float(reward)
    assert np.isinf(info["regret"]).all()
    assert value and given >= 0


def test_a_set_of_dice_is_chosen_die_by_die() -> None:
    env = gymnasium.make("pasch/fiese15-v1", by_die=True, regret=True)
    check_env(env.unwrapped)
    one, flat = PaschEnv("fiese15", by_die=True, regret=True), PaschEnv("fiese15", regret=True)
    assert one.action_space == gymnasium.spaces.Discrete(9)
    generator = np.random.default_rng(1)
    _, info = one.reset(seed=4)
    _, flat_info = flat.reset(seed=4)
    over = False
    while not over:
        wanted = int(generator.choice(np.flatnonzero(flat_info["action_mask"])))
        move = actions(flat.game).move(wanted, 0)
        dice = [COLOURS.index(name) for name in getattr(move, "keep", ())]
        # each die leads on to the best set that contains it
        for place, die in enumerate(dice):
            assert info["action_mask"][die] and not info["action_mask"][dice[:place]].any()
            assert info["regret"][die] <= flat_info["regret"][wanted] + 1e-12
            seen, reward, _, _, info = one.step(np.int64(die))
            assert reward in (0.0, info["score"]) and seen[-6:].sum() == place + 1
        last = 6 if dice else 7 + wanted - 64
        assert info["regret"][last] == flat_info["regret"][wanted]
        expected, *_, flat_info = flat.step(np.int64(wanted))
        seen, _, over, _, info = one.step(np.int64(last))
        assert np.array_equal(seen[:-6], expected) and not seen[-6:].any()
    assert one.episode.match.events == flat.episode.match.events
    with pytest.raises(OptionError, match="die by die"):
        PaschEnv("joker1", by_die=True)


def test_what_cannot_be_played_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="6mal6 is for 2 to 6 players, not for 1"):
        PaschEnv("sixbysix", opponents=())
    with pytest.raises(UnknownPlayer):
        PaschEnv("sixbysix", opponents=("nobody",))
    with pytest.raises(OptionError, match="no option 'jokers'"):
        PaschEnv("joker1", jokers=3)
    with pytest.raises(OptionError, match="a list of players"):
        PaschEnv("joker1", opponents="greedy")
    with pytest.raises(OptionError, match="illegal_limit"):
        PaschEnv("joker1", illegal_limit=0)
    with pytest.raises(ComponentError, match="No such file"):
        PaschEnv("joker1", components=tmp_path / "box.toml")
