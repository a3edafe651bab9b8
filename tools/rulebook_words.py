"""Hashes of the printed rulebooks' word sequences, so that the tests notice a copied sentence.

    python -m tools.rulebook_words FOLDER      rewrite tests/rulebook_words.bin from the texts in FOLDER

The rulebooks themselves are not ours to pass on; from the hashes nobody can read them.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

#: where the hashes are kept
FILE: Final = Path(__file__).parents[1] / "tests" / "rulebook_words.bin"
#: this many equal words in a row count as copied
WORDS: Final = 8
#: bytes of a hash: few enough to be small, enough that chance does not make two texts alike
BYTES: Final = 6


def sequences(text: str) -> Iterator[tuple[str, bytes]]:
    """All sequences of words of a text with their hashes; case, signs and line breaks do not count."""
    words = re.findall(r"\w+", re.sub(r"<[^>]*>|\{[^}]*\}", " | ", text).casefold())
    for place in range(len(words) - WORDS + 1):
        said = " ".join(words[place : place + WORDS])
        yield said, hashlib.sha256(said.encode()).digest()[:BYTES]


def known() -> frozenset[bytes]:
    """The hashes of the rulebooks."""
    data = FILE.read_bytes()
    return frozenset(data[place : place + BYTES] for place in range(0, len(data), BYTES))


def main(folder: str) -> None:
    texts = sorted(Path(folder).glob("*.txt"))
    if not texts:
        raise SystemExit(f"{folder}: there are no rulebooks (*.txt) here")
    hashes = {found for file in texts for _, found in sequences(file.read_text("utf-8"))}
    FILE.write_bytes(b"".join(sorted(hashes)))
    print(f"{FILE}: {len(hashes)} sequences of {WORDS} words from {len(texts)} rulebooks")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
