"""How long, how deep and how many: asked of every text from outside before anybody parses it.

A parser recurses for every bracket and makes an object for every pair of them, so a small file could cost
much time and memory. Counting brackets costs hardly anything: it is done without a loop of our own.
"""

from __future__ import annotations

import re
from typing import Final

from pasch.core.errors import PaschError

#: nothing that Pasch reads is nested more deeply
DEPTH: Final = 32
#: the parts of a dotted key in TOML; each of them is a table inside another
PARTS: Final = 8

_FOLD: Final = bytes.maketrans(b"{}", b"[]")
_NO_BRACKET: Final = bytes(byte for byte in range(256) if byte not in b"[]{}")

_STRING: Final = rb"""(?<!\\)"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'"""
#: a key with more parts. Nothing begins in the middle of a word or after a backslash, and nothing that was
#: read is given back, so this takes linear time
_DOTTED: Final = re.compile(
    rb"(?:(?<![\w-])[\w-]++|%b)(?:[ \t]*+\.[ \t]*+(?:[\w-]++|%b)){%d}" % (_STRING, _STRING, PARTS)
)


class TooMuch(PaschError):
    """A text is longer, deeper or has more parts than anything that Pasch reads."""


def _bytes(text: str | bytes | bytearray) -> bytes | bytearray:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def check_json(
    text: str | bytes | bytearray, *, most_bytes: int, most_things: int, depth: int = DEPTH
) -> None:
    """TooMuch unless a text of JSON keeps to its bounds. Things are objects and arrays."""
    data = _bytes(text)
    _check_length(data, most_bytes)
    if data.count(b"[") + data.count(b"{") <= min(depth, most_things):
        return
    # without what stands in strings: first the escapes that could hide where a string ends
    outside = b"".join(data.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    if outside.count(b"[") + outside.count(b"{") > most_things:
        raise TooMuch("more than {most} objects and lists", most=most_things)
    _check_depth(outside, depth)


def check_toml(text: str | bytes, *, most_bytes: int, depth: int = DEPTH) -> None:
    """TooMuch unless a text of TOML keeps to its bounds. Brackets in strings and comments count too."""
    data = _bytes(text)
    _check_length(data, most_bytes)
    _check_depth(data, depth)
    if _DOTTED.search(data):
        raise TooMuch("a key with more than {most} parts", most=PARTS)


def _check_length(data: bytes | bytearray, most: int) -> None:
    if len(data) > most:
        raise TooMuch("longer than {most} bytes", most=most)


def _check_depth(data: bytes | bytearray, depth: int) -> None:
    brackets = data.translate(_FOLD, _NO_BRACKET)
    for _ in range(depth):
        if not brackets:
            return
        # the innermost pairs vanish
        brackets = brackets.replace(b"[]", b"")
    # brackets without a partner are the parser's affair, unless there are too many of them as well
    if brackets.count(b"[") > depth or b"[]" in brackets:
        raise TooMuch("nested more than {most} deep", most=depth)
