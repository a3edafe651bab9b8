"""Winning chances of two seats that take turns until so many turns have been played.

At the start of a turn all that counts is how many turns are left and by how much the seat whose turn it is
leads. Going back from the end, a turn is solved for every lead at once, its scores being worth what the
other seat's turn leaves. Each seat makes its own chance to be among the winners as great as it can; as a
tie makes winners of both, the two chances are carried along separately. Of moves that win equally often
the one counts that brings more points, then the first.

`pasch.solve.compiled_turns` makes the tables that are read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: games with more turns to go than this are not solved exactly
MOST = 50


def chances_at(chances: Any, begin: int, end: int, place: int) -> tuple[float, float]:
    """The chances in a row of a table that begins and ends there; before and behind it everything is certain."""
    if place < 0:
        return 0.0, 1.0
    if begin + place >= end:
        return 1.0, 0.0
    return chances[begin + place, 0], chances[begin + place, 1]


class Duel:
    """The chances at the start of a turn, by turns left and lead."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._first = arrays["first"].tolist()
        self._low = arrays["low"].tolist()
        self._chances = arrays["chances"]

    def at(self, turns: int, lead: int) -> tuple[float, float]:
        """The chances of the seat about to move, which leads by so much, and of the other; `turns` are left."""
        return chances_at(
            self._chances, self._first[turns], self._first[turns + 1], lead - self._low[turns]
        )

    def after(self, turns: int, lead: int) -> tuple[float, float]:
        """The same from the seat that has just moved: its own chances and the other one's."""
        other, own = self.at(turns, -lead)
        return own, other
