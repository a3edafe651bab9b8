"""At which addresses others in the network reach this server. Nobody but the machine itself is told."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Collection
from contextlib import suppress
from ipaddress import ip_address

import msgspec
from starlette.requests import Request
from starlette.responses import Response


def own_addresses() -> list[str]:
    """The addresses of this machine in its networks, the one towards the default route first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # nothing is sent: the system only says which address it would send from (to one kept for documentation)
        probe.connect(("192.0.2.1", 9))
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
        found += [str(address[4][0]) for address in named]
    return [address for address in dict.fromkeys(found) if _is_shared(address)]


def _is_shared(address: str) -> bool:
    read = ip_address(address)
    return not (read.is_loopback or read.is_link_local or read.is_unspecified)


def shared_addresses(host: str, port: int, hosts: Collection[str] | None) -> list[str]:
    """The origins under which others reach a server that listens at `host` and answers to `hosts` (None: to any)."""
    if host not in ("0.0.0.0", "::"):
        return []
    return [f"http://{one}:{port}" for one in own_addresses() if hosts is None or one in hosts]


def is_loopback(host: str) -> bool:
    """Whether a host name or address is that of the very machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class Addresses(msgspec.Struct, frozen=True):
    """Where others in the network reach the server; empty for whoever does not sit at it."""

    addresses: list[str]


class AddressPage:
    """The endpoint `/api/addresses`."""

    def __init__(self, reached: Callable[[], list[str]]) -> None:
        self._reached = reached

    async def show(self, request: Request) -> Response:
        """Where others reach this server, for somebody who sits at it; for everybody else nothing."""
        asks = request.client.host if request.client else ""
        here = is_loopback(asks) and is_loopback(request.url.hostname or "")
        told = Addresses(await asyncio.to_thread(self._reached) if here else [])
        return Response(msgspec.json.encode(told), 200, {"cache-control": "no-store"}, "application/json")
