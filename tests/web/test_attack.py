"""A short run of `make attack`.

Only `make test-all` has the run: run it after changes to the server's limits.

Nothing here depends on how fast the machine is: what is asserted is that nobody is locked out, that memory, disk
and log stay within their bounds, and that nothing is done for an attacker that should be refused.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tools.attack import run
from tools.attack.__main__ import main
from tools.attack.attacks import ATTACKS
from tools.attack.server import serving
from tools.attack.target import NotThisMachine, Target

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs many loopback addresses")


@linux
@pytest.mark.exhaustive
def test_no_attack_stops_a_server(tmp_path: Path, record_property: Callable[[str, str], None]) -> None:
    async def attack(target: Target) -> list[run.Result]:
        return [await run.run(name, target, 0.4, short=True) for name in ATTACKS]

    with serving(tmp_path / "data") as target:
        results = asyncio.run(attack(target))
    tried = sum(result.outcome.counts.get("tried", 0) for result in results)
    most = max(result.seen.memory for result in results)
    record_property("said", f"attacks: {len(results)}, {tried} attempts, at most {most:.0f} MiB")
    assert {result.name: result.broken for result in results if result.broken} == {}
    assert tried > 0 and any(result.felt.moves for result in results)


@pytest.mark.parametrize(
    "url", ["http://192.0.2.7:8615", "http://example.org:80", "http://[::1]:8615", "http://127.0.0.1", "x"]
)
def test_only_this_machine_is_attacked(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(NotThisMachine):
        Target.read(url)
    monkeypatch.setattr(sys, "argv", ["attack", "pings", "--server", url])
    with pytest.raises(SystemExit):
        main()
    assert "this machine" in capsys.readouterr().err or not sys.platform.startswith("linux")
