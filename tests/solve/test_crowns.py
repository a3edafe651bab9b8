"""Crowns: compiled code keeps to the rules, the ledger adds up, what was learned plays as is said.

The tests marked `exhaustive` run with `make test-all` only: run it after a change of weights or of learning.
"""

from __future__ import annotations

from math import sqrt

import msgspec
import numpy as np
import pytest

from pasch.coach.ledger import keep_ledger
from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.philox import game_key
from pasch.core.state import CHANCE
from pasch.games.crowns.box import mask
from pasch.games.crowns.learned import FEWEST_CHIPS, PACES
from pasch.games.crowns.rules import Crowns, CrownsOptions, Discard, Position
from pasch.games.crowns.values import Values, kernel, model
from pasch.games.crowns.values.chances import greedy_policy, winning_move
from pasch.games.crowns.values.training import (
    Phase,
    draw_games,
    finished,
    quick_games,
    scores_ahead,
    train,
)
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve.records import arrays, record_of
from pasch.solve.valuer import Progress
from tests.rule_changes.crowns_placements import check
from tests.solve.proofs import walk

ALONE = [Crowns(1), Crowns(1, CrownsOptions(solo_minimum=2))]
SPLIT = [Crowns(1, CrownsOptions(split=True)), Crowns(1, CrownsOptions(split=True, solo_minimum=2))]
RACES = [Crowns(2), Crowns(3, CrownsOptions(round_limit=4)), Crowns(5)]
NAMES = ["minimum 1", "minimum 2", "two", "three, four rounds", "five"]
TINY = (Phase("tables", 400, (0.3, 0.1), 100),)

alone = pytest.mark.parametrize("game", ALONE, ids=NAMES[:2])
races = pytest.mark.parametrize("game", RACES, ids=NAMES[2:])
all_kinds = pytest.mark.parametrize("game", [*ALONE, *RACES], ids=NAMES)


def positions(game: Crowns, seed: str, games: int = 2) -> list[Position]:
    """Positions of games with random moves."""
    generator = KeyedGenerator(seed_key(seed))
    found = [state for _ in range(games) for state in walk(game, generator)]
    return [state for state in found if isinstance(state, Position)]


# --- compiled code and the rules ------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [*ALONE, SPLIT[1], Crowns(2)], ids=["minimum 1", "minimum 2", "split", "race"]
)
def test_compiled_code_allows_what_the_rules_allow(game: Crowns) -> None:
    check(game)


@pytest.mark.parametrize(
    "game", [*ALONE, Crowns(1, CrownsOptions(round_limit=4)), Crowns(2)], ids=["1", "2", "rounds", "race"]
)
def test_the_best_move_is_that_of_looking_at_every_move(game: Crowns) -> None:
    """Batches do not look at moves that look much worse."""
    values = Values(game)
    v, g = values.numbers(), game.config
    gap = kernel.NET_GAP if game.players == 1 else kernel.TABLE_GAP
    states = [state for state in positions(game, "every move", 4) if state.phase == "place"]
    for state in states[:: 2 * game.players**2]:
        points, codes = values.move_points(state), state.codes()
        best, quick = max(points), np.zeros(len(codes))
        kernel.best_worths(g, v, state.unpack(), codes, len(codes), quick)
        assert quick.max() == quick[points.index(best)] == pytest.approx(best, abs=1e-5)
        for looked, value in zip(quick, points, strict=True):
            assert looked == pytest.approx(value, abs=1e-5) or looked < best - gap


# --- the ledger -----------------------------------------------------------------------------------


@all_kinds
def test_points_before_a_decision_are_those_after_the_best_move(game: Crowns) -> None:
    values = Values(game)
    for state in [state for state in positions(game, "ledger", 1)[:14] if state.phase == "place"]:
        points, moves = values.points(state), values.move_points(state)
        assert len(moves) == len(state.moves())
        assert max(moves) == points[state.seat]
        best = moves.index(max(moves))
        for place in {0, len(moves) // 2, len(moves) - 1, best}:
            after = values.points(state.apply(state.moves()[place]))
            assert after[state.seat] == pytest.approx(moves[place], abs=1e-4)
        assert values.points(state.apply(state.moves()[best])) == pytest.approx(points, abs=1e-4)
        assert tuple(entry.value for entry in values.moves(state)) == moves
        assert values.worth(state).value == points


@all_kinds
def test_luck_averages_zero(game: Crowns) -> None:
    """Luck is the change of points less the corrections: by the learned value before and after the roll."""
    values = Values(game)
    for state in [state for state in positions(game, "luck", 1) if state.actor == CHANCE][1::7]:
        mean = np.zeros(game.players)
        for outcome, cases in state.chance().outcomes():
            mean += np.array(values.quick_points(state.apply(outcome))) * cases / 6**6
        assert mean.tolist() == pytest.approx(values.points(state), abs=1e-6)
    after = state.apply(outcome)
    luck = np.subtract(values.points(after), values.corrections(state, outcome))
    assert luck.tolist() == pytest.approx(values.quick_points(after))


@races
def test_the_last_turn_of_a_race_is_exact(game: Crowns) -> None:
    """The seat with the last turn takes what scores most; the other seats' points are their scores."""
    values, last = Values(game), game.players - 1
    states = [state for state in positions(game, "end", 6) if state.phase == "place" and state.seat == last]
    ends = [state for state in states if all(state.apply(move).over for move in state.moves())]
    assert ends
    for state in ends[:5]:
        best = max(state.apply(move).scores()[last] for move in state.moves())
        assert values.points(state) == (*map(float, state.scores()[:last]), float(best))
    for state in [state for state in states if state.apply(state.moves()[0]).over][:3]:
        for entry in values.moves(state):
            after = state.apply(entry.move)
            assert not after.over or entry.win == float(last in after.winners())


@races
def test_chances_are_chances(game: Crowns) -> None:
    """And before a race nobody is far ahead: who waits is as well off as who rolls."""
    values = Values(game)
    for state in [*positions(game, "chances", 1)[::12], positions(game, "chances", 1)[-1]]:
        worth = values.worth(state)
        assert worth.win is not None and (values.points(state) == state.scores() or not state.over)
        assert all(0 <= chance <= 1 + 1e-9 for chance in worth.win)
        assert sum(worth.win) > 0.9
        assert not worth.exact.value or state.over
        won = tuple(float(seat in state.winners()) for seat in range(game.players))
        assert worth.win == won or not state.over
    worth = values.worth(game.start())
    assert worth.value is not None and worth.win is not None
    assert max(worth.value) - min(worth.value) < 2
    assert all(0.2 / game.players < chance < 0.9 for chance in worth.win)


@pytest.mark.parametrize(("ahead", "ends"), [(True, True), (False, False)], ids=["ahead", "behind"])
def test_in_rollouts_who_is_ahead_ends_the_race_and_who_is_behind_does_not(ahead: bool, ends: bool) -> None:
    """For points the last chip would wait for the field that completes a line of 20 crowns."""
    game = Crowns(2)
    edge = mask(tuple((6, count) for count in range(1, 7)))
    plans = mask(tuple((value, count) for value in (4, 5) for count in range(1, 5)))
    own, other = (edge | plans, plans) if ahead else (plans, edge | plans)
    # one chip is left, and the roll allows no field of the line
    state = Position(game, 1, "place", 1, 9, (other, own), (4, 1), (3, 3, 2, 2, 1, 1))
    v, g, s = Values(game).numbers(), arrays(game.config), record_of(state)
    scratch = kernel.new_scratch(v)
    code = winning_move(g, v, s, np.zeros(7), scratch)
    assert (code != 0) == ends and s.left[1] == 1
    assert greedy_policy(g, v, s, scratch)[0] == 0


def test_a_short_game_is_exact_in_its_last_round() -> None:
    game = Crowns(1, CrownsOptions(round_limit=1))
    start, expected = game.start(), 0.0
    for outcome, cases in start.chance().outcomes():
        state = start.apply(outcome)
        expected += cases / 6**6 * max(state.apply(move).scores()[0] for move in state.moves())
    assert Values(game).points(start)[0] == pytest.approx(expected, abs=1e-5)


def test_a_chip_is_discarded_when_nothing_fits() -> None:
    """The only move there is has the value of the position after it."""
    game = ALONE[0]
    fields = mask(tuple((value, count) for value in (1, 2) for count in range(1, 7)))
    state = Position(game, 0, "place", 0, 11, (fields,), (6,), (2, 2, 2, 1, 1, 1))
    assert state.moves() == (Discard(0),)
    values = Values(game)
    assert values.move_points(state) == pytest.approx(values.points(state.apply(Discard(0))), abs=1e-4)


# --- how well it plays ----------------------------------------------------------------------------


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("game", "least"),
    [(ALONE[0], 55.0), (ALONE[1], 34.0), (SPLIT[0], 55.2), (SPLIT[1], 34.8)],
    ids=["1", "2", "1, split", "2, split"],
)
def test_the_shipped_weights_play_well(game: Crowns, least: float) -> None:
    scores = quick_games(game, Values(game).numbers(), draw_games(game, 4000, 11)).scores[:, 0]
    assert scores.mean() - 3 * scores.std() / sqrt(len(scores)) > least - 1
    assert scores.mean() + 3 * scores.std() / sqrt(len(scores)) > least


@pytest.mark.exhaustive
@alone
def test_the_value_of_the_start_is_what_games_bring(game: Crowns) -> None:
    """Looking ahead, scores without luck lie close to what was promised; both means are the same."""
    raw, steady, error = scores_ahead(game, Values(game).numbers(), 40, 12)
    promised = Values(game).points(game.start())[0]
    assert abs(steady.mean() - promised) < 3 * steady.std() / sqrt(len(steady)) + 0.3
    assert abs(raw.mean() - steady.mean()) < 3 * raw.std() / sqrt(len(raw))
    assert error[0] == 0


@pytest.mark.exhaustive
@alone
@pytest.mark.parametrize("name", ["random", "greedy", "easy"])
def test_the_estimates_of_weak_games_are_right_on_average(name: str, game: Crowns) -> None:
    """Weights that know only good play leave eight to fifteen crowns over in games of `random` and `greedy`."""
    left = []
    for number in range(4):
        match = play_game(game, [player(name)], game_key("weak", number))
        left.append(keep_ledger(match).seats[0].account.estimates)
    assert abs(np.mean(left)) < 2


# --- weights: learning, keeping -------------------------------------------------------------------


@pytest.mark.exhaustive
def test_learning_makes_a_better_player() -> None:
    game = ALONE[0]
    learned, fresh = (
        train(game, (Phase("tables", 8000, (0.3, 0.02), 1000),)),
        model.model_of(game, model.hopeful_tables(game, 0.0)),
    )
    after, before = (quick_games(game, one, draw_games(game, 500, 2)).scores for one in (learned, fresh))
    assert after.mean() > before.mean() + 3


def test_a_race_begins_with_what_was_learned_alone() -> None:
    """At every pace at first no more chips count than an opponent has."""
    game, fresh = Crowns(2), model.hopeful_tables(Crowns(2), 5.0)
    tables = train(game, (*TINY, Phase("race", 1, (1e-12, 1e-12), 1))).tables
    assert len(tables) == PACES and not np.array_equal(tables[-1, 5], fresh[-1, 5])
    for fewest in range(1, 11):
        for chips in range(game.components.chips.number):
            assert np.array_equal(tables[FEWEST_CHIPS[fewest], chips], tables[-1, min(chips, fewest)])


def test_what_a_race_teaches_stays_with_boards_that_are_not_finished() -> None:
    """At pace 0, and without chips, the tables are the score; no race changes that."""
    game = Crowns(2)
    after = model.hopeful_tables(game, 5.0)
    before = after.copy()
    quick_games(game, model.model_of(game, after), draw_games(game, 20, 1, steady=True), 0.3, after)
    assert np.array_equal(after[0], before[0]) and np.array_equal(after[:, 0], before[:, 0])
    assert not np.array_equal(after, before)


def test_another_box_gets_weights_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here one with fewer chips."""
    box = Crowns(1).components
    fewer = msgspec.structs.replace(box, chips=msgspec.structs.replace(box.chips, number=5))
    game = Crowns(1, CrownsOptions(components=fewer))
    assert model.shipped(game) is None
    assert model.shipped(Crowns(1, CrownsOptions(round_limit=7))) is not None
    asked = []

    def quickly(game: Crowns, report: Progress) -> model.Arrays:
        asked.append(game)
        return finished(game, train(game, TINY), 2)

    monkeypatch.setattr("pasch.games.crowns.values.training.quickly", quickly)
    values = Values(game)
    assert not values.ready
    assert 0 < values.points(game.start())[0] < 60
    assert values.ready and Values(game).ready
    Values(game).prepare()
    assert asked == [game]


def test_solving_names_the_command_that_solves_crowns_alone() -> None:
    assert "`python -m research crowns`" in Values(Crowns(1)).remarks[0]
