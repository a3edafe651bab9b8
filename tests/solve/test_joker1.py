"""Values of Würfel Joker 1.

The tests marked `exhaustive` run with `make test-all` only: run it after a change of winning chances.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, Literal

import msgspec
import pytest

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.state import CHANCE, State
from pasch.core.texts import rules_markdown
from pasch.games.joker1.box import Combination, Joker1Components
from pasch.games.joker1.rules import Joker1, Joker1Options, Position
from pasch.solve import turns
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

#: the expected points of a turn with the default box; the same if the first joker roll needs a 1
TURN = 16.077082850801915
STRICT_TURN = 14.52437777997812


def small(
    dice: int, jokers: int = 1, rounds: int = 1, first_six: Literal["saves", "busts"] = "saves"
) -> Joker1Options:
    """A box with few positions."""
    combinations = (
        Combination(name="one", slides=(1,), value=2),
        Combination(name="bridge", slides=(1, 6), value=7),
        Combination(name="step", slides=(2, 3), value=5, exact=False),
    )
    box = Joker1Components(game="joker1", dice=dice, jokers=jokers, combinations=combinations)
    return Joker1Options(rounds=rounds, components=box, first_six=first_six)


def scores(state: State) -> tuple[int, ...]:
    return state.scores()


def wins(state: State) -> list[bool]:
    return [seat in state.winners() for seat in range(state.game.players)]


# --- points -----------------------------------------------------------------------------------------


def one_die(first_six: str) -> Fraction:
    """A turn with one die and one joker at most, by hand.

    One die pushes the slide of its face. A six may also push nothing, and after it the die stays in play
    in any case; any other face that was pushed before busts.
    """
    values = {frozenset({1}): 2, frozenset({1, 6}): 7}

    def combination(up: frozenset[int]) -> int:
        return max(values.get(up, 0), 5 if {2, 3} <= up else 0)

    def joker(up: frozenset[int]) -> Fraction:
        # a six is rolled again or stopped with; of the other five faces only the 1 is good
        value, doubled = combination(up), combination(up) * 2
        if first_six == "busts":
            return Fraction(doubled, 6)
        again = Fraction(doubled, 5)
        return again if again > value else Fraction(doubled + value, 6)

    known: dict[frozenset[int], Fraction] = {}

    def after(up: frozenset[int]) -> Fraction:
        """With these slides up, before choosing: stop, jokers, or roll."""
        leave = max(Fraction(combination(up)), joker(up) if combination(up) else Fraction())
        return max(leave, roll(up))

    def roll(up: frozenset[int]) -> Fraction:
        if up not in known:
            sure = sum((after(up | {face}) for face in range(1, 6) if face not in up), Fraction())
            leave = max(Fraction(combination(up)), joker(up) if combination(up) else Fraction())
            six = leave if 6 in up else max(leave, after(up | {6}))
            # a six that pushes nothing leaves the choice as it was: take it, or roll once more
            known[up] = max((sure + six) / 6, sure / 5)
        return known[up]

    return roll(frozenset())


@pytest.mark.parametrize("first_six", ["saves", "busts"])
def test_a_turn_with_one_die_in_exact_fractions(first_six: Any) -> None:
    options = small(1, first_six=first_six)
    worth = turn_values(Joker1(1, options)).worth(Joker1(1, options).start())
    assert worth.turn == pytest.approx(float(one_die(first_six)), abs=1e-12)


@pytest.mark.parametrize(("first_six", "turn"), [("saves", TURN), ("busts", STRICT_TURN)])
def test_a_whole_turn_by_listing_it(first_six: Any, turn: float) -> None:
    game = Joker1(1, Joker1Options(rounds=1, first_six=first_six))
    values = turn_values(game)
    for position, expected in Listed(game.start()).solve(scores).items():
        assert values.points(position)[0] == pytest.approx(expected[0], abs=1e-9)
    assert values.points(game.start())[0] == pytest.approx(turn, abs=1e-9)


def test_the_rules_pages_name_what_the_first_six_costs() -> None:
    for language, point in (("en", "."), ("de", ",")):
        text = rules_markdown("joker1", language)
        for turn in (TURN, STRICT_TURN):
            assert f"{turn:.1f}".replace(".", point) in text


def joker_rolls(dice: int, jokers: int, value: int) -> float:
    """The worth of being about to roll in the jokers where the first roll needs a 1, from the rules in words."""

    @cache
    def ahead(dice: int, jokers: int, depth: int) -> float:
        total = 0.0
        for faces in product(range(1, 7), repeat=dice):
            ones, sixes = min(faces.count(1), 3 - jokers), faces.count(6)
            if ones:
                total += stay(dice, jokers + ones, depth)
            elif sixes and jokers:
                total += stay(sixes, jokers, depth)
        return total / float(6**dice)

    def stay(dice: int, jokers: int, depth: int) -> float:
        stop = value * float(1 << jokers)
        return stop if jokers == 3 or not depth else max(stop, float(ahead(dice, jokers, depth - 1)))

    # looking further ahead changes nothing that a float could show
    return float(ahead(dice, jokers, 60))


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_going_into_jokers_that_need_a_one_by_hand(dice: int) -> None:
    game = Joker1(1, Joker1Options(rounds=1, first_six="busts"))
    state = Position(game, 0, "next", 0, 0, (0,), 0b100001, dice, (), 0)
    worth = {m.move.json()["next"]: m.turn for m in turn_values(game).moves(state)}
    assert worth["jokers"] == pytest.approx(joker_rolls(dice, 0, 7), abs=1e-9)
    assert worth["stop"] == 7


@pytest.mark.parametrize(
    "options", [Joker1Options(), Joker1Options(first_six="busts"), small(4, 3, 4), small(3, 3, 4, "busts")]
)
@pytest.mark.parametrize("players", [1, 2, 3])
def test_the_ledger_holds_everywhere(options: Joker1Options, players: int) -> None:
    game = Joker1(players, options)
    values, generator = turn_values(game), KeyedGenerator(seed_key("ledger"))
    for _ in range(4):
        for state in walk(game, generator):
            ledger_holds(values, state)


def test_points_add_up_over_turns() -> None:
    game = Joker1(3, Joker1Options(rounds=4))
    values = turn_values(game)
    assert values.points(game.start()) == pytest.approx([4 * TURN] * 3)
    later = Position(game, CHANCE, "roll", 1, 2, (30, 10, 0), 0, 3, (), 0)
    assert values.points(later) == pytest.approx((30 + TURN, 10 + 2 * TURN, 2 * TURN))
    assert values.worth(later).turn == pytest.approx(TURN)


def test_monte_carlo_of_a_turn() -> None:
    game = Joker1(1, Joker1Options(rounds=1))
    values = turn_values(game)
    ends = final_scores(game, 3000, for_points(values), "joker1")
    mean_is_near([end.scores()[0] for end in ends], TURN)
    spread = values.distribution()
    assert sum(spread.chances) == pytest.approx(1)
    assert spread.mean() == pytest.approx(TURN)
    mean_is_near([float(end.scores()[0] == 0) for end in ends], spread.at_most(spread.points)[0])


# --- winning chances --------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [small(2), small(1, 1, 2), small(2, 2, 1, "busts")])
def test_a_match_of_two_by_brute_force(options: Joker1Options) -> None:
    """A whole match listed; equal chances are decided by points, as in the tables."""
    game = Joker1(2, options)
    values, listed = turn_values(game), Listed(game.start())
    solution = listed.solve(wins, lambda state, seat: values.points(state)[seat])
    for position in [listed.positions[0], *listed.positions[:: max(1, len(listed.positions) // 300)]]:
        worth = values.worth(position)
        assert worth.exact.win
        assert worth.win == pytest.approx(solution[position], abs=1e-9)
        for move in values.moves(position):
            after = solution[position.apply(move.move)][position.actor]
            assert move.win == pytest.approx(after, abs=1e-9)


def test_the_last_turn_of_three_by_brute_force() -> None:
    game = Joker1(3, small(2))
    values = turn_values(game)
    last = Position(game, CHANCE, "roll", 2, 0, (5, 9, 0), 0, 2, (), 0)
    for position, expected in Listed(last).solve(wins).items():
        worth = values.worth(position)
        assert worth.exact.win and worth.win is not None
        assert worth.win[2] == pytest.approx(expected[2], abs=1e-9)


@pytest.mark.exhaustive
def test_monte_carlo_of_a_match_of_two() -> None:
    game = Joker1(2, Joker1Options(rounds=2))
    values = turn_values(game)
    expected = values.worth(game.start()).win
    ends = final_scores(game, 500, to_win(values), "match")
    assert expected is not None
    for seat in range(2):
        mean_is_near([float(seat in end.winners()) for end in ends], expected[seat])


def test_chances_hold_from_turn_to_turn() -> None:
    game = Joker1(2, Joker1Options(rounds=3))
    for state in walk(game, KeyedGenerator(seed_key("chances"))):
        chances_hold(turn_values(game), state)


def test_who_needs_more_than_points_rolls_on() -> None:
    """Behind by 22 in the last turn with a Parade of 21 up, the turn has to go into the jokers."""
    game = Joker1(2, Joker1Options(rounds=1))
    state = Position(game, 1, "next", 1, 0, (22, 0), 0b111111, 1, (), 0)
    by_name = {m.move.json()["next"]: m for m in turn_values(game).moves(state)}
    assert by_name["stop"].win == 0
    assert by_name["jokers"].win == pytest.approx(1 / 5), "a six is rolled again, the other four faces lose"
    assert by_name["stop"].value == 21


def test_chances_are_certain_where_nothing_can_change() -> None:
    game = Joker1(2, Joker1Options(rounds=2))
    far = Position(game, CHANCE, "roll", 1, 1, (10_000, 0), 0, 3, (), 0)
    assert turn_values(game).worth(far).win == pytest.approx((1, 0))


def test_long_games_and_more_seats_are_estimated_and_say_so() -> None:
    long = Joker1(2, Joker1Options(rounds=turns.MAX_DUEL_TURNS))
    worth = turn_values(long).worth(long.start())
    assert not worth.exact.win and worth.win is not None
    assert worth.win == pytest.approx((0.5, 0.5), abs=0.02)
    assert not turn_values(long).exact.win
    table = Joker1(4, Joker1Options(rounds=3))
    assert turn_values(table).exact.win is False
    assert turn_values(Joker1(1)).worth(Joker1(1).start()).win == (1.0,)
    assert turn_values(Joker1(1)).exact.win


@pytest.mark.parametrize("players", [1, 2, 4])
def test_every_answer_agrees_with_the_others(players: int) -> None:
    game = Joker1(players, Joker1Options(rounds=2))
    for state in walk(game, KeyedGenerator(seed_key(players))):
        answers_agree(turn_values(game), state)


def test_another_box_has_values_of_its_own() -> None:
    box = Joker1(1).components
    richer = tuple(msgspec.structs.replace(c, value=c.value * 2) for c in box.combinations)
    options = Joker1Options(components=msgspec.structs.replace(box, combinations=richer))
    assert turn_values(Joker1(1, options)).points(Joker1(1).start())[0] == pytest.approx(20 * TURN)


def test_the_cost_of_a_move_splits_into_the_parts_of_the_score() -> None:
    game = Joker1(2, Joker1Options(rounds=2))
    for state in list(walk(game, KeyedGenerator(seed_key("parts"))))[::3]:
        parts_add_up(state)
