"""Clients of a table, and the messages that they are sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from pasch.core.words import Sentence
from pasch.table import metrics, schema
from pasch.table.commands import Refusal
from pasch.table.redact import Viewer

#: commands that may wait at a table
MAX_WAITING: Final = 64


class Client(Protocol):
    """One connection to a table."""

    #: whose budget its commands are taken from
    address: str
    viewer: Viewer
    #: whether its `hello` was answered with `welcome`; only then is it told what happens
    welcomed: bool
    #: the hash of the box that it was sent; empty: none yet
    box: str

    def send(self, message: bytes) -> None:
        """Queue a message; never waits."""

    def close(self) -> None:
        """End the connection; the client reconnects by itself."""


#: a message as it is sent
encode: Final[Callable[[schema.Message], bytes]] = msgspec.json.Encoder().encode


def encode_refusal(refusal: Refusal, command: str | None = None, version: int | None = None) -> bytes:
    """The message that refuses the command with this id."""
    metrics.COUNTERS.refusals[refusal.code] += 1
    reason = Sentence(refusal.template, refusal.details)
    return encode(schema.Refused(command, refusal.code, reason, version))
