"""What the sensible beginner of each game does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pasch.core.rules import mask_of
from pasch.games.crowns.box import mask
from pasch.players.base import GreedyPlayer
from tests.games.rulebook import after, play


def choice(state: Any) -> str:
    return GreedyPlayer().choose(state.view(state.actor), Random(1)).notation()


# --- Crowns ---------------------------------------------------------------------------------------------


def test_crowns_places_what_its_plan_needs() -> None:
    state = after("crowns", 2, "roll:6,6,5,5,3,2")
    row = mask(tuple((3, count) for count in (1, 2, 3, 4)))
    assert choice(replace(state, boards=(row, 0), left=(1, 18))) == "place:3,5", "which completes a line"
    # the row of 4 lacks 5x, for which the roll has too few dice; the one chip left waits
    row = mask(tuple((4, count) for count in (1, 2, 3, 4)))
    state = after("crowns", 2, "roll:4,3,3,2,1,1")
    assert choice(replace(state, boards=(row, 0), left=(1, 18))) == "place:-"


# --- the Jokers, Fiese 15, Shut the Lines -----------------------------------------------------------------


def joker1(slides: int, **fields: Any) -> Any:
    return replace(after("joker1", 2), actor=0, slides=slides, **{"phase": "next", **fields})


def joker2(slides: int, events: str = "", **fields: Any) -> Any:
    return play(replace(after("joker2", 2), slides=slides, **fields), events)


def lines(numbers: tuple[int, ...], events: str, plan: int = 1) -> Any:
    laid = after("lines", 1, f"plan:{plan}", plans=[plan])
    return play(replace(laid, covered=(mask_of(numbers),)), events)


CHOICES = [
    (joker1(0b100001), "next:jokers"),
    (joker1(0b111000, dice=1), "next:stop"),
    # nothing to lose
    (joker1(0b000110, dice=1), "next:roll"),
    (joker1(0b001111, phase="push", rolled=(5, 6, 6)), "push:5/6"),
    (joker1(0b100001, phase="joker next", dice=1, jokers=2), "next:stop"),
    # Joker 2 takes rare slides, saves the five and finishes
    (joker2(0, "roll:6,3"), "push:9 how:6+3"),
    (joker2(1 << 4, "roll:3,2"), "push:6 how:3*2"),
    (joker2(0b111111011, "roll:3,3"), "push:3 how:3"),
    (joker2(1 << 8, phase="next", actor=0), "next:roll"),
    # Fiese 15: all six; five when the sixth is likely to miss; on when nothing can go wrong; gamblers are careful
    (after("fiese15", 2, "strip:14; roll:1,4,3,3,2,2"), "keep:red,blue,yellow,black,white,green"),
    (after("fiese15", 2, "strip:6; roll:5,4,3,1,6,1; keep:red,blue,yellow,black,green"), "next:stop"),
    (after("fiese15", 2, "strip:3; roll:1,1,1,1,1,1; keep:blue,yellow,black,white,green"), "next:roll"),
    (after("fiese15", 2, "strip:6; roll:5,1,6,6,6,6; keep:red,blue"), "next:roll"),
    (after("fiese15", 2, "strip:6; roll:5,1,6,6,6,6; keep:red,blue", gambler=True), "next:stop"),
    # Lines: a complete line first, then few and high numbers, and what is left in the last turn
    (lines((2, 11, 12), "roll:1,3,5"), "cover:1/3,5"),
    (lines((), "roll:1,3,5"), "cover:1,3,5"),
    (lines((9,), "roll:1,3,5"), "cover:1/3,5"),
    (lines((), "roll:6,6,6,6,6", plan=4), "cover:6/6,6,6,6"),
    (lines((3, 7, 8, 10), "roll:2,3,5"), "cover:2/5"),
    (lines((3, 7, 8, 10, 4, 11, 6), "roll:2,3,5"), "cover:2/5"),
    # the plan with the most lines for its numbers
    (after("lines", 2, plans=[1, 2, 3, 4], plan_choice="chosen"), "plan:3"),
]


@pytest.mark.parametrize(("state", "move"), CHOICES)
def test_the_beginner_chooses(state: Any, move: str) -> None:
    assert choice(state) == move


# --- 6mal6 ----------------------------------------------------------------------------------------------


def late(mine: tuple[int, ...], hand: tuple[int, ...], theirs: tuple[int, ...], **options: Any) -> Any:
    """Seat 1 fills its row with its last card after everybody else."""
    state = after("sixbysix", 2, "deal:1,1/1,1", **options)
    return replace(state, actor=1, seat=1, laid=11, hands=((1, 1), hand), rows=(theirs, mine))


def test_sixbysix_lays_high_cards_on_dear_fields_and_low_ones_on_cheap_fields() -> None:
    assert int(choice(after("sixbysix", 2, "deal:9,9/1,4"))[-1]) >= 4
    assert int(choice(after("sixbysix", 3, "deal:1,1/1,4/2,2"))[-1]) <= 3


@pytest.mark.parametrize(
    ("state", "card"),
    [
        # the 4 is lower than the card there, the 6 is not
        (late((9, 9, 9, 9, 0, 1), (2, 4, 6), (9, 9, 9, 9, 5, 9)), 6),
        # field 1 costs nothing with the 3 either, but only the 8 brings the highest sum
        (late((0, 9, 9, 9, 9, 7), (3, 8), (2, 1, 1, 1, 1, 9)), 8),
        (late((0, 9, 9, 9, 9, 8), (1, 8), (9, 1, 1, 1, 1, 6)), 8),
        # the longer street
        (late((0, 2, 3, 4, 9, 9), (1, 8), (1, 1, 1, 1, 1, 1), streets=True), 1),
    ],
)
def test_sixbysix_lays_what_costs_least(state: Any, card: int) -> None:
    assert choice(state).startswith(f"card:{card} ")
