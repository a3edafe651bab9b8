"""Positions to draw for lessons and rules, at tables without clients."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final, Literal, cast

import msgspec

from pasch.core.events import Event
from pasch.core.game import Game
from pasch.core.lesson import YOU, Moment, lesson_game, moments
from pasch.core.registry import AnyGame, find_data, find_game
from pasch.core.texts import translated
from pasch.core.words import Sentence
from pasch.table.log import Agreement, Chair, LiveTable, event_json
from pasch.table.redact import Redactor, Viewer
from pasch.table.replay import position_of
from pasch.table.schema import Choice, Position, Step, TableInfo
from pasch.table.show import show, why

#: who plays in examples
NAMES: Final = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fee")


def example_table(name: str, game: Game[Any, Any], you: int | None = None) -> LiveTable:
    """A table before its first event.

    The seat `you` is the reader's and the others are computers; without it people sit everywhere.
    """
    chairs = tuple(
        Chair(kind="here", name="" if seat == you else named)
        if you is None or seat == you
        else Chair(kind="computer", name=named, level="greedy")
        for seat, named in enumerate(NAMES[: game.players])
    )
    agreement = Agreement(
        game=game.id,
        options=game.options.json(),
        chairs=chairs,
        coach="off",
        dice="real",
        made=0,
        watch="",
        maker="",
    )
    return LiveTable(name, agreement, game)


class LessonStep(msgspec.Struct, frozen=True):
    """One step of a lesson."""

    remark: str
    #: what is shown when something else is touched; may be empty
    wrong: str
    #: what happened since the last step, and the position after each
    happened: tuple[Step, ...]
    position: Position
    #: the move to make; dice and cards have no tokens; null if there is only something to read
    do: Choice | None
    #: by token: why the rules forbid touching it
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
    live = example_table("lesson", lesson_game(game), YOU)
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
    others = [token for token in sorted(touched - possible) if token.partition(":")[0] in kinds]
    refused = {token: why(moment.state, (token,)) for token in others}
    return LessonStep(
        moment.remark(language),
        moment.objection(language),
        happened,
        position,
        Choice(cast(Any, event_json(do)), tokens(do) if moves else ()) if do else None,
        {token: Sentence(error.template, error.details) for token, error in refused.items()},
    )


def scenes(game: AnyGame, language: str) -> list[dict[str, Any]]:
    """The drawings of a game's rules: their places, captions and final positions."""
    return [
        _scene(game.id, scene, language) for scene in find_data(game.id, "scenes.toml").get("scenes", ())
    ]


def _scene(game: str, scene: dict[str, Any], language: str) -> dict[str, Any]:
    configured = find_game(game).agree(scene["players"], scene.get("options"))
    live = example_table("rules", configured)
    for line in scene["events"]:
        live.apply(live.play(configured.read_event(json.loads(line))))
    rolls = [roll for event in live.events if (roll := getattr(event, "roll", None))]
    return {
        "section": scene["section"],
        "caption": translated(scene["caption"], language, game),
        "table": live.info(),
        # show the dice although they have been used
        "recent": [event_json(event) for event in live.events[-2:]],
        "roll": rolls[-1] if scene.get("dice") else None,
        "position": position_of(live, live.state, len(live.events)),
    }
