"""Where atheris does not install: the corpus, changed by Hypothesis. It sees no coverage, only failures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

Edit = tuple[int, int, bytes]

_edits = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 40), st.binary(max_size=20)), max_size=6)


def edited(data: bytes, edits: list[Edit]) -> bytes:
    """The input after these edits; each replaces some bytes at one place."""
    for at, gone, put in edits:
        place = at % (len(data) + 1)
        data = data[:place] + put + data[place + gone :]
    return data


def run(target: Callable[[bytes], None], corpus: Path, runs: int, luck: int) -> int:
    """The number of changed seeds that were tried; raises a failure, minimised."""
    seeds = [file.read_bytes() for file in sorted(corpus.iterdir())]
    tried = 0

    @seed(luck)
    @settings(
        max_examples=runs,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(seeds), _edits)
    def attempt(data: bytes, edits: list[Edit]) -> None:
        nonlocal tried
        tried += 1
        target(edited(data, edits))

    attempt()
    return tried
