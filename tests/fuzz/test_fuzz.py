"""A short run of `make fuzz`, the corpus once more, and that the targets would notice something.

The tests marked `exhaustive` run with `make test-all` only: run it after a change of what reads input or of the API.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tools.fuzz import api
from tools.fuzz.__main__ import CORPUS, NAMES, fuzz
from tools.fuzz.targets import TARGETS

#: inputs of the short run; those of the protocol take longest
RUNS = {"record": 1500, "components": 150, "options": 1500, "protocol": 100}


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*/*")), ids=lambda file: "-".join(file.parts[-2:]))
def test_the_corpus_is_taken_or_refused(file: Path) -> None:
    TARGETS[file.parent.name](file.read_bytes())


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_in_a_short_run(name: str, record_property: Callable[[str, str], None]) -> None:
    tried, found = fuzz(name, RUNS[name])
    record_property(
        "said", f"fuzz {name}: {tried} inputs, {'found something' if found else 'nothing found'}"
    )
    assert not found and tried >= RUNS[name] * 9 // 10, found


@pytest.mark.exhaustive
def test_the_http_api_keeps_to_its_description(record_property: Callable[[str, str], None]) -> None:
    tried, found = api.run(examples=12, luck=1, phases="fuzzing")
    record_property(
        "said", f"schemathesis: {tried} requests, {'found something' if found else 'nothing found'}"
    )
    assert not found and tried > 60, found
