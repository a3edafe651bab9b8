"""Moving the games of a device: all tables in one file, and from such a file into the log.

These endpoints exist only on the user's own device, where one person owns all tables.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import msgspec

from pasch.store.base import StoreError
from pasch.table.lobby import read_table
from pasch.table.refusals import Refusal
from pasch.web.api import Services
from pasch.web.http import Request, Response, decode_body, json_answer, read_body

#: the largest file that is read, in bytes
MAX_BYTES: Final = 64 * 1024 * 1024


class ImportResult(msgspec.Struct, frozen=True):
    """What came of reading a file."""

    #: the numbers of tables that are new here, and that were here and stay unchanged
    new: int
    known: int
    #: what the page had noted
    note: str


async def save(services: Services, request: Request) -> Response:
    """A file with all tables and the note in the request's body."""
    # late: a device that never does this need not load SQLite
    from pasch.store.transfer import write_log

    store, note = services.lobby.store, await read_body(request, MAX_BYTES)
    tables = [await store.load(table) for table in await store.tables()]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "games")
        write_log(file, tables, note.decode())
        return Response(file.read_bytes(), headers={"content-type": "application/vnd.sqlite3"})


async def load(services: Services, request: Request) -> Response:
    """Add the tables of a file to the log; those that are here already stay as they are."""
    from pasch.store.transfer import add, read_log

    body = await read_body(request, MAX_BYTES)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "games")
        file.write_bytes(body)
        try:
            tables, note = read_log(file)
        except StoreError as error:
            raise Refusal("malformed", "this is not a file of Pasch games", detail=error.reason) from None
    for table in tables:
        read_table(table)  # all of it before anything is written
    store = services.lobby.store
    here = set(await store.tables())
    new = [table for table in tables if table.id not in here]
    try:
        for table in new:
            await add(store, table)
    except StoreError:
        raise Refusal("storage", "the log could not be written; try again later") from None
    return json_answer(ImportResult(len(new), len(tables) - len(new), note))


async def delete(services: Services, request: Request) -> Response:
    """Delete the tables whose ids are in the request's body; the answer names those that are not there any more."""
    wanted: list[str] = decode_body(await read_body(request, MAX_BYTES), list[str])
    await services.lobby.delete(wanted)
    here = set(await services.lobby.store.tables())
    return json_answer([table for table in wanted if table not in here])
