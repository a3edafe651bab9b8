"""Messages between clients and tables: what a client is, and how messages are decoded and encoded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from pasch.core.bounds import TooMuch, check_json
from pasch.core.words import Sentence
from pasch.table import metrics, schema
from pasch.table.redact import Viewer
from pasch.table.refusals import Refusal

#: commands that may wait at a table
MAX_WAITING: Final = 64
#: objects and lists in one message
MAX_THINGS: Final = 1_000


class Client(Protocol):
    """One connection to a table."""

    #: whose budget its commands are taken from
    address: str
    viewer: Viewer
    #: whether its `hello` was answered with `welcome`; only then does it get updates
    welcomed: bool
    #: the hash of the box that it was sent; empty: none yet
    box: str

    def send(self, message: bytes) -> None:
        """Queue a message; never waits."""

    def close(self) -> None:
        """End the connection; the client reconnects automatically."""


#: a message as it is sent
encode: Final[Callable[[schema.Message], bytes]] = msgspec.json.Encoder().encode


def encode_refusal(refusal: Refusal, command: str | None = None, version: int | None = None) -> bytes:
    """The message that refuses the command with this id."""
    metrics.COUNTERS.refusals[refusal.code] += 1
    reason = Sentence(refusal.template, refusal.details)
    return encode(schema.Refused(command, refusal.code, reason, version))


_decoder: msgspec.json.Decoder[schema.Hello | schema.Ping | schema.Command] = msgspec.json.Decoder(
    schema.FromBrowser
)
#: a ping as the client writes it, and its answer
PING: Final = encode(schema.Ping())
PONG: Final = encode(schema.Pong())


def decode(text: bytes | None) -> schema.Hello | schema.Ping | schema.Command:
    """A client's message; Refusal if it is none."""
    if text is None:
        raise Refusal("malformed", "messages are text")
    if len(text) > schema.MAX_MESSAGE_BYTES:
        raise Refusal("too-large", "a message has at most {most} bytes", most=schema.MAX_MESSAGE_BYTES)
    try:
        check_json(text, max_bytes=schema.MAX_MESSAGE_BYTES, max_containers=MAX_THINGS)
        message = _decoder.decode(text)
    except (TooMuch, msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Refusal("malformed", "this message is not understood", detail=str(error)) from None
    if isinstance(message, schema.Hello) and message.protocol != schema.PROTOCOL:
        raise Refusal("old-page", "this page is older than the server; please reload it")
    return message


class _JustId(msgspec.Struct):
    """The id of a command that is otherwise not understood."""

    id: schema.Id


_id_decoder = msgspec.json.Decoder(_JustId)


def id_of(text: bytes | None) -> str | None:
    """The id of the command in a message, as far as that can be read."""
    if text is None or len(text) > schema.MAX_MESSAGE_BYTES:
        return None
    try:
        return _id_decoder.decode(text).id
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
