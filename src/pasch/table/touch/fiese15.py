"""Fiese 15: every die set aside is touched; then roll or stop."""

from __future__ import annotations

from typing import cast

from pasch.core.errors import IllegalMove, IllegalOutcome, PaschError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.fiese15 import COLOURS, Fiese15State, Keep, Next
from pasch.table.touch import not_this


def tokens(move: Event) -> tuple[str, ...]:
    if isinstance(move, Keep):
        return tuple([f"die:{colour}" for colour in move.keep])
    return (f"next:{cast(Next, move).next}",)


def why(state: State, tokens: tuple[str, ...]) -> PaschError:
    state = cast(Fiese15State, state)
    colours = tuple(token.removeprefix("die:") for token in tokens)
    if colours and set(colours) <= set(COLOURS) and len(set(colours)) == len(colours):
        for colour in colours:
            if state.kept[COLOURS.index(colour)]:
                return IllegalMove("keep", "the {colour} die has been set aside already", colour=colour)
        refused = not_this(state, Keep(state.seat, colours))
        if refused:
            return refused
    return IllegalMove("keep", "this is not possible now")


def parts(state: State) -> tuple[str, ...]:
    state = cast(Fiese15State, state)
    if state.phase == "strip":
        return ("strip",)
    return tuple([colour for colour, face in zip(COLOURS, state.kept, strict=True) if not face])


def _there(state: Fiese15State) -> list[int]:
    """The strips not drawn yet."""
    return [strip for strip in range(len(state.game.components.strips)) if strip not in state.strips]


def values(state: State) -> tuple[int, ...]:
    """What can be read: strips by their own numbers, not by their places in the pile."""
    state = cast(Fiese15State, state)
    return tuple(_there(state)) if state.phase == "strip" else (1, 2, 3, 4, 5, 6)


def places(state: State, read: tuple[int, ...]) -> tuple[int, ...]:
    """What was read, as `Chance.step` counts it."""
    state = cast(Fiese15State, state)
    if state.phase != "strip":
        return read
    if read[0] not in _there(state):
        raise IllegalOutcome("strip", "strip {strip} is not there any more", strip=read[0])
    return (_there(state).index(read[0]),)


def goes_on(before: State, event: Event) -> bool:
    return isinstance(event, Next) and event.next == "roll"
