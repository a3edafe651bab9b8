"""Refusals: a code for programs, what it means, and a sentence for people."""

from __future__ import annotations

from typing import Any, Final, Literal

from pasch.core.errors import PaschError
from pasch.store.base import NoRoom

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
#: what each code of a refusal means
CODES: Final[dict[Code, str]] = {
    "malformed": "the message is not JSON, has an unknown type or an invalid field",
    "too-large": "the message is longer, or has more objects and lists, than the server accepts",
    "too-fast": "too many messages or tables from one address, or its share of the disk is used up; wait a little",
    "no-table": "there is no table with this id",
    "not-yours": "no token was shown that allows this, or the invitation has been used",
    "old-version": "the table has gone on since; `version` says how far",
    "old-page": "the page speaks another version of this protocol than the server; reload it",
    "illegal": "the rules of the game forbid it",
    "not-now": "allowed to this client, but not in this position",
    "not-agreed": "the table's coach mode does not allow it",
    "full": "the server has reached its limit of tables, connections or disk space",
    "storage": "the log could not be written; nothing has changed",
    "not-found": "there is no such page, game or language",
    "not-ready": "it is still being computed, or cannot be here",
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
    def unwritten(cls, error: BaseException) -> Refusal:
        """The refusal when the log could not be written; only a full disk is named, because people can act on it."""
        if isinstance(error, NoRoom):
            return cls.because("storage", error)
        return Refusal("storage", "the log could not be written; nothing has changed")
