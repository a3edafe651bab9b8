"""Shut the Lines: every number covered is touched; which dice make it does not matter."""

from __future__ import annotations

from typing import cast

from pasch.core.errors import IllegalMove, PaschError
from pasch.core.events import Event
from pasch.core.state import State
from pasch.games.lines import Cover, LinesState, groupings, mask_of, partial_groupings
from pasch.table.touch import not_this


def tokens(move: Event) -> tuple[str, ...]:
    return tuple([f"number:{number}" for number in sorted(map(sum, cast(Cover, move).cover))])


def why(state: State, tokens: tuple[str, ...]) -> PaschError:
    state = cast(LinesState, state)
    words = [token.removeprefix("number:") for token in tokens]
    if state.phase != "cover" or not all(word.isdecimal() and len(word) < 3 for word in words):
        return IllegalMove("cover", "this cannot be covered now")
    numbers = sorted(map(int, words))
    for number in numbers:
        if number > state.table.full.bit_length() or number < 1:
            return IllegalMove(
                "plan", "there is no {number} on plan {plan}", number=number, plan=state.plan
            )
        if not state.free >> number - 1 & 1:
            return IllegalMove("covered", "{number} is covered already", number=number)
    wanted = mask_of(tuple(numbers))
    for ways in (groupings(state.rolled), partial_groupings(state.rolled)):
        for way in ways:
            if wanted & ~way.mask == 0:
                refused = not_this(state, Cover(state.seat, way.groups))
                if refused:
                    return refused
    return IllegalMove("dice", "the dice do not make {numbers}", numbers=" + ".join(map(str, numbers)))


def parts(state: State) -> tuple[str, ...]:
    state = cast(LinesState, state)
    return ("plan",) if state.phase == "plan" else ("die",) * state.table.dice


def goes_on(before: State, event: Event) -> bool:
    return False
