"""The events of Shut the Lines: the plan of a round, rolls and covers."""

from __future__ import annotations

from pasch.core.errors import EventError
from pasch.core.events import Event, SeatEvent, arrange


def _check_faces(faces: tuple[int, ...]) -> None:
    for face in faces:
        if not 1 <= face <= 6:
            raise EventError("a die shows 1 to 6, not {face}", face=face)


class Plan(Event, frozen=True):
    """The plan of the round as it stands in the list, counted from 1."""

    plan: int


class ChosenPlan(SeatEvent, frozen=True):
    """The plan that the seat chooses which begins the round, counted from 1."""

    plan: int


class Roll(SeatEvent, frozen=True):
    """The faces rolled, ascending."""

    roll: tuple[int, ...]

    def __post_init__(self) -> None:
        _check_faces(self.roll)
        arrange(self, roll=tuple(sorted(self.roll)))


class Cover(SeatEvent, frozen=True):
    """The dice in groups; each group covers the number that it adds up to."""

    cover: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        for group in self.cover:
            if not group:
                raise EventError("a group has at least one die")
            _check_faces(group)
        arrange(self, cover=tuple(sorted(tuple(sorted(group)) for group in self.cover)))
