"""Habits: what kind of mistake a move is, in player's words; one module per game.

A module has `habit(state, made, best)`, which names what was done instead of the best move, and when it
happens. Mistakes of one kind have the same words, so that they can be counted.
"""

from __future__ import annotations

from typing import NamedTuple

from pasch.core.events import Event
from pasch.core.registry import find_part
from pasch.core.state import State


class Habit(NamedTuple):
    """A kind of mistake."""

    #: what the player does, as in "Stops too early"
    name: str
    #: in which situation, as in "with 4 dice set aside"
    when: str


def habit(state: State, made: Event, best: Event) -> Habit:
    """What kind of mistake it is to make the move `made` in place of `best`.

    `state` is what the player can see. A game without words of its own has one kind of mistake.
    """
    module = find_part(state.game.id, "habits")
    if module is None:
        return Habit("Makes another move than the best one", "")
    found: Habit = module.habit(state, made, best)
    return found


def counted(number: int, one: str) -> str:
    """So many things, as in "1 die" (`one` being "die") or "3 chips"."""
    plural = {"die": "dice"}.get(one, f"{one}s")
    return f"{number} {one if number == 1 else plural}"
