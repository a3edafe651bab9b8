"""Numbers that reasons are made of."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from pasch.core.events import Event
from pasch.core.state import State
from pasch.solve.valuer import Valuer


def chance_that(state: State, happens: Callable[[Any], bool]) -> float:
    """How probable it is that the state after the dice is one for which `happens` is true."""
    chance = state.chance()
    cases = sum(cases for outcome, cases in chance.outcomes() if happens(state.apply(outcome)))
    return float(Fraction(cases, chance.total))


def gain(state: State, move: Event, values: Valuer, than: Event) -> float:
    """How many points a move brings more than another one, on average."""
    moves, worth = state.moves(), values.move_points(state)
    return worth[moves.index(move)] - worth[moves.index(than)]
