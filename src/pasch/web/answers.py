"""What the client asks for that is the same for everybody: games, rules, boxes, texts, chance shapes, as JSON.

Needs no server: `pasch.web.api` and `pasch.web.files` send these answers, `pasch site` writes them as files. The
structs say what is in them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from pasch.coach.puzzle_plan import has_puzzles
from pasch.core.components import read_components
from pasch.core.errors import ComponentError
from pasch.core.lesson import has_lesson
from pasch.core.options import OptionSpec, option_specs
from pasch.core.registry import AnyGame, all_games, find_file, find_game, game_ids
from pasch.core.state import State
from pasch.core.texts import Step, forms, howto, languages, messages, rendered, rules_markdown, translated
from pasch.core.typical import percentiles
from pasch.core.words import Sentence
from pasch.table import limits, schema
from pasch.table.computers import level_infos
from pasch.table.lesson import scenes

if TYPE_CHECKING:
    from babel.messages.catalog import Message

#: the modules whose texts the first page shows, by folder
_FIRST: Final = {
    "app": "addresses api begin frame main notify retry share shell theme words",
    "pages": "home join lan option settings",
    "offline": "engine_bar install keeping",
}
FIRST: Final = frozenset(
    f"{folder}/{name}.js" for folder, names in _FIRST.items() for name in names.split()
)

#: the files of a game's folder that browsers may read, all of which may be missing
GAME_FILES: Final = ("board.js", "board.css", "thumb.svg")
#: beside them, what a game states about its chance events, by which the page checks the dice; null if it states nothing
CHANCE_FILE: Final = "chance.json"

#: the places whose texts the client never shows
_ELSEWHERE: Final = re.compile(r"(?:games/\w+/)?terminal\.py|terminal/.*|coach/document\.py|lesson\.toml")


class LevelInfo(msgspec.Struct, frozen=True):
    """A computer player, and how strong it is, where that has been measured."""

    name: str
    #: points in a game
    gives_away: float | None
    #: its share of wins against another level, for two
    wins: float | None
    against: str | None
    #: whether it is a bot of the operator
    bot: bool


class GameInfo(msgspec.Struct, frozen=True):
    """A game that can be played; pitch, explanations and how-to sentences in the language asked for."""

    id: str
    title: str
    pitch: str
    #: the game in a few sentences, for people who play it for the first time
    howto: list[Step]
    #: whether there is a lesson, at `/api/lessons/{game}`
    lesson: bool
    #: whether there are puzzles, at `/api/puzzles/{game}`
    puzzles: bool
    players: list[int]
    #: percentiles 1 to 99 of the scores of typical games alone, with the usual options; empty where none were played
    typical: list[int]
    minutes: tuple[int, int]
    options: list[OptionSpec]
    levels: list[LevelInfo]
    #: whether seats know different things
    has_secrets: bool
    #: what the game brings along to be drawn, at `/static/games/ID/`; for the rest there is a usual drawing
    files: list[Literal["board.js", "board.css", "thumb.svg"]]


class Scene(msgspec.Struct, frozen=True):
    """A drawing of the rules: after which section it stands, what it says, and a position to draw."""

    section: int
    caption: str
    table: schema.TableInfo
    #: the last events before it
    recent: list[dict[str, Any]]
    #: the dice that are drawn beside a board
    roll: list[int] | None
    position: schema.Position


class Rules(msgspec.Struct, frozen=True):
    """A game's rules in one language, its options, and where the data of its box come from."""

    markdown: str
    options: list[OptionSpec]
    provenance: list[tuple[str, str]]
    scenes: list[Scene]


class Checked(msgspec.Struct, frozen=True):
    """Whether a box can be played with, what is wrong where, and what the values of a good one add up to."""

    ok: bool
    place: str
    reason: Sentence | None
    totals: tuple[Sentence, ...] = ()


class NotReady(msgspec.Struct, frozen=True):
    """It is still being worked out; ask again in a moment."""

    ready: Literal[False]


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the server can write, the number of its tables in memory, and why writing fails."""

    status: Literal["ok", "no storage"]
    tables: Annotated[int, Meta(ge=0)]
    reason: str | None = None


def game_files(game: str) -> dict[str, bytes]:
    """Those of the files that browsers may read which this game has."""
    found = {name: find_file(game, name) for name in GAME_FILES}
    return {name: file.read_bytes() for name, file in found.items() if file is not None}


def _options(game: AnyGame, language: str) -> list[OptionSpec]:
    """The options, explained in a language."""
    return [
        msgspec.structs.replace(spec, explanation=translated(spec.explanation, language, game.id))
        for spec in option_specs(game.Options)
    ]


@cache
def games(bots: tuple[str, ...], language: str) -> bytes:
    """All games in a language."""
    return msgspec.json.encode(
        [
            {
                "id": game.id,
                "title": translated(game.title, language, game.id),
                "pitch": translated(game.pitch, language, game.id),
                "howto": howto(game.id, language),
                "lesson": has_lesson(game.id),
                "puzzles": has_puzzles(game.id),
                "players": list(game.seats),
                "typical": percentiles(game(1)) if 1 in game.seats else [],
                "minutes": game.minutes,
                "options": _options(game, language),
                "levels": level_infos(game.id, bots),
                "has_secrets": type(game(game.seats[0]).start()).view is not State.view,
                "files": list(game_files(game.id)),
            }
            for game in all_games()
        ]
    )


@cache
def rules(game: str, language: str) -> bytes:
    known = find_game(game)
    return msgspec.json.encode(
        {
            "markdown": rules_markdown(game, language),
            "options": _options(known, language),
            "provenance": [
                (rendered(what, language, game), source)
                for what, source in known.default_components().provenance()
            ],
            "scenes": scenes(known, language),
        }
    )


@cache
def components(game: str) -> bytes:
    return msgspec.json.encode(find_game(game).default_components())


@cache
def chance(game: str) -> bytes:
    return msgspec.json.encode(find_game(game).chance_description())


def _for_browser(message: Message) -> bool:
    """Whether the client needs a text: not one of the terminal, nor of a lesson, which brings its texts along."""
    places = [str(place) for place, _ in message.locations]
    # a third-party catalogue need not say where its texts stand
    return not places or not all(map(_ELSEWHERE.fullmatch, places))


@cache
def catalogue(language: str, first: bool) -> bytes:
    general = messages(language)
    if first:
        every = [one for one in general if FIRST & {str(place) for place, _ in one.locations}]
    else:
        of_games = [one for game in game_ids() for one in messages(language, game)]
        # the games first, so that none overrides a text of the program
        every = [one for one in (*of_games, *general) if _for_browser(one)]
    templates = {
        key: one.string for one in every for key in ((one.id,) if isinstance(one.id, str) else one.id)
    }
    return msgspec.json.encode(
        {"language": language, "languages": languages(), "forms": forms(language), "templates": templates}
    )


def check_box(game: AnyGame, written: Any, large_boxes: bool = False) -> Checked:
    """Whether a box can be played with here, by every number of players that the game allows."""
    try:
        box = read_components(game.Components, game.id, written)
        for players in game.seats:
            box.check(players)
        if not large_boxes:
            limits.check_box(box)
    except ComponentError as error:
        return Checked(False, error.place, Sentence(error.template, error.details))
    return Checked(True, "", None, box.totals())
