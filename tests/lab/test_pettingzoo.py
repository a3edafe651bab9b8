"""PettingZoo: its own tests pass for every game and several numbers of players."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from pasch.core.errors import IllegalMove
from pasch.lab.episode import win_rewards
from pasch.lab.pettingzoo_env import env, raw_env
from tests.lab.games import CASES, Case, choices, name, random_game

#: api_test knows by name which environments may have masks beside their observations
MASKS = "Observation (is not a NumPy array|space for each agent probably should be)"


@pytest.mark.parametrize("case", CASES, ids=name)
def test_its_own_tests_pass_and_a_seed_with_choices_is_one_game(
    case: Case, capsys: pytest.CaptureFixture[str]
) -> None:
    match, (game, players, options) = random_game(case, 2), case
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", MASKS, UserWarning)
        api_test(env(game, players, **options), num_cycles=60)
    seed_test(lambda: env(game, players, **options), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out
    table, chosen = raw_env(game, players, **options), iter(choices(match))
    table.reset(seed=2)
    start = table.episode.match.at(0).scores()
    totals = dict.fromkeys(table.agents, 0.0)
    for agent in table.agent_iter():
        _, reward, over, _, _ = table.last()
        totals[agent] += reward
        table.step(None if over else next(chosen))
    assert table.episode.match.record() == match.record()
    scores = table.episode.state.scores()
    assert list(totals.values()) == [now - then for now, then in zip(scores, start, strict=True)]


def test_only_the_seat_to_choose_has_legal_moves_and_only_its_own_cards_are_seen() -> None:
    table = raw_env("sixbysix", 3, render_mode="ansi")
    table.reset(seed=4)
    assert table.agent_selection == "player_0"
    assert table.observe("player_0")["action_mask"].any()
    assert not table.observe("player_1")["action_mask"].any()
    assert table.render() == str(table.episode.state.view(0)) != str(table.episode.state)
    drawn = raw_env("sixbysix", 3, render_mode="rgb_array")
    drawn.reset(seed=1)
    assert drawn.render().ndim == 3
    with pytest.warns(UserWarning, match="nothing will be drawn"):
        raw_env("sixbysix", render_mode="human")
    assert raw_env("sixbysix").render() is None


def test_an_illegal_move_is_refused_or_ends_the_guarded_game() -> None:
    table = raw_env("fiese15")
    table.reset(seed=1)
    wrong = int(np.flatnonzero(table.observe("player_0")["action_mask"] == 0)[0])
    before = table.episode.match.events
    for action in (wrong, None):
        with pytest.raises(IllegalMove):
            table.step(action)
    assert table.episode.match.events == before
    guarded = env("fiese15")
    guarded.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        guarded.step(wrong)
    assert all(guarded.terminations.values()) and guarded.rewards["player_0"] == -1


def test_wins_are_rewarded_if_wanted() -> None:
    table = raw_env("joker2", players=3, rounds=1, reward="win")
    table.reset(seed=1)
    while not any(table.terminations.values()):
        table.step(int(np.flatnonzero(table.observe(table.agent_selection)["action_mask"])[0]))
    assert list(table.rewards.values()) == list(win_rewards(table.episode.state))


def test_a_game_without_a_seed_follows_the_last_seed() -> None:
    one, two = raw_env("crowns"), raw_env("crowns")
    for seed in (5, None):
        one.reset(seed=seed)
        two.reset(seed=seed)
    assert one.episode.match.events == two.episode.match.events
