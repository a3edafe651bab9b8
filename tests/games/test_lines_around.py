"""Shut the Lines around the rules: events as written, boxes, the beginner, the board, the texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from rich.console import Console

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.components import load_components
from pasch.core.errors import ComponentError
from pasch.core.events import Roll
from pasch.games.lines import terminal as board
from pasch.games.lines.box import LinesComponents, mask_of
from pasch.games.lines.rules import (
    Cover,
    Lines,
    Plan,
    points,
)
from pasch.players.base import GreedyPlayer


def position(*covered: list[int], plan: int = 1, **options: Any) -> Any:
    """The first round on `plan`, seat 0 about to roll; each seat has covered the numbers given."""
    start = Lines.agree(len(covered), {"plans": [plan], **options}).start()
    return replace(start.apply(Plan(plan)), covered=tuple(mask_of(tuple(each)) for each in covered))


def rolled(state: Any, *faces: int) -> Any:
    return state.apply(Roll(state.seat, faces))


# --- events ---------------------------------------------------------------------------------------


# --- options --------------------------------------------------------------------------------------


# --- boxes ----------------------------------------------------------------------------------------


def box() -> dict[str, Any]:
    """The box that ships with the game, as plain values to change."""
    plain: dict[str, Any] = msgspec.to_builtins(Lines(1).components)
    return json.loads(json.dumps(plain))  # type: ignore[no-any-return]


def play_with(own: dict[str, Any], **options: Any) -> Lines:
    return Lines.agree(1, {"components": own, **options})


def test_figures_are_printed_and_arrangements_reconstructed() -> None:
    found = Lines(1).components.provenance()
    assert [where for _, where in found] == ["printed", "reconstructed"] * 4
    assert str(found[0][0]) == "plan 1: numbers 1 to 12, 6 lines of 4 adding up to 26, 3 dice"


Change = Callable[[dict[str, Any]], object]


def put(key: str, value: Any) -> Change:
    return lambda plan: plan.__setitem__(key, value)


@pytest.mark.parametrize(
    ("plan", "change", "problem"),
    [
        (0, put("dice", 0), r"plans\[0\].dice: a box has to have at least 1"),
        (0, put("dice", 6), r"plans\[0\].dice: a box may have at most 5"),
        (3, put("dice", 4), r"plans\[3\].numbers: .* is 1 to 24, not 25"),
        (0, put("numbers", 0), r"plans\[0\].numbers: .* is 1 to 18, not 0"),
        (0, put("numbers", 13), r"plans\[0\].tips: the numbers 1 to 13 must be drawn"),
        (2, put("numbers", 15), r"plans\[2\].square: the numbers 1 to 15 must be drawn"),
        (0, put("sum", 27), r"plans\[0\].lines\[0\]: the line must add up to 27, not 26"),
        (0, put("line_count", 5), r"plans\[0\].lines: there have to be 5 lines, not 6"),
        (0, lambda plan: plan["lines"].pop(), r"plans\[0\].lines: there have to be 6 lines, not 5"),
        (3, put("line_length", 4), r"plans\[3\].lines\[0\]: a line has 4 numbers, not 5"),
        (1, lambda plan: plan["lines"][2].pop(), r"plans\[1\].lines\[2\]: a line has 4 numbers, not 3"),
        (0, lambda plan: plan["lines"][1].__setitem__(0, 6), r"lines\[1\]"),
        (0, lambda plan: plan["lines"].__setitem__(1, [12, 4, 3, 7]), "has the line 4 5 6 11 too"),
        (0, lambda plan: plan["lines"].__setitem__(1, [9, 2, 4, 11]), "the drawing has no line 2 4 9 11"),
        (0, put("tips", [1, 5, 12, 6, 7, 10]), "must be drawn, each of them once"),
        (0, put("tips", [1, 5, 12, 6, 7]), "a star has at least 5 tips and as many inner numbers"),
        (0, put("inner", []), "a star has at least 5 tips and as many inner numbers"),
        (0, put("step", 3), r"plans\[0\].step: a step is 2 to 2, not 3"),
        (0, put("step", 1), r"plans\[0\].step: a step is 2 to 2, not 1"),
        (1, put("step", 3), r"plans\[1\].lines: the drawing has no line"),
        (0, put("square", [[1]]), r"plans\[0\]: a plan is drawn either as a square or as a star"),
        (2, put("square", []), r"plans\[2\]: a plan is drawn either as a square or as a star"),
        (2, lambda plan: plan["square"][3].pop(), r"plans\[2\].square: a square has as many columns"),
        (2, lambda plan: plan["square"][0].reverse(), "the drawing has no line"),
    ],
)
def test_a_plan_that_is_not_right_is_refused(plan: int, change: Change, problem: str) -> None:
    own = box()
    change(own["plans"][plan])
    with pytest.raises(ComponentError, match=problem):
        play_with(own)


def test_there_are_four_plans() -> None:
    own = box()
    for plans in (own["plans"][:3], [*own["plans"], own["plans"][0]], []):
        with pytest.raises(ComponentError, match=r"plans: a box (has to|may) have at (least|most) 4"):
            play_with({**own, "plans": plans})


def test_a_line_that_is_there_twice_is_refused() -> None:
    own = box()
    own["plans"][0]["lines"].append([1, 2, 11, 12])
    own["plans"][0]["line_count"] = 7
    with pytest.raises(ComponentError, match="a line is there twice"):
        play_with(own)


def test_a_box_with_another_arrangement_is_followed() -> None:
    own = box()
    own["plans"][1] |= {
        "tips": [1, 3, 13, 11, 7, 9, 5],
        "inner": [4, 14, 6, 2, 12, 10, 8],
        "step": 3,
        "lines": [
            [1, 4, 14, 11], [3, 14, 6, 7], [13, 6, 2, 9], [11, 2, 12, 5],
            [7, 12, 10, 1], [9, 10, 8, 3], [5, 8, 4, 13],
        ],
    }  # fmt: skip
    game = play_with(own, plans=[2])
    assert points(game.plans[1].lines, mask_of((1, 4, 11, 14))) == 1
    assert points(Lines(1).plans[1].lines, mask_of((1, 4, 11, 14))) == 0
    state = game.start().apply(Plan(2))
    assert all(f" {number} " in drawn(state) for number in range(1, 15))


def test_a_box_with_another_number_of_dice_is_followed(tmp_path: Path) -> None:
    shipped = resources.files("pasch.games.lines").joinpath("box.toml").read_text("utf-8")
    path = tmp_path / "box.toml"
    path.write_text(shipped.replace("dice = 3", "dice = 4", 1), "utf-8")
    assert load_components(LinesComponents, "lines", path).plans[0].dice == 4
    state = Lines.agree(1, components=path).start().apply(Plan(1))
    assert state.chance().total == 6**4
    assert rolled(state, 1, 1, 2, 3).phase == "cover"


# --- the beginner ---------------------------------------------------------------------------------


def choice(state: Any) -> tuple[int, ...]:
    """The numbers that the greedy player covers."""
    best = GreedyPlayer().choose(state, KeyedGenerator(seed_key("nothing is drawn")))
    assert isinstance(best, Cover)
    return tuple(sorted(map(sum, best.cover)))


def test_the_beginner_completes_a_line_rather_than_saving_numbers() -> None:
    assert choice(rolled(position([2, 11, 12]), 1, 3, 5)) == (1, 8)
    assert choice(rolled(position([]), 1, 3, 5)) == (9,)


def test_the_beginner_covers_few_and_high_numbers() -> None:
    assert choice(rolled(position([9]), 1, 3, 5)) == (1, 8)
    assert choice(rolled(position([], plan=4), 6, 6, 6, 6, 6)) == (6, 24)


def test_the_beginner_covers_what_is_left_when_nothing_has_to_be_saved() -> None:
    assert choice(rolled(position([3, 7, 8, 10]), 2, 3, 5)) == (2, 5)
    assert choice(rolled(position([3, 7, 8, 10, 4, 11, 6]), 2, 3, 5)) == (2, 5)


# --- the board ------------------------------------------------------------------------------------


def drawn(state: Any, width: int = 80) -> str:
    console = Console(width=width, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(board.draw(state))
    return capture.get()


def test_the_numbers_of_a_line_of_the_star_stand_in_one_row() -> None:
    rows = drawn(position([])).splitlines()
    assert any(row.split()[1:-1] == ["9", "10", "2", "5"] for row in rows)
    assert any(row.split()[1:-1] == ["7", "3", "4", "12"] for row in rows)
    assert "9-10-2-5" in "".join(rows)


def test_the_board_shows_dice_lines_and_who_is_out() -> None:
    state = rolled(position([1, 2, 3, 11, 12], []), 1, 1, 1)
    text = drawn(rolled(state, 1, 3, 5))
    assert "Dice: 1 3 5" in text
    assert "1 line, out" in text
    assert "> Player 2: 0 points" in text
    assert drawn(Lines(2).start()).startswith("Round 1, plan 1° with 3 dice; 10 points end the game")


def test_going_out_and_the_end_of_the_round_are_described() -> None:
    state = position([3, 7, 8, 10], [], target=1)
    last = rolled(state, 2, 3, 5)
    assert board.tell(state, Roll(0, (2, 3, 5))) == (
        "Player 1 rolls 2 3 5: not all the dice fit, so this is the last turn of the round"
    )
    assert board.tell(last, Cover(0, ())) == "Player 1 covers nothing and is out of the round"
    assert board.tell(last, Cover(0, ((2,), (5,)))) == "Player 1 covers 2, 5 and is out of the round"
    full = position([*range(1, 13)], [*range(1, 13)])
    assert board.tell(full, Roll(0, (1, 2, 3))).endswith(": everything is covered, out of the round")
    full = rolled(replace(full, totals=(2, 4)), 1, 2, 3)
    assert board.tell(full, Roll(1, (1, 2, 3))).endswith(
        ". Points of the round: Player 1: 6 points, Player 2: 6 points"
    )


def test_moves_are_listed_by_how_many_numbers_they_cover() -> None:
    state = rolled(position([3, 7, 8, 10, 1, 11, 12]), 2, 3, 5)
    labels = [(board.heading(move), board.label(state, move)) for move in state.moves()]
    assert labels == [
        ("Cover 2 numbers", "2, 5: 1 line"),
        ("Cover 1 number", "5 (2+3)"),
        ("Cover 1 number", "2: 1 line"),
        ("Cover 1 number", "5"),
        ("Cover nothing", "nothing"),
    ]


# --- the texts ------------------------------------------------------------------------------------
