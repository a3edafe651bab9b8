"""The application without a server: the same requests and messages, answered in the program that asks.

In a browser it runs in a worker (`pasch.web.worker`). There are no threads, processes or addresses: the event loop runs
what would be done in a thread, and long work is asked of one helper.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from pasch.store.base import Store
from pasch.table.authority import Authority
from pasch.table.helpers import Processes
from pasch.table.limits import Budgets, Limits, Rate
from pasch.table.lobby import Lobby, LobbyLimits
from pasch.table.messages import encode_refusal
from pasch.table.redact import Viewer
from pasch.table.refusals import Refusal
from pasch.table.retention import Retention
from pasch.web.endpoints import ENDPOINTS, Answering, Services
from pasch.web.http import ADDRESS, Request, Response, failed, refuse

logger = logging.getLogger("pasch.web")

#: nobody has to be kept from using their own device
FREE: Final = Rate(1e9, 1e9)
UNLIMITED: Final = Limits(FREE, FREE, FREE, FREE, FREE)
#: close codes: there is no such table; it is not there just now
NO_TABLE, TRY_AGAIN = 4404, 1013
#: the person decides what is kept on their device
LIMITS: Final = LobbyLimits(idle=20, idle_entries=5_000, keep=Retention(None, None, None), large_boxes=True)


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
