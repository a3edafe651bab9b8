"""Why a move is good or bad, in player's words: one module per game, and what holds for all of them.

A module may offer
`why(state, made, best, values)`: what distinguishes the best move from the one made, as sentences;
`outlook(state, move, values)`: what a move risks, gains and keeps open;
`begins_turn(first, before, event)`: whether a turn ended before `event`, the state before which is
`before`, while the same seat goes on; `first` is the state before the turn that was under way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module, util
from types import ModuleType
from typing import Any, cast

from pasch.coach.words import Sentence, say
from pasch.core.events import Event
from pasch.core.state import State
from pasch.solve.valuer import Valuer


@cache
def _module(game: str) -> ModuleType | None:
    name = f"pasch.coach.reasons.{game}"
    return import_module(name) if util.find_spec(name) else None


@cache
def _offered(game: str, name: str) -> Callable[..., Any] | None:
    return getattr(_module(game), name, None)


def outlook(state: State, move: Event, values: Valuer) -> tuple[Sentence, ...]:
    """What a move risks, gains and keeps open; nothing if the game has no words for it."""
    told = _offered(state.game.id, "outlook")
    return cast(tuple[Sentence, ...], told(state, move, values)) if told else ()


def why(state: State, made: Event, best: Event, values: Valuer) -> tuple[Sentence, ...]:
    """What distinguishes the best move from the one made; if nothing else, what is to be expected."""
    told = _offered(state.game.id, "why")
    found: tuple[Sentence, ...] = told(state, made, best, values) if told else ()
    if found:
        return found
    moves, worth = state.moves(), values.move_points(state)
    return (
        say(
            "You can expect a final score of {made} after it, of {best} after the best move.",
            made=worth[moves.index(made)],
            best=worth[moves.index(best)],
        ),
    )


def begins_turn(first: State, before: State, event: Event) -> bool:
    """Whether a new turn of the same seat begins with `event`: usually because a new round has begun."""
    told = _offered(before.game.id, "begins_turn")
    if told:
        return bool(told(first, before, event))
    return bool(_round(first) != _round(before))


def _round(state: State) -> Any:
    return getattr(state, "round", None), getattr(state, "rounds", None)
