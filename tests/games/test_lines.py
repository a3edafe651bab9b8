"""Shut the Lines: groupings, turns, rounds, and the choice of plans."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pasch import CHANCE, OVER, Match
from pasch.coach.judge import advise
from pasch.coach.reasons import habit
from pasch.core.rolls import Groups
from pasch.core.rules import mask_of
from pasch.games.lines.rules import ChosenPlan, Lines
from pasch.games.lines.rules import points as points_of
from pasch.games.lines.ways import MAX_WAYS, covers_with
from pasch.table.show import marks, show, why
from tests.coach.games import judged
from tests.games.rulebook import holds, labelled, play, refusal

ALL_12 = range(1, 13)


def position(*covered: Iterable[int], plan: int = 1, **options: Any) -> Any:
    """The first round on `plan`, seat 0 about to roll; each seat has covered the numbers given."""
    start = Lines.agree(len(covered), {"plans": [plan], **options}).start()
    return replace(play(start, f"plan:{plan}"), covered=tuple(mask_of(each) for each in covered))


def before_round(game: Lines, number: int, totals: tuple[int, ...]) -> Any:
    """Before the plan of a round, counted from 0, is laid out."""
    return replace(game.start(), round=number, seat=number % game.players, totals=totals)


# --- groupings ------------------------------------------------------------------------------------

ONE_THREE_FIVE = {"cover:1/3/5", "cover:1,3/5", "cover:1,5/3", "cover:1/3,5", "cover:1,3,5"}


def test_the_examples() -> None:
    # the printed one has five possibilities, and covers neither 2 nor 7
    holds(position([]), "roll:5,1,3", moves=ONE_THREE_FIVE)
    reachable = {n for groups in covers_with((1, 3, 5)) for n in map(sum, groups)}
    assert reachable == {1, 3, 4, 5, 6, 8, 9}
    # that of our own texts
    holds(
        position([]),
        "roll:2,3,6",
        moves={"cover:2/3/6", "cover:2,3/6", "cover:2,6/3", "cover:2/3,6", "cover:2,3,6"},
    )
    holds(position([6, 11]), "roll:2,3,6", moves={"cover:2,6/3", "cover:2/3,6"})


def twin(roll: tuple[int, ...], free: range) -> tuple[set[Groups], set[Groups]]:
    """Complete and partial covers, by trying all labels and looking at the sums."""
    whole, partly = set(), set()
    for left, groups in labelled(roll):
        sums = [*map(sum, groups)]
        if len({*sums}) == len(sums) and {*sums} <= {*free}:
            written = tuple(sorted(tuple(sorted(group)) for group in groups))
            partly.add(written)
            if not left:
                whole.add(written)
    return whole, partly


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_covers_are_those_of_the_twin(dice: int) -> None:
    for roll in combinations_with_replacement(range(1, 7), dice):
        whole, partly = twin(roll, range(1, 31))
        found = covers_with(roll)
        assert {*found} == partly and {*found[: len(whole)]} == whole
        assert len(found) == len(partly) <= MAX_WAYS


# --- the turn -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("covered", "roll", "cover", "reason"),
    [
        ([], "6,6,6", "6,6,6", "there is no 18 on plan 1"),
        ([1], "1,3,5", "5", "you have to use all dice, and you can: 1+3, 5"),
        ([1], "1,3,5", "-", "you have to use all dice, and you can: 1+3, 5"),
        ([], "1,3,5", "4/5", "you have rolled 1, 3 and 5; that does not contain 4"),
        ([], "1,3,5", "1/3/3,5", "you have rolled 1, 3 and 5; that does not contain 3 and 3"),
        ([9, 4], "1,3,5", "1,3,5", "you have covered the 9 already"),
        ([], "2,3,5", "2,3/5", "two groups make 5"),
        ([4, 6], "2,2,2", "2/2", "two groups make 2"),
        ([2, 3, 5, 7, 8, 10], "2,3,5", "-", "seat 2’s dice or cards come first"),
    ],
)
def test_what_is_not_allowed_is_explained(covered: list[int], roll: str, cover: str, reason: str) -> None:
    assert reason in refusal(play(position(covered, []), f"roll:{roll}"), f"cover:{cover}")


def test_all_the_dice_of_the_plan_are_rolled() -> None:
    for plan, dice in ((1, 3), (2, 3), (3, 4), (4, 5)):
        state = position([], plan=plan)
        holds(state, "", actor=CHANCE, total=6**dice)
        for number in (dice - 1, dice + 1):
            said = refusal(state, f"roll:{','.join('1' * number)}")
            assert said == f"there are {dice} dice in play, not {number}"


# --- out of the round -----------------------------------------------------------------------------


def test_out_of_the_round() -> None:
    # 2, 3 and 5 cannot all be used: 3, 7, 8 and 10 are covered, 2+3 and 5 make the same
    last = play(position([3, 7, 8, 10], []), "roll:2,3,5")
    holds(last, "", moves={"cover:-", "cover:2", "cover:5", "cover:2,3", "cover:2/5"})
    after = {"out": (True, False), "seat": 1, "phase": "roll"}
    holds(last, "cover:2/5", covered=(mask_of((2, 3, 5, 7, 8, 10)), 0), **after)
    holds(last, "cover:-", covered=(mask_of((3, 7, 8, 10)), 0), **after)
    # without anything to cover the roll is enough
    holds(position([2, 3, 5, 7, 8, 10], []), "roll:2,3,5", actor=CHANCE, rolled=(), **after)
    # who has covered everything rolls once more and is out
    nearly = play(position(set(ALL_12) - {9}, []), "roll:1,3,5; cover:1,3,5")
    holds(nearly, "", out=(False, False))
    holds(nearly, "roll:1,3,5; cover:1,3,5; roll:1,1,1", out=(True, False))


def test_those_who_are_out_are_skipped() -> None:
    state = play(position([], ALL_12, []), "roll:1,3,5; cover:1,3,5; roll:6,6,6")
    holds(state, "", seat=2, out=(False, True, False))
    for seat, cover in ((0, "1,3,5"), (2, "1,3,4"), (0, "1,3,4")):
        state = play(state, f"roll:{cover}; cover:{cover}")
        assert state.seat == seat
    # the last one in continues alone
    state = play(position(ALL_12, []), "roll:1,3,5")
    for cover in ("1,3,5", "1,3,4", "1,2,4"):
        assert state.seat == 1
        state = play(state, f"roll:{cover}; cover:{cover}")


# --- rounds and points ----------------------------------------------------------------------------


def finished(*covered: Iterable[int], **options: Any) -> Any:
    """After the round on plan 1 in which the seats have covered these numbers, all of them 1, 2 and 3."""
    return play(position(*covered, **options), "roll:1,1,1;" * len(covered))


@given(st.sampled_from([1, 2, 3, 4]), st.sets(st.integers(1, 25)))
def test_points_are_those_counted_line_by_line(plan: int, covered: set[int]) -> None:
    lines = Lines(1).components.plans[plan - 1].lines
    assert points_of(Lines(1).plans[plan - 1].lines, mask_of(covered)) == len(
        [x for x in lines if covered >= {*x}]
    )


def test_points_are_noted_when_all_are_out_and_the_next_round_begins_anew() -> None:
    holds(position(ALL_12, ALL_12, target=20), "roll:1,1,1", totals=(0, 0), scores=(0, 0))
    state = finished(ALL_12, ALL_12, target=20)
    holds(state, "", totals=(6, 6), phase="plan", round=1, plan=0, actor=CHANCE)
    holds(state, "", covered=(0, 0), out=(False, False))
    # a cover that puts the last one out ends the round at once; 1-2-11-12 and 7-8-10-1 are complete
    state = position([1, 2, 3, 7, 8, 10, 12, 11, 5], target=3)
    holds(state, "roll:2,3,6; cover:6", phase="plan", totals=(2,))


def test_each_round_begins_with_the_next_seat() -> None:
    game = Lines.agree(3, {"target": 1000})
    for number in range(7):
        state = play(before_round(game, number, (0, 0, 0)), "plan:1")
        assert state.seat == number % 3
        gone = play(replace(state, covered=(mask_of(ALL_12),) * 3), "roll:1,1,1; " * 3)
        assert gone == before_round(game, number + 1, (6, 6, 6))


def test_the_end() -> None:
    one_line, no_line = [1, 2, 11, 12, 3], [1, 2, 3]
    # when the target is reached exactly
    end = {"actor": OVER, "phase": "over", "moves": set(), "scores": (6, 1), "winners": (0,)}
    holds(finished(ALL_12, one_line, target=6), "", **end)
    # of several beyond the target the highest total wins
    holds(finished(one_line, ALL_12, no_line, target=1), "", scores=(1, 6, 0), winners=(1,))
    # only after a round
    holds(position(ALL_12, [], target=1), "roll:1,1,1", over=False, seat=1)


# --- the seat that begins a round chooses its plan ----------------------------------------------------


def chosen(players: int = 2, plans: tuple[int, ...] = (1, 3, 1), **options: Any) -> Any:
    return Lines.agree(players, {"plans": list(plans), "plan_choice": "chosen", **options}).start()


def test_the_seat_that_begins_the_round_chooses_its_plan() -> None:
    holds(chosen(), "", actor=0, phase="plan", plan=0, moves={"plan:1", "plan:3"})
    holds(chosen(), "plan:3", actor=CHANCE, phase="roll", plan=3, seat=0, total=6**4)
    assert chosen(plans=(4, 2, 4, 1, 2)).moves() == tuple(ChosenPlan(0, plan) for plan in (1, 2, 4))
    for plan in (0, 2, 4, 5, -1):
        said = f"plan {plan} was not agreed on; there is a choice of 1 and 3"
        assert refusal(chosen(), f"plan:{plan}") == said


@pytest.mark.parametrize("seat", [-1, -2])
def test_nobody_chooses_where_chance_lays_the_plan(seat: int) -> None:
    refused = Lines.agree(2, {"plans": [1, 4]}).start().refusal(ChosenPlan(seat, 4))
    assert refused and "the dice or cards come first" in refused.reason


@pytest.mark.slow
def test_the_coach_says_how_many_lines_the_plans_bring() -> None:
    match = Match(chosen(plans=(1, 3)).game)
    match.play(ChosenPlan(0, 1))
    found = judged(match, 1)
    assert found.points > 0 and found.best == {"seat": 0, "plan": 3}
    assert "Plan 1 brings" in str(found.sentences[0]) and "plan 3" in str(found.sentences[0])
    advice = advise(match.at(0))
    assert advice.moves[0].move == ChosenPlan(0, 3)
    assert "A round on plan 3 brings everybody" in str(advice.sentences[0])
    made, best = ChosenPlan(0, 1), ChosenPlan(0, 3)
    assert str(habit(match.at(0), made, best).when) == "plan 1 instead of 3"


def test_a_plan_is_touched_whole_and_the_plans_to_choose_from_are_marked() -> None:
    state, shown = chosen(), show("lines")
    assert [shown.tokens(move) for move in state.moves()] == [("plan:1",), ("plan:3",)]
    assert "was not agreed on" in str(why(state, ("plan:2",)))
    assert str(why(state, ("number:2",))) and str(why(state, ("plan:x",)))
    assert not shown.rolls_automatically(state, ChosenPlan(0, 1)), (
        "the seat that has chosen presses for the first roll"
    )
    assert marks(state) == {"plan": None, "choices": (1, 3), "lines": ((), ())}
    laid = marks(play(state, "plan:3"))
    assert laid["plan"] == 3 and "choices" not in laid
    assert marks(Lines.agree(2, {"plans": [2]}).start())["plan"] == 2
