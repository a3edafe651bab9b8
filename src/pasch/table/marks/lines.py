"""Shut the Lines: the plan that lies there or comes next, and the complete lines."""

from __future__ import annotations

from typing import Any, cast

from pasch.core.state import State
from pasch.games.lines import Lines, LinesState


def marks(view: State) -> dict[str, Any]:
    """`plan`: counted from 1; `lines`: by seat the places of its complete lines in the plan's list."""
    state, game = cast(LinesState, view), cast(Lines, view.game)
    plan = state.plan or game.plan_of_round(state.round)
    lines = game.plan(plan).lines
    return {
        "plan": plan,
        "lines": tuple(
            tuple(place for place, line in enumerate(lines) if line & ~covered == 0)
            for covered in state.covered
        ),
    }
