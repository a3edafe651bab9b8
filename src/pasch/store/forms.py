"""The form of a log, and how one of an older form is brought to the newest.

A form is a number: how many of the steps below a log has been through. A new log goes through all of them,
an older one through those that it lacks, each time in one transaction. Steps are never changed once
released; what is to change becomes a further step.
"""

from __future__ import annotations

from typing import Final

from pasch.store.base import StoreError

#: each step as statements that end in a semicolon
Steps = tuple[str, ...]

SQLITE: Final[Steps] = (
    """
    CREATE TABLE about (schema INTEGER NOT NULL) STRICT;
    INSERT INTO about VALUES (0);
    CREATE TABLE tables (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
        document BLOB NOT NULL, key BLOB NOT NULL
    ) STRICT;
    -- apart from `tables`, because it changes with every move and should stay small
    CREATE TABLE heads (number INTEGER PRIMARY KEY, version INTEGER NOT NULL, due INTEGER NOT NULL) STRICT;
    CREATE TABLE entries (
        number INTEGER NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL, command TEXT,
        PRIMARY KEY (number, version)
    ) STRICT, WITHOUT ROWID;
    """,
    # a server that starts looks for these among all tables there ever were
    "CREATE INDEX heads_due ON heads (number) WHERE due;",
    # Entries in the order in which they came, each with the place of the one before it at its table: what
    # many tables write at once lies on few pages, where by table each would touch a page of its own.
    """
    CREATE TABLE chain (
        place INTEGER PRIMARY KEY, number INTEGER NOT NULL, version INTEGER NOT NULL,
        before INTEGER, body BLOB NOT NULL, command TEXT
    ) STRICT;
    INSERT INTO chain
        SELECT place, number, version, CASE WHEN version > 1 THEN place - 1 END, body, command FROM (
            SELECT row_number() OVER (ORDER BY number, version) AS place, * FROM entries
        );
    DROP TABLE entries;
    ALTER TABLE chain RENAME TO entries;
    ALTER TABLE heads ADD COLUMN last INTEGER;
    UPDATE heads SET last = (SELECT max(place) FROM entries WHERE entries.number = heads.number);
    """,
)

#: the form since which entries are chained
CHAINED: Final = 3

POSTGRES: Final[Steps] = (
    """
    CREATE TABLE about (schema INTEGER NOT NULL, secret BYTEA NOT NULL);
    INSERT INTO about VALUES (0, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
    CREATE TABLE servers (id TEXT PRIMARY KEY, address TEXT NOT NULL, until TIMESTAMPTZ NOT NULL);
    CREATE TABLE tables (
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        document BYTEA NOT NULL, key BYTEA NOT NULL
    );
    -- apart from `tables`, because it changes with every move; room on each page keeps that cheap
    CREATE TABLE heads (
        number BIGINT PRIMARY KEY, version INTEGER NOT NULL, due BOOLEAN NOT NULL,
        server TEXT, fence BIGINT NOT NULL
    ) WITH (fillfactor = 60);
    CREATE INDEX heads_due ON heads (number) WHERE due;
    CREATE INDEX heads_server ON heads (server);
    -- commands are named by clients, and PostgreSQL does not take every string as text
    CREATE TABLE entries (
        number BIGINT NOT NULL, version INTEGER NOT NULL, body BYTEA NOT NULL, command BYTEA,
        PRIMARY KEY (number, version)
    );
    """,
)


def newest(steps: Steps) -> int:
    """The form that this Pasch writes."""
    return len(steps)


def check(form: int, steps: Steps, where: str) -> None:
    """Refuse a log of a form that this Pasch does not know."""
    if form > newest(steps):
        raise StoreError(
            "{path}: this log was written by a newer Pasch (its form is {got}, this one knows {known})",
            path=where,
            got=form,
            known=newest(steps),
        )


def missing(form: int, steps: Steps) -> list[str]:
    """The statements that bring a log of this form to the newest."""
    statements = [one.strip() for step in steps[form:] for one in step.split(";\n")]
    return [one.rstrip(";") for one in statements if one]
