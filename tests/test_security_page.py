"""docs/security.md names the attack or the tests that prove each promise, and names every attack."""

from __future__ import annotations

import re
from pathlib import Path

from tools.attack.attacks import ATTACKS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and "promise | proved by" not in line]


def test_every_promise_names_its_proof() -> None:
    for row in ROWS:
        proofs = row.split(" | ")[-1]
        named = re.findall(r"`(\w+)`", proofs)
        files = re.findall(r"tests/[\w/]+\.py", proofs)
        assert named or files, row
        assert set(named) <= set(ATTACKS), row
        assert all((ROOT / file).is_file() for file in files), row


def test_every_attack_proves_a_promise() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE))
    assert set(ATTACKS) <= named
