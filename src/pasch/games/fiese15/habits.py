"""Fiese 15: when to stop, and what to set aside."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.habits import Habit, counted
from pasch.core.state import State
from pasch.games.fiese15.rules import Fiese15State, Keep, Next


def habit(state: State, made: Event, best: Event) -> Habit:
    """Stopping and rolling on by the dice set aside before; setting aside by the dice still to come."""
    assert isinstance(state, Fiese15State)
    aside = sum(face > 0 for face in state.kept)
    if isinstance(made, Next):
        name = (
            "Stops where rolling on is better" if made.next == "stop" else "Rolls on where it should stop"
        )
        return Habit(name, f"with {counted(aside, 'die')} set aside")
    assert isinstance(made, Keep) and isinstance(best, Keep)
    when = f"{len(made.keep)} instead of {len(best.keep)}"
    if not aside:
        when += " of the first roll"
    if len(made.keep) > len(best.keep):
        return Habit("Sets aside too many dice", when)
    if len(made.keep) < len(best.keep):
        return Habit("Sets aside too few dice", when)
    first = "of the first roll" if not aside else f"with {counted(6 - aside, 'die')} rolled"
    return Habit("Sets aside the wrong dice, but as many as it should", first)
