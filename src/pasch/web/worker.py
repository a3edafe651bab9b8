"""The application without a server, in a browser's worker: the same requests and messages, answered by the device.

There are no threads, processes or addresses: the event loop runs what would be done in a thread, and long work is asked
of a second worker. Everything that passes between JavaScript (the client's `worker.js`) and Python is text or bytes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Final, Protocol
from urllib.parse import parse_qsl, urlsplit

from pasch.store.base import Fenced, NoRoom, Store, StoreError
from pasch.store.browser import BrowserStore, Row
from pasch.table.authority import Authority
from pasch.table.helpers import HelperFailed, Job, Processes, TooSlow
from pasch.table.limits import Budgets, Limits, Rate
from pasch.table.lobby import Lobby, LobbyLimits
from pasch.table.messages import encode_refusal
from pasch.table.redact import Viewer
from pasch.table.refusals import Refusal
from pasch.table.retention import Retention
from pasch.web.endpoints import ENDPOINTS, Answering, Services
from pasch.web.http import ADDRESS, Request, Response, failed, refuse

logger = logging.getLogger("pasch.web")

#: what JavaScript calls the error of a full storage, and of one that another tab has taken over
FULL: Final = "QuotaExceededError"
TAKEN: Final = "Taken"
#: nobody has to be kept from using their own device
FREE: Final = Rate(1e9, 1e9)
UNLIMITED: Final = Limits(FREE, FREE, FREE, FREE, FREE)
#: close codes: there is no such table; it is not there just now
NO_TABLE, TRY_AGAIN = 4404, 1013
#: the person decides what is kept on their device
LIMITS: Final = LobbyLimits(idle=20, idle_entries=5_000, keep=Retention(None, None, None), large_boxes=True)


class Rows(Protocol):
    """IndexedDB, as the client's `browser_log.js` shows it; failures are JavaScript's errors."""

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
    """The worker that helps, as the client's `worker.js` shows it."""

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


# --- the application ----------------------------------------------------------------------------------


class _Asked:
    """A request."""

    def __init__(self, method: str, address: str, found: dict[str, str], body: bytes) -> None:
        self.scope = {ADDRESS: ""}
        self.method = method
        self.path_params: dict[str, Any] = found
        self.query_params = dict(parse_qsl(urlsplit(address).query, keep_blank_values=True))
        self.headers: dict[str, str] = {}
        self._body = body

    async def stream(self) -> AsyncIterator[bytes]:
        yield self._body


class LocalClient:
    """A client at a table; `post` takes its messages, and None when the connection ends."""

    address = ""

    def __init__(self, post: Callable[[bytes | None], None]) -> None:
        self.viewer = Viewer()
        self.welcomed = False
        self.box = ""
        self._post = post
        self.closed = False

    def send(self, message: bytes) -> None:
        if not self.closed:
            self._post(message)

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._post(None)


def _pattern(path: str) -> re.Pattern[str]:
    """What matches the paths of an endpoint."""
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[\\w-]+)", path))


class Local:
    """All tables of one device."""

    def __init__(self, store: Store, processes: Processes) -> None:
        self.lobby = Lobby(store, LIMITS, processes=processes)
        services = Services(self.lobby, Budgets(UNLIMITED, cpu=time.perf_counter))
        self._endpoints = [
            (endpoint.method, _pattern(endpoint.path), services.answering(endpoint))
            for endpoint in ENDPOINTS
            if endpoint.where != "server"
        ]
        self._clients: dict[str, tuple[LocalClient, Authority]] = {}

    async def request(self, method: str, address: str, body: bytes = b"") -> Response:
        """The answer to a request for an address such as `/api/tables`."""
        try:
            answering, found = self._find(method, urlsplit(address).path)
            asked: Request = _Asked(method, address, found, body)
            return await answering(asked)
        except Refusal as refusal:
            return refuse(refusal)
        except Exception:
            logger.exception("request failed: %s", address)
            return failed()

    def _find(self, method: str, path: str) -> tuple[Answering, dict[str, str]]:
        for accepted, pattern, answering in self._endpoints:
            found = pattern.fullmatch(path)
            if found and method == accepted:
                return answering, found.groupdict()
        raise Refusal("not-found", "there is no such page")

    async def connect(self, name: str, table: str, post: Callable[[bytes | None], None]) -> int:
        """Connect a client, by a name of its own, to a table; 0, or the code with which it is refused."""
        try:
            found = await self.lobby.find(table)
        except Refusal as refusal:
            post(encode_refusal(refusal))
            return NO_TABLE if refusal.code == "no-table" else TRY_AGAIN
        client = LocalClient(post)
        found.connect(client)
        self._clients[name] = client, found
        return 0

    def receive(self, name: str, text: bytes) -> None:
        """Handle a message of a client."""
        if name in self._clients:
            client, table = self._clients[name]
            table.receive(client, text)

    def disconnect(self, name: str) -> None:
        """Forget a client that has gone."""
        if name in self._clients:
            client, table = self._clients.pop(name)
            client.closed = True
            table.disconnect(client)


class Bridge(Local):
    """The application as JavaScript calls it."""

    def __init__(self, store: Store, processes: Processes, convert: Callable[[Any], Any]) -> None:
        super().__init__(store, processes)
        self._convert = convert

    async def ask(self, method: str, path: str, body: Any) -> Any:
        """Status, headers (pairs) and body of the answer to a request."""
        answer = await self.request(method, path, body.to_bytes())
        headers = [list(header) for header in answer.headers.items()]
        return self._convert([answer.status_code, headers, answer.body])

    async def open(self, name: str, table: str, post: Callable[[str | None], None]) -> int:
        """See `Local.connect`."""
        return await self.connect(
            name, table, lambda message: post(None if message is None else message.decode())
        )

    def text(self, name: str, text: str) -> None:
        """A message of a client."""
        self.receive(name, text.encode("utf-8", "surrogatepass"))


async def start(rows: Rows, other: OtherWorker, convert: Callable[[Any], Any]) -> Bridge:
    """The application with the tables of this browser."""
    bridge = Bridge(BrowserStore(IndexedRows(rows, convert)), WorkerProcess(other), convert)
    await bridge.lobby.open()
    return bridge
