"""Würfel Joker 2: every rule, and the rulebook's examples, by name."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pasch.core.errors import EventError
from pasch.core.events import Roll
from pasch.core.rules import mask_of
from pasch.games.joker2.rules import Forgo, Joker2, Joker2Options
from pasch.games.joker2.ways import pushes
from pasch.terminal.board import find_board
from tests.games.rulebook import holds, play, refusal

EVERY = tuple(range(1, 10))
OPTIONS = "five_penalty", "five_dice"


def but(*down: int) -> tuple[int, ...]:
    """All slides except these."""
    return tuple(slide for slide in EVERY if slide not in down)


def position(up: tuple[int, ...] = (), phase: str = "roll", **fields: Any) -> Any:
    """Seat 0 of two in the midst of a turn, with these slides up."""
    options = {name: fields.pop(name) for name in OPTIONS if name in fields}
    actor = 0 if phase in ("push", "next") else -1
    start = Joker2(2, Joker2Options(**options)).start()
    return replace(start, slides=mask_of(up), phase=phase, actor=actor, **fields)


START, FIVE = position(), position((5,))
#: the five was used, and 8 and 3 were down before
HELPED = "roll:4,2; push:3 how:4*2-5"


def test_the_examples_of_the_rulebook() -> None:
    # example 1
    holds(START, "roll:6,2", moves={"push:8 how:6+2", "push:4 how:6-2", "push:3 how:6/2"})
    # example 2
    holds(
        START,
        "roll:3,3",
        moves={"push:9 how:3*3", "push:1 how:3/3", "push:6 how:3+3", "push:3 how:3", "push:?"},
    )
    # example 3
    without = {"push:8 how:4*2", "push:2 how:4/2", "push:6 how:4+2", "push:2 how:4-2"}
    with_five = {"push:3 how:4*2-5", "push:7 how:4/2+5", "push:1 how:4+2-5", "push:7 how:4-2+5"}
    holds(FIVE, "roll:4,2", moves=without | with_five)
    # a bust after seven slides adds the last roll
    holds(position(but(8, 9, 5)), "roll:6,4", totals=(-32, 0))
    # stopping after seven slides
    holds(position(but(8, 9), "next"), "next:stop", totals=(-17, 0))


def test_a_turn() -> None:
    # one slide is pushed, then the seat chooses
    holds(START, "roll:6,2; push:4 how:6-2", slides=mask_of((4,)), moves={"next:roll", "next:stop"})
    # a double may be forgone and is rolled again without stopping
    holds(position((1, 2)), "roll:3,3; push:?", seat=0, phase="roll", moves=set(), slides=mask_of((1, 2)))
    # a roll that fits nothing and is no double
    holds(position((1, 2, 3)), "roll:2,1", totals=(-(45 - 6 + 3), 0), seat=1)
    # without the 1 the turn is not over
    holds(position(but(1, 8)), "roll:6,2; push:8 how:6+2", seat=0, phase="next")
    # all nine up end the turn with 45
    holds(position(but(8)), "roll:6,2; push:8 how:6+2", totals=(45, 0), seat=1, slides=0)


def test_the_five() -> None:
    # on a stop the last dice do not count
    holds(position((1, 2)), "roll:6,2; push:8 how:6+2; next:stop", totals=(-(45 - 11), 0))
    # the five used multiplies the minus of a stop
    holds(position((5,), five_dice="bust"), f"{HELPED}; next:stop", totals=(-5 * (45 - 8), 0))
    # the five once used counts to the end of the turn
    holds(
        position((5,), five_dice="bust"),
        f"{HELPED}; next:roll; roll:6,2; push:8 how:6+2; next:stop",
        totals=(-5 * (45 - 16), 0),
    )
    # the how decides: not used
    holds(FIVE, "roll:3,2; push:6 how:3*2", fivefold=False)
    # the how decides: used
    holds(FIVE, "roll:3,2; push:6 how:3-2+5", fivefold=True)
    # a roll that fits only with the five must be used
    holds(position(but(7)), "roll:4,2", moves={"push:7 how:4-2+5", "push:7 how:4/2+5"})
    # by default pushing the five costs nothing
    holds(START, "roll:4,1; push:5 how:4+1; next:stop", totals=(-40, 0))
    # option pushed multiplies as soon as slide 5 is up
    holds(
        position(five_penalty="pushed", five_dice="bust"),
        "roll:4,1; push:5 how:4+1; next:stop",
        totals=(-200, 0),
    )
    # option pushed leaves other slides alone
    holds(position(five_penalty="pushed"), "roll:4,1; push:3 how:4-1", fivefold=False)
    # the five is forgotten when the next turn begins
    holds(FIVE, f"{HELPED}; next:stop", seat=1, fivefold=False, slides=0)
    # five_dice always, as by default, adds the last dice to a stop with the five
    holds(FIVE, f"{HELPED}; next:stop", totals=(-5 * (45 - 8 + 4 + 2), 0))
    # five_dice always leaves a stop without the five alone
    holds(
        position((1, 2), five_dice="always"), "roll:6,2; push:8 how:6+2; next:stop", totals=(-(45 - 11), 0)
    )


@pytest.mark.parametrize("penalty", ["used", "pushed"])
@pytest.mark.parametrize("dice", ["bust", "always"])
def test_the_options_change_neither_a_bust_with_the_five_nor_all_nine(penalty: str, dice: str) -> None:
    options = {"five_penalty": penalty, "five_dice": dice}
    assert play(position(but(3, 8), **options), f"{HELPED}; next:roll; roll:6,1").totals == (-5 * 15, 0)
    assert play(position(but(3), fivefold=True, **options), HELPED).totals == (45, 0)


def test_a_double_that_fits_nothing_is_rolled_again_without_a_push() -> None:
    state = position((1, 2, 4))
    assert play(state, "roll:1,1; roll:1,1") == state
    assert "dice or cards come first" in refusal(state, "push:?")


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
@given(st.tuples(st.integers(1, 6), st.integers(1, 6)), st.sets(st.sampled_from(EVERY), max_size=8))
def test_pushes_are_those_of_a_plain_calculator(dice: tuple[int, int], up: set[int]) -> None:
    """It fits: push it. It does not: a double is rolled again, anything else is a bust."""
    legal = [*pushes(tuple(sorted(dice)), mask_of(up))]
    assert set(legal) == twin(dice, up)
    assert len(set(legal)) == len(legal)
    before = position(tuple(up))
    state = before.apply(Roll(0, dice))
    if legal:
        assert state.phase == "push"
        assert (Forgo(0) in state.moves()) == (dice[0] == dice[1])
    elif dice[0] == dice[1]:
        assert state == before
    else:
        assert state.totals == (-(sum(EVERY) - sum(up) + sum(dice)), 0)


@pytest.mark.parametrize(
    ("up", "roll", "push", "reason"),
    [
        ((), "6,2", "push:5 how:6-1", "not a calculation with the dice 2 and 6"),
        ((), "6,2", "push:6 how:6", "not a calculation with the dice 2 and 6"),
        ((), "6,2", "push:3 how:6-2", "6−2 does not make 3"),
        ((), "6,4", "push:1 how:6/4", "these dice do not make 1"),
        ((), "4,2", "push:3 how:4*2-5", "the 5 only when its slide is up"),
        ((4,), "6,2", "push:4 how:6-2", "slide 4 is up already"),
        ((), "3,2", "push:?", "only a double may be forgone"),
    ],
)
def test_illegal_moves_are_explained(up: tuple[int, ...], roll: str, push: str, reason: str) -> None:
    assert reason in refusal(play(position(up), f"roll:{roll}"), push)


@pytest.mark.parametrize("how", ["2+4", "4 + 2", "4+2\n", "7-1", "4+2+6", "4+2+5+5", "4×2"])
def test_calculations_are_written_in_one_way(how: str) -> None:
    with pytest.raises(EventError, match=r"is not a calculation|the larger die"):
        Joker2.read_event({"seat": 0, "push": 6, "how": how})


def test_the_terminal_says_that_the_last_dice_count() -> None:
    state = play(FIVE, HELPED)
    assert "the slides down and the last dice count -215, times 5 included" in str(state)
    assert find_board("joker2").label(state, state.read("next:stop")) == "Stop: -215"
