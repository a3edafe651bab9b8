"""`pasch serve`: the browser table on this machine."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import re
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import click
import platformdirs
import uvicorn

from pasch.core.errors import PaschError
from pasch.store.base import Store
from pasch.store.places import open_store
from pasch.table.hall import Hall
from pasch.web import logs
from pasch.web.app import make_app
from pasch.web.opening import Opening
from pasch.web.wire import Wire

logger = logging.getLogger("pasch.web")

#: where the table is served unless somebody else is there already
PORT: Final = 8615
#: how many further ports are tried
TRIES: Final = 20
#: messages above the protocol's own limit get an answer up to this many bytes, then the connection ends
MOST_BYTES: Final = 1024 * 1024
#: how long a stopping server waits for its connections, in seconds
FAREWELL: Final = 5


class ServeError(PaschError):
    """The server cannot be started."""


def data_folder(chosen: Path | None) -> Path:
    """Where the log is kept: as chosen, else PASCH_DATA, else the user's own data folder."""
    if chosen is not None:
        return chosen
    own = os.environ.get("PASCH_DATA")
    return Path(own) if own else platformdirs.user_data_path("pasch", appauthor=False)


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on this port; on the usual one or, if it is taken, one of the next if none is given."""
    wanted = [port] if port is not None else [*range(PORT, PORT + TRIES), 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem = ""
    for one in wanted:
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, one))
            listener.listen(2048)
        except OSError as error:
            listener.close()
            problem = error.strerror or str(error)
        else:
            return listener
    raise ServeError("cannot serve at {host}:{port}: {problem}", host=host, port=wanted[0], problem=problem)


def names_of(host: str, names: Collection[str] = ()) -> frozenset[str] | None:
    """The names under which a server may be asked; None: any, because others may ask and none are given."""
    try:
        alone = ip_address(host).is_loopback
    except ValueError:
        alone = host == "localhost"
    if not alone and not names:
        return None
    return frozenset({"localhost", "127.0.0.1", "[::1]", host.lower(), *map(str.lower, names)})


def address_for_others(host: str, port: int, given: str | None) -> str | None:
    """Where other servers of the same log reach this one; None if that is to be found out."""
    if given is not None:
        if not re.fullmatch(r"[^:/\s]+:\d{1,5}|\[[0-9a-fA-F:]+\]:\d{1,5}", given):
            raise ServeError("{address}: write host:port, as in 10.0.0.5:8615", address=given)
        return given
    if host in ("0.0.0.0", "::"):
        return None
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def has_screen() -> bool:
    """Whether a browser can be opened here."""
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return not os.environ.get("SSH_CONNECTION")


class _Server(uvicorn.Server):
    """A server that stops when asked to and then lets the program end in peace."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {sign: signal.signal(sign, self.handle_exit) for sign in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)


def serve(
    host: str,
    port: int | None,
    data: Path | None,
    open_browser: bool,
    store: str | None = None,
    names: Collection[str] = (),
    internal: str | None = None,
    opening: Opening | None = None,
) -> None:
    """Serve until somebody stops it."""
    logs.set_up()
    listener = listen(host, port)
    try:
        chosen: int = listener.getsockname()[1]
        shown = "localhost" if host in ("127.0.0.1", "0.0.0.0") else f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{chosen}/"
        log = open_store(store or data_folder(data), address_for_others(host, chosen, internal), chosen)
        where = data_folder(data) if store is None else log.where
        said = f"Pasch is at {address} (Ctrl-C stops it; games are kept in {where})"
        show = address if open_browser and has_screen() else None
        asyncio.run(_serve(listener, log, names_of(host, names), said, show, address, opening or Opening()))
    finally:
        listener.close()
    click.echo("Pasch has stopped; every game can be continued.")


def _settle() -> None:
    """What is in memory now stays; a move makes hardly any circles, so they are looked for less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


async def _serve(
    listener: socket.socket,
    log: Store,
    names: Collection[str] | None,
    said: str,
    show: str | None,
    address: str,
    opening: Opening,
) -> None:
    hall = Hall(log, bots=opening.seated())
    await hall.open()
    click.echo(said)
    try:
        opened = await opening.begin(hall, address)
        _settle()
        config = uvicorn.Config(
            make_app(hall, hosts=names),
            loop="asyncio",
            http="h11",
            ws=Wire,
            ws_per_message_deflate=False,
            ws_max_size=MOST_BYTES,
            lifespan="off",
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=FAREWELL,
        )
        logger.info("serving", extra={"fields": {"port": listener.getsockname()[1]}})
        if show is not None:
            # the socket listens already, so the browser will wait for the answer
            threading.Thread(target=webbrowser.open, args=(opened,), daemon=True).start()
        await _Server(config).serve(sockets=[listener])
    finally:
        await hall.close()
        logger.info("stopped")
