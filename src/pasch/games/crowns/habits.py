"""Crowns: chips and crowns, now or later."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.habits import Habit
from pasch.core.state import State
from pasch.core.words import say
from pasch.games.crowns.rules import Place, Position


def habit(state: State, made: Event, best: Event) -> Habit:
    """By how many of the chips are left."""
    assert isinstance(state, Position) and isinstance(made, Place) and isinstance(best, Place)
    left, all_of_them = state.left[state.seat], state.game.components.chips.number
    third = min(2, 3 * (all_of_them - left) // all_of_them)
    when = (
        say("in the first third of the chips"),
        say("in the second third of the chips"),
        say("in the last third of the chips"),
    )[third]
    chips = len(made.place) - len(best.place)
    if chips > 0:
        return Habit("Spends too many chips", when)
    if chips < 0:
        return Habit("Spends too few chips", when)
    crowns = _scored(state, made) - _scored(state, best)
    if crowns > 0:
        return Habit("Takes crowns at once where other fields pay later", when)
    if crowns < 0:
        return Habit("Leaves crowns that it should take at once", when)
    return Habit("Chooses fields that promise too little", when)


def _scored(state: Position, move: Place) -> int:
    return state.apply(move).scores()[state.seat]
