"""Schema migrations of the logs.

The schema version of a log is the number of migrations applied to it. A new log gets all of them, an older
one those that it lacks, in one transaction. A migration is never changed once released; every change of the
schema is a further migration.
"""

from __future__ import annotations

from typing import Final

from pasch.store.base import StoreError

#: each migration as statements that end in a semicolon
Migrations = tuple[str, ...]

SQLITE: Final[Migrations] = (
    """
    CREATE TABLE about (schema INTEGER NOT NULL) STRICT;
    INSERT INTO about VALUES (0);
    CREATE TABLE tables (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
        document BLOB NOT NULL, key BLOB NOT NULL
    ) STRICT;
    -- separate from `tables`, because it changes with every move and should stay small
    CREATE TABLE heads (number INTEGER PRIMARY KEY, version INTEGER NOT NULL, due INTEGER NOT NULL) STRICT;
    CREATE TABLE entries (
        number INTEGER NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL, command TEXT,
        PRIMARY KEY (number, version)
    ) STRICT, WITHOUT ROWID;
    """,
    # a server that starts looks for these among all tables there ever were
    "CREATE INDEX heads_due ON heads (number) WHERE due;",
    # Entries in the order in which they came, each with the place of the one before it at its table: what
    # many tables write at once lies on few pages; ordered by table, each write would touch its own page.
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
    # By these old tables are found. They change with every move, so there is no index: looking through all
    # heads once an hour is cheaper. Of tables that are there already the age is counted from now on, and how
    # far they are is found out later (an empty phase).
    """
    ALTER TABLE heads ADD COLUMN phase TEXT NOT NULL DEFAULT '';
    ALTER TABLE heads ADD COLUMN made INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE heads ADD COLUMN written INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE heads ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    CREATE TEMP TABLE sizes AS
        SELECT number, sum(length(body) + coalesce(length(CAST(command AS BLOB)), 0) + 24) AS bytes
        FROM entries GROUP BY number;
    CREATE UNIQUE INDEX temp.sizes_number ON sizes (number);
    UPDATE heads SET
        made = CAST(strftime('%s', 'now') AS INTEGER), written = CAST(strftime('%s', 'now') AS INTEGER),
        bytes = coalesce((SELECT bytes FROM sizes WHERE sizes.number = heads.number), 0)
            + (SELECT length(document) + length(key) + 96 FROM tables WHERE tables.number = heads.number);
    DROP TABLE temp.sizes;
    """,
)

POSTGRES: Final[Migrations] = (
    """
    CREATE TABLE about (schema INTEGER NOT NULL, secret BYTEA NOT NULL);
    INSERT INTO about VALUES (0, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
    CREATE TABLE servers (id TEXT PRIMARY KEY, address TEXT NOT NULL, until TIMESTAMPTZ NOT NULL);
    CREATE TABLE tables (
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        document BYTEA NOT NULL, key BYTEA NOT NULL
    );
    -- separate from `tables`, because it changes with every move; free space on each page keeps that cheap
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
    # as in SQLite, and without an index for the same reason
    """
    ALTER TABLE heads
        ADD COLUMN phase TEXT NOT NULL DEFAULT '',
        ADD COLUMN made BIGINT NOT NULL DEFAULT 0,
        ADD COLUMN written BIGINT NOT NULL DEFAULT 0,
        ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
    UPDATE heads SET
        made = extract(epoch FROM clock_timestamp())::bigint,
        written = extract(epoch FROM clock_timestamp())::bigint,
        bytes = length(document) + length(key) + 500 + coalesce((
            SELECT sum(length(body) + coalesce(length(command), 0) + 96)
            FROM entries WHERE entries.number = heads.number
        ), 0)
    FROM tables WHERE tables.number = heads.number;
    """,
)


def check_version(version: int, migrations: Migrations, where: str) -> None:
    """StoreError if a log has a newer schema than this Pasch knows."""
    if version > len(migrations):
        raise StoreError(
            "{path}: this log was written by a newer Pasch (its form is {got}, this one knows {known})",
            path=where,
            got=version,
            known=len(migrations),
        )


def pending_statements(version: int, migrations: Migrations) -> list[str]:
    """The statements that bring a log of this schema version to the latest one."""
    statements = [one.strip() for migration in migrations[version:] for one in migration.split(";\n")]
    return [one.rstrip(";") for one in statements if one]
