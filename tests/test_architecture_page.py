"""docs/architecture.md: the walk of one roll names files and functions that there are."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_the_walk_of_one_roll() -> None:
    walk = PAGE.partition("### The walk of one roll")[2].partition("\n### ")[0]
    steps = re.findall(r"^\d+\. .*(?:\n {3,4}.*)*", walk, re.MULTILINE)
    assert 8 <= len(steps) <= 12
    for step in steps:
        named = re.findall(r"`([\w/]+\.(?:py|js))`\s+`(\w+)`", step)
        assert named, step
        for file, name in named:
            source = (ROOT / "src" / "pasch" / file).read_text("utf-8")
            assert re.search(rf"\b(?:def|class|function) {name}\b|^ +{name}\(", source, re.MULTILINE), step
