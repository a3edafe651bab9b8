"""Limits on the length, depth and number of parts of input, checked before it is parsed.

A parser recurses for every bracket and makes an object for every pair of them, so a small file could cost
much time and memory. Counting brackets costs hardly anything, because the loops are those of `bytes`.
"""

from __future__ import annotations

from typing import Final

from pasch.core.errors import PaschError

#: the deepest nesting of anything that Pasch reads
DEPTH: Final = 32
#: the most parts of a dotted key in TOML; reading one takes time and memory by the square of them
PARTS: Final = 200

_FOLD: Final = bytes.maketrans(b"{}", b"[]")
_NO_BRACKET: Final = bytes(byte for byte in range(256) if byte not in b"[]{}")


class TooMuch(PaschError):
    """The input exceeds a limit."""


def check_json(
    text: str | bytes | bytearray, *, max_bytes: int, max_containers: int, depth: int = DEPTH
) -> None:
    """Raise TooMuch if a JSON text exceeds a limit; `max_containers` limits objects and arrays."""
    data = _bytes(text, max_bytes)
    if data.count(b"[") + data.count(b"{") <= min(depth, max_containers):
        return
    # without strings; before that without the escapes that could hide the end of one
    outside = b"".join(data.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    if outside.count(b"[") + outside.count(b"{") > max_containers:
        raise TooMuch("more than {most} objects and lists", most=max_containers)
    _check_depth(outside, depth)


def check_toml(text: str | bytes, *, max_bytes: int) -> None:
    """Raise TooMuch if a TOML text exceeds a limit; brackets and dots in strings and comments count too."""
    data = _bytes(text, max_bytes)
    _check_depth(data, DEPTH)
    if any(line.count(b".") >= PARTS for line in data.splitlines()):
        raise TooMuch("a key with more than {most} parts", most=PARTS)


def _bytes(text: str | bytes | bytearray, max_bytes: int) -> bytes | bytearray:
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > max_bytes:
        raise TooMuch("longer than {most} bytes", most=max_bytes)
    return data


def _check_depth(data: bytes | bytearray, depth: int) -> None:
    brackets = data.translate(_FOLD, _NO_BRACKET)
    for _ in range(depth):
        if not brackets:
            return
        # removes the innermost pairs
        brackets = brackets.replace(b"[]", b"")
    # unmatched brackets are left to the parser, unless there are too many of them
    if brackets.count(b"[") > depth or b"[]" in brackets:
        raise TooMuch("nested more than {most} deep", most=depth)
