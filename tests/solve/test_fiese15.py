"""Values of Fiese 15.

The tests marked `exhaustive` run with `make test-all` only: run it after a change of values.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import msgspec
import pytest

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.state import CHANCE
from pasch.games.fiese15.box import Six
from pasch.games.fiese15.rules import Fiese15, Fiese15Options, Position, Strip, target
from pasch.games.fiese15.values import Values
from pasch.games.fiese15.values.turn import one_turn, strip_turn
from tests.solve.proofs import (
    Listed,
    answers_agree,
    chances_hold,
    final_scores,
    for_points,
    ledger_holds,
    mean_is_near,
    turn_values,
    walk,
)


def agree(players: int = 1, rounds: int = 10, **options: Any) -> Fiese15:
    box = msgspec.structs.replace(Fiese15(1).components, rounds=rounds)
    return Fiese15(players, Fiese15Options(components=box if rounds != 10 else None, **options))


def values_of(game: Fiese15) -> Values:
    found = turn_values(game)
    assert isinstance(found, Values)
    return found


#: no dice
NOTHING = (0,) * 6


def targets_of(game: Fiese15, strip: int, tile: int = 0) -> Six:
    red, blue, yellow, black, white, green = (target(game.config, strip, die, tile) for die in range(6))
    return red, blue, yellow, black, white, green


def position(game: Fiese15, strip: int, kept: tuple[int, ...], seat: int = 0, **more: Any) -> Position:
    """Before a roll of the dice not kept, in the last round."""
    drawn = (*[s for s in range(game.components.rounds) if s != strip], strip)[-game.components.rounds :]
    tiles = (1,) * game.players if game.options.handicap else ()
    targets = targets_of(game, strip, 1)
    totals = more.get("totals", (0,) * game.players)
    return Position(game, CHANCE, "roll", seat, totals, drawn, tiles, targets, kept, NOTHING)


# --- points -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("gambler", [False, True])
@pytest.mark.parametrize(
    ("strip", "kept"), [(14, (1, 0, 3, 3, 0, 2)), (3, (0, 2, 1, 0, 1, 1)), (10, (3, 1, 0, 1, 0, 4))]
)
def test_two_dice_of_a_strip_by_listing_them(gambler: bool, strip: int, kept: Six) -> None:
    game = agree(rounds=1, gambler=gambler)
    for place, expected in Listed(position(game, strip, kept)).solve(lambda end: end.scores()).items():
        assert values_of(game).points(place)[0] == pytest.approx(expected[0], abs=1e-12)


def test_three_dice_of_a_strip_by_listing_them() -> None:
    game = agree(rounds=1)
    solution = Listed(position(game, 8, (1, 1, 4, 0, 0, 0))).solve(lambda end: end.scores())
    for place, expected in list(solution.items())[::7]:
        assert values_of(game).points(place)[0] == pytest.approx(expected[0], abs=1e-10)


def plain_turn(targets: tuple[int, ...], gambler: bool, reward: Callable[[int], float] = float) -> float:
    """A whole turn once more: sets of colours, all rolls by hand, no table of the rules."""

    @cache
    def roll(missing: frozenset[int], pips: int) -> float:
        order = sorted(missing)
        expected = 0.0
        for faces in product(*(range(targets[die] + 1) for die in order)):
            chance = 1.0
            for die, face in zip(order, faces, strict=True):
                chance *= 1 / 6 if face else 1 - targets[die] / 6
            good = [(die, face) for die, face in zip(order, faces, strict=True) if face]
            if not good:
                best = reward(0 if gambler else sum(targets[die] for die in order))
            else:
                best = max(keep(missing, pips, good, which) for which in range(1, 1 << len(good)))
            expected += chance * best
        return expected

    def keep(missing: frozenset[int], pips: int, good: list[tuple[int, int]], which: int) -> float:
        chosen = [pair for bit, pair in enumerate(good) if which >> bit & 1]
        left = missing - {die for die, _ in chosen}
        now = pips + sum(face for _, face in chosen)
        if not left:
            return reward(2 * now)
        return max(reward(now + 5 * (len(left) == 1)), roll(left, now))

    return roll(frozenset(range(6)), 0)


@pytest.mark.parametrize(("strip", "gambler"), [(0, False), (1, True), (5, False)])
def test_whole_turns_by_a_plain_twin(strip: int, gambler: bool) -> None:
    game = agree(gambler=gambler)
    assert values_of(game).fresh(strip) == pytest.approx(
        plain_turn(targets_of(game, strip), gambler), abs=1e-9
    )


def test_backs_with_every_tile() -> None:
    """With tile 1 a back is a front with its colours moved; a higher tile is never worse."""
    front, back = values_of(agree(2)), values_of(agree(2, handicap=True))
    for strip in range(15):
        fresh = [back.fresh(strip, tile) for tile in range(1, 7)]
        assert fresh[0] == pytest.approx(front.fresh(strip), abs=1e-9)
        assert fresh == sorted(fresh)


@pytest.mark.parametrize("options", [{}, {"gambler": True}, {"handicap": True}])
@pytest.mark.parametrize("players", [1, 3])
def test_the_ledger_holds_everywhere(options: dict[str, bool], players: int) -> None:
    """With a handicap and rivals only inside the turns: nobody knows the tiles to come."""
    game = agree(players, **options)
    values, generator = values_of(game), KeyedGenerator(seed_key("ledger"))
    for state in walk(game, generator):
        guessed = state.actor == CHANCE and state.phase == "strip" and not values.exact.value
        ledger_holds(values, state, exact=not guessed)


def test_a_round_to_come_is_the_mean_of_the_strips_left() -> None:
    game = agree(2)
    values = values_of(game)
    fresh = [values.fresh(strip) for strip in range(15)]
    mean = sum(fresh) / 15
    assert values.points(game.start()) == pytest.approx((10 * mean, 10 * mean))
    assert values.worth(game.start()).turn == pytest.approx(mean)
    drawn = game.start().apply(Strip(3))
    left = (sum(fresh) - fresh[3]) / 14
    assert values.points(drawn) == pytest.approx((fresh[3] + 9 * left,) * 2)
    assert values.worth(drawn).turn == pytest.approx(fresh[3])


def test_tiles_to_come_are_guessed_and_it_is_said() -> None:
    game = agree(2, handicap=True)
    values = values_of(game)
    ones = sum(values.fresh(strip, 1) for strip in range(15)) / 15
    threes = sum(values.fresh(strip, 3) for strip in range(15)) / 15
    assert values.points(game.start()) == pytest.approx((ones + 9 * (ones + threes) / 2,) * 2)
    worth = values.worth(game.start())
    assert worth.exact.turn and not worth.exact.value and not worth.exact.win
    assert values.worth(position(game, 2, NOTHING)).exact.value, "in the last round all tiles are known"
    assert values_of(agree(1, handicap=True)).exact.value


@pytest.mark.exhaustive
@pytest.mark.parametrize("options", [{}, {"gambler": True}])
def test_monte_carlo_of_games_for_points(options: dict[str, bool]) -> None:
    game = agree(1, **options)
    values = values_of(game)
    ends = final_scores(game, 200, for_points(values), "fiese15")
    mean_is_near([end.scores()[0] for end in ends], values.points(game.start())[0])


def test_scores_of_a_turn() -> None:
    values = values_of(agree())
    spread = values.distribution()
    assert sum(spread.chances) == pytest.approx(1)
    assert spread.mean() == pytest.approx(values.worth(agree().start()).turn)
    game = agree(rounds=1)
    inside = position(game, 14, (1, 0, 3, 3, 0, 2))
    strip = strip_turn(one_turn(game.config), inside.targets)
    rest = strip.turn.distribution(node=strip.node(inside.unpack()))
    assert rest.mean() == pytest.approx(values_of(game).points(inside)[0])


# --- winning chances --------------------------------------------------------------------------------


@pytest.mark.parametrize("best", [14, 17, 21, 26])
def test_the_last_turn_by_listing_it(best: int) -> None:
    game = agree(2, rounds=1)
    last = position(game, 14, (1, 0, 3, 3, 0, 2), 1, totals=(best, 0))
    solution = Listed(last).solve(lambda end: [seat in end.winners() for seat in range(2)])
    for place, expected in solution.items():
        worth = values_of(game).worth(place)
        assert worth.exact.win and worth.win is not None
        assert worth.win[1] == pytest.approx(expected[1], abs=1e-12)


@pytest.mark.parametrize("needed", [9, 20])
def test_a_whole_last_turn_by_a_plain_twin(needed: int) -> None:
    game = agree(2, rounds=1)
    last = position(game, 0, NOTHING, 1, totals=(needed, 0))
    win = plain_turn(last.targets, False, lambda score: float(score >= needed))
    found = values_of(game).worth(last)
    assert found.exact.win and found.win is not None
    assert found.win[1] == pytest.approx(win, abs=1e-12)


@pytest.mark.parametrize(("rounds", "options"), [(2, {}), (2, {"gambler": True}), (1, {"handicap": True})])
def test_chances_hold_in_the_last_round_of_two(rounds: int, options: dict[str, bool]) -> None:
    game = agree(2, rounds=rounds, **options)
    values = values_of(game)
    states = list(walk(game, KeyedGenerator(seed_key("chances"))))
    for state in states:
        chances_hold(values, state)
    first = next(n for n, state in enumerate(states) if values.worth(state).exact.win)
    assert all(values.worth(state).exact.win for state in states[first:])
    begun = states[first]
    assert isinstance(begun, Position)
    assert (len(begun.strips), begun.seat) == ((1, 1) if rounds == 2 else (0, 0))
    assert values.exact.win == (rounds == 1)


def test_to_win_and_for_points_can_differ() -> None:
    """Five dice with 10 pips are 15; who needs 16 has to roll the last die, whatever it costs."""
    game = agree(2, rounds=1)
    targets = targets_of(game, 10)
    state = Position(
        game, 1, "next", 1, (16, 0), (10,), (), targets, (4, 1, 1, 0, 1, 3), NOTHING
    )  # fmt: skip
    roll, stop = values_of(game).moves(state)
    assert stop.win == 0 and stop.turn == 15
    assert roll.win == pytest.approx(1 / 6) and roll.turn is not None and roll.turn < 15


def test_a_game_is_even_before_it_begins() -> None:
    game = agree(3)
    worth = values_of(game).worth(game.start())
    assert worth.win == pytest.approx((1 / 3,) * 3, abs=0.01)
    assert not worth.exact.win


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("options", [{}, {"handicap": True}])
def test_every_answer_agrees_with_the_others(players: int, options: dict[str, bool]) -> None:
    game = agree(players, rounds=2, **options)
    for state in walk(game, KeyedGenerator(seed_key(players))):
        answers_agree(values_of(game), state)


def test_grading_needs_no_compiler_once_the_table_is_there() -> None:
    values_of(agree()).prepare()
    script = (
        "import sys; from pasch.games.fiese15.rules import Fiese15; from pasch.solve import valuer;"
        "game = Fiese15(1); print(valuer(game).points(game.start())[0] > 0, 'numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.split() == ["True", "False"]
