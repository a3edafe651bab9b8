"""Würfel Joker 2: the slide is touched, and the calculation where there are several; then roll or stop."""

from __future__ import annotations

from typing import cast

from pasch.core.errors import EventError, IllegalMove, PaschError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.joker2 import DICE, Forgo, Joker2State, Next, Push, Roll, numbers, ways
from pasch.table.touch import not_this


def tokens(move: Event) -> tuple[str, ...]:
    if isinstance(move, Push):
        return (f"slide:{move.push}", f"how:{move.how}")
    if isinstance(move, Forgo):
        return ("forgo",)
    return (f"next:{cast(Next, move).next}",)


def why(state: State, tokens: tuple[str, ...]) -> PaschError:
    state = cast(Joker2State, state)
    if state.phase != "push":
        return IllegalMove("order", "first the dice have to be rolled")
    if "forgo" in tokens:
        return not_this(state, Forgo(state.seat)) or IllegalMove("forgo", "a forgone double pushes nothing")
    words = dict(token.split(":", 1) for token in tokens if ":" in token)
    slide, how = words.get("slide", ""), words.get("how")
    if slide.isdecimal() and how is not None:
        try:
            refused = not_this(state, Push(state.seat, int(slide), how))
        except EventError as error:
            return error
        if refused:
            return refused
    if slide.isdecimal():
        if int(slide) in numbers(state.slides):
            return IllegalMove("push", "slide {slide} is up already", slide=int(slide))
        if not (1 <= int(slide) <= 9 and ways(state.rolled, False)[int(slide)]):
            return IllegalMove("push", "these dice do not make {slide}", slide=int(slide))
    return IllegalMove("push", "this cannot be pushed now")


def parts(state: State) -> tuple[str, ...]:
    return ("die",) * DICE


def goes_on(before: State, event: Event) -> bool:
    # a double that fits nothing is rolled again without a word
    rolled_again = isinstance(event, Roll) and before.apply(event) is before
    return rolled_again or isinstance(event, Forgo) or (isinstance(event, Next) and event.next == "roll")
