"""All endpoints of the HTTP API in one table: routes, the worker's dispatcher and the OpenAPI document follow."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal

import msgspec

from pasch.core.receipt import Receipt
from pasch.core.record import Record
from pasch.table import schema
from pasch.table.lesson import LessonInfo
from pasch.table.puzzle import PracticeInfo, PuzzleInfo
from pasch.table.refusals import Code
from pasch.table.replay import ReplayPage
from pasch.web import api, device, lan
from pasch.web.answers import Checked, GameInfo, Health, NotReady, Rules
from pasch.web.api import Services
from pasch.web.device import ImportResult
from pasch.web.http import Request, Response
from pasch.web.lan import LanInfo, LanWish

Answering = Callable[[Services, Request], Awaitable[Response]]


class Endpoint(msgspec.Struct, frozen=True):
    """A method and a path, with its variable parts in braces, and who answers there."""

    method: Literal["GET", "POST"]
    path: str
    #: what answers; its docstring says what it is for
    by: Answering
    #: what the answers hold, by status
    answers: dict[int, Any]
    #: why it may be refused
    codes: tuple[Code, ...] = ()
    #: what the body of the request holds; None: there is none
    body: Any = None
    #: the parameters behind the question mark
    query: tuple[str, ...] = ()
    #: who has it: everybody, only a server, or only the worker of a device. What is the same for everybody lies on a
    #: site as a file, so the worker does not have it
    where: Literal["everywhere", "server", "device"] = "everywhere"


_NAME: Final[tuple[Code, ...]] = ("not-found",)
_TABLE: Final[tuple[Code, ...]] = ("no-table", "not-now", "full", "storage")
_REPORT: Final[tuple[Code, ...]] = (*_TABLE, "not-ready")
_PUZZLE: Final[tuple[Code, ...]] = ("not-found", "not-ready")
_BODY: Final[tuple[Code, ...]] = ("malformed", "too-large", "not-yours")
_MAKE: Final[tuple[Code, ...]] = ("illegal", "full", "storage", *_BODY)

ENDPOINTS: Final = (
    Endpoint("GET", "/api/games", api.games, {200: list[GameInfo]}, _NAME, query=("language",), where="server"),
    Endpoint("GET", "/api/rules/{game}", api.rules, {200: Rules}, _NAME, query=("language",), where="server"),
    Endpoint("GET", "/api/lessons/{game}", api.lesson, {200: LessonInfo}, _NAME, query=("language",), where="server"),
    Endpoint("GET", "/api/components/{game}", api.components, {200: dict[str, Any]}, _NAME),
    Endpoint("POST", "/api/components/{game}", api.check_box, {200: Checked}, (*_NAME, *_BODY), body=Any),
    Endpoint("POST", "/api/tables", api.make_table, {201: schema.MadeTable}, _MAKE, body=schema.NewTable),
    Endpoint("GET", "/api/tables/{table}/record", api.record, {200: Record}, _TABLE),
    Endpoint("GET", "/api/tables/{table}/replay", api.replay, {200: ReplayPage}, _TABLE, query=("from",)),
    Endpoint("GET", "/api/tables/{table}/report", api.report, {200: dict[str, Any], 202: NotReady}, _REPORT),
    Endpoint("GET", "/api/tables/{table}/practice", api.practice, {200: PracticeInfo, 202: NotReady}, _REPORT),
    Endpoint(
        "GET", "/api/tables/{table}/receipt", api.receipt, {200: Receipt, 202: NotReady}, _TABLE, query=("coach",)
    ),
    Endpoint("GET", "/api/puzzles", api.puzzle_of_day, {200: PuzzleInfo, 202: NotReady}, _PUZZLE, query=("date",)),
    Endpoint(
        "GET", "/api/puzzles/{game}", api.puzzle, {200: PuzzleInfo, 202: NotReady}, _PUZZLE,
        query=("seed", "difficulty", "kind"),
    ),
    Endpoint("GET", "/api/addresses", lan.show, {200: LanInfo}, where="server"),
    Endpoint("POST", "/api/lan", lan.change, {200: LanInfo}, ("not-now", *_BODY), body=LanWish, where="server"),
    Endpoint("GET", "/healthz", api.health, {200: Health, 503: Health}, where="server"),
    Endpoint("POST", "/api/device/save", device.save, {200: bytes}, where="device"),
    Endpoint("POST", "/api/device/load", device.load, {200: ImportResult}, where="device"),
    Endpoint("POST", "/api/device/delete", device.delete, {200: list[str]}, where="device"),
)  # fmt: skip


def endpoints_of(place: Literal["server", "device"]) -> list[Endpoint]:
    """The endpoints that a server, or the worker of a device, has."""
    return [endpoint for endpoint in ENDPOINTS if endpoint.where in ("everywhere", place)]
