"""The addresses at which others in the network reach this server, shown only on this machine."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING

import msgspec

from pasch.table.refusals import Refusal
from pasch.web.http import Request, Response, decode_body, json_answer, read_body

if TYPE_CHECKING:
    from pasch.web.api import Services


def own_addresses() -> list[str]:
    """The addresses of this machine in its networks, the one towards the default route first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # nothing is sent: the system only selects the source address (the target is reserved for documentation)
        probe.connect(("192.0.2.1", 9))
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
        found += [str(address[4][0]) for address in named]
    return [address for address in dict.fromkeys(found) if _is_shared(address)]


def _is_shared(address: str) -> bool:
    read = ip_address(address)
    return not (read.is_loopback or read.is_link_local or read.is_unspecified)


def is_loopback(host: str) -> bool:
    """Whether a host name or address is that of the very machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class LanInfo(msgspec.Struct, frozen=True):
    """Where others in the network reach the server, for who sits at it; for everybody else empty."""

    addresses: list[str]
    #: whether the network is let in; None: that cannot be changed while the server runs
    open: bool | None = None


class LanWish(msgspec.Struct, frozen=True):
    """`POST /api/lan`: let the home network in, or no longer."""

    open: bool


class Lan:
    """A server that always listens at the same addresses; `NetworkSwitch` opens further ones."""

    def info(self) -> LanInfo:
        """How it is now."""
        return LanInfo([])

    async def switch(self, on: bool) -> None:
        """Let the network in, or no longer; Refusal if that is impossible."""
        raise Refusal("not-now", "this server cannot be opened to the network while it runs")


async def show(services: Services, request: Request) -> Response:
    """Where others reach this server; for everybody else nothing."""
    return json_answer(services.lan.info() if _is_here(request) else LanInfo([]))


async def change(services: Services, request: Request) -> Response:
    """Open the server to the network, or close it again."""
    if not _is_here(request):
        raise Refusal("not-yours", "only somebody at the server's own computer may do this")
    wanted: LanWish = decode_body(await read_body(request), LanWish)
    await services.lan.switch(wanted.open)
    return await show(services, request)


def _is_here(request: Request) -> bool:
    """Whether a request comes from this machine and names it; a proxy here forwards other names."""
    client = (request.scope.get("client") or ("",))[0]
    host = re.sub(r":\d+$", "", request.headers.get("host", ""))
    return is_loopback(client) and is_loopback(host)
