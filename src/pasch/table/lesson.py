"""A game's lesson for the browser: what is said, the position to draw, and what the person is to touch."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, cast

import msgspec

from pasch.core.events import Event
from pasch.core.lesson import YOU, Moment, agreed, moments
from pasch.core.state import State
from pasch.core.words import Sentence
from pasch.table.examples import example_table
from pasch.table.log import LiveTable, event_json
from pasch.table.redact import Redactor, Viewer
from pasch.table.schema import Choice, Position, Step, TableInfo
from pasch.table.show import show, why


class LessonStep(msgspec.Struct, frozen=True):
    """One step of a lesson."""

    remark: str
    #: what somebody is told who touches something else; empty if nothing in particular
    wrong: str
    #: what happened since the last step, and the position after each
    happened: tuple[Step, ...]
    position: Position
    #: the move to make; dice and cards have no tokens; null if there is only something to read
    do: Choice | None
    #: by token: why the rules forbid what somebody might touch
    refused: dict[str, Sentence]


class LessonInfo(msgspec.Struct, frozen=True):
    """A game's lesson in one language; the last step is where the person plays on without it."""

    table: TableInfo
    options: dict[str, Any]
    steps: tuple[LessonStep, ...]
    #: all of its events, from which a table for playing on begins
    events: tuple[dict[str, Any], ...]


@cache
def encoded_lesson(game: str, language: str) -> bytes:
    """The lesson of a game that has one, as JSON of a `LessonInfo`."""
    live = example_table("lesson", agreed(game), YOU)
    shown = list(moments(game))
    touched = {token for moment in shown for move in _moves(moment) for token in show(game).tokens(move)}
    steps: list[LessonStep] = []
    for moment in shown:
        happened = []
        for event in moment.events:
            live.apply(live.play(event))
            happened.append(Redactor(live).step(Viewer((YOU,))))
        steps.append(_step(live, moment, tuple(happened), touched, language))
    events = tuple(cast(Any, event_json(event)) for event in live.events)
    return msgspec.json.encode(LessonInfo(live.info(), live.agreement.options, tuple(steps), events))


def _moves(moment: Moment) -> tuple[Event, ...]:
    return moment.state.moves() if moment.do and moment.state.actor == YOU else ()


def _step(
    live: LiveTable, moment: Moment, happened: tuple[Step, ...], touched: set[str], language: str
) -> LessonStep:
    position = Redactor(live).position(Viewer((YOU,)))
    moves, do = _moves(moment), moment.do
    # dice come when the person presses, however the table gets them; where there is only something to read, nothing can
    # be touched
    awaits: Literal["roll"] | None = "roll" if do and not moves else None
    position = msgspec.structs.replace(
        position, moves=position.moves if moves else (), awaits=awaits, ask=None
    )
    tokens = show(live.game.id).tokens
    possible = {token for move in moves for token in tokens(move)}
    # other things of a kind that can be touched now
    kinds = {token.partition(":")[0] for token in possible}
    others = {token for token in touched - possible if token.partition(":")[0] in kinds}
    return LessonStep(
        moment.remark(language),
        moment.objection(language),
        happened,
        position,
        Choice(cast(Any, event_json(do)), tokens(do) if moves else ()) if do else None,
        _refused(moment.state, others),
    )


def _refused(state: State, tokens: set[str]) -> dict[str, Sentence]:
    errors = {token: why(state, (token,)) for token in sorted(tokens)}
    return {token: Sentence(error.template, error.details) for token, error in errors.items()}
