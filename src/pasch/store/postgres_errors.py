"""What an error of PostgreSQL means for a write, and how it is said."""

from __future__ import annotations

from typing import Final

import asyncpg

from pasch.store.base import StoreError

#: errors after which a new connection may succeed
TRANSIENT: Final = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,
)


def is_refused(error: BaseException) -> bool:
    """Whether the database has said that it did not carry a statement out.

    A session that ended over it (FATAL) and a database that did (PANIC) may have done so before.
    """
    return (
        isinstance(error, asyncpg.PostgresError)
        and not isinstance(error, (*TRANSIENT, asyncpg.StatementCompletionUnknownError))
        and getattr(error, "severity_en", None) not in ("FATAL", "PANIC")
    )


def message(error: BaseException | str) -> str:
    return str(error) or type(error).__name__


def not_written(error: BaseException | str, kind: type[StoreError] = StoreError) -> StoreError:
    return kind("the log could not be written: {problem}", problem=message(error))


def not_read(error: BaseException) -> StoreError:
    return StoreError("the log could not be read: {problem}", problem=message(error))
