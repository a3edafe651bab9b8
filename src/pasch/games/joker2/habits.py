"""Würfel Joker 2: when to stop, what to push, when to use the five and when to forgo a double."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.habits import Habit, counted
from pasch.core.state import State
from pasch.games.joker2.rules import Forgo, Joker2State, Next, Push


def habit(state: State, made: Event, best: Event) -> Habit:
    """Everything by the slides that are up."""
    assert isinstance(state, Joker2State)
    when = f"with {counted(state.slides.bit_count(), 'slide')} up"
    if isinstance(made, Next):
        name = (
            "Stops where rolling on is better" if made.next == "stop" else "Rolls on where it should stop"
        )
        return Habit(name, when)
    if isinstance(best, Forgo):
        return Habit("Uses a double that is better forgone", when)
    if isinstance(made, Forgo):
        return Habit("Forgoes a double that has a use", when)
    assert isinstance(made, Push) and isinstance(best, Push)
    # once the minus counts several times, the five costs nothing more
    after, better = state.apply(made).fivefold, state.apply(best).fivefold
    if after and not better:
        return Habit("Uses the five where it is better saved", when)
    if better and not after:
        return Habit("Saves the five where it should use it", when)
    return Habit("Pushes the wrong slide", f"{made.push} instead of {best.push}")
