"""Where a log is: in a database named by its address, or in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pasch.store.base import Store, StoreError
from pasch.store.sqlite import SqliteStore

#: the log's file in a data folder
FILE: Final = "tables.sqlite"


def is_database(where: str) -> bool:
    """Whether this is the address of a database."""
    return where.startswith(("postgresql://", "postgres://"))


def log_file(where: str | Path) -> Path:
    """The file of a log, named itself or by its folder."""
    path = Path(where)
    single = path.is_file() or (not path.is_dir() and path.suffix in (".sqlite", ".backup"))
    return path if single else path / FILE


def open_store(
    where: str | Path, address: str | None = None, port: int = 0, reading: bool = False
) -> Store:
    """The log in a database (`postgresql://…`), a file or a folder; it is still to be opened.

    `address` and `port` are where other servers that use the same database reach this one.
    """
    if not isinstance(where, str) or not is_database(where):
        if isinstance(where, str) and "://" in where:
            raise StoreError(
                "{path}: a log is in a folder, in a file or at postgresql://…", path=where.split("@")[-1]
            )
        return SqliteStore(log_file(where), reading)
    try:
        from pasch.store.postgres import PostgresStore
    except ImportError:
        raise StoreError("for a log in PostgreSQL Pasch has to be installed as pasch[postgres]") from None
    return PostgresStore(where, address, port, reading=reading)
