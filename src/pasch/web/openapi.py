"""The OpenAPI 3.1 description of the HTTP API, made of the message schema: `GET /api/openapi.json`."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from pasch.coach.puzzle_plan import DIFFICULTIES
from pasch.core.languages import languages
from pasch.core.options import OptionSpec
from pasch.core.receipt import Receipt
from pasch.core.record import Record
from pasch.core.registry import game_ids
from pasch.core.texts import Step
from pasch.core.version import VERSION
from pasch.core.words import Sentence
from pasch.table import schema
from pasch.table.codes import CODES, Code
from pasch.table.lesson import LessonInfo
from pasch.table.puzzle import PracticeInfo, PuzzleInfo
from pasch.table.replay import PAGE, ReplayPage
from pasch.web.addresses import Addresses
from pasch.web.http import STATUS, Request, Response, fresh
from pasch.web.puzzles import KIND, MOST_SEED

_REF: Final = "#/components/schemas/{name}"


class LevelInfo(msgspec.Struct, frozen=True):
    """A computer player, and how strong it is, where that has been measured."""

    name: str
    #: points in a game
    gives_away: float | None
    #: its share of wins against another level, for two
    wins: float | None
    against: str | None
    #: whether it is a program that whoever runs the server has written
    bot: bool


class GameInfo(msgspec.Struct, frozen=True):
    """A game that can be played; pitch, explanations and how-to sentences in the language asked for."""

    id: str
    title: str
    pitch: str
    #: the game in a few sentences, for whoever plays it for the first time
    howto: list[Step]
    #: whether there is a lesson, at `/api/lessons/{game}`
    lesson: bool
    #: whether there are puzzles, at `/api/puzzles/{game}`
    puzzles: bool
    players: list[int]
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
    """Whether a box can be played with, and what is wrong where."""

    ok: bool
    place: str
    reason: Sentence | None


class NotReady(msgspec.Struct, frozen=True):
    """It is still being worked out; ask again in a moment."""

    ready: Literal[False]


class Health(msgspec.Struct, frozen=True):
    """That the server is well, and how many tables it has in memory."""

    status: Literal["ok"]
    tables: Annotated[int, Meta(ge=0)]


class NoStorage(msgspec.Struct, frozen=True):
    """Why nothing can be written now, and how many tables the server has in memory."""

    status: Literal["no storage"]
    reason: str
    tables: Annotated[int, Meta(ge=0)]


#: method, path, what it is for, the answers by status, the body asked for, and why it may be refused
Asked = tuple[str, str, str, dict[int, Any], Any, tuple[Code, ...]]

_TABLE: Final[tuple[Code, ...]] = ("no-table", "not-now", "full", "storage")
_BODY: Final[tuple[Code, ...]] = ("malformed", "too-large", "not-yours")
ASKED: Final[tuple[Asked, ...]] = (
    (
        "get", "/api/games", "the games, their options and computer players", {200: list[GameInfo]}, None,
        ("not-found",),
    ),
    ("get", "/api/rules/{game}", "a game's rules", {200: Rules}, None, ("not-found",)),
    ("get", "/api/lessons/{game}", "a game's lesson", {200: LessonInfo}, None, ("not-found",)),
    (
        "get", "/api/puzzles", "the puzzle of a day, the same for everybody",
        {200: PuzzleInfo, 202: NotReady}, None, ("not-found", "not-ready"),
    ),
    (
        "get", "/api/puzzles/{game}", "a puzzle of a game",
        {200: PuzzleInfo, 202: NotReady}, None, ("not-found", "not-ready"),
    ),
    (
        "get", "/api/components/{game}", "the data of the box as Pasch knows it", {200: dict[str, Any]},
        None,
        ("not-found",),
    ),
    (
        "post", "/api/components/{game}", "check a box of one's own", {200: Checked}, Any,
        ("not-found", *_BODY),
    ),
    (
        "post", "/api/tables", "make a table", {201: schema.MadeTable}, schema.NewTable,
        ("illegal", "full", "storage", *_BODY),
    ),
    ("get", "/api/tables/{table}/record", "the record of a finished game", {200: Record}, None, _TABLE),
    (
        "get", "/api/tables/{table}/replay", "a part of a finished game, position by position",
        {200: ReplayPage}, None, _TABLE,
    ),
    (
        "get", "/api/tables/{table}/report", "what the coach says of a finished game",
        {200: dict[str, Any], 202: NotReady}, None, (*_TABLE, "not-ready"),
    ),
    (
        "get", "/api/tables/{table}/practice", "what people can learn from a finished game",
        {200: PracticeInfo, 202: NotReady}, None, (*_TABLE, "not-ready"),
    ),
    (
        "get", "/api/tables/{table}/receipt", "what the dice of a finished game followed from",
        {200: Receipt, 202: NotReady}, None, _TABLE,
    ),
    ("get", "/api/addresses", "where others in the network reach this machine", {200: Addresses}, None, ()),
    ("get", "/healthz", "whether the server is well", {200: Health, 503: NoStorage}, None, ()),
)  # fmt: skip

_PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "game": {
        "name": "game",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "enum": list(game_ids())},
    },
    "table": {"name": "table", "in": "path", "required": True, "schema": {"type": "string"}},
    "language": {
        "name": "language",
        "in": "query",
        "schema": {"type": "string", "enum": list(languages())},
    },
    "from": {
        "name": "from",
        "in": "query",
        "description": f"a position on the page, of which each has {PAGE}; -1: the last position",
        "schema": {"type": "integer", "default": 0},
    },
    "date": {
        "name": "date",
        "in": "query",
        "description": "a day from 2000-01-01 to 2199-12-31; without it the server's day in UTC",
        "schema": {"type": "string", "format": "date"},
    },
    "seed": {
        "name": "seed",
        "in": "query",
        "description": "the same seed gives the same puzzle",
        "schema": {"type": "string", "maxLength": MOST_SEED, "default": ""},
    },
    "difficulty": {"name": "difficulty", "in": "query", "schema": {"enum": list(DIFFICULTIES)}},
    "kind": {
        "name": "kind",
        "in": "query",
        "description": "the slug of a kind of mistake, as a puzzle's `habit` has it",
        "schema": {"type": "string", "pattern": KIND.pattern},
    },
    "coach": {
        "name": "coach",
        "in": "query",
        "description": "`no`: without the coach's numbers, so without waiting for them",
        "schema": {"type": "string"},
    },
}
_QUERIES: Final = {
    "/api/tables/{table}/replay": ["from"],
    "/api/games": ["language"],
    "/api/rules/{game}": ["language"],
    "/api/lessons/{game}": ["language"],
    "/api/puzzles": ["date"],
    "/api/puzzles/{game}": ["seed", "difficulty", "kind"],
    "/api/tables/{table}/receipt": ["coach"],
}


def _parameters(path: str) -> list[dict[str, Any]]:
    names = [name for name in ("game", "table") if f"{{{name}}}" in path]
    return [_PARAMETERS[name] for name in (*names, *_QUERIES.get(path, ()))]


def _answers(good: dict[int, Any], codes: tuple[Code, ...], of: dict[Any, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        str(status): {
            "description": HTTPStatus(status).phrase,
            "content": {"application/json": {"schema": of[str(kind)]}},
        }
        for status, kind in good.items()
    }
    said: dict[int, list[Code]] = {}
    # any request may name no host, come under a name that the server does not answer to, or be one too many
    for code in dict.fromkeys((*codes, "malformed", "not-yours", "too-fast")):
        said.setdefault(STATUS[code], []).append(code)
    for status, because in sorted(said.items()):
        described[str(status)] = {
            "description": "; ".join(f"`{code}`: {CODES[code]}" for code in because),
            "content": {"application/json": {"schema": of[str(schema.Refused)]}},
        }
    return described


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document."""
    kinds: list[Any] = [schema.Refused]
    kinds += [kind for *_, good, body, _ in ASKED for kind in (*good.values(), body) if kind is not None]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    of = {str(kind): written for kind, written in zip(kinds, schemas, strict=True)}
    # the record also says its format, which is no field of the struct
    written = components["Record"]
    written["properties"]["format"] = {"const": "pasch/1"}
    written["required"].append("format")
    paths: dict[str, Any] = {}
    for method, path, what, good, body, codes in ASKED:
        described = paths.setdefault(path, {})[method] = {
            "operationId": (method + path.translate(str.maketrans("/{}", "_  "))).replace(" ", ""),
            "summary": what,
            "parameters": _parameters(path),
            "responses": _answers(good, codes, of),
        }
        if body is not None:
            content = {"application/json": {"schema": of[str(body)]}}
            described["requestBody"] = {"required": True, "content": content}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Pasch", "version": VERSION, "description": __doc__ or ""},
        "paths": paths,
        "components": {"schemas": components},
    }


@cache
def _encoded() -> bytes:
    return msgspec.json.encode(document())


async def openapi(request: Request) -> Response:
    return fresh(request, _encoded(), "application/json")
