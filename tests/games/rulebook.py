"""Rules in one line each: a position, events in their notation, and what follows from them or why they are refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from pasch.core.errors import PaschError
from pasch.core.registry import find_game


def play(state: Any, events: str) -> Any:
    """The state after events as in `roll:1,2,4; push:1/2,4; next:stop`, each by the seat whose turn it is."""
    for event in filter(None, map(str.strip, events.split(";"))):
        state = state.apply(state.read(event))
    return state


def after(game: str, players: int, events: str = "", **options: Any) -> Any:
    """The state after events from the start of a game."""
    return play(find_game(game).agree(players, options).start(), events)


def holds(state: Any, events: str, **expected: Any) -> None:
    """Assert what follows from events: fields, `scores`, `winners`, `moves`, and `total`, the cases of chance."""
    after, found = play(state, events), dict[str, Any]()
    for name in expected:
        value = after.chance().total if name == "total" else getattr(after, name)
        value = value() if callable(value) else value
        found[name] = {move.notation() for move in value} if name == "moves" else value
    assert found == expected


def refusal(state: Any, event: str) -> str:
    """Why the rules do not allow an event."""
    try:
        state.apply(state.read(event))
    except PaschError as error:
        return error.reason
    raise AssertionError(f"{event} is allowed")


def labelled(dice: tuple[int, ...]) -> Iterator[tuple[list[int], list[list[int]]]]:
    """The dice left over and the groups, for every way to give each die the label of a group or none."""
    for labels in product(range(len(dice) + 1), repeat=len(dice)):
        left, *groups = (
            [die for die, label in zip(dice, labels, strict=True) if label == wanted]
            for wanted in range(len(dice) + 1)
        )
        yield left, [group for group in groups if group]
