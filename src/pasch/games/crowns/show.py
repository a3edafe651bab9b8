"""Crowns: every field that gets a chip is touched, touching none passes; complete lines are marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from pasch.core.events import Event
from pasch.games.crowns.box import EDGE, FIELDS, LINES, Pairs, title
from pasch.games.crowns.rules import Config, Discard, Place, Position, score

_FIELD = re.compile(r"field:([1-6]):([1-6])")


def tokens(move: Event) -> tuple[str, ...]:
    if isinstance(move, Place):
        return tuple([f"field:{value}:{count}" for value, count in move.place])
    return ("discard",)


def candidate_moves(state: Position, tokens: tuple[str, ...]) -> Iterator[Event]:
    if "discard" in tokens:
        yield Discard(state.actor)
    fields = [match for match in map(_FIELD.fullmatch, tokens) if match]
    if fields and len(fields) == len(tokens):
        yield Place(state.actor, tuple((int(match[1]), int(match[2])) for match in fields))


def rolls_automatically(before: Position, event: Event) -> bool:
    return False


def uses(state: Position, move: Event) -> tuple[int, ...]:
    """A value is made of the dice that show it and, if they are too few, of the nearest higher ones."""
    rolled = state.rolled
    return _uses(rolled, move.place if isinstance(move, Place) else ())


@lru_cache(maxsize=4096)
def _uses(rolled: tuple[int, ...], place: Pairs) -> tuple[int, ...]:
    found = [0] * len(rolled)
    for value, count in place:
        free = [die for die, face in enumerate(rolled) if face >= value and not found[die]]
        # the dice lie with the highest first: those that show the value from the left, then the nearest higher ones
        shown = [die for die in free if rolled[die] == value]
        for die in [*shown, *reversed([die for die in free if rolled[die] > value])][:count]:
            found[die] = value
    return tuple(found)


def marks(state: Position) -> dict[str, Any]:
    """`totals`: every line's fields and crowns. `lines`: by seat the complete ones, each as its fields' numbers.

    Once it is over, `settlement`: by seat what its score is made of; `title`: of a game for one.
    """
    totals = [(_fields(line), score(state.game.config, line)) for line in LINES]
    found: dict[str, Any] = {"lines": tuple(map(_complete, state.boards)), "totals": totals}
    if state.over:
        found["settlement"] = [_settlement(state.game.config, board) for board in state.boards]
    if state.over and state.game.players == 1:
        found["title"] = title(state.scores()[0])
    return found


@cache
def _fields(line: int) -> tuple[int, ...]:
    return tuple(number for number in range(FIELDS) if line >> number & 1)


def _settlement(g: Config, board: int) -> list[tuple[str, int]]:
    """The crowns on the edge and those of each complete line; together they are the score."""
    edge = sum(1 << number for number in EDGE)
    complete = [line for line in LINES if line & ~board == 0]
    return [
        ("edge", score(g, board & edge)),
        *[("line", score(g, line)) for line in complete],
    ]


def _complete(board: int) -> tuple[tuple[int, ...], ...]:
    return tuple(_fields(line) for line in LINES if line & ~board == 0)
