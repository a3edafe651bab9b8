"""Tokens and secrets of a table: random, stored as hashes only, compared in constant time."""

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

    #: from which, with the players' contributions, the dice follow; published when the game has ended
    seed: bytes
    #: from which seat tokens and the computers' own choices follow; never published
    tokens: bytes

    @classmethod
    def new(cls) -> Self:
        return cls(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(SEED_BYTES))

    @classmethod
    def unpack(cls, key: bytes) -> Self:
        """The secrets that `pack` has encoded; older logs have the seed only."""
        seed, rest = key[:SEED_BYTES], key[SEED_BYTES:]
        return cls(seed, rest or subkey(seed, "tokens"))

    def pack(self) -> bytes:
        return self.seed + self.tokens


def new_token() -> str:
    """A random token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """The stored form of a token. Tokens are random, so a plain hash cannot be reversed by search."""
    return hashlib.sha256(token.encode()).hexdigest()


def hash_tokens(tokens: Iterable[str]) -> tuple[str, ...]:
    """The stored forms of several tokens."""
    return tuple(map(hash_token, tokens))


def matches(shown: Iterable[str], stored: str | None) -> bool:
    """Whether one of the hashes shown is the stored one."""
    if stored is None:
        return False
    # all are compared, so that the time does not reveal which one matched
    found = [hmac.compare_digest(one, stored) for one in shown]
    return any(found)


def seat_token(key: bytes, invitation: str, command: str) -> str:
    """The token of a seat taken with an invitation.

    It follows from the table's key, the invitation and the command's id: repeating the command
    because the answer was lost gives the same one, and a reader of the log, where the invitation is
    only a hash, cannot derive it.
    """
    made = hmac.digest(key, f"seat/{invitation}/{command}".encode(), "sha256")
    return base64.urlsafe_b64encode(made[:TOKEN_BYTES]).decode()
