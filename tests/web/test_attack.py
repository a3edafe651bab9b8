"""A short run of `make attack`, and that its measure would notice what it looks for.

Only `make test-all` has the run: whoever changes a limit of the server runs it.

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
from tools.attack.attacker import Told
from tools.attack.attacks import names
from tools.attack.bystander import Felt
from tools.attack.server import Watch, serving
from tools.attack.target import NotThisMachine, Target

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs many loopback addresses")


@linux
@pytest.mark.exhaustive
def test_no_attack_stops_a_server(tmp_path: Path, record_property: Callable[[str, str], None]) -> None:
    async def attack(target: Target) -> list[run.Result]:
        async with run.attackers() as by:
            return [await run.run(name, target, 0.4, by, short=True) for name in names()]

    with serving(tmp_path / "data") as target:
        results = asyncio.run(attack(target))
    tried = sum(result.told.counts.get("tried", 0) for result in results)
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


def judged(
    felt: Felt, log: bytes = b"", memory: float = 0.0, well: bool = True
) -> tuple[list[str], list[str]]:
    watch = Watch(Target("127.0.0.1", 1))
    watch.most.memory = memory
    told = Told({}, [], 1.0)
    result = run.judge("pings", told, felt, watch, well)
    return result.broken, result.slow


def test_the_measure_notices() -> None:
    calm = Felt(moves=[0.01] * 100, hints=[1.0])
    assert judged(calm) == ([], [])
    assert judged(Felt(moves=[0.01] * 97 + [0.3] * 3))[1] == ["moves 0.30 s"]
    assert judged(Felt(moves=[0.01], hints=[5.5]))[1] == ["hints 5.5 s"]
    assert judged(Felt())[1] == ["not a single move"]
    assert judged(calm, memory=301)[0] == ["memory 301 MiB"]
    assert judged(calm, well=False)[0] == ["a stranger is not let in afterwards"]
    assert judged(Felt(moves=[0.01], locked_out=["refused: full"] * 2))[0] == ["locked out: refused: full"]
