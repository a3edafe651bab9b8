"""Finds the store for a URL, a file or a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pasch.store.base import Store, StoreError, setting, without_password
from pasch.store.sqlite import SqliteStore

#: the log's file in a data folder
FILE: Final = "tables.sqlite"
#: seconds that a server holds its tables without renewing, unless PASCH_LEASE says otherwise
LEASE: Final = 4.0
MIN_LEASE_SECONDS, MAX_LEASE_SECONDS = 0.5, 30.0


def is_database(where: str) -> bool:
    """Whether this is the URL of a database; StoreError if it is of an unknown kind."""
    if where.startswith(("postgresql://", "postgres://")):
        return True
    if "://" in where:
        raise StoreError(
            "{path}: a log is in a folder, in a file or at postgresql://…", path=without_password(where)
        )
    return False


def log_file(where: str | Path) -> Path:
    """The file of a log that is named by its file or by its folder."""
    path = Path(where)
    single = path.is_file() or (not path.is_dir() and path.suffix in (".sqlite", ".backup"))
    return path if single else path / FILE


def open_store(
    where: str | Path, address: str | None = None, port: int = 0, reading: bool = False
) -> Store:
    """The store for a database (`postgresql://…`), a file or a folder, not opened yet.

    `address` and `port` are where other servers that use the same database reach this one.
    """
    if not isinstance(where, str) or not is_database(where):
        return SqliteStore(log_file(where), reading)
    try:
        # late, because asyncpg is an optional dependency
        from pasch.store.postgres import PostgresStore
    except ImportError:
        raise StoreError("for a log in PostgreSQL Pasch has to be installed as pasch[postgres]") from None
    lease = setting("PASCH_LEASE", LEASE, MIN_LEASE_SECONDS, MAX_LEASE_SECONDS)
    return PostgresStore(where, address, port, lease, reading=reading)
