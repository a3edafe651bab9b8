"""Würfel Joker 2: every rule, and the rulebook's examples, by name."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pasch.core.errors import EventError, IllegalMove, IllegalOutcome
from pasch.core.events import Event, Roll
from pasch.games.joker2.rules import Forgo, Joker2, Joker2Options, Next, Position, Push
from pasch.games.joker2.ways import numbers, pushes
from pasch.terminal.board import find_board

COMPONENTS = Joker2.default_components()
EVERY = tuple(range(1, 10))
OPTIONS = "rounds", "five_penalty", "five_dice"


def mask(up: tuple[int, ...]) -> int:
    return sum(1 << slide - 1 for slide in up)


def but(*down: int) -> tuple[int, ...]:
    """All slides except these."""
    return tuple(slide for slide in EVERY if slide not in down)


def position(up: tuple[int, ...] = (), phase: str = "roll", **fields: Any) -> Position:
    """Seat 0 in the midst of a turn, with these slides up."""
    options = {name: fields.pop(name) for name in OPTIONS if name in fields}
    start: Any = Joker2(fields.pop("players", 2), Joker2Options(**options)).start()
    actor = 0 if phase in ("push", "next") else -1
    made: Position = msgspec.structs.replace(start, slides=mask(up), phase=phase, actor=actor, **fields)
    return made


def play(state: Position, *steps: Any) -> Position:
    """Rolls are pairs, pushes read "4*2-5=3", None forgoes, next is a word."""
    for step in steps:
        event: Event
        if step is None:
            event = Forgo(state.seat)
        elif isinstance(step, tuple):
            event = Roll(state.seat, step)
        elif "=" in step:
            how, slide = step.split("=")
            event = Push(state.seat, int(slide), how)
        else:
            event = Next(state.seat, step)
        state = state.apply(event)
    return state


def offered(state: Position) -> set[str]:
    return {f"{move.how}={move.push}" for move in state.moves() if isinstance(move, Push)}


# --- the rulebook's examples ----------------------------------------------------------------------


def test_example_1_six_and_two() -> None:
    assert offered(play(position(), (6, 2))) == {"6+2=8", "6-2=4", "6/2=3"}


def test_example_2_a_double_three() -> None:
    state = play(position(), (3, 3))
    assert offered(state) == {"3*3=9", "3/3=1", "3+3=6", "3=3"}
    assert Forgo(0) in state.moves()


def test_example_3_four_and_two_with_the_five() -> None:
    state = play(position((5,)), (4, 2))
    without = {"4*2=8", "4/2=2", "4+2=6", "4-2=2"}
    helped = {"4*2-5=3", "4/2+5=7", "4+2-5=1", "4-2+5=7"}
    assert offered(state) == without | helped
    with pytest.raises(EventError):
        play(state, "4+5-2=7")


def test_a_bust_after_seven_slides_adds_the_last_roll() -> None:
    state = position(but(8, 9), phase="next")
    assert play(state, "stop").totals == (-17, 0)
    assert play(position(but(8, 9, 5)), (6, 4)).totals == (-32, 0)


# --- calculating ----------------------------------------------------------------------------------


def test_exactly_one_slide_is_pushed_and_then_the_seat_chooses() -> None:
    state = play(position(), (6, 2), "6-2=4")
    assert numbers(state.slides) == (4,)
    assert state.moves() == (Next(0, "roll"), Next(0, "stop"))


def twin(dice: tuple[int, int], up: set[int]) -> set[tuple[int, str]]:
    """The legal pushes, by writing down every text there could be and working it out as a fraction."""
    larger, smaller = max(dice), min(dice)
    texts = [f"{larger}"] if larger == smaller else []
    for first in "+-*/":
        texts.append(f"{larger} {first} {smaller}")
        if 5 in up:
            texts += [f"{larger} {first} {smaller} {second} 5" for second in "+-*/"]
    found = set()
    for text in texts:
        number, *rest = text.split()
        value = Fraction(number)
        whole = True
        for sign, operand in zip(rest[::2], map(Fraction, rest[1::2]), strict=True):
            steps = {"+": value + operand, "-": value - operand, "*": value * operand, "/": value / operand}
            value = steps[sign]
            whole = whole and value.denominator == 1
        if whole and value in set(EVERY) - up:
            found.add((int(value), text.replace(" ", "")))
    return found


@settings(deadline=None)
@given(st.tuples(st.integers(1, 6), st.integers(1, 6)), st.sets(st.sampled_from(EVERY)))
def test_pushes_are_those_of_a_plain_calculator(dice: tuple[int, int], up: set[int]) -> None:
    legal = [(slide, how) for slide, how, _ in pushes(tuple(sorted(dice)), mask(tuple(up)))]
    assert set(legal) == twin(dice, up)
    assert len(set(legal)) == len(legal)


@settings(deadline=None)
@given(st.tuples(st.integers(1, 6), st.integers(1, 6)), st.sets(st.sampled_from(EVERY), max_size=8))
def test_what_follows_a_roll(dice: tuple[int, int], up: set[int]) -> None:
    """It fits: push it. It does not: a double is rolled again, anything else is a bust."""
    before = position(tuple(up))
    state = play(before, dice)
    if twin(dice, up):
        assert state.phase == "push"
        assert (Forgo(0) in state.moves()) == (dice[0] == dice[1])
    elif dice[0] == dice[1]:
        assert state == before
    else:
        assert state.totals == (-(sum(EVERY) - sum(up) + sum(dice)), 0)


@pytest.mark.parametrize(
    ("up", "roll", "push", "reason"),
    [
        ((), (6, 2), "6-1=5", "no calculation with the dice 2 and 6"),
        ((), (6, 2), "6=6", "no calculation with the dice 2 and 6"),
        ((), (6, 2), "6-2=3", "6−2 does not make 3"),
        ((), (6, 4), "6/4=1", "these dice do not make 1"),
        ((4,), (6, 2), "6-2=4", "slide 4 is up already"),
    ],
)
def test_illegal_pushes_are_explained(
    up: tuple[int, ...], roll: tuple[int, ...], push: str, reason: str
) -> None:
    with pytest.raises(IllegalMove, match=reason):
        play(position(up), roll, push)


# --- doubles --------------------------------------------------------------------------------------


def test_a_double_may_be_forgone_and_is_rolled_again_without_stopping() -> None:
    state = play(position((1, 2), phase="roll"), (3, 3), None)
    assert (state.seat, state.phase, state.moves()) == (0, "roll", ())
    assert numbers(state.slides) == (1, 2)


def test_only_a_double_may_be_forgone() -> None:
    with pytest.raises(IllegalMove, match="only a double"):
        play(position(), (3, 2), None)


def test_a_double_that_fits_nothing_is_rolled_again_without_a_push() -> None:
    state = position((1, 2, 4))
    after = play(state, (1, 1), (1, 1))
    assert after == state
    with pytest.raises(IllegalOutcome, match="dice or cards have to come"):
        play(after, None)


def test_a_roll_that_fits_nothing_and_is_no_double_is_a_bust() -> None:
    after = play(position((1, 2, 3)), (2, 1))
    assert after.totals == (-(45 - 6 + 3), 0) and after.seat == 1


# --- the end of a turn ----------------------------------------------------------------------------


def test_all_nine_up_end_the_turn_with_45() -> None:
    after = play(position(but(8)), (6, 2), "6+2=8")
    assert after.totals == (45, 0) and (after.seat, after.slides) == (1, 0)


@pytest.mark.parametrize("penalty", ["used", "pushed"])
def test_all_nine_up_score_45_even_with_the_five(penalty: str) -> None:
    state = position(but(3), fivefold=True, five_penalty=penalty)
    assert play(state, (4, 2), "4*2-5=3").totals == (45, 0)


def test_on_stop_the_last_dice_do_not_count() -> None:
    assert play(position((1, 2)), (6, 2), "6+2=8", "stop").totals == (-(45 - 11), 0)


def test_the_five_used_multiplies_the_minus_of_a_stop() -> None:
    state = play(position((5,), five_dice="bust"), (4, 2), "4*2-5=3")
    assert state.fivefold
    assert play(state, "stop").totals == (-5 * (45 - 8), 0)


def test_the_five_used_multiplies_the_minus_of_a_bust_with_its_dice() -> None:
    after = play(position(but(3, 8)), (4, 2), "4*2-5=3", "roll", (6, 1))
    assert after.totals == (-5 * (8 + 6 + 1), 0)


def test_the_how_decides_whether_the_five_was_used() -> None:
    state = play(position((5,)), (3, 2))
    assert {"3*2=6", "3-2+5=6"} <= offered(state)
    assert not play(state, "3*2=6").fivefold
    assert play(state, "3-2+5=6").fivefold


def test_the_five_once_used_counts_to_the_end_of_the_turn() -> None:
    state = play(position((5,), five_dice="bust"), (4, 2), "4*2-5=3", "roll", (6, 2), "6+2=8")
    assert play(state, "stop").totals == (-5 * (45 - 16), 0)


def test_a_roll_that_fits_only_with_the_five_must_be_used() -> None:
    state = play(position(but(7)), (4, 2))
    assert set(state.moves()) == {Push(0, 7, "4-2+5"), Push(0, 7, "4/2+5")}


def test_by_default_pushing_the_five_costs_nothing() -> None:
    state = play(position(), (4, 1), "4+1=5")
    assert not state.fivefold
    assert play(state, "stop").totals == (-40, 0)


def test_option_pushed_multiplies_as_soon_as_slide_five_is_up() -> None:
    state = play(position(five_penalty="pushed", five_dice="bust"), (4, 1), "4+1=5")
    assert state.fivefold
    assert play(state, "stop").totals == (-200, 0)
    assert not play(position(five_penalty="pushed"), (4, 1), "4-1=3").fivefold


def test_the_five_is_forgotten_when_the_next_turn_begins() -> None:
    after = play(position((5,)), (4, 2), "4*2-5=3", "stop")
    assert (after.seat, after.fivefold, after.slides) == (1, False, 0)


def test_five_dice_always_adds_the_last_dice_to_a_stop_with_the_five() -> None:
    state = play(position((5,), five_dice="always"), (4, 2), "4*2-5=3")
    assert play(state, "stop").totals == (-5 * (45 - 8 + 4 + 2), 0)


def test_five_dice_always_leaves_a_stop_without_the_five_alone() -> None:
    state = play(position((1, 2), five_dice="always"), (6, 2), "6+2=8")
    assert state.pips == 0
    assert play(state, "stop").totals == (-(45 - 11), 0)


@pytest.mark.parametrize("dice", ["bust", "always"])
def test_five_dice_changes_neither_a_bust_nor_all_nine(dice: str) -> None:
    state = play(position(but(3, 8), five_dice=dice), (4, 2), "4*2-5=3", "roll", (6, 1))
    assert state.totals == (-5 * (8 + 6 + 1), 0)
    state = position(but(3), fivefold=True, five_dice=dice)
    assert play(state, (4, 2), "4*2-5=3").totals == (45, 0)


def test_five_dice_count_on_stopping_in_a_new_game_as_printed() -> None:
    assert Joker2(1).options.five_dice == "always"
    state = play(position((5,)), (4, 2), "4*2-5=3")
    assert state.pips == 6
    assert play(state, "stop").totals == (-5 * (45 - 8 + 6), 0)


def test_the_terminal_says_that_the_last_dice_count() -> None:
    state = play(position((5,), five_dice="always"), (4, 2), "4*2-5=3")
    assert "the slides down and the last dice count -215, times 5 included" in str(state)
    assert find_board("joker2").label(state, Next(0, "stop")) == "stop and score -215"


# --- rounds, end, order ---------------------------------------------------------------------------


def test_each_round_every_seat_has_one_turn_and_the_highest_total_wins() -> None:
    state: Any = Joker2(2, Joker2Options(rounds=2)).start()
    for expected in [(0, 0), (0, 1), (1, 0), (1, 1)]:
        assert (state.round, state.seat, state.over) == (*expected, False)
        state = play(state, (5, 4), "5+4=9" if state.seat else "5-4=1", "stop")
    assert state.over and state.totals == (-88, -72) and state.winners() == (1,)
    with pytest.raises(IllegalMove, match="over"):
        state.apply(Roll(0, (1, 2)))
