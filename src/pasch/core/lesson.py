"""A game's lesson: prepared dice, a remark before each step, and the move that a person is to make.

It is `lesson.toml` in the game's folder, a record with remarks: `players`, `options` and `steps`. The person has
seat 0. Every number of points that a remark says is a field such as `{gain}`, filled from the rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.position import position_fields
from pasch.core.registry import find_data, find_file, find_game, find_part
from pasch.core.state import State
from pasch.core.texts import translated

#: the seat of the person who learns
YOU: Final = 0


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step as it is written."""

    #: the remark: what is to be seen, and what to do and why
    say: str
    #: events applied automatically before the remark, as in a record
    events: tuple[str, ...] = ()
    #: what the person does: a move, or dice or cards that come when they press; without it they only read
    do: str | None = None
    #: shown when the person touches something else
    wrong: str = ""
    #: by name: what the person would score if these events came now, for the remark to say
    numbers: dict[str, tuple[str, ...]] = {}
    #: which sentences of the how-to card, counted from 1, it shows
    shows: tuple[int, ...] = ()


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson as it is written. Its last step has nothing to do: from there the person plays on alone."""

    players: int
    steps: tuple[Step, ...]
    options: dict[str, Any] = {}


class Moment(NamedTuple):
    """A step as it is played."""

    step: Step
    #: what happened since the last moment, the person's own move included
    events: tuple[Event, ...]
    state: State
    do: Event | None
    #: what the remarks may say, by the name of the field
    numbers: dict[str, int]

    def remark(self, language: str) -> str:
        """The remark in a language."""
        return self._said(self.step.say, language)

    def objection(self, language: str) -> str:
        """The text shown when the person touches something else; empty if there is none."""
        return self._said(self.step.wrong, language)

    def _said(self, text: str, language: str) -> str:
        shown = {name: str(number).replace("-", "−") for name, number in self.numbers.items()}
        return translated(text, language, self.state.game.id).format_map(shown)

    def accepts(self, move: Event) -> bool:
        """Whether a move is the one to make; of moves that are touched alike any is."""
        tokens: Callable[[Event], Any] = getattr(
            find_part(self.state.game.id, "show"), "tokens", lambda event: event
        )
        return self.do is not None and (move == self.do or tokens(move) == tokens(self.do))


def has_lesson(game: str) -> bool:
    """Whether the game with this id has a lesson."""
    return find_file(game, "lesson.toml") is not None


@cache
def lesson(game: str) -> Lesson:
    """The lesson of the game with this id, which must have one."""
    return msgspec.convert(find_data(game, "lesson.toml"), Lesson)


def lesson_game(game: str) -> Game[Any, Any]:
    """The game with the players and options of its lesson."""
    written = lesson(game)
    return find_game(game).agree(written.players, written.options)


def moments(game: str) -> Iterator[Moment]:
    """The lesson step by step, played by the rules, which refuse illegal events."""
    table = lesson_game(game)
    state = table.start()
    before = state.scores()[YOU]
    done: tuple[Event, ...] = ()
    for step in lesson(game).steps:
        events = (*done, *_events(table, step.events))
        state = Match(table, events, start=state).state
        do = _events(table, (step.do,))[0] if step.do else None
        numbers = _numbers(state) | {"gain": state.scores()[YOU] - before}
        for name, supposed in step.numbers.items():
            after = Match(table, _events(table, supposed), start=state).state
            numbers[name] = after.scores()[YOU] - state.scores()[YOU]
        yield Moment(step, events, state, do, numbers)
        before, done = state.scores()[YOU], (do,) if do else ()


def _events(table: Game[Any, Any], lines: Sequence[str]) -> tuple[Event, ...]:
    return tuple(table.read_event(json.loads(line)) for line in lines)


def _numbers(state: State) -> dict[str, int]:
    """The person's score, and every number of the state and of what is marked in it; of a row by seat the person's."""
    view = state.view(YOU)
    marks: dict[str, Any] = getattr(find_part(view.game.id, "show"), "marks", lambda view: {})(view)
    rows = {f.name: getattr(view, f.name) for f in position_fields(view.game.Position) if f.by_seat}
    rows |= {
        name: row for name, row in marks.items() if isinstance(row, list) and len(row) == len(view.scores())
    }
    found = {name: getattr(view, name) for name in view.__struct_fields__} | marks
    found |= {name: row[YOU] for name, row in rows.items() if row} | {"score": view.scores()[YOU]}
    return {name: number for name, number in found.items() if type(number) is int}
