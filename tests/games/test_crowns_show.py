"""Crowns in the browser: which dice a move uses, and what the final score is made of."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

from pasch.core.registry import find_game
from pasch.core.state import State
from pasch.games.crowns.box import LINES
from pasch.games.crowns.rules import Crowns, CrownsOptions, Place, Roll
from pasch.games.crowns.show import marks, uses


def rolled(*faces: int, split: bool = False) -> Any:
    return Crowns(2, CrownsOptions(split=split)).start().apply(Roll(0, faces))


def test_dice_of_the_value_are_used_first_and_then_the_nearest_higher_ones() -> None:
    state = rolled(6, 6, 5, 5, 3, 1)
    assert uses(state, Place(0, ((5, 3),))) == (0, 5, 5, 5, 0, 0)
    assert uses(state, Place(0, ((6, 1), (5, 3), (1, 2)))) == (6, 5, 5, 5, 1, 1)
    assert uses(state, Place(0, ())) == (0,) * 6


def test_every_legal_move_uses_as_many_dice_as_its_fields_need_and_turns_none_up() -> None:
    random = Random(7)
    for _ in range(40):
        state = rolled(*[random.randint(1, 6) for _ in range(6)], split=random.random() < 0.5)
        for move in state.moves():
            assert isinstance(move, Place)
            used = uses(state, move)
            wanted = Counter[int]()
            for value, count in move.place:
                wanted[value] += count
            assert Counter(face for face in used if face) == wanted
            assert all(face <= shown for face, shown in zip(used, state.rolled, strict=True))


def test_the_parts_of_the_final_score_add_up_to_it() -> None:
    random = Random(3)
    for players in (1, 2, 3):
        state: Any = Crowns(players, CrownsOptions(round_limit=25)).start()
        while not state.over:
            assert "settlement" not in marks(state)
            chance = state.actor < 0
            event = (
                state.chance().pick(random.randrange(state.chance().total)) if chance else state.moves()[-1]
            )
            state = state.apply(event)
        parts = marks(state)["settlement"]
        assert tuple(sum(points for _, points in seat) for seat in parts) == state.scores()
        assert any(kind == "line" for seat in parts for kind, _ in seat)


# --- the printed board: sixes on top, the dark edge along the top and the right, what each line scores ------

#: rows and columns from 1, the diagonal of equal numbers, the other one
TOTALS = [3, 6, 10, 15, 20, 3, 6, 10, 15, 20, 12, 10]


def test_every_line_comes_with_its_total() -> None:
    totals = marks(rolled(6, 6, 5, 5, 3, 1))["totals"]
    assert [crowns for _, crowns in totals] == TOTALS
    assert [sum(1 << number for number in fields) for fields, _ in totals] == list(LINES)


def test_a_box_of_ones_own_has_its_totals_in_words() -> None:
    box = find_game("crowns").default_components()
    said = [str(one) for one in box.totals()]
    assert said[0] == "row of 5: 20 crowns" and said[4] == "row of 1: 3 crowns"
    assert said[5] == "column 1×: 3 crowns" and said[9] == "column 5×: 20 crowns"
    assert said[10:] == ["diagonal 1×1 to 5×5: 12 crowns", "diagonal 5×1 to 1×5: 10 crowns"]


def test_the_terminal_draws_the_board_as_it_is_printed() -> None:
    state: State = Crowns(1).start()
    for count in range(1, 6):
        state = state.apply(Roll(0, (2,) * count + (1,) * (6 - count))).apply(Place(0, ((2, count),)))
    drawn = [line.rstrip() for line in str(state).splitlines()[-10:]]
    assert drawn == [
        "       1x  2x  3x  4x  5x | 6x",
        "6       1   2   3   4   5 |  6",
        "      --------------------+----",
        "5  20→  2°  3°  4°  5°  6°|  5",
        "4  15→  1°  2°  3°  4°  5°|  4",
        "3  10→  0°  1°  2°  3°  4 |  3",
        "2 [ 6][ 0][ 0][ 1][ 2][ 3]|  2",
        "1   3→  0°  0°  0°  1°  2°|  1",
        "   12↗  3↑  6↑ 10↑ 15↑ 20↑  10↖",
        "° our best guess; your box may show something else",
    ]


def test_the_picture_of_a_position_has_the_sixes_on_top() -> None:
    drawn = Crowns(1).start()._repr_svg_()
    rows = {int(field): int(y) for y, field in re.findall(r'y="(\d+)" font-size="10"[^>]*>(\d+)<', drawn)}
    assert len(rows) == 36 and rows[36] == rows[31] < rows[30] < rows[6] == rows[1], (
        "field 31 is 1x of the sixes"
    )
