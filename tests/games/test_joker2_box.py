"""Würfel Joker 2: its events, options and component data, the greedy player and the terminal."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from pasch.core.errors import ComponentError, EventError
from pasch.core.events import Event, Roll
from pasch.games.joker2.box import Joker2Components
from pasch.games.joker2.rules import (
    Forgo,
    Joker2,
    Joker2Options,
    Next,
    Position,
    Push,
)
from pasch.players.base import GreedyPlayer
from tests.games.test_joker2 import COMPONENTS, but, play, position

# --- events, options, components ------------------------------------------------------------------


def test_events_are_read_as_they_are_written() -> None:
    assert Roll(0, (4, 2)) == Roll(0, (2, 4))
    assert Joker2.read_event({"seat": 0, "push": None}) == Forgo(0)
    assert Forgo(0).json() == {"seat": 0, "push": None}
    assert Push(0, 3, "4*2-5").json() == {"seat": 0, "push": 3, "how": "4*2-5"}


@pytest.mark.parametrize(
    "written",
    [
        {"seat": 0, "push": 0, "how": "3-3"},
        {"seat": 0, "push": 10, "how": "5*2"},
        {"seat": 0, "push": True, "how": "3-2"},
        {"seat": 0, "push": 3, "how": None},
        {"seat": 0, "push": 3, "how": ""},
        {"seat": 0, "push": 6, "how": "2+4"},
        {"seat": 0, "push": 6, "how": "4 + 2"},
        {"seat": 0, "push": 6, "how": "4+2\n"},
        {"seat": 0, "push": 6, "how": "7-1"},
        {"seat": 0, "push": 6, "how": "4+2+6"},
        {"seat": 0, "push": 8, "how": "3+5+5+5"},
        {"seat": 0, "push": 8, "how": "4×2"},
    ],
)
def test_calculations_are_written_in_one_way(written: Any) -> None:
    with pytest.raises(EventError):
        Joker2.read_event(written)


def own(**changes: Any) -> Joker2Components:
    box: Joker2Components = msgspec.structs.replace(COMPONENTS, **changes)
    return box


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"slides": (1, 2, 3)}, "slides: a box has to have at least 9"),
        ({"slides": (1, 2, 3, 4, -5, 6, 7, 8, 9)}, r"slides\[4\]"),
        ({"bonus": -1}, "bonus"),
        ({"factor": 0}, "factor"),
    ],
)
def test_component_files_are_checked(changes: dict[str, Any], place: str) -> None:
    with pytest.raises(ComponentError, match=place):
        own(**changes).check(2)


def test_the_rules_follow_a_box_of_ones_own() -> None:
    box = own(slides=(2,) * 9, bonus=50, factor=3)
    start: Any = Joker2(1, Joker2Options(rounds=1, components=box)).start()
    assert play(start, (6, 2), "6+2=8", "stop").totals == (-16,)
    helped = msgspec.structs.replace(start, slides=position(but(7)).slides, fivefold=True)
    assert play(helped, (4, 1)).totals == (-3 * (2 + 4 + 1),)
    assert play(helped, (4, 2), "4-2+5=7").totals == (50,)


# --- the greedy player and the terminal -----------------------------------------------------------


def greedy(state: Position) -> Event:
    return GreedyPlayer().choose(state, Random())


def test_greedy_takes_rare_slides_spares_the_five_and_finishes() -> None:
    assert greedy(play(position(), (6, 3))) == Push(0, 9, "6+3")
    assert greedy(play(position((5,)), (3, 2))) == Push(0, 6, "3*2")
    assert greedy(play(position(but(3)), (3, 3))) == Push(0, 3, "3")
    assert greedy(position((9,), phase="next")) == Next(0, "roll")


def test_greedy_stops_where_there_is_more_to_lose_than_to_win() -> None:
    box = own(bonus=0, factor=100)
    start: Any = Joker2(2, Joker2Options(components=box)).start()
    state = msgspec.structs.replace(start, slides=position(but(8, 9)).slides, phase="next", actor=0)
    assert greedy(state) == Next(0, "stop")
