"""Gymnasium: its own checks pass, masks are right, rewards add up."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv

from pasch.core.chance import Generator, seed_key
from pasch.core.errors import ComponentError, OptionError, UnknownPlayer
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.fiese15.rules import COLOURS
from pasch.lab import gymnasium_env
from pasch.lab.gymnasium_env import PaschEnv, PaschVectorEnv
from pasch.lab.spaces import actions
from pasch.players.arena import play_game
from pasch.solve.valuer import valuer
from tests.lab.games import SOLO, Case, choices, name, random_game


def play(env: PaschEnv, seed: int, place: int = 0) -> list[float]:
    """Take the legal action at this place until the game is over; the rewards."""
    _, info = env.reset(seed=seed)
    rewards, over = [], False
    while not over:
        _, reward, over, _, info = env.step(np.int64(np.flatnonzero(info["action_mask"])[place]))
        rewards.append(float(reward))
    return rewards


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
    total, numbered = sum(play(env, 4)), actions(env.game)

    def first(view: State, generator: Generator) -> Event:
        return numbered.move(numbered.legal(view)[0], view.actor)

    match = play_game(env.game, [first, *(opponents or ("greedy",))], seed_key(4))
    assert env.episode.match.events == match.events
    assert total == match.state.scores()[0] - env.game.start().scores()[0]


@pytest.mark.parametrize("case", SOLO, ids=name)
def test_a_seed_and_choices_are_one_game_and_rewards_add_up_to_its_score(case: Case) -> None:
    match, (game, _, options) = random_game(case, 3), case
    check_env(gymnasium.make(f"pasch/{game}-v1", **options).unwrapped)
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
    _, reward, over, _, info = env.step(np.int64(0))
    assert over and reward == 0 and info["illegal"] == "the game is over"


def test_an_illegal_action_changes_nothing_and_several_in_a_row_truncate_the_episode() -> None:
    env = PaschEnv("fiese15", penalty=2.5, illegal_limit=3)
    seen, info = env.reset(seed=1)
    wrong, right = (np.int64(np.flatnonzero(info["action_mask"] == legal)[0]) for legal in (0, 1))
    after, reward, over, truncated, info = env.step(wrong)
    assert np.array_equal(seen, after) and not over and not truncated
    assert reward == env.episode.state.scores()[0] - 2.5 and info["illegal"]
    cuts = [env.step(action)[3] for action in (wrong, right)]
    assert cuts == [False] * 2, "a legal action between them resets the count"
    wrong = np.int64(np.flatnonzero(env.action_masks() == 0)[0])
    *_, cut, info = [env.step(wrong) for _ in range(3)][-1]
    assert cut and info["truncated"] == "3 illegal actions in a row" and info["illegal"]
    env.reset()
    assert not env.step(np.int64(-1))[3]


def test_it_can_be_looked_at() -> None:
    env = PaschEnv("joker2", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.episode.state) and "Round 1" in str(env.render())
    assert PaschEnv("joker2").render() is None
    drawn = PaschEnv("fiese15", render_mode="rgb_array")
    drawn.reset(seed=1)
    pictures = []
    for _ in range(20):
        pictures.append(drawn.render())
        drawn.step(np.int64(np.flatnonzero(drawn.action_masks())[0]))
    assert all(picture.dtype == np.uint8 and len(np.unique(picture)) > 5 for picture in pictures)
    assert len({picture.shape for picture in pictures}) == 1, "a video needs pictures of one size"
    with pytest.warns(UserWarning, match="render_mode='depth'"):
        unknown = gymnasium.make("pasch/joker2-v1", render_mode="depth")
    unknown.reset(seed=1)
    assert unknown.unwrapped.render() is None


def test_wins_are_rewarded_if_wanted() -> None:
    for seed in range(4):
        env = PaschEnv("joker2", opponents=("random", "random"), reward="win", rounds=1)
        rewards, winners = play(env, seed), env.episode.state.winners()
        assert rewards[-1] == ((3 - len(winners)) / len(winners) if 0 in winners else -1)
        assert not any(rewards[:-1])


def test_regrets_are_what_the_values_say() -> None:
    env = PaschEnv("joker2", rounds=1, regret=True)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        legal = info["action_mask"] > 0
        assert info["exact"] and np.array_equal(np.isfinite(info["regret"]), legal)
        moves = valuer(env.game).move_points(env.episode.state)
        assert info["regret"].min() == 0
        assert info["regret"][legal].max() == pytest.approx(max(moves) - min(moves))
        _, _, over, _, info = env.step(np.int64(np.flatnonzero(legal)[-1]))
    assert np.isinf(info["regret"]).all()


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


@pytest.mark.parametrize(
    ("game", "asked", "error", "problem"),
    [
        ("sixbysix", {"opponents": ()}, OptionError, "6mal6 is for 2 to 6 players, not for 1"),
        ("sixbysix", {"opponents": ("nobody",)}, UnknownPlayer, "nobody"),
        ("joker1", {"jokers": 3}, OptionError, "no option 'jokers'"),
        ("joker1", {"opponents": "greedy"}, OptionError, "a list of players"),
        ("joker1", {"illegal_limit": 0}, OptionError, "illegal_limit"),
        ("joker1", {"by_die": True}, OptionError, "die by die"),
        ("joker2", {"reward": "win"}, OptionError, "nobody to win against"),
        ("joker2", {"reward": "glory"}, OptionError, "points or win"),
        ("joker1", {"components": "nowhere.toml"}, ComponentError, "No such file"),
    ],
)
def test_what_cannot_be_played_is_refused(
    game: str, asked: dict[str, Any], error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        PaschEnv(game, **asked)


# --- environments side by side ---------------------------------------------------------------------------

SIDE_BY_SIDE: list[Case] = [
    ("crowns", 1, {}),
    ("crowns", 1, {"solo_minimum": 2, "split": True}),
    ("fiese15", 1, {"handicap": True, "gambler": True}),
    ("joker1", 1, {"rounds": 2}),
    ("joker2", 1, {"rounds": 2, "five_penalty": "pushed"}),
    ("lines", 1, {"plans": [3, 4, 1], "target": 5, "illegal_limit": 2}),
]


@pytest.mark.parametrize("case", SIDE_BY_SIDE, ids=name)
def test_side_by_side_they_are_the_same_as_one_by_one(case: Case) -> None:
    game, _, options = case
    many = PaschVectorEnv(game, 4, penalty=2.5, **options)
    single = SyncVectorEnv([lambda: PaschEnv(game, penalty=2.5, **options)] * 4)
    assert many.single_action_space == single.single_action_space
    assert many.observation_space == single.observation_space
    generator, number = np.random.default_rng(1), many.single_action_space.n  # type: ignore[attr-defined]
    seen, infos = many.reset(seed=5)
    expected, single_infos = single.reset(seed=5)
    ended = refused = 0
    for _ in range(300):
        assert np.array_equal(seen, expected) and seen.dtype == expected.dtype
        assert np.array_equal(infos["action_mask"], single_infos["action_mask"])
        assert np.array_equal(infos["action_mask"], many.action_masks())
        assert np.array_equal(infos["score"], single_infos["score"])
        # now and then an illegal one; after the end nothing is legal
        chosen = generator.integers(-1, number, 4)
        for row, mask in enumerate(infos["action_mask"]):
            if mask.any() and generator.random() < 0.9:
                chosen[row] = generator.choice(np.flatnonzero(mask))
        seen, rewards, over, cut, infos = many.step(chosen)
        expected, *results, single_infos = single.step(chosen)
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
        ("fiese15", {"by_die": True}, "by die"),
    ],
)
def test_what_cannot_be_compiled_is_played_one_by_one_and_said_once(
    game: str, asked: dict[str, Any], why: str
) -> None:
    gymnasium_env._say_once.cache_clear()
    with pytest.warns(UserWarning, match=f"one by one, not compiled: .*{why}"):
        envs = gymnasium.make_vec(f"pasch/{game}-v1", num_envs=2, **asked)
    envs.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = gymnasium.make_vec(f"pasch/{game}-v1", num_envs=2, **asked)
    assert isinstance(again, SyncVectorEnv) and again.reset(seed=1)[0].shape[0] == 2


def test_gymnasium_makes_vectors() -> None:
    envs = gymnasium.make_vec("pasch/joker1-v1", num_envs=2, rounds=1)
    own = envs.unwrapped
    assert isinstance(own, PaschVectorEnv) and own.num_envs == 2
    first, _ = own.reset(seed=[3, None])
    again, _ = own.reset(seed=3)
    assert np.array_equal(first[0], again[0])
    with pytest.raises(OptionError, match="1 seeds for 2 games"):
        own.reset(seed=[1])
