"""Crowns: every field that gets a chip is touched, touching none passes; complete lines are marked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pasch.core.events import Event
from pasch.games.crowns.box import EDGE, LINE_FIELDS, LINES, Pairs, title
from pasch.games.crowns.rules import Discard, Place, Position, score


def tokens(move: Event) -> tuple[str, ...]:
    if isinstance(move, Place):
        return tuple([f"field:{value}:{count}" for value, count in move.place])
    return ("discard",)


def candidate_moves(state: Position, tokens: tuple[str, ...]) -> Iterator[Event]:
    if "discard" in tokens:
        yield Discard(state.actor)
    fields = [token.removeprefix("field:").replace(":", ",") for token in tokens]
    yield state.read(f"place:{'/'.join(fields) or '-'}")


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
    g = state.game.config
    fields = dict(zip(LINES, LINE_FIELDS, strict=True))
    complete = [[line for line in LINES if line & ~board == 0] for board in state.boards]
    found: dict[str, Any] = {
        "lines": tuple(tuple(fields[line] for line in lines) for lines in complete),
        "totals": [(fields[line], score(g, line)) for line in LINES],
    }
    if state.over:
        edge = sum(1 << number for number in EDGE)
        found["settlement"] = [
            [("edge", score(g, board & edge)), *[("line", score(g, line)) for line in lines]]
            for board, lines in zip(state.boards, complete, strict=True)
        ]
    if state.over and state.game.players == 1:
        found["title"] = title(state.scores()[0])
    return found
