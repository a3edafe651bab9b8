"""The application without a server, in a browser's worker: the same requests and messages, answered by the device.

There are no threads, processes or addresses: the event loop runs what would be done in a thread, and long work is asked
of a second worker. Everything that passes between JavaScript (the client's `worker.js`) and Python is text or bytes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from pasch.store.base import Fenced, StorageFull, Store, StoreError
from pasch.store.browser import BrowserStore, Row
from pasch.table.authority import Authority
from pasch.table.helpers import HelperFailed, Job, Processes, TooSlow
from pasch.table.limits import Limits, Rate, Retention
from pasch.table.lobby import Lobby
from pasch.table.messages import encode_refusal
from pasch.table.redact import Viewer
from pasch.table.refusals import Refusal
from pasch.web.api import Services
from pasch.web.endpoints import endpoints_of
from pasch.web.http import NO_TABLE, TRY_AGAIN, Request, Response, failed, refuse

logger = logging.getLogger("pasch.web")

#: what JavaScript calls the error of a full storage, and of one that another tab has taken over
FULL: Final = "QuotaExceededError"
TAKEN: Final = "Taken"
#: no limits for the user of this device
FREE: Final = Rate(1e9, 1e9)
#: the user decides what is kept on this device
KEPT: Final = Retention(None, None, None)
LIMITS: Final = Limits(
    FREE, FREE, FREE, FREE, FREE, idle=20, idle_entries=5_000, keep=KEPT, large_boxes=True
)


class IndexedRows:
    """The browser's storage for Python: rows of text and bytes. `convert` makes a JavaScript value of a Python one.

    `rows` is IndexedDB, as the client's `browser_log.js` shows it; failures are JavaScript's errors.
    """

    def __init__(self, rows: Any, convert: Callable[[Any], Any]) -> None:
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
            raise StorageFull("there is no room left on this device; nothing has changed") from None
        logger.error("storage failed: %s", problem)
        raise StoreError("the storage of this device has failed") from None


class WorkerProcess:
    """A helper in a second worker, started when first needed and again after it was stopped.

    `other` is that worker, as the client's `worker.js` shows it. It has no compiler, so it builds no values.
    """

    count = 1
    builds = False

    def __init__(self, other: Any) -> None:
        self._other = other
        self._turn = asyncio.Lock()

    async def run(self, job: Job, seconds: float, build: bool) -> bytes:
        line = json.dumps({"do": job.do, "arguments": job.arguments()})
        async with self._turn:
            try:
                # that it has to start first does not count against the time limit
                await self._other.start()
                answer: str = await asyncio.wait_for(self._other.ask(line), seconds)
                return answer.encode()
            except asyncio.CancelledError:
                self._other.stop()
                raise
            except TimeoutError as error:
                self._other.stop()
                raise TooSlow("this takes too long to work out", detail=repr(error)) from error
            except Exception as error:
                raise HelperFailed("this could not be worked out", detail=repr(error)) from error

    async def close(self) -> None:
        self._other.stop()


# --- the application ----------------------------------------------------------------------------------


class LocalClient:
    """A client at a table; `post` takes its messages, and None when the connection ends."""

    address = ""

    def __init__(self, table: Authority, post: Callable[[str | None], None]) -> None:
        self.table = table
        self.viewer = Viewer()
        self.welcomed = False
        self.box = ""
        self._post = post
        self.closed = False

    def send(self, message: bytes) -> None:
        if not self.closed:
            self._post(message.decode())

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._post(None)


class Bridge:
    """All tables of one device, as JavaScript calls them. `convert` makes a JavaScript value of a Python one."""

    def __init__(self, store: Store, processes: Processes, convert: Callable[[Any], Any]) -> None:
        self.lobby = Lobby(store, LIMITS, processes=processes)
        self._convert = convert
        self._services = Services(self.lobby)
        self._endpoints = [
            (re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[\\w-]+)", endpoint.path)), endpoint)
            for endpoint in endpoints_of("device")
        ]
        self._clients: dict[str, LocalClient] = {}

    async def ask(self, method: str, path: str, body: Any) -> Any:
        """Status, headers (pairs) and body of the answer to a request."""
        answer = await self.request(method, path, body.to_bytes())
        headers = [list(header) for header in answer.headers.items()]
        return self._convert([answer.status_code, headers, answer.body])

    async def request(self, method: str, address: str, body: bytes = b"") -> Response:
        """The answer to a request for an address such as `/api/tables`."""
        asked = urlsplit(address)
        try:
            for pattern, endpoint in self._endpoints:
                found = pattern.fullmatch(asked.path)
                if found and method == endpoint.method:
                    query = dict(parse_qsl(asked.query, keep_blank_values=True))
                    request = Request(found.groupdict(), query, body)
                    return await endpoint.by(self._services, request)
            raise Refusal("not-found", "there is no such page")
        except Refusal as refusal:
            return refuse(refusal)
        except Exception:
            logger.exception("request failed: %s", address)
            return failed()

    async def open(self, name: str, table: str, post: Callable[[str | None], None]) -> int:
        """Connect a client, by a name of its own, to a table; 0, or the code with which it is refused."""
        try:
            found = await self.lobby.find(table)
        except Refusal as refusal:
            post(encode_refusal(refusal).decode())
            return NO_TABLE if refusal.code == "no-table" else TRY_AGAIN
        client = self._clients[name] = LocalClient(found, post)
        found.connect(client)
        return 0

    def text(self, name: str, text: str) -> None:
        """Handle a message of a client."""
        if client := self._clients.get(name):
            client.table.receive(client, text.encode("utf-8", "surrogatepass"))

    def disconnect(self, name: str) -> None:
        """Forget a client that has gone."""
        if client := self._clients.pop(name, None):
            client.closed = True
            client.table.disconnect(client)


async def start(rows: Any, other: Any, convert: Callable[[Any], Any]) -> Bridge:
    """The application with the tables of this browser."""
    bridge = Bridge(BrowserStore(IndexedRows(rows, convert)), WorkerProcess(other), convert)
    await bridge.lobby.open()
    return bridge
