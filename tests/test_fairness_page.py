"""The example in docs/fairness.md is right."""

from __future__ import annotations

import hmac
from pathlib import Path

from pasch.core.chance import ColouredDice, derive
from pasch.core.events import Event
from pasch.core.fair import commitment, dice_key, rolled

PAGE = (Path(__file__).parents[1] / "docs" / "fairness.md").read_text("utf-8")


class Rolled(Event, frozen=True):
    roll: tuple[int, ...]


def test_the_example_is_right() -> None:
    seed = bytes(range(32))
    key = dice_key(seed, "example", ["11" * 32, None])
    for shown in (seed.hex(), commitment(seed), key.hex(), hmac.digest(key, b"1/0/0", "sha256").hex()):
        assert shown in PAGE
    assert derive(key, 1, 216) == 147 and "147 = 403 to the base of 6" in PAGE
    assert rolled(key, 1, ColouredDice(3, Rolled)) == Rolled((5, 1, 4)) and "5 1 4" in PAGE
