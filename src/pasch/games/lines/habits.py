"""Shut the Lines: finishing lines, and lasting."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.habits import Habit
from pasch.core.state import State
from pasch.core.words import counted, say
from pasch.games.lines.box import mask_of
from pasch.games.lines.rules import ChosenPlan, Cover, Position, points


def habit(state: State, made: Event, best: Event) -> Habit:
    """By the numbers that are covered already; plans by their numbers."""
    if isinstance(made, ChosenPlan) and isinstance(best, ChosenPlan):
        return Habit(
            "Chooses a plan that brings fewer lines",
            say("plan {made} instead of {best}", made=made.plan, best=best.plan),
        )
    assert isinstance(state, Position) and isinstance(made, Cover) and isinstance(best, Cover)
    own, lines = state.covered[state.seat], state.game.config.lines[state.plan - 1]
    when = counted("with {n} number covered", "with {n} numbers covered", own.bit_count())
    more = points(lines, own | _mask(made)) - points(lines, own | _mask(best))
    if more > 0:
        return Habit("Finishes a line where lasting longer is worth more", when)
    if more < 0:
        return Habit("Leaves a line that it should finish", when)
    numbers = len(made.cover) - len(best.cover)
    if numbers < 0:
        return Habit("Adds dice up where it should cover their single numbers", when)
    if numbers > 0:
        return Habit("Covers single numbers where it should add dice up", when)
    return Habit("Covers the wrong numbers, but as many as it should", when)


def _mask(move: Cover) -> int:
    return mask_of(tuple(map(sum, move.cover)))
