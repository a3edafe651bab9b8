"""The endpoints that only the authority over the tables can answer; everything else could be a file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from pasch.web.api import Api
from pasch.web.archive import Archive
from pasch.web.http import Request, Response
from pasch.web.puzzles import Puzzles

Answering = Callable[[Request], Awaitable[Response]]


class Endpoint(NamedTuple):
    """A path, with its variable parts in braces, and who answers there."""

    path: str
    answer: Answering
    methods: tuple[str, ...] = ("GET",)


def table_endpoints(asked: Api, archive: Archive, puzzles: Puzzles) -> tuple[Endpoint, ...]:
    """Checking boxes, making tables, finished games, and puzzles."""
    return (
        Endpoint("/api/components/{game}", asked.components, ("GET", "POST")),
        Endpoint("/api/tables", asked.make_table, ("POST",)),
        Endpoint("/api/tables/{table}/record", archive.record),
        Endpoint("/api/tables/{table}/replay", archive.replay),
        Endpoint("/api/tables/{table}/report", archive.report),
        Endpoint("/api/tables/{table}/practice", archive.practice),
        Endpoint("/api/tables/{table}/receipt", archive.receipt),
        Endpoint("/api/puzzles", puzzles.day),
        Endpoint("/api/puzzles/{game}", puzzles.one),
    )
