"""What servers of one log tell each other, and what they believe."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from pasch.table.limits import Limits
from pasch.web.forward import ADDRESS, PROOF, _proof, forwarded_for
from pasch.web.serve import ServeError, address_for_others
from tests.web.test_server import Running, running


def scope(address: str, proof: str, table: str = "t") -> dict[str, Any]:
    headers = [(ADDRESS.encode(), address.encode()), (PROOF.encode(), proof.encode("latin-1"))]
    return {"headers": headers, "path": f"/ws/{table}"}


def test_only_a_server_of_the_same_log_may_say_for_whom_it_asks() -> None:
    right = _proof(b"secret", "10.1.2.3", "t")
    assert forwarded_for(scope("10.1.2.3", right), b"secret") == "10.1.2.3"
    assert forwarded_for(scope("10.1.2.4", right), b"secret") is None
    assert forwarded_for(scope("10.1.2.3", right, "u"), b"secret") is None
    assert forwarded_for(scope("10.1.2.3", right), b"other") is None
    assert forwarded_for(scope("10.1.2.3", "ü"), b"secret") is None
    assert forwarded_for({"headers": [], "path": "/ws/t"}, b"secret") is None


def test_a_log_without_other_servers_believes_nobody() -> None:
    assert forwarded_for(scope("10.1.2.3", _proof(b"", "10.1.2.3", "t")), b"") is None


@pytest.mark.parametrize(
    ("host", "given", "found"),
    [
        ("127.0.0.1", None, "127.0.0.1:8615"),
        ("::1", None, "[::1]:8615"),
        ("0.0.0.0", None, None),
        ("0.0.0.0", "10.0.0.5:80", "10.0.0.5:80"),
        ("0.0.0.0", "[fd00::5]:80", "[fd00::5]:80"),
        ("0.0.0.0", "pasch-2.internal:8615", "pasch-2.internal:8615"),
    ],
)
def test_where_other_servers_find_this_one(host: str, given: str | None, found: str | None) -> None:
    assert address_for_others(host, 8615, given) == found


@pytest.mark.parametrize("given", ["10.0.0.5", "http://10.0.0.5:80", "10.0.0.5:port", ""])
def test_an_address_is_a_host_and_a_port(given: str) -> None:
    with pytest.raises(ServeError, match="host:port"):
        address_for_others("0.0.0.0", 8615, given)


def test_behind_a_proxy_everybody_has_limits_of_their_own(tmp_path: Path) -> None:
    wish = json.dumps({"game": "joker1", "seats": [{"kind": "here"}, {"kind": "here"}]}).encode()

    def make(server: Running, address: str) -> int:
        headers = {"X-Forwarded-For": address}
        request = urllib.request.Request(f"http://localhost:{server.port}/api/tables", wish, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            refused.close()
            return refused.code

    with running(tmp_path) as server:
        # on a slow machine one more is allowed every now and then
        many = [make(server, "10.0.0.1") for _ in range(2 * int(Limits().tables.burst))]
        assert many[0] == 201 and 429 in many
        assert make(server, "10.0.0.2") == 201
