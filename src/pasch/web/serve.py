"""The command `pasch serve`: the web server."""

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
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import click
import uvicorn
from starlette.types import ASGIApp
from uvicorn.loops.auto import auto_loop_factory

from pasch.core.errors import PaschError
from pasch.core.files import data_folder
from pasch.store.base import Store
from pasch.store.locate import open_store
from pasch.table.bots import Bots
from pasch.table.limits import Limits
from pasch.table.lobby import Lobby
from pasch.table.refusals import Refusal
from pasch.web import logs
from pasch.web.app import App
from pasch.web.files import MountedSite
from pasch.web.lan import Lan, LanInfo, is_loopback, own_addresses
from pasch.web.site.page import read_origin
from pasch.web.throttle import BACKLOG, ServerConfig

logger = logging.getLogger("pasch.web")
DEFAULT_LIMITS: Final = Limits()
#: how long a thread keeps Python to itself while others wait, in seconds
SWITCH_SECONDS: Final = 0.001

#: the port, unless it is taken
PORT: Final = 8615
#: how long a stopping server waits for its connections, in seconds
GRACE_SECONDS: Final = 5
#: the most open files of a process that are asked for
MAX_FILES: Final = 2**20
#: files that are no connections: the log, helper processes, modules
RESERVED_FILES: Final = 128


def listen(host: str, port: int | None) -> socket.socket:
    """A listening socket on this port; without one, on the usual port or, if that is taken, on any."""
    wanted = [PORT, 0] if port is None else [port]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem = ""
    for one in wanted:
        # asyncio sets TCP_NODELAY only on sockets that name their protocol; without it answers wait 40 ms
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if sys.platform != "win32":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, one))
            listener.listen(BACKLOG)
        except OSError as error:
            listener.close()
            problem = error.strerror or str(error)
        else:
            return listener
    raise PaschError("cannot serve at {host}:{port}: {problem}", host=host, port=wanted[0], problem=problem)


def names_of(host: str, names: Collection[str] = ()) -> frozenset[str] | None:
    """The host names that a server answers to; None: any, if it serves others and none are given."""
    if not is_loopback(host) and not names:
        return None
    return frozenset({"localhost", "127.0.0.1", "[::1]", host.lower(), *map(str.lower, names)})


def address_for_others(host: str, port: int, given: str | None) -> str | None:
    """The host:port at which other servers of the same log reach this one; None: the database is asked."""
    if given is not None:
        if not re.fullmatch(r"[^:/\s]+:\d{1,5}|\[[0-9a-fA-F:]+\]:\d{1,5}", given):
            raise PaschError("{address}: write host:port, as in 10.0.0.5:8615", address=given)
        return given
    if host in ("0.0.0.0", "::"):
        return None
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def has_screen() -> bool:
    """Whether a browser can be opened here."""
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return not os.environ.get("SSH_CONNECTION")


def raise_file_limit() -> int:
    """Raise the limit of open files of this process as far as the system allows; return it."""
    if sys.platform == "win32":
        return MAX_FILES
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def max_connections(limits: Limits, files: int, several: bool = False) -> int:
    """How many connections a process with this many files takes; one that is forwarded needs two files."""
    free = max(files - RESERVED_FILES, files // 2)
    return min(limits.connections, free // 2 if several else free)


class _Server(uvicorn.Server):
    """uvicorn's server, which stops when the log has failed, and raises no signal again afterwards.

    A second one of the same process leaves the signals to the first.
    """

    def __init__(self, app: ASGIApp, connections: int, log: Store, second: bool = False) -> None:
        super().__init__(ServerConfig(app, connections, timeout_graceful_shutdown=GRACE_SECONDS))
        self._log = log
        self._signals = () if second else (signal.SIGINT, signal.SIGTERM)

    async def on_tick(self, counter: int) -> bool:
        return await super().on_tick(counter) or self._log.failed is not None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # uvicorn would cancel what serves the remaining connections and call that an error, with a traceback
        closing = asyncio.get_running_loop().call_later(GRACE_SECONDS - 2, self._close_remaining)
        try:
            await super().shutdown(sockets)
        finally:
            closing.cancel()

    def _close_remaining(self) -> None:
        for connection in [*self.server_state.connections]:
            connection.transport.abort()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {sign: signal.signal(sign, self.handle_exit) for sign in self._signals}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)


class NetworkSwitch(Lan):
    """Opens a server that listens on this machine only to the network as well, and closes it again."""

    def __init__(self, port: int, make: Callable[[list[str]], _Server]) -> None:
        self._port = port
        #: makes a server that answers to these names
        self._make = make
        self._running: tuple[_Server, asyncio.Task[None]] | None = None
        self._open_at: list[str] = []
        self._switching = asyncio.Lock()

    def info(self) -> LanInfo:
        return LanInfo([f"http://{address}:{self._port}" for address in self._open_at], bool(self._running))

    async def switch(self, on: bool) -> None:
        async with self._switching:
            if on and self._running is None:
                await self._open()
            elif not on and self._running is not None:
                server, serving = self._running
                self._running, self._open_at = None, []
                server.should_exit = True
                await serving
                logger.info("closed to the network")

    async def _open(self) -> None:
        listeners = []
        for address in await asyncio.to_thread(own_addresses):
            with suppress(PaschError):
                listeners.append(listen(address, self._port))
        if not listeners:
            raise Refusal("not-now", "this machine is in no network that others could join from")
        self._open_at = [listener.getsockname()[0] for listener in listeners]
        server = self._make(self._open_at)
        self._running = server, asyncio.create_task(server.serve(sockets=listeners))
        logger.info("opened to the network", extra={"fields": {"addresses": self._open_at}})


def serve(
    host: str,
    port: int | None,
    data: Path | None,
    open_browser: bool,
    store: str | None = None,
    names: Collection[str] = (),
    internal: str | None = None,
    bots: Mapping[str, str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    sites: Collection[str] = (),
    offline: Path | None = None,
    lan: bool = False,
    home: bool = False,
) -> None:
    """Serve until interrupted; PaschError if the log failed.

    `bots` are the programs of players by their names. `sites` are the origins of sites whose tables with friends are
    here; `offline` is the folder of one to be served.
    With `lan` the home network is let in from the beginning. At `home` only warnings and errors are logged, as text.
    """
    site_origins, mounted = [read_origin(site) for site in sites], MountedSite(offline) if offline else None
    listener = listen(host, port)
    logs.capture(home)
    with closing(listener):
        chosen: int = listener.getsockname()[1]
        shown = "localhost" if host in ("127.0.0.1", "0.0.0.0") else f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{chosen}/"
        log = open_store(store or data_folder(data), address_for_others(host, chosen, internal), chosen)
        where = data_folder(data) if store is None else log.where
        lobby = Lobby(log, limits, bots=Bots(bots))
        hosts = names_of(host, names)
        connections = max_connections(limits, raise_file_limit(), several=log.lease is not None)

        async def run() -> None:
            await lobby.open()
            click.echo(f"Pasch is at {address} (Ctrl-C stops it; games are kept in {where})")

            def make(names: Collection[str] | None, second: bool = True) -> _Server:
                return _Server(app.answering_to(names), connections, log, second)

            switch = NetworkSwitch(chosen, make) if is_loopback(host) else None
            app = App(lobby, sites=site_origins, offline=mounted, lan=switch)
            try:
                await lobby.bots.check()
                if lan and switch is not None:
                    await switch.switch(True)
                    click.echo(f"Others in this network join at {' or '.join(switch.info().addresses)}")
                _tune()
                logger.info("serving", extra={"fields": {"port": chosen, "connections": connections}})
                threading.Thread(target=app.warm, name="warm", daemon=True).start()
                if open_browser and has_screen():
                    # the socket listens already, so the browser waits for the answer
                    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
                await make(hosts, second=False).serve(sockets=[listener])
            finally:
                if switch is not None:
                    await switch.switch(False)
                await lobby.close()
                logger.info("stopped")

        with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
            runner.run(run())
    if log.failed is not None:
        raise PaschError(
            "the log failed ({problem}); start Pasch again, every game can be continued", problem=log.failed
        )
    click.echo("Pasch has stopped; every game can be continued.")


def _tune() -> None:
    """Set up Python for a server."""
    # objects loaded so far stay, and a move makes hardly any reference cycles
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    # long work in threads yields to the event loop sooner
    sys.setswitchinterval(SWITCH_SECONDS)
