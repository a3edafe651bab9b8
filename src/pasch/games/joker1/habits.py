"""Würfel Joker 1: when to stop or go into the jokers, and what to push."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.habits import Habit
from pasch.core.state import State
from pasch.core.words import counted, say
from pasch.games.joker1.reasons import still_open
from pasch.games.joker1.rules import Next, Position

#: by the decision made and the best one
_DECISIONS = {
    ("roll", "stop"): "Rolls on where it should stop",
    ("roll", "jokers"): "Rolls on where it should go into the jokers",
    ("stop", "roll"): "Stops where it should roll on",
    ("stop", "jokers"): "Stops where it should go into the jokers",
    ("jokers", "roll"): "Goes into the jokers where it should roll on",
    ("jokers", "stop"): "Goes into the jokers where it should stop",
}
_IN_THE_JOKERS = {
    ("roll", "stop"): "In the jokers: rolls on where it should stop",
    ("stop", "roll"): "In the jokers: stops where it should roll on",
}


def habit(state: State, made: Event, best: Event) -> Habit:
    """Decisions to go on by the dice in play; pushes by what they leave."""
    assert isinstance(state, Position)
    in_play = counted("with {n} die in play", "with {n} dice in play", state.dice)
    if isinstance(made, Next) and isinstance(best, Next):
        names = _IN_THE_JOKERS if state.phase == "joker next" else _DECISIONS
        return Habit(names[made.next, best.next], in_play)
    after, better = state.apply(made), state.apply(best)
    when = in_play if state.slides else say("with the first roll")
    if after.dice < better.dice:
        return Habit("Keeps too few dice in play", when)
    if any(name not in still_open(after) for name in still_open(better)):
        return Habit("Spoils a combination that should stay open", when)
    if after.dice > better.dice:
        return Habit("Keeps dice in play where slides matter more", when)
    return Habit("Pushes other slides, though it keeps as many dice and combinations", when)
