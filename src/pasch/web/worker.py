"""What a browser's worker calls (`static/offline/worker.js`): the application, and the helper that does what takes long.

Everything that passes between JavaScript and Python is text or bytes.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol

from pasch.store.base import Fenced, NoRoom, StoreError
from pasch.store.browser import BrowserStore, Row
from pasch.table.helpers import HelperFailed, Job, TooSlow
from pasch.web.local import Local

logger = logging.getLogger("pasch.web")

#: what JavaScript calls the error of a full storage, and of one that somebody else has taken over
FULL: Final = "QuotaExceededError"
TAKEN: Final = "Taken"


class Rows(Protocol):
    """IndexedDB, as `static/offline/browser_log.js` shows it; failures are JavaScript's errors."""

    def open(self) -> Awaitable[None]: ...

    def read(self, prefix: str) -> Awaitable[Any]: ...

    def write(self, rows: Any) -> Awaitable[None]: ...

    def close(self) -> None: ...


class IndexedRows:
    """The browser's storage for Python: rows of text and bytes. `convert` makes a JavaScript value of a Python one."""

    def __init__(self, rows: Rows, convert: Callable[[Any], Any]) -> None:
        self._rows = rows
        self._convert = convert

    async def open(self) -> None:
        await _done(self._rows.open())

    async def read(self, prefix: str) -> list[tuple[str, bytes]]:
        found = await _done(self._rows.read(prefix))
        return [(key, bytes(value)) for key, value in found.to_py()]

    async def write(self, rows: Sequence[Row]) -> None:
        await _done(self._rows.write(self._convert(list(map(list, rows)))))

    async def close(self) -> None:
        self._rows.close()


async def _done(asked: Awaitable[Any]) -> Any:
    """What the storage answers; StoreError if it fails."""
    try:
        return await asked
    except Exception as error:  # noqa: BLE001 - JavaScript has its own errors
        name, problem = getattr(error, "name", ""), str(error)
        if name == TAKEN:
            raise Fenced("another tab has this log now") from None
        if name == FULL:
            raise NoRoom("there is no room left on this device; nothing has changed") from None
        logger.error("storage failed: %s", problem)
        raise StoreError("the storage of this device has failed") from None


class OtherWorker(Protocol):
    """The worker that helps, as `static/offline/worker.js` shows it."""

    def start(self) -> Awaitable[None]: ...

    def ask(self, line: str) -> Awaitable[str]: ...

    def stop(self) -> None: ...


class WorkerProcess:
    """A helper in a second worker, started when first needed and again after it was stopped.

    It has no compiler, so it builds no values.
    """

    count = 1
    builds = False

    def __init__(self, other: OtherWorker) -> None:
        self._other = other

    async def run(self, job: Job, seconds: float, build: bool) -> bytes:
        line = json.dumps({"do": job.do, "arguments": job.arguments()})
        try:
            # that it has to start first does not count against the time limit
            await self._other.start()
            return (await asyncio.wait_for(self._other.ask(line), seconds)).encode()
        except (TimeoutError, asyncio.CancelledError) as error:
            self._other.stop()
            if isinstance(error, TimeoutError):
                raise TooSlow("this takes too long to work out", detail=repr(error)) from error
            raise
        except Exception as error:
            raise HelperFailed("this could not be worked out", detail=repr(error)) from error

    async def close(self) -> None:
        self._other.stop()


class Bridge:
    """The application as JavaScript calls it."""

    def __init__(self, local: Local, convert: Callable[[Any], Any]) -> None:
        self._local = local
        self._convert = convert

    async def ask(self, method: str, path: str, body: Any) -> Any:
        """Status, headers (pairs) and body of the answer to a request."""
        answer = await self._local.request(method, path, body.to_bytes())
        headers = [list(header) for header in answer.headers.items()]
        return self._convert([answer.status_code, headers, answer.body])

    async def open(self, name: str, table: str, post: Callable[[str | None], None]) -> int:
        """See `Local.connect`."""

        def send(message: bytes | None) -> None:
            post(None if message is None else message.decode())

        return await self._local.connect(name, table, send)

    def text(self, name: str, text: str) -> None:
        """A message of a client."""
        self._local.receive(name, text.encode("utf-8", "surrogatepass"))

    def disconnect(self, name: str) -> None:
        """A client has gone."""
        self._local.disconnect(name)


async def start(rows: Rows, other: OtherWorker, convert: Callable[[Any], Any]) -> Bridge:
    """The application with the tables of this browser."""
    local = Local(BrowserStore(IndexedRows(rows, convert)), WorkerProcess(other))
    await local.lobby.open()
    return Bridge(local, convert)
