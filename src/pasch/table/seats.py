"""Who may do what at a table: tokens, made at random, kept as hashes only, compared in constant time."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import NamedTuple, Self

from pasch.core.chance import subkey
from pasch.core.fair import SEED_BYTES

#: random bytes of a token: 192 bits
TOKEN_BYTES = 24


class Secrets(NamedTuple):
    """What only the server knows of a table."""

    #: from which, with what the players add, the dice follow; shown when the game has ended
    seed: bytes
    #: from which seat tokens and the computers' own choices follow; never shown
    tokens: bytes

    @classmethod
    def new(cls) -> Self:
        return cls(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(SEED_BYTES))

    @classmethod
    def unpack(cls, key: bytes) -> Self:
        """From what the log keeps."""
        seed, rest = key[:SEED_BYTES], key[SEED_BYTES:]
        return cls(seed, rest or subkey(seed, "tokens"))

    def pack(self) -> bytes:
        return self.seed + self.tokens


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hashed(token: str) -> str:
    """How a token is kept. It is random, so a plain hash cannot be searched for it."""
    return hashlib.sha256(token.encode()).hexdigest()


def hashes(tokens: Iterable[str]) -> tuple[str, ...]:
    """Tokens as they are kept."""
    return tuple(map(hashed, tokens))


def fits(shown: Iterable[str], kept: str | None) -> bool:
    """Whether one of the hashes shown is the one kept."""
    if kept is None:
        return False
    # all are compared, so that the time says nothing about which of them it was
    found = [hmac.compare_digest(one, kept) for one in shown]
    return any(found)


def seat_token(key: bytes, invitation: str, command: str) -> str:
    """The token of a seat taken with an invitation.

    It follows from the table's key, the invitation and the command's id: whoever repeats the command
    because the answer was lost gets the same one, and whoever reads the log, where the invitation is
    only a hash, cannot make it.
    """
    made = hmac.digest(key, f"seat/{invitation}/{command}".encode(), "sha256")
    return base64.urlsafe_b64encode(made[:TOKEN_BYTES]).decode()
