"""Shut the Lines: every number covered is touched; which dice make it does not matter. A plan is touched whole.

Marked are the plan that lies there or comes next, the plans to choose from, and the complete lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from pasch.core.errors import IllegalMove
from pasch.core.events import Event
from pasch.games.lines.rules import ChosenPlan, Cover, Plan, Position
from pasch.games.lines.ways import covers_with


def tokens(move: Event) -> tuple[str, ...]:
    if isinstance(move, ChosenPlan):
        return (f"plan:{move.plan}",)
    return tuple([f"number:{number}" for number in sorted(map(sum, cast(Cover, move).cover))])


def candidate_moves(state: Position, tokens: tuple[str, ...]) -> Iterator[Event]:
    if state.phase == "plan":
        plan = tokens[0].removeprefix("plan:")
        if len(tokens) == 1 and plan.isdecimal():
            yield ChosenPlan(state.actor, int(plan))
        return
    words = [token.removeprefix("number:") for token in tokens]
    if not all(word.isdecimal() for word in words):
        return
    roll, numbers = state.rolled, sorted(map(int, words))
    for groups in covers_with(roll):
        if set(numbers) <= set(map(sum, groups)):
            yield Cover(state.actor, groups)
    raise IllegalMove("dice", "your dice do not make {numbers}", numbers=numbers)


def rolls_automatically(before: Position, event: Event) -> bool:
    return False


def marks(state: Position) -> dict[str, Any]:
    """`plan`: counted from 1; None if it is to be chosen, and then `choices` are the plans there are.

    `lines`: by seat the places of its complete lines in the plan's list.
    """
    game = state.game
    if state.phase == "plan" and state.actor >= 0:
        return {"plan": None, "choices": game.config.choices, "lines": ((),) * game.players}
    plan = state.plan or cast(Plan, state.chance().pick(0)).plan
    lines = game.config.lines[plan - 1]
    return {
        "plan": plan,
        "lines": tuple(
            tuple(place for place, line in enumerate(lines) if line & ~covered == 0)
            for covered in state.covered
        ),
    }
