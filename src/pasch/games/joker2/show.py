"""Würfel Joker 2: the slide is touched, and the calculation where there are several; then roll or stop.

Marked is what stopping would score, now and after each push.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from pasch.core.events import Event, Roll
from pasch.games.joker2.rules import Forgo, Next, Position, Push, stopped


def tokens(move: Event) -> tuple[str, ...]:
    if isinstance(move, Push):
        return (f"slide:{move.push}", f"how:{move.how}")
    if isinstance(move, Forgo):
        return ("forgo",)
    return (f"next:{cast(Next, move).next}",)


def candidate_moves(state: Position, tokens: tuple[str, ...]) -> Iterator[Event]:
    if "forgo" in tokens:
        yield Forgo(state.actor)
    words = dict(token.split(":", 1) for token in tokens if ":" in token)
    slide, how = words.get("slide", ""), words.get("how")
    dice = state.rolled
    if slide.isdecimal() and (how or dice):
        yield Push(state.actor, int(slide), how or f"{max(dice)}+{min(dice)}")


def rolls_automatically(before: Position, event: Event) -> bool:
    # a double that fits nothing is rolled again without a word
    rolled_again = isinstance(event, Roll) and before.apply(event) == before
    return rolled_again or isinstance(event, Forgo) or (isinstance(event, Next) and event.next == "roll")


def marks(state: Position) -> dict[str, Any]:
    """`worth`: what the turn would score if it ended with these slides up.

    While a slide is to be pushed, `then`: the same after each calculation.
    """
    found: dict[str, Any] = {"worth": _worth(state)}
    if state.phase == "push":
        pushes = [move for move in state.moves() if isinstance(move, Push)]
        found["then"] = {move.how: _worth(state.apply(move), state) for move in pushes}
    return found


def _worth(state: Position, before: Position | None = None) -> int:
    """What stopping scores, or what the turn of the position before has just scored."""
    if before is not None and state.phase != "next":
        return state.totals[before.seat] - before.totals[before.seat]
    return stopped(state.game.config, state.slides, state.fivefold, state.pips)
