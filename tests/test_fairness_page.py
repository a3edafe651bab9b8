"""docs/fairness.md: its example is right, and what it says about lies is what the tests find."""

from __future__ import annotations

import hmac
from pathlib import Path

from pasch.core.chance import ColouredDice, derive
from pasch.core.events import Event
from pasch.core.fair import commitment, dice_key, rolled
from tests.web.test_cheating import LIES

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "fairness.md").read_text("utf-8")


class Rolled(Event, frozen=True):
    roll: tuple[int, ...]


def test_the_example_is_right() -> None:
    seed = bytes(range(32))
    key = dice_key(seed, "example", ["11" * 32, None])
    for shown in (seed.hex(), commitment(seed), key.hex(), hmac.digest(key, b"1/0/0", "sha256").hex()):
        assert shown in PAGE
    assert derive(key, 1, 216) == 147 and "147 = 403 to the base of 6" in PAGE
    assert rolled(key, 1, ColouredDice(3, Rolled)) == Rolled((5, 1, 4)) and "5 1 4" in PAGE


def test_it_says_of_every_lie_who_finds_it() -> None:
    mark = {True: "found", False: "–"}
    rows = [
        f"| {lie.__name__.replace('_', ' ')} | {mark[found.page is not None]} | {mark[found.verify]} |"
        for lie, found in LIES.items()
    ]
    table = PAGE.split("## Lies, and who finds them")[1].split("\n\n")[2]
    assert table.splitlines()[2:] == rows
    # each of them by somebody
    assert not [row for row in rows if row.count("–") == 2]
