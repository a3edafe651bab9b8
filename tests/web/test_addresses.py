"""Where others reach the server: told to who sits at it, and to nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from pasch.web import addresses
from pasch.web.addresses import own_addresses, shared_addresses
from tests.web.asgi import Browser, with_server

SHARED = ["http://192.168.7.9:8615"]


def test_only_the_machine_itself_is_told(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        for client, host, told in (
            ("127.0.0.1", "localhost:8615", SHARED),
            ("::1", "[::1]:8615", SHARED),
            ("10.0.0.1", "localhost:8615", []),
            # what a proxy on the same machine passes on
            ("127.0.0.1", "pasch.example.org", []),
        ):
            answer = await browser.get("/api/addresses", client=client, headers={"host": host})
            assert answer.json == {"addresses": told}, (client, host)

    with_server(tmp_path, run, reached=lambda: SHARED)


def test_addresses_are_those_at_which_it_listens_and_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "own_addresses", lambda: ["192.168.7.9", "10.1.2.3"])
    assert shared_addresses("127.0.0.1", 8615, frozenset({"localhost"})) == []
    assert shared_addresses("0.0.0.0", 8615, None) == [*SHARED, "http://10.1.2.3:8615"]
    assert shared_addresses("0.0.0.0", 8615, frozenset({"192.168.7.9"})) == SHARED


def test_what_no_other_machine_reaches_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(*asked: object) -> list[object]:
        return [(0, 0, 0, "", (one, 0)) for one in ("127.0.1.1", "169.254.3.4", "0.0.0.0", "192.168.7.9")]

    class Offline:
        def __init__(self, *kind: object) -> None:
            raise OSError("no network")

    monkeypatch.setattr("pasch.web.addresses.socket.getaddrinfo", named)
    monkeypatch.setattr("pasch.web.addresses.socket.socket", Offline)
    assert own_addresses() == ["192.168.7.9"]
