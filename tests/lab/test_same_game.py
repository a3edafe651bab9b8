"""One seed and one list of choices are one game: in the engine and through every interface."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest

from pasch.core.match import Match
from pasch.lab.actions import actions
from pasch.lab.gymnasium_env import PaschEnv
from pasch.lab.openspiel_games import chance_actions
from pasch.lab.pettingzoo_env import raw_env
from tests.lab.games import CASES, SOLO, Case, name, random_game
from tests.lab.test_openspiel import written

SEED = 11


def choices(match: Match) -> list[int]:
    """The numbers of the moves that were made."""
    return [
        actions(match.game).number(event)
        for number, event in enumerate(match.events)
        if match.at(number).actor >= 0
    ]


@pytest.mark.parametrize("case", SOLO, ids=name)
def test_in_gymnasium(case: Case) -> None:
    match = random_game(case, SEED)
    env = PaschEnv(case[0], **case[2])
    env.reset(seed=SEED)
    for number in choices(match):
        env.step(np.int64(number))
    assert env.episode.match.record() == match.record()


@pytest.mark.parametrize("case", CASES, ids=name)
def test_in_pettingzoo(case: Case) -> None:
    match = random_game(case, SEED)
    table = raw_env(case[0], case[1], **case[2])
    table.reset(seed=SEED)
    for number in choices(match):
        table.step(number)
    assert table.episode.match.record() == match.record()


@pytest.mark.parametrize("case", CASES, ids=name)
def test_in_openspiel(case: Case) -> None:
    match = random_game(case, SEED)
    spiel = pyspiel.load_game(written(case)).new_initial_state()
    for number, event in enumerate(match.events):
        state = match.at(number)
        if state.actor >= 0:
            assert spiel.current_player() == state.actor
            spiel.apply_action(actions(state.game).number(event))
        else:
            for step in chance_actions(state.chance(), event):
                assert spiel.is_chance_node()
                spiel.apply_action(step)
        assert spiel.state == match.at(number + 1)
    assert spiel.is_terminal() and spiel.node.events == match.events
