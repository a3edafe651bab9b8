"""Chances and gains that the sentences of `reasons` are about."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from pasch.core.events import Event
from pasch.core.state import State
from pasch.solve.valuer import Valuer


def chance_that(state: State, happens: Callable[[Any], bool]) -> float:
    """The probability that `happens` holds in the state after the dice."""
    chance = state.chance()
    cases = sum(cases for outcome, cases in chance.outcomes() if happens(state.apply(outcome)))
    return float(Fraction(cases, chance.total))


def gain(state: State, move: Event, values: Valuer, than: Event) -> float:
    """The difference between the expected points of two moves."""
    moves, worth = state.moves(), values.move_points(state)
    return worth[moves.index(move)] - worth[moves.index(than)]
