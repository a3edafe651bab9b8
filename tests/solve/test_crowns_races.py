"""How well races of Crowns are played for points, and what their learning begins with."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from pasch.core.chance import seed_key
from pasch.games.crowns import Crowns, CrownsOptions
from pasch.lab.batch.batches import play_many
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve.crowns import Values
from pasch.solve.crowns_model import PACE, PACES, RaceModel, rules_of
from pasch.solve.crowns_race import FASTEST, SLOWEST, measure_race, new_speeds, train_race
from pasch.solve.crowns_training import Phase, Plan, begin, train
from pasch.table import helper

MEASURED = Path(__file__).parents[2] / "docs" / "measured.toml"


def test_a_table_of_perfect_players_scores_more_than_one_of_greedy_players() -> None:
    """They leave each other the time to score, even those who do not look ahead."""
    outlook = Values(Crowns(2)).outlook
    means, _, _ = measure_race(2500, 3, outlook.tables, outlook.net, outlook.rules)
    for seats in (2, 4):
        alike = play_many(Crowns(seats), ["greedy"] * seats, 600, "table", 1)
        # both means are off by 0.4 points at most
        assert means[seats] > np.concatenate([part.scores for part in alike]).mean() + 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_perfect_was_measured_to_score_more_than_greedy_in_its_place(seats: int) -> None:
    """Looking ahead takes too long for enough games here: `python -m tools.crowns` plays them."""
    results = {result["what"]: result for result in tomllib.loads(MEASURED.read_text("utf-8"))["result"]}
    among = f"Crowns, {seats} players: perfect among greedy players"
    wins, points = results[among], results[f"{among}, points"]
    assert float(points["value"]) > 0
    assert float(wins["value"]) + 3 * float(wins["error"]) > 1 / seats


def test_a_report_of_a_race_can_be_sent() -> None:
    """The numbers of the coach are plain ones, as a browser can be told them."""
    game = Crowns(3, CrownsOptions(round_limit=2))
    match = play_game(game, [player("greedy")] * 3, seed_key("sent"))
    made = helper.report({"record": match.record().to_json()})
    assert made is not None and tuple(made["scores"]) == match.state.scores()


def test_a_race_begins_with_what_was_learned_alone() -> None:
    """At every pace at first only as many chips count as an opponent has."""
    game = Crowns(2)
    plan = Plan((0, 0), (Phase("tables", 300, (0.3, 0.1), 100), Phase("race", 1, (1e-12, 1e-12), 1)))
    progress = begin(game, plan)
    train(game, plan, progress)
    tables, most = progress.model.tables, game.components.chips.number
    assert len(tables) == PACES and not np.array_equal(tables[-1, 5], begin(game, plan).model.tables[-1, 5])
    for fewest in range(1, 11):
        for chips in range(most):
            assert np.array_equal(tables[PACE[fewest], chips], tables[-1, min(chips, fewest)])


def test_somebody_plays_for_points_in_every_race() -> None:
    for seats in range(2, 7):
        speeds = np.array([new_speeds(seats) for _ in range(200)])
        assert (speeds == 0).any(axis=1).all() and (speeds > 0).any()
        assert ((speeds == 0) | ((speeds >= SLOWEST) & (speeds <= FASTEST))).all()


def test_what_a_race_teaches_stays_with_boards_that_are_not_finished() -> None:
    """At pace 0, and without chips, the tables are the score; no race changes that."""
    game = Crowns(2)
    progress = begin(game, Plan((0, 0), (Phase("race", 20, (0.3, 0.3), 20),)))
    model, before = progress.model, progress.model.tables.copy()
    assert isinstance(model, RaceModel)
    train_race(20, 1, model.tables, model.net, rules_of(game), 0.3)
    assert np.array_equal(model.tables[0], before[0]) and np.array_equal(model.tables[:, 0], before[:, 0])
    assert not np.array_equal(model.tables, before)
