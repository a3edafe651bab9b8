"""Messages of a table's clients, checked and decoded."""

from __future__ import annotations

from typing import Final

import msgspec

from pasch.core.bounds import TooMuch, check_json
from pasch.table import schema
from pasch.table.clients import encode
from pasch.table.commands import Refusal

#: objects and lists in one message
MOST_THINGS: Final = 1_000

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
    if len(text) > schema.MOST_BYTES:
        raise Refusal("too-large", "a message has at most {most} bytes", most=schema.MOST_BYTES)
    try:
        check_json(text, most_bytes=schema.MOST_BYTES, most_things=MOST_THINGS)
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
    if text is None or len(text) > schema.MOST_BYTES:
        return None
    try:
        return _id_decoder.decode(text).id
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
