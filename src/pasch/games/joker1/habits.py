"""Würfel Joker 1: when to stop or go into the jokers, and what to push."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.habits import Habit, counted
from pasch.core.state import State
from pasch.games.joker1.reasons import still_open
from pasch.games.joker1.rules import Joker1State, Next

_GOES = {"roll": "Rolls on", "stop": "Stops", "jokers": "Goes into the jokers"}
_SHOULD = {"roll": "roll on", "stop": "stop", "jokers": "go into the jokers"}


def habit(state: State, made: Event, best: Event) -> Habit:
    """Decisions to go on by the dice in play; pushes by what they leave."""
    assert isinstance(state, Joker1State)
    if isinstance(made, Next) and isinstance(best, Next):
        jokers = state.phase == "joker next"
        when = f"with {counted(state.dice, 'die')} in play"
        goes = f"{_GOES[made.next]} where it should {_SHOULD[best.next]}"
        return Habit(f"In the jokers: {goes[0].lower()}{goes[1:]}" if jokers else goes, when)
    after, better = state.apply(made), state.apply(best)
    when = "with the first roll" if not state.slides else f"with {counted(state.dice, 'die')} in play"
    if after.dice < better.dice:
        return Habit("Keeps too few dice in play", when)
    if any(name not in still_open(after) for name in still_open(better)):
        return Habit("Spoils a combination that should stay open", when)
    if after.dice > better.dice:
        return Habit("Keeps dice in play where slides matter more", when)
    return Habit("Pushes other slides, though it keeps as many dice and combinations", when)
