"""Würfel Joker 1: its events, options and component data, the greedy player and the terminal."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest
from rich.console import Console

from pasch.core.errors import ComponentError
from pasch.core.events import Event, Roll
from pasch.core.match import Match
from pasch.games.joker1 import terminal as board
from pasch.games.joker1.box import Combination, Joker1Components
from pasch.games.joker1.rules import Joker1, Joker1Options, Next, Position, Push
from pasch.players.base import GreedyPlayer
from tests.games.test_joker1 import COMPONENTS, play, position

# --- events, options, components ------------------------------------------------------------------


def test_order_within_a_roll_and_a_push_has_no_meaning() -> None:
    assert Roll(0, (4, 2, 1)) == Roll(0, (1, 2, 4))
    assert Push(0, ((4, 2), (1,))) == Push(0, ((1,), (2, 4)))
    assert json.dumps(Push(0, ((4, 2), (1,))).json()) == '{"seat": 0, "push": [[1], [2, 4]]}'


def own(**changes: Any) -> Joker1Components:
    box: Joker1Components = msgspec.structs.replace(COMPONENTS, **changes)
    return box


ONE = Combination(name="Einer", slides=(1,), value=3)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"dice": 0}, "dice"),
        ({"dice": 5}, "dice"),
        ({"jokers": 0}, "jokers"),
        ({"combinations": ()}, "combinations"),
        ({"combinations": (ONE, ONE)}, r"combinations\[1\].name"),
        ({"combinations": (msgspec.structs.replace(ONE, name=" "),)}, r"combinations\[0\].name"),
        ({"combinations": (msgspec.structs.replace(ONE, name="a\nb"),)}, r"combinations\[0\].name"),
        ({"combinations": (msgspec.structs.replace(ONE, value=-1),)}, r"combinations\[0\].value"),
        ({"combinations": (msgspec.structs.replace(ONE, slides=()),)}, r"combinations\[0\].slides"),
        ({"combinations": (msgspec.structs.replace(ONE, slides=(7,)),)}, r"combinations\[0\].slides"),
        ({"combinations": (msgspec.structs.replace(ONE, slides=(1, 1)),)}, r"combinations\[0\].slides"),
    ],
)
def test_component_files_are_checked(changes: dict[str, Any], place: str) -> None:
    with pytest.raises(ComponentError, match=place):
        own(**changes).check(2)


def test_the_rules_follow_a_box_of_ones_own() -> None:
    box = own(dice=2, jokers=1, combinations=(ONE,))
    state: Any = Joker1(1, Joker1Options(rounds=1, components=box)).start()
    assert state.chance().total == 36
    state = play(state, (1, 1), [[1]])
    assert state.combination == ("Einer", 3)
    assert play(state, "jokers", (1,)).totals == (6,)


# --- the greedy player and the terminal -----------------------------------------------------------


def greedy(state: Position) -> Event:
    return GreedyPlayer().choose(state, Random())


def test_greedy_makes_the_bridge_and_doubles_it_with_three_dice() -> None:
    state = position((1, 6), phase="next")
    assert greedy(state) == Next(0, "jokers")
    assert greedy(position((4, 5, 6), dice=1, phase="next")) == Next(0, "stop")
    assert greedy(position((2, 3), dice=1, phase="next")) == Next(0, "roll"), "nothing to lose"
    assert greedy(position((1, 2, 3, 4), dice=3, phase="push", rolled=(5, 6, 6))) == Push(0, ((5,), (6,)))
    assert greedy(position((1, 6), dice=1, phase="joker next", jokers=2)) == Next(0, "stop")


def test_the_terminal_tells_and_draws_a_turn() -> None:
    match = Match(Joker1(2))
    texts = []
    console = Console(width=80, record=True, no_color=True, file=None, quiet=True)
    for event in [
        Roll(0, (1, 2, 4)),
        Push(0, ((1,), (2, 4))),
        Next(0, "jokers"),
        Roll(0, (1, 3, 3)),
        Next(0, "roll"),
        Roll(0, (3, 3, 6)),
        Next(0, "roll"),
        Roll(0, (4,)),
        Roll(1, (6, 6, 6)),
        Push(1, ()),
        Next(1, "stop"),
    ]:
        state: Any = match.state
        for move in state.moves():
            assert board.heading(move) and board.label(state, move)
        lines = console.render_lines(board.draw(state))
        assert len(lines) <= 20
        texts.append(board.tell(state, event))
        match.play(event)
    assert texts == [
        "Player 1 rolls 1 2 4",
        "Player 1 pushes 1, 2+4=6 (small bridge stands)",
        "Player 1 takes small bridge into the jokers",
        "Player 1 rolls 1 3 3: 1 joker",
        "Player 1 rolls on with 3 dice",
        "Player 1 rolls 3 3 6: no 1, but 1 die showing 6",
        "Player 1 rolls on with 1 die",
        "Player 1 rolls 4: neither a 1 nor a 6, the turn scores 0",
        "Player 2 rolls 6 6 6",
        "Player 2 pushes nothing",
        "Player 2 stops with nothing and scores 0",
    ]
