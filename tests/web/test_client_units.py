"""The parts of the browser client that need no browser."""

from __future__ import annotations

from pathlib import Path

from tests.web.nodejs import node


def test_the_units_of_the_client() -> None:
    files = sorted(Path(__file__).parent.joinpath("js").glob("*.test.js"))
    ran = node("--test", *files)
    assert ran.returncode == 0, ran.stdout
