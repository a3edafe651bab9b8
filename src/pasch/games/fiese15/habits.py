"""Fiese 15: when to stop, and what to set aside."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.habits import Habit
from pasch.core.state import State
from pasch.core.words import counted, say
from pasch.games.fiese15.rules import Keep, Next, Position


def habit(state: State, made: Event, best: Event) -> Habit:
    """Stopping and rolling on by the dice set aside before; setting aside by the dice still to come."""
    assert isinstance(state, Position)
    aside = sum(face > 0 for face in state.kept)
    if isinstance(made, Next):
        when = counted("with {n} die set aside", "with {n} dice set aside", aside)
        if made.next == "stop":
            return Habit("Stops where rolling on is better", when)
        return Habit("Rolls on where it should stop", when)
    assert isinstance(made, Keep) and isinstance(best, Keep)
    dice = {"made": len(made.keep), "best": len(best.keep)}
    if aside:
        when = say("{made} instead of {best}", **dice)
    else:
        when = say("{made} instead of {best} of the first roll", **dice)
    if len(made.keep) > len(best.keep):
        return Habit("Sets aside too many dice", when)
    if len(made.keep) < len(best.keep):
        return Habit("Sets aside too few dice", when)
    rolled = counted("with {n} die rolled", "with {n} dice rolled", 6 - aside)
    first = say("of the first roll") if not aside else rolled
    return Habit("Sets aside the wrong dice, but as many as it should", first)
