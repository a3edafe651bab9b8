"""The SQL statements of the PostgreSQL store."""

from __future__ import annotations

from typing import Final

#: held until the transaction ends, by the server that applies migrations
ONE_AT_A_TIME: Final = "SELECT pg_advisory_xact_lock(hashtext('pasch'), hashtext(current_schema()))"
IS_THERE: Final = "SELECT to_regclass(quote_ident(current_schema()) || '.about') IS NOT NULL"

_NEW_ENTRIES: Final = """
    unnest(${0}::int[], ${1}::int[], ${2}::bytea[], ${3}::bytea[]) AS new (nr, version, body, command)
"""

_NOW: Final = "extract(epoch FROM clock_timestamp())::bigint"

#: numbers of jobs, tables, versions before and after, due, fences; then entries with their jobs' numbers; then
#: the phase of each job and how many bytes it takes
APPEND: Final = f"""
WITH asked AS (
    SELECT * FROM unnest(
        $1::int[], $2::text[], $3::int[], $4::int[], $5::bool[], $6::bigint[], $11::text[], $12::bigint[]
    ) AS asked (nr, id, version, after, due, fence, phase, bytes)
), moved AS (
    UPDATE heads SET version = asked.after, due = asked.due, phase = asked.phase,
        bytes = heads.bytes + asked.bytes,
        written = CASE WHEN asked.after > asked.version THEN {_NOW} ELSE heads.written END
    FROM asked JOIN tables USING (id)
    WHERE heads.number = tables.number AND heads.version = asked.version AND heads.fence = asked.fence
    RETURNING asked.nr, heads.number
), written AS (
    INSERT INTO entries (number, version, body, command)
    SELECT moved.number, new.version, new.body, new.command
    FROM moved JOIN {_NEW_ENTRIES.format(7, 8, 9, 10)} USING (nr)
)
SELECT nr FROM moved
"""

#: numbers of jobs, tables, documents, keys, versions, due, the server; then the entries, phases and bytes as
#: above; then when each table was made and last written, 0 being now
CREATE: Final = f"""
WITH asked AS (
    SELECT * FROM unnest(
        $1::int[], $2::text[], $3::bytea[], $4::bytea[], $5::int[], $6::bool[], $12::text[], $13::bigint[],
        $14::bigint[], $15::bigint[]
    ) AS asked (nr, id, document, key, version, due, phase, bytes, made, written)
), made AS (
    INSERT INTO tables (id, document, key) SELECT id, document, key FROM asked ORDER BY nr
    ON CONFLICT (id) DO NOTHING RETURNING number, id
), headed AS (
    INSERT INTO heads (number, version, due, server, fence, phase, bytes, made, written)
    SELECT made.number, asked.version, asked.due, $7, 1, asked.phase, asked.bytes,
        coalesce(nullif(asked.made, 0), {_NOW}), coalesce(nullif(asked.written, 0), {_NOW})
    FROM made JOIN asked USING (id)
), written AS (
    INSERT INTO entries (number, version, body, command)
    SELECT made.number, new.version, new.body, new.command
    FROM made JOIN asked USING (id) JOIN {_NEW_ENTRIES.format(8, 9, 10, 11)} USING (nr)
)
SELECT nr FROM made JOIN asked USING (id)
"""

HEAD: Final = """
SELECT number, document, key, version, due, server, fence, phase, made, written
FROM tables JOIN heads USING (number) WHERE id = $1
"""
ENTRIES: Final = "SELECT body, command FROM entries WHERE number = $1 ORDER BY version"
SOME_ENTRIES: Final = """
SELECT body, command FROM entries WHERE number = $1 AND version > $2 AND version <= $3 ORDER BY version
"""

#: whether a server is alive. A lease that ends far in the future is from before the database's clock was
#: set back, and would keep the tables of a dead server for as long
_ALIVE: Final = "(until > clock_timestamp() AND until < clock_timestamp() + interval '1 minute')"

#: the tables at which a server has to act, less those of others that are alive
DUE: Final = f"""
SELECT tables.id FROM heads JOIN tables USING (number)
LEFT JOIN servers ON servers.id = heads.server AND servers.id <> $1 AND {_ALIVE}
WHERE heads.due AND servers.id IS NULL ORDER BY number
"""

#: whether no server that is alive holds a table, except for this one
_FREE: Final = f"""
NOT EXISTS (SELECT FROM servers WHERE servers.id = heads.server AND servers.id <> $1 AND {_ALIVE})
"""
#: this server, phases, a time before which the table was last written, a limit; null asks for all
SUMMARIES: Final = f"""
SELECT tables.id, phase, made, written, bytes FROM heads JOIN tables USING (number)
WHERE {_FREE} AND ($2::text[] IS NULL OR phase = ANY($2)) AND ($3::bigint IS NULL OR written < $3)
ORDER BY number LIMIT $4
"""
#: locks the tables, so that no server can claim them before they are deleted
LOCK: Final = """
SELECT heads.number FROM heads JOIN tables USING (number) WHERE id = ANY($1) ORDER BY number FOR UPDATE OF heads
"""
#: this server, numbers of tables, and as above
DELETE_HEADS: Final = f"""
DELETE FROM heads WHERE number = ANY($2) AND {_FREE} AND ($3::bigint IS NULL OR written < $3) RETURNING number
"""
DELETE_ENTRIES: Final = "DELETE FROM entries WHERE number = ANY($1)"
DELETE_TABLES: Final = "DELETE FROM tables WHERE number = ANY($1) RETURNING id"
#: not the size of the relations: the space of deleted rows is used again but never given back
SIZE: Final = "SELECT coalesce(sum(bytes), 0)::bigint FROM heads"

#: locks the holder's row, so that it cannot renew its lease while a table is being taken from it
HOLDER: Final = f"SELECT address, {_ALIVE} AS alive FROM servers WHERE id = $1 FOR SHARE"
CLAIM: Final = "UPDATE heads SET server = $2, fence = fence + 1 WHERE number = $1"
RELEASE: Final = """
UPDATE heads SET server = NULL FROM tables
WHERE heads.number = tables.number AND tables.id = $1 AND heads.server = $2 AND heads.fence = $3
"""
RELEASE_ALL: Final = "UPDATE heads SET server = NULL WHERE server = $1"
MINE: Final = "SELECT tables.id, fence FROM heads JOIN tables USING (number) WHERE server = $1"

IN_TIME: Final = f"SELECT {_ALIVE} FROM servers WHERE id = $1 FOR UPDATE"
RENEW: Final = """
INSERT INTO servers (id, address, until) VALUES ($1, $2, clock_timestamp() + $3)
ON CONFLICT (id) DO UPDATE SET until = excluded.until
"""
#: servers that ended without deregistering
CLEAN: Final = "DELETE FROM servers WHERE until < clock_timestamp() - interval '1 day'"
ALIVE: Final = f"SELECT id FROM servers WHERE {_ALIVE}"
