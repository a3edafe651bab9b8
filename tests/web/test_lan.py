"""Where others reach the server: shown on its own machine only."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pasch.store.sqlite import SqliteStore
from pasch.table.lobby import Lobby
from pasch.table.refusals import Refusal
from pasch.web import lan, serve
from pasch.web.app import App
from pasch.web.lan import Lan, LanInfo, own_addresses, shared_addresses
from tests.web.asgi import Browser

SHARED = ["http://192.168.7.9:8615"]


class Switch(Lan):
    """A network that is opened and closed."""

    open = False

    def info(self) -> LanInfo:
        return LanInfo(SHARED if self.open else [], self.open)

    async def switch(self, on: bool) -> None:
        self.open = on


@pytest.mark.settings(lan=Switch())
async def test_only_who_sits_at_the_machine_sees_and_opens_the_network(browser: Browser) -> None:
    here: Any = {"client": "127.0.0.1", "headers": {"host": "localhost:8615"}}
    assert (await browser.get("/api/addresses", **here)).json == {"addresses": [], "open": False}
    reply = await browser.post("/api/lan", {"open": True}, **here)
    assert reply.json == {"addresses": SHARED, "open": True}
    for client, host, shown in (
        ("127.0.0.1", "localhost:8615", True),
        ("::1", "[::1]:8615", True),
        ("10.0.0.1", "localhost:8615", False),
        # what a proxy on the same machine passes on
        ("127.0.0.1", "pasch.example.org", False),
    ):
        asker: Any = {"client": client, "headers": {"host": host}}
        addresses = (await browser.get("/api/addresses", **asker)).json["addresses"]
        assert addresses == (SHARED if shown else [])
        assert (await browser.post("/api/lan", {"open": True}, **asker)).status == (200 if shown else 403)
    assert (await browser.post("/api/lan", {"open": False}, **here)).json["open"] is False
    for body in (b"{", b" " * 2000):
        assert (await browser.post("/api/lan", body=body, **here)).status in (400, 413)


@pytest.mark.settings(lan=Lan(lambda: SHARED))
async def test_a_server_at_fixed_addresses_is_not_switched(browser: Browser) -> None:
    here: Any = {"client": "127.0.0.1", "headers": {"host": "localhost:8615"}}
    assert (await browser.get("/api/addresses", **here)).json == {"addresses": SHARED, "open": None}
    assert (await browser.post("/api/lan", {"open": True}, **here)).json["code"] == "not-now"


def test_addresses_are_those_at_which_it_listens_and_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "own_addresses", lambda: ["192.168.7.9", "10.1.2.3"])
    assert shared_addresses("127.0.0.1", 8615, frozenset({"localhost"})) == []
    assert shared_addresses("0.0.0.0", 8615, None) == [*SHARED, "http://10.1.2.3:8615"]
    assert shared_addresses("0.0.0.0", 8615, frozenset({"192.168.7.9"})) == SHARED


def test_what_no_other_machine_reaches_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(*asked: object) -> list[object]:
        return [(0, 0, 0, "", (one, 0)) for one in ("127.0.1.1", "169.254.3.4", "0.0.0.0", "192.168.7.9")]

    class Offline:
        def __init__(self, *kind: object) -> None:
            raise OSError("no network")

    monkeypatch.setattr("pasch.web.lan.socket.getaddrinfo", named)
    monkeypatch.setattr("pasch.web.lan.socket.socket", Offline)
    assert own_addresses() == ["192.168.7.9"]


async def test_a_second_listener_is_opened_for_the_network_and_closed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # another address of this very machine, in place of the one that it has in a network
    monkeypatch.setattr(serve, "own_addresses", lambda: ["127.0.0.5"])

    async def status(address: str, port: int, host: str) -> int:
        try:
            reader, writer = await asyncio.open_connection(address, port)
        except OSError:
            return 0
        writer.write(f"GET /healthz HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        return int(answer.split()[1])

    lobby = Lobby(SqliteStore(tmp_path / "log.db"))
    await lobby.open()
    with serve.listen("127.0.0.1", 0) as chosen:
        port = chosen.getsockname()[1]
        switch = serve.NetworkSwitch(port, 100, lobby.store)
        switch.app = App(lobby, lan=switch)
        assert await status("127.0.0.5", port, "127.0.0.5") == 0
        for _ in range(2):
            await switch.switch(True)
            await switch.switch(True)
            assert switch.info() == LanInfo([f"http://127.0.0.5:{port}"], True)
            assert await status("127.0.0.5", port, "127.0.0.5") == 200
            # another page cannot give its own name to this address
            assert await status("127.0.0.5", port, "evil.test") == 400
            await switch.switch(False)
            assert switch.info() == LanInfo([], False)
            assert await status("127.0.0.5", port, "127.0.0.5") == 0
        monkeypatch.setattr(serve, "own_addresses", list)
        with pytest.raises(Refusal):
            await switch.switch(True)
    await lobby.close()
