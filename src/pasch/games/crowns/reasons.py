"""Crowns: what a placement scores at once and what it spends."""

from __future__ import annotations

from pasch.core.events import Event
from pasch.core.state import State
from pasch.core.words import Sentence, say
from pasch.games.crowns.rules import CrownsState, Place
from pasch.solve.valuer import Valuer


def outlook(state: State, move: Event, values: Valuer) -> tuple[Sentence, ...]:
    """Crowns at once, and chips."""
    assert isinstance(state, CrownsState)
    if not isinstance(move, Place):
        return ()
    crowns, chips = _crowns(state, move), len(move.place)
    return (
        say("This scores {crowns} crowns at once and spends {chips} chips.", crowns=crowns, chips=chips),
    )


def why(state: State, made: Event, best: Event, values: Valuer) -> tuple[Sentence, ...]:
    """What the best move has that the one made has not."""
    assert isinstance(state, CrownsState) and isinstance(made, Place) and isinstance(best, Place)
    said = [
        say(
            "It scores {crowns} crowns at once with {chips} chips, the best move {best} with {best_chips}.",
            crowns=_crowns(state, made),
            chips=len(made.place),
            best=_crowns(state, best),
            best_chips=len(best.place),
        )
    ]
    if len(best.place) < len(made.place) and _crowns(state, best) <= _crowns(state, made):
        said.append(say("A chip kept back waits for a field that is worth more."))
    return tuple(said)


def _crowns(state: CrownsState, move: Place) -> int:
    return state.apply(move).scores()[state.seat] - state.scores()[state.seat]
