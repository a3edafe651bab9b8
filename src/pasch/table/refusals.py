"""Refusals: a code for programs, what it means, and a sentence for people."""

from __future__ import annotations

from typing import Any, Final, Literal

from pasch.core.errors import PaschError
from pasch.store.base import StorageFull

Code = Literal[
    "malformed",
    "too-large",
    "too-fast",
    "no-table",
    "not-yours",
    "old-version",
    "old-page",
    "illegal",
    "not-now",
    "not-agreed",
    "full",
    "storage",
    "not-found",
    "not-ready",
]
#: the HTTP status of each code of a refusal, and what it means
CODES: Final[dict[Code, tuple[int, str]]] = {
    "malformed": (400, "the message is not JSON, has an unknown type or an invalid field"),
    "too-large": (413, "the message is longer, or has more objects and lists, than the server accepts"),
    "too-fast": (
        429,
        "too many messages or tables from one address, or its share of the disk is used up; wait a little",
    ),
    "no-table": (404, "there is no table with this id"),
    "not-yours": (403, "no token was shown that allows this, or the invitation has been used"),
    "old-version": (409, "the table has gone on since; `version` says how far"),
    "old-page": (409, "the page speaks another version of this protocol than the server; reload it"),
    "illegal": (422, "the rules of the game forbid it"),
    "not-now": (409, "allowed to this client, but not in this position"),
    "not-agreed": (403, "the table's coach mode does not allow it"),
    "full": (503, "the server has reached its limit of tables, connections or disk space"),
    "storage": (503, "the log could not be written; nothing has changed"),
    "not-found": (404, "there is no such page, game or language"),
    "not-ready": (501, "it is still being computed, or cannot be here"),
}


class Refusal(PaschError):
    """A command is refused, with the code that the client is sent."""

    def __init__(self, code: Code, template: str, **details: Any) -> None:
        self.code = code
        super().__init__(template, **details)

    @classmethod
    def because(cls, code: Code, error: PaschError) -> Refusal:
        return cls(code, error.template, **error.details)

    @classmethod
    def failed(cls) -> Refusal:
        """The refusal when something unexpected has happened; it gives no details."""
        return cls("storage", "something went wrong here; try again later")

    @classmethod
    def unwritten(cls, error: BaseException) -> Refusal:
        """The refusal when the log could not be written; only a full disk is named, because people can act on it."""
        if isinstance(error, StorageFull):
            return cls.because("storage", error)
        return Refusal("storage", "the log could not be written; nothing has changed")
