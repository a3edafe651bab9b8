"""Chance step by step: every outcome can be reached by its own steps."""

from __future__ import annotations

import pytest

from pasch.core.chance import Chance
from pasch.core.state import CHANCE
from tests.lab.games import CASES, Case, name, random_game


def check(chance: Chance, case: int) -> None:
    outcome = chance.pick(case)
    steps = chance.steps(outcome)
    for number, step in enumerate(steps):
        assert dict(chance.step(steps[:number]))[step] > 0
    assert chance.step(steps) == () and chance.finish(steps) == outcome


@pytest.mark.parametrize("case", CASES, ids=name)
def test_an_outcome_is_what_its_steps_make(case: Case) -> None:
    match = random_game(case)
    for number in range(min(len(match), 15)):
        state = match.at(number)
        if state.actor == CHANCE:
            chance = state.chance()
            for part in range(5):
                check(chance, part * (chance.total - 1) // 4)
