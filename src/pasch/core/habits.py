"""Habits: what kind of mistake a move is, in player's words; one module per game.

A module has `habit(state, made, best)`, which names what was done instead of the best move, and when it
happens. Mistakes of one kind have the same name, so that they can be counted.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pasch.core.events import Event
from pasch.core.registry import find_part
from pasch.core.state import State
from pasch.core.words import Sentence


class Habit(NamedTuple):
    """A kind of mistake."""

    #: what the player does, as in "Stops too early"; a literal, which is the key of the catalogues
    name: str
    #: in which situation, as in "with 4 dice set aside"; None if that is not told apart
    when: Sentence | None = None

    @property
    def slug(self) -> str:
        """The name as a word for addresses and options, as in `stops-too-early`."""
        return slug(self.name)


def slug(name: str) -> str:
    """The name of a habit as a word for addresses and options.

    >>> slug("In the jokers: stops where it should roll on")
    'in-the-jokers-stops-where-it-should-roll-on'
    """
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")


def habit(state: State, made: Event, best: Event) -> Habit:
    """What kind of mistake it is to make the move `made` in place of `best`.

    `state` is what the player can see. A game without words of its own has one kind of mistake.
    """
    module = find_part(state.game.id, "habits")
    if module is None:
        return Habit("Makes another move than the best one")
    found: Habit = module.habit(state, made, best)
    return found
