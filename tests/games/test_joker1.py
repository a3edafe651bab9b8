"""Würfel Joker 1: every rule, and the rulebook's examples, by name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pasch.core.errors import IllegalMove
from pasch.core.events import Event, Roll
from pasch.games.joker1.box import best_combination, mask_of, numbers
from pasch.games.joker1.rules import Joker1, Joker1Options, Next, Position, Push
from pasch.games.joker1.ways import every_push, push_tables, pushes
from pasch.terminal.board import find_board

COMPONENTS = Joker1.default_components()


def position(
    up: tuple[int, ...] = (), dice: int = 3, phase: str = "roll", players: int = 2, **fields: Any
) -> Position:
    """Seat 0 in the midst of a turn, with these slides up."""
    options = {name: fields.pop(name) for name in ("rounds", "first_six") if name in fields}
    start: Any = Joker1(players, Joker1Options(**options)).start()
    actor = 0 if phase in ("push", "next", "joker next") else -1
    made: Position = msgspec.structs.replace(
        start, slides=mask_of(up), dice=dice, phase=phase, actor=actor, **fields
    )
    return made


def play(state: Position, *steps: Any) -> Position:
    """Rolls are tuples of faces, pushes lists of groups, next a word; all by the seat whose turn it is."""
    for step in steps:
        event: Event
        if isinstance(step, tuple):
            event = Roll(state.seat, step)
        elif isinstance(step, list):
            event = Push(state.seat, tuple(map(tuple, step)))
        else:
            event = Next(state.seat, step)
        state = state.apply(event)
    return state


def groups_of(state: Position) -> set[tuple[tuple[int, ...], ...]]:
    return {move.push for move in state.moves() if isinstance(move, Push)}


def choices(state: Position) -> list[str]:
    return [move.next for move in state.moves() if isinstance(move, Next)]


# --- the rulebook's examples ----------------------------------------------------------------------


def test_example_1_one_two_four() -> None:
    state = play(position(), (1, 2, 4))
    assert groups_of(state) == {((1,), (2,), (4,)), ((1, 4), (2,)), ((1,), (2, 4)), ((1, 2), (4,))}
    bridge = play(state, [[1], [2, 4]])
    assert bridge.combination == ("kleine Brücke", 7)
    assert play(bridge, "stop").totals == (7, 0)
    on = play(bridge, "roll")
    assert on.dice == 3 and on.chance().total == 216


def test_example_2_a_three_and_a_four_fit_nothing() -> None:
    state = position((1, 2, 3, 4, 6), dice=2)
    assert state.combination == ("kleiner Schritt", 6)
    after = play(state, (3, 4))
    assert after.totals == (0, 0)
    assert (after.seat, after.phase) == (1, "roll"), "a bust is followed by no push"


def test_example_3_a_four_leaves_and_a_six_stays() -> None:
    state = play(position((1, 2, 3, 4, 6), dice=2), (4, 6))
    assert groups_of(state) == {()}
    state = play(state, [])
    assert state.dice == 1
    assert play(state, "stop").totals == (6, 0)
    assert play(state, "roll").chance().total == 6


def test_example_4_two_jokers_make_28() -> None:
    state = position((1, 6), phase="joker next", jokers=2)
    assert choices(state) == ["roll", "stop"]
    assert play(state, "stop").totals == (28, 0)
    assert play(state, "roll", (2, 3, 5)).totals == (0, 0)


# --- pushing --------------------------------------------------------------------------------------


def test_dice_that_push_nothing_leave_play_for_the_rest_of_the_turn() -> None:
    state = play(position(), (5, 5, 5), [[5]])
    assert state.dice == 1
    state = play(state, "roll", (3,), [[3]], "roll", (1,), [[1]])
    assert state.dice == 1


def test_all_dice_are_back_for_the_next_seat() -> None:
    after = play(position(), (5, 5, 5), [[5]], "stop")
    assert (after.seat, after.dice, after.slides) == (1, 3, 0)


def test_a_natural_six_stays_whether_it_pushes_or_not() -> None:
    state = play(position(), (6, 6, 6))
    assert groups_of(state) == {(), ((6,),)}
    assert play(state, []).dice == play(state, [[6]]).dice == 3
    assert play(state, []).slides == 0


def test_all_slides_up_does_not_end_the_turn() -> None:
    state = play(position((1, 2, 3, 4)), (5, 6, 6), [[5], [6]])
    assert state.combination == ("Parade", 21)
    assert choices(state) == ["roll", "stop", "jokers"]


@pytest.mark.parametrize(
    ("up", "roll", "push", "reason"),
    [
        ((), (1, 2, 4), [[1], [1], [2]], "not so many dice showing 1"),
        ((), (1, 2, 4), [[3], [4]], "not so many dice showing 3"),
        ((), (1, 2, 4), [[1, 2, 4]], "7 is too much"),
        ((), (1, 2, 6), [[1, 6], [2]], "7 is too much"),
        ((2,), (1, 2, 4), [[2], [1, 4]], "slide 2 is up already"),
        ((), (2, 2, 4), [[2], [2], [4]], "slide 2 can be pushed only once"),
        ((), (1, 2, 4), [[1], [2]], "could still push slide 4"),
        ((), (1, 2, 4), [], "could still push slide 1"),
    ],
)
def test_illegal_pushes_are_explained(
    up: tuple[int, ...], roll: tuple[int, ...], push: list[list[int]], reason: str
) -> None:
    with pytest.raises(IllegalMove, match=reason):
        play(play(position(up), roll), push)


def _labelled(dice: tuple[int, ...]) -> Iterator[list[int]]:
    """Every way to give each die a group number, 0 meaning that it is left over."""
    if not dice:
        yield []
        return
    for rest in _labelled(dice[1:]):
        for group in range(len(dice) + 1):
            yield [group, *rest]


def brute_force(dice: tuple[int, ...], slides: int) -> set[tuple[Any, int, int]]:
    """The legal groupings found by trying every labelling and reading the rules off the result."""
    down = set(range(1, 7)) - set(numbers(slides))
    found = set()
    for labels in _labelled(dice):
        marked = sorted({label for label in labels if label})
        groups = [[f for f, at in zip(dice, labels, strict=True) if at == label] for label in marked]
        sums = [sum(group) for group in groups]
        if len(set(sums)) != len(sums) or not set(sums) <= down:
            continue
        spare = [f for f, at in zip(dice, labels, strict=True) if not at and f != 6]
        still_down = down - set(sums)
        more = [c for n in range(1, len(spare) + 1) for c in combinations(spare, n) if sum(c) in still_down]
        in_play = len(dice) - len(spare)
        if not more and in_play:
            found.add((tuple(sorted(tuple(sorted(g)) for g in groups)), mask_of(tuple(sums)), in_play))
    return found


@settings(deadline=None)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 63))
def test_pushes_are_those_of_brute_force(faces: list[int], slides: int) -> None:
    dice = tuple(sorted(faces))
    codes, (_, pushed, used) = every_push(4), push_tables(4)
    found = [
        (push, pushed[codes[push]], used[codes[push]] + dice.count(6)) for push in pushes(dice, slides)
    ]
    assert set(found) == brute_force(dice, slides)
    assert len(set(found)) == len(found)


@settings(deadline=None)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=3), st.integers(0, 63))
def test_a_roll_busts_exactly_when_it_has_no_six_and_nothing_fits(faces: list[int], slides: int) -> None:
    state = play(position(numbers(slides), dice=len(faces)), tuple(faces))
    sums = {sum(c) for n in range(1, len(faces) + 1) for c in combinations(faces, n)}
    assert (state.phase == "push") == (6 in faces or bool(sums - set(numbers(slides)) & set(range(1, 7))))


# --- after a roll ---------------------------------------------------------------------------------


def test_stopping_without_a_combination_scores_nothing() -> None:
    state = play(position(), (2, 2, 2), [[2], [2, 2]])
    assert state.combination is None
    assert play(state, "stop").totals == (0, 0)


def test_the_jokers_are_open_only_to_a_combination() -> None:
    state = play(position(), (2, 2, 2), [[2], [2, 2]])
    assert choices(state) == ["roll", "stop"]
    with pytest.raises(IllegalMove, match="need a combination"):
        play(state, "jokers")


@settings(deadline=None)
@given(st.integers(0, 63))
def test_the_best_combination_is_that_of_a_plain_search(slides: int) -> None:
    up = set(numbers(slides))
    values = [
        c.value
        for c in COMPONENTS.combinations
        if set(c.slides) == up or (not c.exact and set(c.slides) < up)
    ]
    found = best_combination(COMPONENTS, slides)
    assert (found[1] if found else None) == max(values, default=None)


# --- the jokers -----------------------------------------------------------------------------------


def test_going_into_the_jokers_commits_to_a_roll_with_the_dice_in_play() -> None:
    state = play(position((1, 6), dice=2, phase="next"), "jokers")
    assert state.moves() == () and state.chance().total == 36


def test_each_one_earns_a_joker_and_doubles() -> None:
    state = play(position((1, 6), phase="next"), "jokers", (1, 4, 5))
    assert (state.jokers, state.dice) == (1, 3)
    assert play(state, "stop").totals == (14, 0)
    state = play(state, "roll", (1, 2, 2))
    assert play(state, "stop").totals == (28, 0)


def test_after_a_one_all_dice_of_the_roll_are_rolled_again() -> None:
    state = play(position((1, 6), phase="next"), "jokers", (1, 4, 6))
    assert state.dice == 3


def test_in_the_jokers_there_is_no_push() -> None:
    state = play(position((1, 6), phase="next"), "jokers", (1, 4, 5))
    assert choices(state) == ["roll", "stop"] and state.slides == mask_of((1, 6))
    with pytest.raises(IllegalMove, match="in the jokers already"):
        play(state, "jokers")
    with pytest.raises(IllegalMove, match="has to choose now"):
        play(state, [[4]])


def test_three_jokers_end_the_turn() -> None:
    after = play(position((1, 6), phase="next"), "jokers", (1, 1, 1))
    assert after.totals == (56, 0) and after.seat == 1


def test_a_fourth_one_earns_nothing_more() -> None:
    after = play(position((1, 6), phase="joker next", jokers=2), "roll", (1, 1, 1))
    assert after.totals == (56, 0) and after.seat == 1


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_sixes_without_a_one_allow_to_stop_or_to_go_on_with_them(jokers: int) -> None:
    state = play(position((1, 6), phase="joker roll", jokers=jokers), (3, 6, 6))
    assert choices(state) == ["roll", "stop"]
    assert (state.dice, state.jokers) == (2, jokers)
    assert play(state, "stop").totals == (7 * 2**jokers, 0)


def test_dice_lost_by_going_on_with_sixes_do_not_return() -> None:
    state = play(position((1, 6), phase="joker roll"), (3, 4, 6), "roll", (1,))
    assert (state.dice, state.jokers) == (1, 1)


@pytest.mark.parametrize("roll", [(2, 3, 4), (5, 5, 5)])
def test_neither_one_nor_six_loses_everything(roll: tuple[int, ...]) -> None:
    after = play(position((4, 5, 6), phase="joker roll", jokers=2), roll)
    assert after.totals == (0, 0) and after.seat == 1


def test_first_six_busts_the_first_joker_roll_needs_a_one() -> None:
    first = position((1, 6), phase="next", first_six="busts")
    for roll in ((3, 6, 6), (6, 6, 6), (2, 3, 4)):
        after = play(first, "jokers", roll)
        assert after.totals == (0, 0) and after.seat == 1
    state = play(first, "jokers", (1, 3, 6))
    assert (state.jokers, state.dice, choices(state)) == (1, 3, ["roll", "stop"])


@pytest.mark.parametrize("jokers", [1, 2])
def test_first_six_busts_only_in_the_first_joker_roll(jokers: int) -> None:
    state = play(position((1, 6), phase="joker roll", jokers=jokers, first_six="busts"), (3, 6, 6))
    assert (state.dice, state.jokers, choices(state)) == (2, jokers, ["roll", "stop"])
    again = play(state, "roll", (2, 6))
    assert (again.dice, again.jokers) == (1, jokers)
    assert play(again, "stop").totals == (7 * 2**jokers, 0)


def test_what_a_lost_joker_roll_lacked_is_told() -> None:
    tell = find_board("joker1").tell
    strict = play(position((1, 6), phase="next", first_six="busts"), "jokers")
    assert tell(strict, Roll(0, (3, 6, 6))).endswith("no 1 in the first joker roll, the turn scores 0")
    assert tell(strict, Roll(0, (3, 4, 5))).endswith("neither a 1 nor a 6, the turn scores 0")


# --- rounds, end, order ---------------------------------------------------------------------------


def test_each_round_every_seat_has_one_turn_and_the_highest_total_wins() -> None:
    state: Any = Joker1(3, Joker1Options(rounds=2)).start()
    for expected in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]:
        assert (state.round, state.seat, state.over) == (*expected, False)
        grouping = [[1], [6]] if state.seat == 1 else [[5], [6]]
        state = play(state, (grouping[0][0], 6, 6), grouping, "stop")
    assert state.over and state.totals == (0, 14, 0) and state.winners() == (1,)
    with pytest.raises(IllegalMove, match="over"):
        state.apply(Roll(0, (1, 2, 3)))
