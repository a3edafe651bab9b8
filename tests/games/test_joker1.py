"""Würfel Joker 1: every rule, and the rulebook's examples, by name."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pasch.core.events import Roll
from pasch.core.rules import mask_of, members
from pasch.games.joker1.box import standings
from pasch.games.joker1.rules import Joker1, Joker1Options, Push
from pasch.games.joker1.ways import every_push, push_tables, pushes
from tests.games.rulebook import holds, labelled, play, refusal


def position(up: tuple[int, ...] = (), dice: int = 3, phase: str = "roll", **fields: Any) -> Any:
    """Seat 0 of two in the midst of a turn, with these slides up."""
    game = Joker1(2, Joker1Options(first_six=fields.pop("first_six", "saves")))
    actor = 0 if phase in ("push", "next", "joker next") else -1
    return replace(game.start(), slides=mask_of(up), dice=dice, phase=phase, actor=actor, **fields)


BRIDGE = position((1, 6), phase="next")
STRICT = position((1, 6), phase="next", first_six="busts")
#: kleiner Schritt stands, and only 5 is down
STEP = position((1, 2, 3, 4, 6), dice=2)
LOST = {"totals": (0, 0), "seat": 1, "phase": "roll"}
GO_ON = {"next:roll", "next:stop"}
START, TWO = position(), position((1, 6), phase="joker next", jokers=2)


def test_the_examples_of_the_rulebook() -> None:
    # example 1
    holds(START, "roll:1,2,4", moves={"push:1/2/4", "push:1,4/2", "push:1/2,4", "push:1,2/4"})
    holds(START, "roll:1,2,4; push:1/2,4", combination=("kleine Brücke", 7))
    holds(START, "roll:1,2,4; push:1/2,4; next:stop", totals=(7, 0))
    holds(START, "roll:1,2,4; push:1/2,4; next:roll", dice=3, total=216)
    # example 2
    holds(STEP, "", combination=("kleiner Schritt", 6))
    holds(STEP, "roll:3,4", **LOST)
    # example 3
    holds(STEP, "roll:4,6", moves={"push:-"})
    holds(STEP, "roll:4,6; push:-", dice=1)
    holds(STEP, "roll:4,6; push:-; next:stop", totals=(6, 0))
    # example 4
    holds(TWO, "", moves=GO_ON)
    holds(TWO, "next:stop", totals=(28, 0))
    holds(TWO, "next:roll; roll:2,3,5", **LOST)


def test_pushing() -> None:
    # dice that push nothing leave play
    holds(START, "roll:5,5,5; push:5", dice=1)
    # for the rest of the turn
    holds(START, "roll:5,5,5; push:5; next:roll; roll:3; push:3; next:roll; roll:1; push:1", dice=1)
    # all dice are back for the next seat
    holds(START, "roll:5,5,5; push:5; next:stop", seat=1, dice=3, slides=0)
    # a natural six may push
    holds(START, "roll:6,6,6", moves={"push:-", "push:6"})
    # a natural six stays if it pushes
    holds(START, "roll:6,6,6; push:6", dice=3)
    # a natural six stays if it does not
    holds(START, "roll:6,6,6; push:-", dice=3, slides=0)
    # all slides up do not end the turn
    holds(
        position((1, 2, 3, 4)),
        "roll:5,6,6; push:5/6",
        combination=("Parade", 21),
        moves={*GO_ON, "next:jokers"},
    )


def test_the_jokers() -> None:
    # without a combination no jokers
    holds(START, "roll:2,2,2; push:2/2,2", combination=None, moves=GO_ON)
    # without a combination a stop scores nothing
    holds(START, "roll:2,2,2; push:2/2,2; next:stop", **LOST)
    # one die in play is enough
    holds(position((1, 6), dice=1, phase="next"), "", moves={*GO_ON, "next:jokers"})
    # a joker roll is committed and made with the dice in play
    holds(position((1, 6), dice=2, phase="next"), "next:jokers", moves=set(), total=36)
    # a 1 earns a joker, all dice stay, there is no push
    holds(BRIDGE, "next:jokers; roll:1,4,6", jokers=1, dice=3, moves=GO_ON, slides=mask_of((1, 6)))
    # each joker doubles
    holds(BRIDGE, "next:jokers; roll:1,4,5; next:stop", totals=(14, 0))
    # each joker doubles again
    holds(BRIDGE, "next:jokers; roll:1,4,5; next:roll; roll:1,2,2; next:stop", totals=(28, 0))
    # three jokers end the turn
    holds(BRIDGE, "next:jokers; roll:1,1,1", totals=(56, 0), seat=1)
    # a fourth one earns nothing more
    holds(TWO, "next:roll; roll:1,1,1", totals=(56, 0), seat=1)
    # dice lost by going on with sixes do not return
    holds(BRIDGE, "next:jokers; roll:3,4,6; next:roll; roll:1", dice=1, jokers=1)
    # neither 1 nor 6
    holds(position((4, 5, 6), phase="joker roll", jokers=2), "roll:2,3,4", **LOST)


def test_the_first_joker_roll_may_need_a_one() -> None:
    # first_six busts
    holds(STRICT, "next:jokers; roll:3,6,6", **LOST)
    holds(STRICT, "next:jokers; roll:6,6,6", **LOST)
    holds(STRICT, "next:jokers; roll:1,3,6", jokers=1, dice=3, moves=GO_ON)


@pytest.mark.parametrize(
    ("first_six", "jokers"), [("saves", 0), ("saves", 1), ("saves", 2), ("busts", 1), ("busts", 2)]
)
def test_sixes_without_a_one_allow_stopping_or_continuing_with_them(first_six: str, jokers: int) -> None:
    state = position((1, 6), phase="joker roll", jokers=jokers, first_six=first_six)
    # two sixes
    holds(state, "roll:3,6,6", moves=GO_ON, dice=2, jokers=jokers)
    # stopping
    holds(state, "roll:3,6,6; next:stop", totals=(7 * 2**jokers, 0))


@pytest.mark.parametrize(
    ("state", "event", "reason"),
    [
        (play(START, "roll:1,2,4"), "push:1/1/2", "not that many dice showing 1"),
        (play(START, "roll:1,2,4"), "push:3/4", "not that many dice showing 3"),
        (play(START, "roll:1,2,4"), "push:1,2,4", "7 is too much"),
        (play(START, "roll:1,2,6"), "push:1,6/2", "7 is too much"),
        (play(position((2,)), "roll:1,2,4"), "push:2/1,4", "slide 2 is up already"),
        (play(START, "roll:2,2,4"), "push:2/2/4", "slide 2 can be pushed only once"),
        (play(START, "roll:1,2,4"), "push:1/2", "could still push slide 4"),
        (play(START, "roll:1,2,4"), "push:-", "could still push slide 1"),
        (play(START, "roll:2,2,2; push:2/2,2"), "next:jokers", "need a combination"),
        (play(BRIDGE, "next:jokers; roll:1,4,5"), "next:jokers", "in the jokers already"),
        (play(BRIDGE, "next:jokers; roll:1,4,5"), "push:4", "has to choose now"),
    ],
)
def test_illegal_moves_are_explained(state: Any, event: str, reason: str) -> None:
    assert reason in refusal(state, event)


def brute_force(dice: tuple[int, ...], slides: int) -> set[tuple[Any, int, int]]:
    """The legal groupings found by trying every labelling and reading the rules off the result."""
    down = set(range(1, 7)) - set(members(slides))
    found = set()
    for left, groups in labelled(dice):
        sums = [sum(group) for group in groups]
        if len(set(sums)) != len(sums) or not set(sums) <= down:
            continue
        spare = [face for face in left if face != 6]
        still_down = down - set(sums)
        more = [c for n in range(1, len(spare) + 1) for c in combinations(spare, n) if sum(c) in still_down]
        in_play = len(dice) - len(spare)
        if not more and in_play:
            found.add((tuple(sorted(tuple(sorted(g)) for g in groups)), mask_of(tuple(sums)), in_play))
    return found


@settings(deadline=None)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 63))
def test_pushes_are_those_of_brute_force_and_a_roll_without_any_is_a_bust(
    faces: list[int], slides: int
) -> None:
    dice, expected = tuple(sorted(faces)), brute_force(tuple(sorted(faces)), slides)
    codes, (_, pushed, used) = every_push(4), push_tables(4)
    found = [
        (push, pushed[codes[push]], used[codes[push]] + dice.count(6)) for push in pushes(dice, slides)
    ]
    assert set(found) == expected and len(set(found)) == len(found)
    if len(dice) <= 3:
        rolled = position(members(slides), dice=len(dice)).apply(Roll(0, dice))
        assert (rolled.phase == "push") == bool(expected)


@pytest.mark.parametrize("slides", range(64))
def test_the_best_combination_is_that_of_a_plain_search(slides: int) -> None:
    up, box = set(members(slides)), Joker1.default_components()
    standing = (c for c in box.combinations if set(c.slides) == up or (not c.exact and set(c.slides) < up))
    found = standings(box)[slides].best
    assert (found[1] if found else None) == max((c.value for c in standing), default=None)


def test_each_round_every_seat_has_one_turn_and_the_highest_total_wins() -> None:
    state: Any = Joker1(3, Joker1Options(rounds=2)).start()
    for expected in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]:
        assert (state.round, state.seat, state.over) == (*expected, False)
        low = 1 if state.seat == 1 else 5
        state = play(state, f"roll:{low},6,6; push:{low}/6; next:stop")
    assert state.over and state.totals == (0, 14, 0) and state.winners() == (1,)
    assert state.refusal(Roll(0, (1, 2, 3))).reason == "the game is over"


def test_order_within_a_roll_and_a_push_has_no_meaning() -> None:
    assert Roll(0, (4, 2, 1)) == Roll(0, (1, 2, 4))
    assert Push(0, ((4, 2), (1,))) == Push(0, ((1,), (2, 4)))
