"""Crowns: what a placement scores at once and what it spends; chips and crowns, now or later."""

from __future__ import annotations

from collections.abc import Iterator

from pasch.coach.reasons import Habit
from pasch.core.events import Event
from pasch.core.words import Sentence, counted, say
from pasch.games.crowns.rules import Place, Position
from pasch.solve.valuer import Valuer


def prospects(state: Position, move: Event, values: Valuer) -> Iterator[Sentence]:
    """Crowns at once, and chips."""
    if isinstance(move, Place):
        crowns, chips = _crowns(state, move), len(move.place)
        yield counted("This scores {n} crown at once.", "This scores {n} crowns at once.", crowns)
        yield counted("It uses up {n} chip.", "It uses up {n} chips.", chips)


def why(state: Position, made: Place, best: Place, values: Valuer) -> Iterator[Sentence]:
    """What the best move has that the one made has not."""
    crowns, better = _crowns(state, made), _crowns(state, best)
    chips, fewer = len(made.place), len(best.place)
    yield say("Crowns scored at once: {n}, with the best move {best}.", n=crowns, best=better)
    yield say("Chips used up: {n}, with the best move {best}.", n=chips, best=fewer)
    if crowns == better and chips == fewer:
        yield say("The best move leaves better lines within reach.")


def _crowns(state: Position, move: Place) -> int:
    return state.apply(move).scores()[state.seat] - state.scores()[state.seat]


# --- habits ------------------------------------------------------------------------------------------


def habit(state: Position, made: Place, best: Place) -> Habit:
    """By how many of the chips are left."""
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
    crowns = _crowns(state, made) - _crowns(state, best)
    if crowns > 0:
        return Habit("Takes crowns at once where other fields pay later", when)
    if crowns < 0:
        return Habit("Leaves crowns that it should take at once", when)
    return Habit("Chooses fields that promise too little", when)
