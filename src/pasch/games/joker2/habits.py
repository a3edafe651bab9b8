"""Würfel Joker 2: when to stop, what to push, when to use the five and when to forgo a double."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.habits import Habit
from pasch.core.state import State
from pasch.core.words import counted, say
from pasch.games.joker2.rules import Forgo, Next, Position, Push


def habit(state: State, made: Event, best: Event) -> Habit:
    """Everything by the slides that are up."""
    assert isinstance(state, Position)
    when = counted("with {n} slide up", "with {n} slides up", state.slides.bit_count())
    if isinstance(made, Next):
        if made.next == "stop":
            return Habit("Stops where rolling on is better", when)
        return Habit("Rolls on where it should stop", when)
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
    return Habit("Pushes the wrong slide", say("{made} instead of {best}", made=made.push, best=best.push))
