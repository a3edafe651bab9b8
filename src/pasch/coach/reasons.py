"""Why a move is good or bad, and what kind of mistake it is, in the player's words: a game's `coach`, and defaults.

A module may offer

- `why(state, made, best, values)`: sentences on how the best move differs from the one made, the most telling
  first, with the best move's number as `{best}` or `{on}` and the other's as `{n}`, `{made}`, `{chance}` or `{bust}`;
- `prospects(state, move, values)`: sentences on what a move risks, gains and keeps open;
- `habit(state, made, best)`: the kind of mistake, a `Habit`; those of one kind have the same name, for counting;
- `begins_turn(first, before, event)`: whether `event` begins a new turn of the same seat; `before` is the
  state before the event, `first` the state before the turn under way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from pasch.core.events import Event
from pasch.core.registry import find_part
from pasch.core.state import State
from pasch.core.words import Sentence, counted, say
from pasch.solve.valuer import Valuer, gain


@cache
def _offered(game: str, name: str) -> Callable[..., Any] | None:
    return getattr(find_part(game, "coach"), name, None)


def prospects(state: State, move: Event, values: Valuer) -> tuple[Sentence, ...]:
    """What a move risks, gains and keeps open; empty if the game has no sentences for it."""
    offered = _offered(state.game.id, "prospects")
    return tuple(offered(state, move, values)) if offered else ()


def why(state: State, made: Event, best: Event, values: Valuer) -> tuple[Sentence, ...]:
    """How the best move differs from the one made, the most telling first; by default the scores to expect."""
    offered = _offered(state.game.id, "why") or _expected_scores
    shown = [said for said in offered(state, made, best, values) if not _same_twice(said)]
    return tuple(shown) or (say("The best move brings more on average."),)


def _expected_scores(state: State, made: Event, best: Event, values: Valuer) -> Iterator[Sentence]:
    moves, worth = state.moves(), values.move_points(state)
    yield say(
        "You can expect a final score of {made} after it, of {best} after the best move.",
        made=worth[moves.index(made)],
        best=worth[moves.index(best)],
    )


def _same_twice(sentence: Sentence) -> bool:
    """Whether a sentence compares two numbers that look the same: a difference that rounding hides is no reason."""
    details = sentence.details
    best = details.get("best", details.get("on"))
    return best is not None and any(details.get(name) == best for name in ("n", "made", "chance", "bust"))


def begins_turn(first: State, before: State, event: Event) -> bool:
    """Whether a new turn of the same seat begins with `event`: usually because a new round has begun."""
    offered = _offered(before.game.id, "begins_turn")
    if offered:
        return bool(offered(first, before, event))
    return bool(_round(first) != _round(before))


def turn_ended(before: State, after: State) -> bool:
    """Whether another turn has begun between two states, or the game is over."""
    return after.over or after.mover != before.mover or _round(after) != _round(before)


def scored(before: State, after: State) -> int:
    """The points that the seat whose turn it was has got between two states."""
    assert before.mover is not None
    return after.scores()[before.mover] - before.scores()[before.mover]


def stopping_and_rolling(state: State, values: Valuer, now: int) -> Iterator[Sentence]:
    """What stopping scores `now`, and what rolling on brings on average."""
    yield counted(
        "Stopping scores {n} point; rolling on brings {on} on average.",
        "Stopping scores {n} points; rolling on brings {on} on average.",
        now,
        on=now + gain(state, state.read("next:roll"), values, state.read("next:stop")),
    )


def _round(state: State) -> Any:
    return getattr(state, "round", None), getattr(state, "rounds", None)


# --- habits --------------------------------------------------------------------------------------------


class Habit(NamedTuple):
    """A kind of mistake."""

    #: what the player does, as in "Stops too early"; a literal, which is the key of the catalogues
    name: str
    #: in which situation, as in "with 4 dice set aside"; None if situations are not distinguished
    when: Sentence | None = None

    @property
    def slug(self) -> str:
        """The name as a word for addresses and options, as in `stops-too-early`."""
        return slug(self.name)


def slug(name: str) -> str:
    """The name of a habit as a word for addresses and options.

    >>> slug("Stops where it should roll on")
    'stops-where-it-should-roll-on'
    """
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")


def habit(state: State, made: Event, best: Event) -> Habit:
    """What kind of mistake it is to make the move `made` in place of `best`.

    `state` is what the player can see. A game without its own words has one kind of mistake.
    """
    offered = _offered(state.game.id, "habit")
    return offered(state, made, best) if offered else Habit("Makes a move other than the best one")
