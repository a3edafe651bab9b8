"""Crowns: compiled code keeps to the rules, the ledger adds up, what was learned plays as is said.

The tests marked `exhaustive` run with `make test-all` only: run it after a change of weights or of learning.
"""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from math import sqrt
from random import Random

import msgspec
import numpy as np
import pytest

from pasch.coach.ledger import keep_ledger
from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.philox import game_key
from pasch.core.state import CHANCE, OVER
from pasch.games.crowns.box import mask
from pasch.games.crowns.learned import PACE, pace_at_turn, pace_now, turns_after
from pasch.games.crowns.rules import (
    Crowns,
    CrownsOptions,
    Discard,
    Position,
    score,
)
from pasch.games.crowns.values import Values, kernel, lookahead, model, weights
from pasch.games.crowns.values.chances import play_on, quick_move, winning_move
from pasch.games.crowns.values.net import IMPOSSIBLE
from pasch.games.crowns.values.placements import ANY_ROLL, Floats, Reals, ways_of
from pasch.games.crowns.values.training import Phase, begin, finished, quick_games, scores_ahead, train
from pasch.lab.batch import batch
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.solve.records import arrays, record_of
from pasch.solve.valuer import Report
from pasch.terminal.solve import solve
from tests.rule_changes.crowns_placements import check
from tests.solve.proofs import walk

ALONE = [Crowns(1), Crowns(1, CrownsOptions(solo_minimum=2))]
SPLIT = [Crowns(1, CrownsOptions(split=True)), Crowns(1, CrownsOptions(split=True, solo_minimum=2))]
RACES = [Crowns(2), Crowns(3, CrownsOptions(round_limit=4)), Crowns(5)]
TINY = (Phase("tables", 400, (0.3, 0.1), 100),)
TINY_RACE = (Phase("tables", 200, (0.3, 0.1), 100), Phase("race", 40, (0.1, 0.05), 20))

alone = pytest.mark.parametrize("game", ALONE, ids=["minimum 1", "minimum 2"])
races = pytest.mark.parametrize("game", RACES, ids=["two", "three, four rounds", "five"])


def solo_model(game: Crowns) -> model.Model:
    found = model.unpack(game, weights(game))
    assert isinstance(found, model.Model)
    return found


def one_roll_ahead(
    v: model.BoardTables, pace: int, board: int, left: int, horizon: int, scratch: kernel.Scratch
) -> float:
    """What a board is worth before a roll."""
    return float(kernel.look_ahead(v, pace, board, left, horizon, scratch.often, scratch))


def tables_of(game: Crowns) -> model.BoardTables:
    return model.unpack(game, weights(game)).learned(game)


def quick_scores(game: Crowns, learned: model.Model | model.RaceModel, games: int, seed: int) -> Reals:
    return quick_games(game, learned, games, seed).scores[:, 0]


def tiny(game: Crowns) -> model.Arrays:
    """Weights learned in a moment."""
    learner = begin(game)
    train(game, TINY if game.players == 1 else TINY_RACE, learner)
    return finished(game, learner, 2)


def positions(game: Crowns, seed: str, games: int = 2) -> list[Position]:
    """Positions of games with random moves."""
    generator = KeyedGenerator(seed_key(seed))
    found = [state for _ in range(games) for state in walk(game, generator)]
    return [state for state in found if isinstance(state, Position)]


# --- compiled code and the rules ------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [*ALONE, SPLIT[1], Crowns(2)],
    ids=["minimum 1", "minimum 2", "split", "race"],
)
def test_compiled_code_allows_what_the_rules_allow(game: Crowns) -> None:
    check(game)


@pytest.mark.parametrize("game", [*ALONE, Crowns(2)], ids=["minimum 1", "minimum 2", "race"])
def test_all_rolls_at_once_find_what_each_finds_for_itself(game: Crowns) -> None:
    """Also of placements that are worth the same, and where less fits than has to be placed."""
    ways, random, scratch = ways_of(game), np.random.default_rng(4), kernel.new_scratch(tables_of(game))
    values = scratch.values
    for share in (1.0, 0.3, 0.02):
        values[:] = random.integers(5, size=len(values))
        values[1:][random.random(len(values) - 1) > share] = IMPOSSIBLE
        kernel.best_of_rolls(ways, scratch)
        alone = [kernel.best_of_roll(ways, roll, values, scratch.choices) for roll in range(462)]
        assert list(zip(scratch.choice, scratch.best, strict=True)) == alone


@alone
def test_choosing_quickly_and_valuing_all_placements_agree(game: Crowns) -> None:
    v = solo_model(game).learned(game)
    scratch, other = kernel.new_scratch(v), kernel.new_scratch(v)
    for state in positions(game, "agree", 1):
        if state.over or not state.left[0]:
            continue
        board, left = state.boards[0], state.left[0]
        kernel.value_placements(v, 0, board, left, kernel.NO_LIMIT, ANY_ROLL, scratch)
        for roll in range(0, 462, 21):
            _, all_of_them = kernel.best_of_roll(v.ways, roll, scratch.values, scratch.choices)
            _, quick = kernel.choose(v, 0, board, left, roll, other)
            assert quick == pytest.approx(all_of_them, abs=1e-4)


@pytest.mark.parametrize("game", [*ALONE, Crowns(2)], ids=["minimum 1", "minimum 2", "race"])
def test_without_chips_the_value_is_the_score(game: Crowns) -> None:
    v = tables_of(game)
    random, scratch = Random(2), kernel.new_scratch(v)
    for pace in range(len(v.tables)):
        for board in [sum(1 << n for n in random.sample(range(36), 18)) for _ in range(50)]:
            value = one_roll_ahead(v, pace, board, 0, kernel.NO_LIMIT, scratch)
            assert value == pytest.approx(score(game.config, board), abs=1e-4)


@pytest.mark.parametrize(
    "game",
    [Crowns(1, CrownsOptions(round_limit=3)), Crowns(3, CrownsOptions(round_limit=2))],
    ids=["alone", "three"],
)
def test_batches_value_moves_as_players_do(game: Crowns) -> None:
    """The same functions, compiled into the batch and run as they stand, give the same games."""
    lineup = ["perfect", "hard", "perfect"][: game.players]
    played = batch(game, lineup).play(3, "values")
    for number in range(3):
        match = play_game(game, [player(name) for name in lineup], game_key("values", number))
        assert tuple(played.scores[number]) == match.state.scores()


# --- looking ahead quickly ------------------------------------------------------------------------


def race_after_move(game: Crowns, v: model.BoardTables, after: Position, mover: int) -> float:
    """What a race for two is worth to the mover after a move, found roll by roll and pace by pace."""
    g, scratch, roller = game.config, kernel.new_scratch(v), 1 - mover
    if after.over:
        return after.scores()[mover]
    horizon = lookahead.horizon_now(g, v, after.left, after.rounds, roller)
    asked = (pace_now(g, after.left, roller), after.boards[roller], after.left[roller], horizon)
    kernel.value_placements(v, *asked, ANY_ROLL, scratch)
    found = [kernel.best_of_roll(v.ways, r, scratch.values, scratch.choices)[0] for r in range(462)]
    total, known = 0.0, dict[int, float]()
    for choice, cases in zip(found, v.ways.cases, strict=True):
        spent = int(v.ways.cost[choice])
        if spent not in known:
            left = [*after.left]
            left[roller] -= spent
            turns = turns_after(g, left, after.rounds, roller, mover)
            known[spent] = (
                one_roll_ahead(
                    v,
                    pace_at_turn(g, left, mover, roller),
                    after.boards[mover],
                    after.left[mover],
                    lookahead.horizon_of(v, turns),
                    scratch,
                )
                if turns
                else after.scores()[mover]
            )
        total += cases / v.ways.total * known[spent]
    return total


@pytest.mark.parametrize(
    "game", [Crowns(2), Crowns(2, CrownsOptions(round_limit=4))], ids=["two", "rounds"]
)
def test_in_races_all_moves_are_worth_what_they_are_worth_one_by_one(game: Crowns) -> None:
    values = Values(game)
    v = values.numbers()
    states = [state for state in positions(game, "one by one", 2) if state.phase == "place"]
    for state in states[:: len(states) // 4]:
        points = values.move_points(state)
        places = range(0, len(points), 9)
        alone = [race_after_move(game, v, state.apply(state.moves()[n]), state.seat) for n in places]
        assert [points[n] for n in places] == pytest.approx(alone, abs=1e-6)


@pytest.mark.parametrize(
    "game",
    [*ALONE, Crowns(1, CrownsOptions(round_limit=4))],
    ids=["minimum 1", "minimum 2", "four rounds"],
)
def test_alone_the_best_move_is_that_of_looking_at_every_move(game: Crowns) -> None:
    """For those who ask about all moves, and in batches, where moves that look much worse are not looked at."""
    values = Values(game)
    v, g = solo_model(game).learned(game), game.config
    scratch = kernel.new_scratch(v)
    states = [state for state in positions(game, "every move", 4) if state.phase == "place"]
    for state in states[::2]:
        alone = []
        for after in map(state.apply, state.moves()):
            assert isinstance(after, Position)
            horizon = 0 if after.over else lookahead.horizon_now(g, v, after.left, after.rounds, 0)
            asked = (after.boards[0], after.left[0], horizon)
            alone.append(after.scores()[0] if after.over else one_roll_ahead(v, 0, *asked, scratch))
        assert values.move_points(state) == pytest.approx(alone, abs=1e-5)
        codes, best, quick = state.codes(), max(alone), np.zeros(len(alone))
        lookahead.best_worths(g, v, state.unpack(), codes, len(codes), quick)
        assert quick.max() == quick[alone.index(best)] == pytest.approx(best, abs=1e-5)
        for looked, value in zip(quick, alone, strict=True):
            assert looked == pytest.approx(value, abs=1e-5) or looked < best - lookahead.GAP


# --- the ledger -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [*ALONE, *RACES], ids=["minimum 1", "minimum 2", "two", "limit", "five"])
def test_points_before_a_decision_are_those_of_the_best_move(game: Crowns) -> None:
    values = Values(game)
    for state in positions(game, "ledger", 1)[:14]:
        points = values.points(state)
        if state.over:
            assert points == state.scores()
        if state.phase != "place":
            continue
        moves = values.move_points(state)
        assert len(moves) == len(state.moves())
        assert max(moves) == points[state.seat]
        for place in {0, len(moves) // 2, len(moves) - 1, moves.index(max(moves))}:
            after = values.points(state.apply(state.moves()[place]))
            assert after[state.seat] == pytest.approx(moves[place], abs=1e-4)
        assert tuple(entry.value for entry in values.moves(state)) == moves
        assert values.worth(state).value == points


@pytest.mark.parametrize("game", [*ALONE, *RACES], ids=["minimum 1", "minimum 2", "two", "limit", "five"])
def test_luck_averages_zero(game: Crowns) -> None:
    """Luck is the change of points less the corrections: by the learned value before and after the roll."""
    values = Values(game)
    for state in [state for state in positions(game, "luck", 1) if state.actor == CHANCE][1::7]:
        mean = np.zeros(game.players)
        for outcome, cases in state.chance().outcomes():
            mean += np.array(values.after_roll(state.apply(outcome))) * cases / 6**6
        assert mean.tolist() == pytest.approx(values.points(state), abs=1e-6)


@pytest.mark.parametrize("game", [ALONE[0], RACES[0]], ids=["alone", "two"])
def test_luck_costs_and_corrections_explain_every_change(game: Crowns) -> None:
    values = Values(game)
    states = positions(game, "telescope", 1)
    for before, after in pairwise(states):
        if before.actor != CHANCE:
            continue
        event = next(o for o, _ in before.chance().outcomes() if before.apply(o) == after)
        corrections, quick = values.corrections(before, event), values.after_roll(after)
        for seat in range(game.players):
            luck = values.points(after)[seat] - values.points(before)[seat] - corrections[seat]
            assert luck == pytest.approx(quick[seat] - values.points(before)[seat], abs=1e-9)


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


@races
def test_chances_are_chances(game: Crowns) -> None:
    values = Values(game)
    for state in positions(game, "chances", 1)[::9]:
        worth = values.worth(state)
        assert worth.win is not None
        assert all(0 <= chance <= 1 + 1e-9 for chance in worth.win)
        assert sum(worth.win) > 0.9
        assert not worth.exact.value or state.over
    assert (
        worth.win == tuple(float(seat in state.winners()) for seat in range(game.players)) or not state.over
    )


@races
def test_before_a_race_nobody_is_far_ahead(game: Crowns) -> None:
    """Who waits is as well off as who rolls, as far as its turns are as many."""
    worth = Values(game).worth(game.start())
    assert worth.value is not None and worth.win is not None
    assert max(worth.value) - min(worth.value) < 2
    assert all(0.2 / game.players < chance < 0.9 for chance in worth.win)


def test_a_seat_that_waits_may_expect_what_it_finds_when_its_turn_comes() -> None:
    game = RACES[0]
    outlook = Values(game)
    for state in [state for state in positions(game, "wait", 1) if state.phase == "place"][::6]:
        after_moves = [outlook.points(state.apply(move)) for move in state.moves()]
        points = {
            move: points[1 - state.seat] for move, points in zip(state.moves(), after_moves, strict=True)
        }
        for move, expected in list(points.items())[::9]:
            after = state.apply(move)
            if after.over:
                continue
            assert outlook.before_roll(after)[1 - state.seat] == pytest.approx(expected, abs=1e-4)
            # by the learned value: what the mover's roll leads to on average
            mean = sum(
                cases / 6**6 * outlook.after_roll(after.apply(roll))[1 - state.seat]
                for roll, cases in after.chance().outcomes()
            )
            assert mean == pytest.approx(expected, abs=1e-3)


def test_the_pace_is_that_of_the_next_turn() -> None:
    """Those who roll in between are taken to place two chips, but not their last one."""
    two, three, four = (Crowns(players).config for players in (2, 3, 4))
    left = (9, 7, 12, 10)
    assert [pace_at_turn(four, left, seat, 0) for seat in range(4)] == [PACE[n] for n in (5, 9, 5, 5)]
    assert pace_at_turn(two, (5, 2), 0, 1) == PACE[2]
    assert pace_at_turn(two, (5, 6), 0, 0) == PACE[4]
    assert pace_at_turn(three, (3, 9, 1), 0, 1) == PACE[1]


@races
def test_chances_after_the_last_turn_are_who_wins(game: Crowns) -> None:
    values, last = Values(game), game.players - 1
    ends = [
        state
        for state in positions(game, "end", 4)
        if state.phase == "place" and state.seat == last and state.apply(state.moves()[0]).over
    ]
    assert ends
    for state in ends[:3]:
        for entry in values.moves(state):
            after = state.apply(entry.move)
            assert not after.over or entry.win == float(last in after.winners())


def test_chances_follow_from_the_position_alone() -> None:
    """They are counted in worlds that are drawn, but always the same ones."""
    state = next(s for s in positions(RACES[0], "same", 1)[20:] if s.phase == "place")
    one, two = (Values(RACES[0]) for _ in range(2))
    assert one.moves(state) == two.moves(state) and one.worth(state) == two.worth(state)
    won = [entry.win for entry in one.moves(state)]
    assert one.worth(state).win[state.seat] == max(won)  # type: ignore[index, type-var]


def spread_of(game: Crowns) -> Floats:
    found = Values(game).model
    assert isinstance(found, model.RaceModel)
    return found.spread


@pytest.mark.parametrize(("ahead", "ends"), [(True, True), (False, False)], ids=["ahead", "behind"])
def test_in_races_played_on_who_is_ahead_ends_the_race_and_who_is_behind_does_not(
    ahead: bool, ends: bool
) -> None:
    """For points the last chip would wait for the field that completes a line of 20 crowns."""
    game = Crowns(2)
    edge = mask(tuple((6, count) for count in range(1, 7)))
    plans = mask(tuple((value, count) for value in (4, 5) for count in range(1, 5)))
    own, other = (edge | plans, plans) if ahead else (plans, edge | plans)
    # one chip is left, and the roll allows no field of the line
    state = Position(game, 1, "place", 1, 9, (other, own), (4, 1), (3, 3, 2, 2, 1, 1))
    v, g, s = Values(game).numbers(), arrays(game.config), record_of(state)
    scratch = kernel.new_scratch(v)
    code = winning_move(g, v, spread_of(game), s, np.zeros(7), scratch)
    assert (code != 0) == ends and s.left[1] == 1
    assert quick_move(g, v, s, scratch)[0] == 0


def test_a_race_is_played_on_by_the_rules() -> None:
    """With one chip each and one round left, a race ends as the rules say, whatever is rolled."""
    game = Crowns(3, CrownsOptions(round_limit=9))
    v, g = Values(game).numbers(), arrays(game.config)
    boards, left = (0, 1, 3), (2, 1, 4)
    dice = np.array([[Random(f"{turn} {seat}").randrange(6**6) for seat in range(3)] for turn in range(9)])
    for seat, rounds in ((0, 8), (1, 8), (0, 2)):
        s = record_of(Position(game, CHANCE, "roll", seat, rounds, boards, left, ()))
        play_on(g, v, spread_of(game), s, dice, np.zeros(7), kernel.new_scratch(v))
        assert s.actor == OVER and (s.rounds == 9 if rounds == 8 else 0 in s.left[:3])
        placed = [
            int(new).bit_count() - old.bit_count() for new, old in zip(s.boards, boards, strict=False)
        ]
        assert [old - int(new) for new, old in zip(s.left, left, strict=False)] == placed
        assert seat == 0 or placed[0] == 0, "who has had its turn in the last round has none any more"


def test_alone_everybody_wins_and_the_error_is_told() -> None:
    values = Values(ALONE[0])
    worth = values.worth(ALONE[0].start())
    assert worth.win == (1.0,)
    assert worth.error is not None and 0.1 < worth.error < 3
    assert not values.exact.value


def test_a_short_game_is_exact_in_its_last_round() -> None:
    game = Crowns(1, CrownsOptions(round_limit=1))
    values, start = Values(game), Crowns(1, CrownsOptions(round_limit=1)).start()
    expected = 0.0
    for outcome, cases in start.chance().outcomes():
        state = start.apply(outcome)
        expected += cases / 6**6 * max(state.apply(move).scores()[0] for move in state.moves())
    assert values.points(start)[0] == pytest.approx(expected, abs=1e-5)


def test_only_boards_chips_and_dice_decide() -> None:
    """Nothing is hidden in Crowns: two ways to the same position have the same values."""
    values = Values(RACES[0])
    state = next(s for s in positions(RACES[0], "view", 1) if s.phase == "place")
    assert values.move_points(state.view(state.seat)) == values.move_points(state)
    assert Values(Crowns(2)).move_points(state) == values.move_points(state)


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
    learned = solo_model(game)
    scores = quick_scores(game, learned, 4000, 11)
    assert scores.mean() - 3 * scores.std() / sqrt(len(scores)) > least - 1
    assert scores.mean() + 3 * scores.std() / sqrt(len(scores)) > least


@pytest.mark.exhaustive
@alone
def test_the_value_of_the_start_is_what_games_bring(game: Crowns) -> None:
    """Looking ahead, scores without luck lie close to what was promised; both means are the same."""
    learned = solo_model(game)
    raw, steady, error = scores_ahead(game, learned, 40, 12)
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
    learner = begin(game)
    train(game, (Phase("tables", 8000, (0.3, 0.02), 1000),), learner)
    assert isinstance(learner, model.Model)
    fresh = model.new_model(game, 0.0, (0, 0))
    assert quick_scores(game, learner, 500, 2).mean() > quick_scores(game, fresh, 500, 2).mean() + 3


@pytest.mark.parametrize("game", [*ALONE, RACES[0]], ids=["minimum 1", "minimum 2", "race"])
def test_weights_that_were_tampered_with_are_noticed(game: Crowns) -> None:
    arrays = model.shipped(game)
    assert arrays is not None
    data = model.written(game, arrays)
    assert model.read(game, data) is not None
    changed = {**arrays, "tables": arrays["tables"] + np.int16(1)}
    with np.load(BytesIO(data)) as file:
        with_old_seal = dict(file)
    assert model.read(game, _saved({**with_old_seal, "tables": changed["tables"]})) is None
    assert model.read(game, data[:-100]) is None
    assert model.read(game, data[:500] + bytes([data[500] ^ 255]) + data[501:]) is None
    assert model.read(game, b"") is None


def _saved(arrays: model.Arrays) -> bytes:
    file = BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def another_box() -> Crowns:
    """A box with fewer chips, whose corner has twenty crowns."""
    box = Crowns(1).components
    rows = [
        msgspec.structs.replace(row, crowns=(*row.crowns[:5], 20)) if row.value == 6 else row
        for row in box.rows
    ]
    chips = msgspec.structs.replace(box.chips, number=5)
    own = msgspec.structs.replace(box, rows=tuple(rows), chips=chips)
    return Crowns(1, CrownsOptions(components=own))


def test_another_box_gets_weights_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    game = another_box()
    assert model.shipped(game) is None
    assert model.shipped(Crowns(1, CrownsOptions(round_limit=7))) is not None
    asked = []

    def quickly(game: Crowns, report: Report) -> model.Arrays:
        asked.append(game)
        return tiny(game)

    monkeypatch.setattr("pasch.games.crowns.values.training.quickly", quickly)
    values = Values(game)
    assert not values.ready
    assert 0 < values.points(game.start())[0] < 60
    assert values.ready and Values(game).ready
    Values(game).prepare()
    assert asked == [game]


def test_weights_are_small() -> None:
    sizes = [len(model.written(game, weights(game))) for game in (*ALONE, RACES[0])]
    assert sum(sizes) < 500 * 1024


def test_solving_says_where_the_solver_is(capsys: pytest.CaptureFixture[str]) -> None:
    """The table of the relaxed game takes minutes and 420 MiB: it is made in a clone, not by the package."""
    solve([ALONE[0]], thoroughly=True)
    assert "python -m research crowns" in capsys.readouterr().out
