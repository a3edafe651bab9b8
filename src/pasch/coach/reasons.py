"""Why a move is good or bad, in the player's words: a game's `reasons` module, and defaults.

A module may offer

- `why(state, made, best, values)`: sentences on how the best move differs from the one made, the most telling
  first, with the best move's number as `{best}` or `{on}` and the other's as `{n}`, `{made}`, `{chance}` or `{bust}`;
- `outlook(state, move, values)`: sentences on what a move risks, gains and keeps open;
- `points_or_win(best, to_win)`: the sentence for when points call for one move and winning for another, or None;
- `begins_turn(first, before, event)`: whether `event` begins a new turn of the same seat; `before` is the
  state before the event, `first` the state before the turn under way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

from pasch.core.events import Event
from pasch.core.registry import find_part
from pasch.core.state import State
from pasch.core.words import Sentence, say
from pasch.solve.valuer import Valuer


@cache
def _offered(game: str, name: str) -> Callable[..., Any] | None:
    return getattr(find_part(game, "reasons"), name, None)


def outlook(state: State, move: Event, values: Valuer) -> tuple[Sentence, ...]:
    """What a move risks, gains and keeps open; empty if the game has no sentences for it."""
    offered = _offered(state.game.id, "outlook")
    return cast(tuple[Sentence, ...], offered(state, move, values)) if offered else ()


def why(state: State, made: Event, best: Event, values: Valuer) -> tuple[Sentence, ...]:
    """How the best move differs from the one made, the most telling first; by default the scores to expect."""
    offered = _offered(state.game.id, "why")
    found: tuple[Sentence, ...] = offered(state, made, best, values) if offered else ()
    if not offered:
        moves, worth = state.moves(), values.move_points(state)
        found = (
            say(
                "You can expect a final score of {made} after it, of {best} after the best move.",
                made=worth[moves.index(made)],
                best=worth[moves.index(best)],
            ),
        )
    told = tuple(sentence for sentence in found if not _same_twice(sentence))
    return told or (say("The best move brings more on average."),)


def _same_twice(sentence: Sentence) -> bool:
    """Whether a sentence compares two numbers that look the same: a difference that nobody sees is no reason."""
    told = sentence.details
    best = told.get("best", told.get("on"))
    return best is not None and any(told.get(name) == best for name in ("n", "made", "chance", "bust"))


def points_or_win(state: State, best: Event, to_win: Event) -> Sentence | None:
    """The game's own sentence for when the best move for points is not the best for winning; None if it has none."""
    offered = _offered(state.game.id, "points_or_win")
    return cast(Sentence | None, offered(best, to_win)) if offered else None


def begins_turn(first: State, before: State, event: Event) -> bool:
    """Whether a new turn of the same seat begins with `event`: usually because a new round has begun."""
    offered = _offered(before.game.id, "begins_turn")
    if offered:
        return bool(offered(first, before, event))
    return bool(_round(first) != _round(before))


def _round(state: State) -> Any:
    return getattr(state, "round", None), getattr(state, "rounds", None)
