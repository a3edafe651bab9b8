"""No text of ours repeats the printed rulebooks: never eight of their words in a row."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from tools.rulebook_words import known, sequences

ROOT = Path(__file__).parents[1]
#: names and numbers that are the same in any words
TEXTS = sorted(
    path
    for pattern in ("src/**/*.md", "src/**/*.po", "src/**/*.toml", "docs/**/*.md", "README.md")
    for path in ROOT.glob(pattern)
)


def parts(path: Path) -> list[str]:
    """What a file says; of a catalogue each text for itself."""
    if path.suffix != ".po":
        return [path.read_text("utf-8")]
    with path.open("rb") as file:
        said = [text for one in read_po(file) if one.id for text in (one.id, one.string or "")]
    return [text for one in said for text in ((one,) if isinstance(one, str) else one)]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_eight_words_in_a_row_are_the_rulebooks(path: Path) -> None:
    printed = known()
    assert [said for text in parts(path) for said, found in sequences(text) if found in printed] == []
