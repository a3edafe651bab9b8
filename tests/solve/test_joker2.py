"""Values of Würfel Joker 2.

The tests marked `exhaustive` run with `make test-all` only: run it after a change of winning chances.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.state import CHANCE, State
from pasch.games.joker2.box import Joker2Components
from pasch.games.joker2.rules import Forgo, Joker2, Joker2Options, Position, Push
from pasch.games.joker2.ways import ALL
from pasch.solve.turn import Turn
from tests.solve.proofs import (
    Listed,
    answers_agree,
    chances_hold,
    final_scores,
    for_points,
    ledger_holds,
    mean_is_near,
    parts_add_up,
    to_win,
    turn_values,
    walk,
)

#: the expected points of a turn, by when the minus is multiplied and when the last dice count
TURN = {
    ("used", "bust"): -6.877063755419051,
    ("pushed", "bust"): -12.328844120346467,
    # if the five costs something, rolling on is always better, whatever stopping costs
    ("used", "always"): -6.877063755419051,
    ("pushed", "always"): -12.328844120346467,
}
ODD = Joker2Components(game="joker2", slides=(9, 1, 0, 4, 30, 2, 7, 8, 3), bonus=100, factor=2)


@cache
def one_turn(penalty: Any, dice: Any = "bust") -> Listed:
    return Listed(Joker2(1, Joker2Options(rounds=1, five_penalty=penalty, five_dice=dice)).start())


def scores(state: State) -> tuple[int, ...]:
    return state.scores()


# --- points -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("penalty", "dice"), TURN)
def test_a_whole_turn_by_listing_it(penalty: Any, dice: Any) -> None:
    graph = one_turn(penalty, dice)
    solution = graph.solve(scores)
    values = turn_values(graph.positions[0].game)
    assert solution[graph.positions[0]][0] == pytest.approx(TURN[penalty, dice], abs=1e-9)
    for position, expected in solution.items():
        assert values.points(position)[0] == pytest.approx(expected[0], abs=1e-9)


def test_the_last_slide_by_hand() -> None:
    """Only slide 9 is down, the five was not used: 3x3 and, with the five, eight kinds of rolls push it."""
    game = Joker2(1, Joker2Options(rounds=1))
    state = Position(game, CHANCE, "roll", 0, 0, (0,), ALL & ~(1 << 8), False, ())
    values = turn_values(game)
    # 4 is the result that makes 9 with the 5, 14 the other; 9 itself may be made without
    fits = {(a, b) for a in range(1, 7) for b in range(1, 7) if a + b in (4, 9) or a * b in (4, 9)}
    fits |= {(a, b) for a in range(1, 7) for b in range(1, 7) if abs(a - b) == 4 or a in (4 * b, b / 4)}
    doubles = {(a, a) for a in range(1, 7)} - fits
    loss = sum(-(9 + a + b) for a in range(1, 7) for b in range(1, 7) if (a, b) not in fits | doubles)
    assert values.points(state)[0] == pytest.approx((45 * len(fits) + loss) / (36 - len(doubles)))


def test_stopping_before_the_last_slide_by_hand() -> None:
    """Only slide 9 is down and the five was used: what stopping costs depends on the dice that pushed last."""
    game = Joker2(1, Joker2Options(rounds=1, five_dice="always"))
    values = turn_values(game)
    rolling = Position(game, CHANCE, "roll", 0, 0, (0,), ALL & ~(1 << 8), True, ())
    for pips in range(2, 13):
        state = Position(game, 0, "next", 0, 0, (0,), ALL & ~(1 << 8), True, (), pips)
        roll, stop = values.move_points(state)
        assert stop == -5 * (9 + pips)
        assert roll == values.points(rolling)[0]
        assert values.points(state)[0] == max(roll, stop)


@pytest.mark.parametrize("penalty", ["used", "pushed"])
def test_once_the_five_counts_rolling_on_is_always_better_as_the_rules_page_says(penalty: Any) -> None:
    graph = one_turn(penalty)
    values = turn_values(graph.positions[0].game)
    choices = [state for state in graph.positions if state.phase == "next" and state.fivefold]
    assert choices
    for state in choices:
        roll, stop = values.move_points(state)
        assert roll > stop


def test_a_double_is_forgone_when_rolling_again_is_worth_more() -> None:
    """With only 1 and 9 down, 1+1 could only push the 1; all the same the value is that of the best."""
    game = Joker2(1, Joker2Options(rounds=1))
    values = turn_values(game)
    for slides in range(ALL):
        state = Position(game, 0, "push", 0, 0, (0,), slides, False, (1, 1))
        if not any(isinstance(move, Push) for move in state.moves()):
            continue
        again = Position(game, CHANCE, "roll", 0, 0, (0,), slides, False, ())
        by_move = dict(zip(state.moves(), values.move_points(state), strict=True))
        assert by_move[Forgo(0)] == values.points(again)[0]
        assert values.points(state)[0] == max(by_move.values()) >= values.points(again)[0]


OPTIONS = [
    Joker2Options(rounds=3),
    Joker2Options(rounds=3, five_penalty="pushed"),
    Joker2Options(rounds=3, five_dice="always"),
    Joker2Options(rounds=2, components=ODD, five_penalty="pushed", five_dice="always"),
    Joker2Options(rounds=2, components=ODD),
]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_ledger_holds_everywhere(options: Joker2Options) -> None:
    for players in (1, 2, 5):
        game = Joker2(players, options)
        values, generator = turn_values(game), KeyedGenerator(seed_key("ledger"))
        for _ in range(6):
            for state in walk(game, generator):
                ledger_holds(values, state)


@pytest.mark.parametrize(("penalty", "dice"), TURN)
def test_monte_carlo_of_a_turn(penalty: Any, dice: Any) -> None:
    game = Joker2(1, Joker2Options(rounds=1, five_penalty=penalty, five_dice=dice))
    values = turn_values(game)
    ends = final_scores(game, 2000, for_points(values), "joker2")
    mean_is_near([end.scores()[0] for end in ends], TURN[penalty, dice])
    spread = values.distribution()
    assert sum(spread.chances) == pytest.approx(1)
    assert spread.mean() == pytest.approx(TURN[penalty, dice])
    mean_is_near([float(end.scores()[0] == 45) for end in ends], spread.chances[-1])


# --- winning chances --------------------------------------------------------------------------------


def test_a_match_of_two_by_listing_its_turns() -> None:
    """The last turn against each score of the one before it, in games of one seat alone."""
    graph = one_turn("used")
    alone = turn_values(graph.positions[0].game)

    def liked(state: Any, seat: int) -> float:
        return alone.points(state)[0]

    def needed(score: int) -> tuple[Any, ...]:
        # the one seat of this game is the second of the match; payoff 0 is its own
        found = graph.solve(lambda end: [end.scores()[0] >= score, end.scores()[0] <= score], liked)
        own, other = found[graph.positions[0]]
        return other, own

    game = Joker2(2, Joker2Options(rounds=1, five_dice="bust"))
    values = turn_values(game)
    assert values.worth(game.start()).exact.win
    for score in (-60, -31, 0, 44):
        last = Position(game, CHANCE, "roll", 1, 0, (score, 0), 0, False, ())
        assert values.worth(last).win == pytest.approx(needed(score), abs=1e-9)


def test_compiled_turns_are_the_same() -> None:
    turn = turn_values(Joker2(2, Joker2Options(rounds=1))).turn(Joker2(1).start())
    compiled = Turn(turn.graph, turn.scores, turn.start, compiled=True)
    assert list(compiled.values) == pytest.approx(list(turn.values), abs=1e-12)


@pytest.mark.exhaustive
def test_monte_carlo_of_a_match_of_two() -> None:
    game = Joker2(2, Joker2Options(rounds=1))
    values = turn_values(game)
    expected = values.worth(game.start()).win
    ends = final_scores(game, 400, to_win(values), "match")
    assert expected is not None
    for seat in range(2):
        mean_is_near([float(seat in end.winners()) for end in ends], expected[seat])


def test_chances_hold_from_turn_to_turn() -> None:
    game = Joker2(2, Joker2Options(rounds=2))
    for state in walk(game, KeyedGenerator(seed_key("chances"))):
        chances_hold(turn_values(game), state)


def test_to_win_and_for_points_can_differ() -> None:
    """45 behind in the last turn only all nine slides help: no reason to stop, though it costs points."""
    game = Joker2(2, Joker2Options(rounds=1))
    state = Position(game, 1, "next", 1, 0, (45, 0), 0b001110001, False, ())
    roll, stop = turn_values(game).moves(state)
    assert stop.win == 0 and roll.win is not None and roll.win > 0.2
    assert stop.value == -(2 + 3 + 4 + 8 + 9) and roll.value is not None
    assert roll.value < stop.value - 2


@pytest.mark.parametrize("players", [2, 3])
def test_every_answer_agrees_where_the_last_dice_count(players: int) -> None:
    game = Joker2(players, Joker2Options(rounds=1, five_dice="always"))
    for state in walk(game, KeyedGenerator(seed_key(players))):
        answers_agree(turn_values(game), state)
        chances_hold(turn_values(game), state)


@pytest.mark.parametrize("players", [1, 2, 3])
def test_every_answer_agrees_with_the_others(players: int) -> None:
    game = Joker2(players, Joker2Options(rounds=2))
    for state in walk(game, KeyedGenerator(seed_key(players))):
        answers_agree(turn_values(game), state)


def test_the_cost_of_a_move_splits_into_the_parts_of_the_score() -> None:
    game = Joker2(2, Joker2Options(rounds=2))
    for state in list(walk(game, KeyedGenerator(seed_key("parts"))))[::3]:
        parts_add_up(state)
