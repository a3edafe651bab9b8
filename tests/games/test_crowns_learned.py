"""Crowns by what was learned, at a glance: the player of devices that have no values.

The tests marked `exhaustive` run with `make test-all` only: run it after a change of the learned player.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.games.crowns import learned
from pasch.games.crowns.box import FIELDS
from pasch.games.crowns.rules import Crowns, score
from pasch.games.crowns.values.model import shipped, unpack
from pasch.games.crowns.values.placements import TABLE_GROUPS
from pasch.players.arena import play_game
from pasch.players.base import GreedyPlayer, LearnedPlayer, player
from tests.solve.proofs import walk


def test_boards_are_worth_what_the_weights_say() -> None:
    game = Crowns(2)
    arrays = shipped(game)
    assert arrays is not None, "the weights are for this game"
    model = unpack(game, arrays)
    draw = random.Random(1)
    for _ in range(50):
        board, left = (
            draw.getrandbits(FIELDS) & draw.getrandbits(FIELDS),
            draw.randrange(1, model.tables.shape[1]),
        )
        pace = draw.randrange(len(model.tables))
        bits = np.array([board >> field & 1 for field in range(FIELDS)])
        entries = TABLE_GROUPS.base + bits @ TABLE_GROUPS.fields
        found = learned.prospect(game.config, board, left, 99, pace)
        assert found.expected == pytest.approx(float(model.tables[pace, left][entries].sum()), abs=1e-3)
        assert found.spread == pytest.approx(float(model.spread[pace, left]))
        # without a turn left nothing is to be expected any more
        assert learned.prospect(game.config, board, left, 0, pace) == (score(game.config, board), 0.0)


def test_who_is_ahead() -> None:
    assert learned.ahead(0, 0.0) == 1.0, "all who tie win"
    assert learned.ahead(-1, 0.0) == 0.0
    assert 0.5 < learned.ahead(0, 7.0) < learned.ahead(5, 7.0) < 1.0


def test_only_races_with_the_usual_box_are_known() -> None:
    box = Crowns.default_components()
    for game, known in (
        (Crowns(2), True),
        (Crowns(6), True),
        (Crowns(1), False),
        (Crowns.agree(2, {"split": True}), False),
        (Crowns.agree(2, {"components": box}), False),
    ):
        assert learned.knows(game) is known
        generator = KeyedGenerator(bytes(32))
        state = next(state for state in walk(game, generator) if len(state.moves()) > 1)
        event = LearnedPlayer().choose(state, generator)
        assert event in state.moves()
        if not known:
            assert event == GreedyPlayer().choose(state, generator)


@pytest.mark.exhaustive
def test_it_wins_more_races_than_the_greedy_player() -> None:
    wins, games = 0.0, 40
    for number in range(games):
        seat = number % 2
        seats = [player("learned" if seat == place else "greedy") for place in range(2)]
        end = play_game(Crowns(2), seats, seed_key(str(number // 2))).state
        wins += (seat in end.winners()) / len(end.winners())
    assert wins > games / 2
