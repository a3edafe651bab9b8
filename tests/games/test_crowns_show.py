"""Crowns in the browser: which dice a move uses, and what the final score is made of."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from pasch.core.state import State
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
        state: State = Crowns(players, CrownsOptions(round_limit=25)).start()
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
