"""How well races of Crowns are played for points, and what their learning begins with.

The tests marked `exhaustive` run with `make test-all` only: run it after a change of values in races.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from pasch.core.chance import seed_key
from pasch.games.crowns.learned import PACE
from pasch.games.crowns.rules import Crowns, CrownsOptions
from pasch.games.crowns.values import weights
from pasch.games.crowns.values.model import PACES, RaceModel, unpack
from pasch.games.crowns.values.training import (
    FASTEST,
    SLOWEST,
    Phase,
    begin,
    draw_games,
    draw_speeds,
    learn_games,
    quick_games,
    steadily,
    tables_of,
    train,
)
from pasch.lab.batch import batch
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.table import jobs


@pytest.mark.exhaustive
def test_a_table_of_perfect_players_scores_more_than_one_of_greedy_players() -> None:
    """They leave each other the time to score, even those who do not look ahead."""
    game = Crowns(2)
    model = unpack(game, weights(game))
    assert isinstance(model, RaceModel)
    played = quick_games(game, model, 2500, 3)
    for seats in (2, 4):
        alike = batch(Crowns(seats), ["greedy"] * seats).parts(600, "table", 1)
        # both means are off by 0.4 points at most
        mean = played.scores[played.seats == seats, :seats].mean()
        assert mean > np.concatenate([part.scores for part in alike]).mean() + 2


def test_a_report_of_a_race_can_be_sent() -> None:
    """The numbers of the coach are plain ones, which a browser can receive."""
    game = Crowns(3, CrownsOptions(round_limit=2))
    match = play_game(game, [player("greedy")] * 3, seed_key("sent"))
    made = jobs.report({"record": match.record().to_json()})
    assert msgspec.json.decode(msgspec.json.encode(made))["scores"] == list(match.state.scores())


def test_a_race_begins_with_what_was_learned_alone() -> None:
    """At every pace at first only as many chips count as an opponent has."""
    game = Crowns(2)
    model = begin(game)
    train(game, (Phase("tables", 300, (0.3, 0.1), 100), Phase("race", 1, (1e-12, 1e-12), 1)), model)
    tables, most = model.tables, game.components.chips.number
    assert len(tables) == PACES and not np.array_equal(tables[-1, 5], begin(game).tables[-1, 5])
    for fewest in range(1, 11):
        for chips in range(most):
            assert np.array_equal(tables[PACE[fewest], chips], tables[-1, min(chips, fewest)])


def test_somebody_plays_for_points_in_every_race() -> None:
    seats = np.repeat(np.arange(2, 7), 200)
    speeds = draw_speeds(np.random.default_rng(1), seats)
    there = np.arange(6) < seats[:, None]
    assert ((speeds == 0) & there).any(axis=1).all() and not speeds[~there].any()
    for number in range(2, 7):
        assert speeds[seats == number].any()
    assert ((speeds == 0) | ((speeds >= SLOWEST) & (speeds <= FASTEST))).all()


def test_a_steady_opponent_spends_what_poisson_says_but_never_more_than_it_has() -> None:
    luck = (np.arange(10_000) + 0.5) / 10_000
    assert np.mean([steadily(18, 1.0, x) for x in luck]) == pytest.approx(0.6 + 0.09 * 18, abs=0.02)
    assert max(steadily(2, 1.3, x) for x in luck) == 2
    assert max(steadily(18, 1.3, x) for x in luck) == 6


def test_what_a_race_teaches_stays_with_boards_that_are_not_finished() -> None:
    """At pace 0, and without chips, the tables are the score; no race changes that."""
    game = Crowns(2)
    model = begin(game)
    assert isinstance(model, RaceModel)
    before = model.tables.copy()
    games = draw_games(game, 20, 1, steady=True)
    learn_games(tables_of(game), model.learned(game), model.tables, games, 0.3)
    assert np.array_equal(model.tables[0], before[0]) and np.array_equal(model.tables[:, 0], before[:, 0])
    assert not np.array_equal(model.tables, before)
