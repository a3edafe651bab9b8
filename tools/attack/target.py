"""Where an attack goes: a server on this machine and no other, called from loopback addresses of one's own.

On Linux the whole of 127.0.0.0/8 is this machine, so an attacker that binds its sockets to 127.1.0.2 and a bystander
that binds its own to 127.2.0.2 are two addresses to the server, as two households are.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from ipaddress import IPv4Address, ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

#: the longest answer that is read, in bytes
MAX_ANSWER_BYTES = 64 * 1024 * 1024
#: longest wait for an answer before a person counts as locked out, in seconds
TIMEOUT_SECONDS = 20.0


class NotThisMachine(ValueError):
    """The server to be attacked is not on this machine."""


class Target(NamedTuple):
    """A server on this machine."""

    host: str
    port: int

    @classmethod
    def read(cls, url: str) -> Target:
        """The server at a URL such as http://127.0.0.1:8615; NotThisMachine if it is elsewhere."""
        parts = urlsplit(url if "://" in url else f"http://{url}")
        host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname or ""
        try:
            address = ip_address(host)
        except ValueError:
            address = None
        if not isinstance(address, IPv4Address) or not address.is_loopback or parts.port is None:
            raise NotThisMachine(
                f"{url}: only a server on this machine may be attacked; write http://127.0.0.1:PORT"
            )
        return cls(host, parts.port)


class Answer(NamedTuple):
    """The answer to a request over HTTP; status 0: the server hung up."""

    status: int
    body: bytes

    @property
    def data(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def code(self) -> str:
        """The code of a refusal, or the status."""
        data = self.data
        code = data.get("code") if isinstance(data, dict) else None
        return str(code or self.status or "hung up")


class Caller:
    """A client at one address."""

    def __init__(self, target: Target, address: str) -> None:
        self.target, self.address = target, address

    async def open(
        self, limit: int = MAX_ANSWER_BYTES, receive: int | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection; `receive` is the size of its receive buffer, in bytes."""
        line = socket.socket()
        line.setblocking(False)
        try:
            if receive is not None:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
            line.bind((self.address, 0))
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await asyncio.get_running_loop().sock_connect(line, self.target)
        except BaseException:
            line.close()
            raise
        return await asyncio.open_connection(sock=line, limit=limit)

    def head(self, method: str, path: str, headers: str = "", length: int | None = None) -> bytes:
        """The head of a request."""
        sized = "" if length is None else f"Content-Length: {length}\r\n"
        host = f"Host: {self.target.host}:{self.target.port}\r\n"
        return f"{method} {path} HTTP/1.1\r\n{host}{sized}{headers}\r\n".encode("latin-1")

    async def ask(
        self, path: str, data: Any = None, method: str | None = None, headers: str = ""
    ) -> Answer:
        """The answer to an HTTP request on a new connection; bytes are sent as they are, other data as JSON."""
        body = data if isinstance(data, bytes) else None if data is None else json.dumps(data).encode()
        method = method or ("GET" if body is None else "POST")
        length = None if body is None else len(body)
        request = self.head(method, path, f"Connection: close\r\n{headers}", length) + (body or b"")
        try:
            reader, writer = await self.open()
        except OSError:
            return Answer(0, b"")
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                # refused before the body was read: the answer is there all the same
                with contextlib.suppress(OSError):
                    writer.write(request)
                    await writer.drain()
                return await read_answer(reader)
        except (OSError, TimeoutError, EOFError):
            return Answer(0, b"")
        finally:
            writer.transport.abort()

    def socket(self, table: str, **more: Any) -> connect:
        """A WebSocket to a table, to be awaited or entered."""
        return connect(
            f"ws://{self.target.host}:{self.target.port}/ws/{table}",
            compression=None,
            max_size=None,
            open_timeout=TIMEOUT_SECONDS,
            close_timeout=0.2,
            ping_interval=None,
            local_addr=(self.address, 0),
            proxy=None,
            **more,
        )


async def read_answer(reader: asyncio.StreamReader) -> Answer:
    """One answer; EOFError if the server hung up before its end."""
    head = await reader.readuntil(b"\r\n\r\n")
    first, _, rest = head.decode("latin-1").partition("\r\n")
    status, headers = int(first.split(" ")[1]), {}
    for line in rest.split("\r\n"):
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    if status in (204, 304):
        return Answer(status, b"")
    length = headers.get("content-length")
    return Answer(status, await (reader.read() if length is None else reader.readexactly(int(length))))


def abort(line: ClientConnection) -> None:
    """Close the connection without a closing handshake."""
    line.transport.abort()
