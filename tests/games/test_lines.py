"""Shut the Lines: groupings, turns, rounds. Events, boxes, board and beginner: test_lines_around.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pasch import CHANCE, OVER
from pasch.core.errors import IllegalMove, IllegalOutcome
from pasch.core.events import Roll
from pasch.core.rolls import ROLL_NUMBERS
from pasch.games.lines.box import mask_of
from pasch.games.lines.rules import (
    Cover,
    Lines,
    Plan,
    can_use_all,
)
from pasch.games.lines.rules import (
    points as points_of,
)
from pasch.games.lines.ways import MAX_WAYS, CoverWay, Groups, any_fits, partial_groupings

ALL_12 = range(1, 13)


def position(*covered: Iterable[int], plan: int = 1, **options: Any) -> Any:
    """The first round on `plan`, seat 0 about to roll; each seat has covered the numbers given."""
    game = Lines.agree(len(covered), {"plans": [plan], **options})
    return replace(laid(game), covered=tuple(mask_of(tuple(numbers)) for numbers in covered))


def laid(game: Lines) -> Any:
    start = game.start()
    return start.apply(start.chance().pick(0))


def rolled(state: Any, *faces: int) -> Any:
    return state.apply(Roll(state.seat, faces))


def covers(state: Any) -> set[Groups]:
    found = set()
    for move in state.moves():
        assert isinstance(move, Cover)
        assert move.seat == state.seat
        found.add(move.cover)
    assert len(found) == len(state.moves()), "every move is listed once"
    return found


def cover(state: Any, *groups: tuple[int, ...]) -> Any:
    return state.apply(Cover(state.seat, groups))


def refused(state: Any, *groups: tuple[int, ...]) -> str:
    before = covers(state)
    with pytest.raises(IllegalMove) as caught:
        cover(state, *groups)
    assert covers(state) == before
    return caught.value.reason


def groupings(roll: tuple[int, ...]) -> tuple[CoverWay, ...]:
    """The ways that use all the dice."""
    return tuple(way for way in partial_groupings(roll) if sum(map(len, way.groups)) == len(roll))


def numbers_of(mask: int) -> tuple[int, ...]:
    """The numbers in a bit mask, ascending."""
    return tuple(number for number in range(1, mask.bit_length() + 1) if mask >> number - 1 & 1)


def before_round(game: Lines, number: int, totals: tuple[int, ...]) -> Any:
    """Before the plan of a round, counted from 0, is laid out."""
    return replace(game.start(), round=number, seat=number % game.players, totals=totals)


# --- groupings ------------------------------------------------------------------------------------

ONE_THREE_FIVE = {((1,), (3,), (5,)), ((1, 3), (5,)), ((1, 5), (3,)), ((1,), (3, 5)), ((1, 3, 5),)}


def test_the_printed_example_1_3_5_has_five_possibilities() -> None:
    state = rolled(position([]), 5, 1, 3)
    assert covers(state) == ONE_THREE_FIVE
    numbers = [sorted(map(sum, groups)) for groups in ONE_THREE_FIVE]
    assert sorted(numbers) == [[1, 3, 5], [1, 8], [3, 6], [4, 5], [9]]
    assert {numbers_of(way.mask) for way in groupings((1, 3, 5))} == set(map(tuple, numbers))


def test_the_printed_example_covers_neither_2_nor_7() -> None:
    reachable = {n for way in partial_groupings((1, 3, 5)) for n in numbers_of(way.mask)}
    assert reachable == {1, 3, 4, 5, 6, 8, 9}


def test_the_example_of_our_own_texts() -> None:
    assert {numbers_of(way.mask) for way in groupings((2, 3, 6))} == {
        (2, 3, 6), (5, 6), (3, 8), (2, 9), (11,)
    }  # fmt: skip
    state = rolled(position([6, 11]), 2, 3, 6)
    assert covers(state) == {((2, 6), (3,)), ((2,), (3, 6))}


def labelled(roll: tuple[int, ...]) -> Iterator[list[list[int]]]:
    """Every die gets a label; dice of one label are a group, label 0 is left over."""
    for labels in product(range(len(roll) + 1), repeat=len(roll)):
        yield [
            [die for die, label in zip(roll, labels, strict=True) if label == wanted]
            for wanted in sorted({*labels} - {0})
        ]


def twin(roll: tuple[int, ...], free: set[int]) -> tuple[set[Groups], set[Groups]]:
    """Complete and partial covers, by trying all labels and looking at the sums one by one."""
    whole, partly = set(), set()
    for groups in labelled(roll):
        used: set[int] = set()
        for group in groups:
            if sum(group) in used or sum(group) not in free:
                break
            used.add(sum(group))
        else:
            written = tuple(sorted(tuple(sorted(group)) for group in groups))
            partly.add(written)
            if Counter(die for group in groups for die in group) == Counter(roll):
                whole.add(written)
    return whole, partly


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_groupings_are_those_of_the_twin(dice: int) -> None:
    for roll in combinations_with_replacement(range(1, 7), dice):
        whole, partly = twin(roll, set(range(1, 31)))
        assert {way.groups for way in groupings(roll)} == whole
        assert {way.groups for way in partial_groupings(roll)} == partly
        for way in partial_groupings(roll):
            assert way.mask == sum(1 << sum(group) - 1 for group in way.groups)
        assert partial_groupings(roll)[: len(whole)] == groupings(roll)
        assert len(partial_groupings(roll)) <= MAX_WAYS


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_moves_are_those_of_the_twin_and_nothing_else_is_accepted(data: st.DataObject) -> None:
    plan = data.draw(st.sampled_from([1, 2, 3]))
    highest, dice = {1: (12, 3), 2: (14, 3), 3: (16, 4)}[plan]
    taken = data.draw(st.sets(st.integers(1, highest)))
    roll = tuple(sorted(data.draw(st.lists(st.integers(1, 6), min_size=dice, max_size=dice))))
    free = set(range(1, highest + 1)) - taken
    whole, partly = twin(roll, free)
    mask = mask_of(tuple(free))
    board = position(taken, [], plan=plan)
    g, number = board.game.config, ROLL_NUMBERS[roll]
    assert can_use_all(g, number, mask) == bool(whole)
    assert any_fits(g.covers, number, len(g.covers.masks[number]), mask) == (partly != {()})
    state = rolled(board, *roll)
    if partly == {()}:
        assert (state.actor, state.seat, state.out, state.moves()) == (CHANCE, 1, (True, False), ())
        return
    legal = whole or partly
    assert covers(state) == legal
    for groups in {tuple(sorted(tuple(sorted(g)) for g in groups)) for groups in labelled(roll)}:
        if groups not in legal:
            refused(state, *groups)
            continue
        after = cover(state, *groups)
        assert set(numbers_of(after.covered[0])) == taken | set(map(sum, groups))
        assert after.out == (not whole, False)


def test_a_sum_that_is_not_on_the_plan_cannot_be_covered() -> None:
    state = rolled(position([]), 6, 6, 6)
    assert covers(state) == {((6,), (6, 6))}
    assert refused(state, (6, 6, 6)) == "there is no 18 on plan 1"
    assert covers(rolled(position([], plan=2), 3, 5, 6)) >= {((3, 5, 6),)}
    assert covers(rolled(position([]), 3, 5, 6)).isdisjoint({((3, 5, 6),)})


# --- the turn -------------------------------------------------------------------------------------


def test_all_the_dice_of_the_plan_are_rolled() -> None:
    for plan, dice in ((1, 3), (2, 3), (3, 4), (4, 5)):
        state = position([], plan=plan)
        assert state.actor == CHANCE
        assert state.chance().total == 6**dice
        for number in (0, dice - 1, dice + 1):
            with pytest.raises(IllegalOutcome, match=f"with {dice} dice, not with {number}"):
                rolled(state, *[1] * number)


def test_every_die_has_to_be_used_if_that_is_possible() -> None:
    state = rolled(position([1]), 1, 3, 5)
    assert refused(state, (5,)) == "you have to use all dice, and you can: 1+3, 5"
    assert refused(state) == "you have to use all dice, and you can: 1+3, 5"
    assert cover(state, (1, 3), (5,)).out == (False,)


def test_only_dice_that_were_rolled_can_be_used() -> None:
    state = rolled(position([]), 1, 3, 5)
    assert refused(state, (4,), (5,)) == "you have rolled 1, 3 and 5; that does not contain 4"
    assert refused(state, (1,), (3,), (3, 5)) == "you have rolled 1, 3 and 5; that does not contain 3 and 3"
    assert refused(state, *[(5,)] * 999) == "you have rolled 1, 3 and 5; that does not contain 5 and 5"


def test_a_number_is_covered_only_once() -> None:
    state = rolled(position([9, 4]), 1, 3, 5)
    assert refused(state, (1, 3, 5)) == "you have covered the 9 already"
    assert covers(state) == ONE_THREE_FIVE - {((1, 3, 5),), ((1, 3), (5,))}


def test_two_groups_of_a_roll_have_different_sums() -> None:
    assert refused(rolled(position([]), 2, 3, 5), (2, 3), (5,)) == "two groups make 5"
    last = rolled(position([4, 6]), 2, 2, 2)
    assert covers(last) == {(), ((2,),)}
    assert refused(last, (2,), (2,)) == "two groups make 2"


def test_seats_do_not_block_each_other() -> None:
    state = cover(rolled(position([], []), 1, 3, 5), (1, 3, 5))
    assert state.seat == 1
    assert covers(rolled(state, 1, 3, 5)) == ONE_THREE_FIVE


def test_a_turn_is_one_roll_and_goes_on_clockwise() -> None:
    state = position([], [], [])
    for seat in (0, 1, 2, 0, 1):
        assert (state.phase, state.seat, state.actor) == ("roll", seat, CHANCE)
        state = rolled(state, 1, 3, 5)
        assert (state.phase, state.actor, state.rolled) == ("cover", seat, (1, 3, 5))
        state = cover(state, *next(iter(sorted(covers(state)))))
        assert state.rolled == ()


# --- out of the round -----------------------------------------------------------------------------


def last_roll() -> Any:
    """2, 3 and 5 cannot all be used: 3, 7, 8 and 10 are covered, 2+3 and 5 make the same."""
    state = rolled(position([3, 7, 8, 10], []), 2, 3, 5)
    assert state.phase == "cover"
    return state


def test_a_roll_that_fits_only_in_part_may_be_covered_in_part() -> None:
    assert covers(last_roll()) == {(), ((2,),), ((5,),), ((2, 3),), ((2,), (5,))}
    after = cover(last_roll(), (2,), (5,))
    assert numbers_of(after.covered[0]) == (2, 3, 5, 7, 8, 10)
    assert (after.out, after.seat, after.phase) == ((True, False), 1, "roll")


def test_nothing_may_be_covered_of_a_roll_that_fits_only_in_part() -> None:
    after = cover(last_roll())
    assert numbers_of(after.covered[0]) == (3, 7, 8, 10)
    assert (after.out, after.seat) == ((True, False), 1)


def test_without_anything_to_cover_the_seat_is_out_after_the_roll() -> None:
    after = rolled(position([2, 3, 5, 7, 8, 10], []), 2, 3, 5)
    assert (after.phase, after.actor, after.seat, after.out) == ("roll", CHANCE, 1, (True, False))
    assert after.rolled == ()
    with pytest.raises(IllegalOutcome, match="first seat 2’s dice or cards have to come"):
        after.apply(Cover(0, ()))


def test_who_has_covered_everything_rolls_once_more_and_is_out() -> None:
    nearly = rolled(position(set(ALL_12) - {9}, []), 1, 3, 5)
    full = cover(nearly, (1, 3, 5))
    assert full.out == (False, False)
    again = cover(rolled(full, 1, 3, 5), (1, 3, 5))
    assert (again.seat, again.phase) == (0, "roll")
    assert rolled(again, 1, 1, 1).out == (True, False)


def test_those_who_are_out_are_skipped() -> None:
    state = rolled(position([], ALL_12, []), 1, 3, 5)
    state = rolled(cover(state, (1, 3, 5)), 6, 6, 6)
    assert (state.seat, state.out) == (2, (False, True, False))
    state = cover(rolled(state, 1, 3, 5), (1, 3, 5))
    assert state.seat == 0
    state = cover(rolled(state, 1, 3, 4), (1, 3, 4))
    assert state.seat == 2
    state = cover(rolled(state, 1, 3, 4), (1, 3, 4))
    assert state.seat == 0


def test_the_last_one_in_goes_on_alone() -> None:
    state = rolled(position(ALL_12, []), 1, 3, 5)
    for faces in ((1, 3, 5), (1, 3, 4), (1, 2, 4)):
        assert state.seat == 1
        state = cover(rolled(state, *faces), faces)
    assert numbers_of(state.covered[1]) == (7, 8, 9)


# --- rounds and points ----------------------------------------------------------------------------


def finished(*covered: Iterable[int], **options: Any) -> Any:
    """After the round on plan 1 in which the seats have covered these numbers, all of them 1, 2 and 3."""
    state = position(*covered, **options)
    for _ in covered:
        state = rolled(state, 1, 1, 1)
    return state


@given(st.sampled_from([1, 2, 3, 4]), st.sets(st.integers(1, 25)))
def test_points_are_those_counted_line_by_line(plan: int, covered: set[int]) -> None:
    lines = Lines(1).components.plans[plan - 1].lines
    assert points_of(Lines(1).plans[plan - 1].lines, mask_of(tuple(covered))) == len(
        [x for x in lines if covered >= {*x}]
    )


def test_points_are_noted_when_all_are_out() -> None:
    state = position(ALL_12, ALL_12, target=20)
    state = rolled(state, 1, 1, 1)
    assert state.totals == state.scores() == (0, 0)
    state = rolled(state, 1, 1, 1)
    assert state.totals == (6, 6)


def test_the_next_round_begins_with_nothing_covered_and_all_in() -> None:
    state = finished(ALL_12, ALL_12, target=20)
    assert (state.phase, state.round, state.plan, state.actor) == ("plan", 1, 0, CHANCE)
    assert (state.covered, state.out) == ((0, 0), (False, False))


def test_a_cover_that_puts_the_last_one_out_ends_the_round_at_once() -> None:
    state = position([1, 2, 3, 7, 8, 10, 12, 11, 5], target=3)
    state = cover(rolled(state, 2, 3, 6), (6,))
    assert state.phase == "plan"
    assert state.totals == (2,), "1-2-11-12 and 7-8-10-1 are complete"


def test_each_round_begins_with_the_next_seat() -> None:
    game = Lines.agree(3, {"target": 1000})
    for number in range(7):
        state = before_round(game, number, (0, 0, 0)).apply(Plan(1))
        assert state.seat == number % 3
        gone = replace(state, covered=(mask_of(tuple(ALL_12)),) * 3)
        for step in range(3):
            assert gone.seat == (number + step) % 3
            gone = rolled(gone, 1, 1, 1)
        assert gone == before_round(game, number + 1, (6, 6, 6))


def test_rounds_cycle_over_the_plans() -> None:
    game = Lines.agree(1, {"plans": [4, 1, 1, 3]})
    for number, plan in enumerate([4, 1, 1, 3, 4, 1, 1, 3, 4]):
        state = before_round(game, number, (0,))
        assert state.chance().outcomes() == ((Plan(plan), 1),)
        assert state.chance().probability(Plan(plan)) == Fraction(1)
        assert state.apply(Plan(plan)).plan == plan
        for other in {0, 1, 2, 3, 4, 5} - {plan}:
            with pytest.raises(IllegalOutcome, match=f"is played on plan {plan}, not on plan {other}"):
                state.apply(Plan(other))


# --- the end --------------------------------------------------------------------------------------

#: 1-2-11-12 is a line; all of these have to be covered for `finished`
ONE_LINE, NO_LINE = [1, 2, 11, 12, 3], [1, 2, 3]


def test_the_game_ends_when_the_target_is_reached_exactly() -> None:
    state = finished(ALL_12, ONE_LINE, target=6)
    assert (state.actor, state.phase, state.moves()) == (OVER, "over", ())
    assert (state.scores(), state.winners()) == ((6, 1), (0,))


def test_of_several_beyond_the_target_the_highest_total_wins() -> None:
    state = finished(ONE_LINE, ALL_12, NO_LINE, target=1)
    assert (state.scores(), state.winners()) == ((1, 6, 0), (1,))


def test_the_target_is_looked_at_only_after_a_round() -> None:
    state = rolled(position(ALL_12, [], target=1), 1, 1, 1)
    assert not state.over
    assert state.seat == 1


# --- a whole game ---------------------------------------------------------------------------------
