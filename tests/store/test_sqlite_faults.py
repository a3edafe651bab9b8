"""What the log in a SQLite file says when a write fails is true, whatever fails and when."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tools.chaos import disk, fsync

from pasch.store.base import LATE_SECONDS, NoTable, OutcomeUnknown, Store, StoreError
from pasch.store.sqlite import SqliteStore
from tests.store.contract import begun, entries
from tests.store.faults import FaultPlan, When, plan_faults
from tests.store.test_contract import using

pytestmark = pytest.mark.slow

#: the statements of the transaction in `write_all`, by how they begin
STATEMENTS = (
    "BEGIN IMMEDIATE", "SELECT coalesce(max(place)",
    # the deletion
    "SELECT number", "SELECT written", "WITH RECURSIVE", "DELETE FROM tables", "DELETE FROM heads",
    # the first write; it goes before the making of another table, which may concern the same one
    "SELECT number", "INSERT INTO heads", "INSERT INTO entries", "INSERT INTO entries",
    "INSERT OR IGNORE INTO tables",
    "SELECT number", "INSERT INTO heads", "INSERT INTO heads", "INSERT INTO entries", "INSERT INTO entries",
    "COMMIT",
)  # fmt: skip
#: what is done after a failed COMMIT; then the heads of the four changed tables are looked at
RECOVERY = (
    "connect", "PRAGMA wal_checkpoint", "PRAGMA user_version",
    "SELECT number", "SELECT number", "SELECT number", "SELECT number",
)  # fmt: skip
COMMIT = len(STATEMENTS) - 1
WHENS: tuple[When, ...] = ("before", "after")


def errors() -> list[BaseException]:
    return [sqlite3.OperationalError("disk I/O error"), MemoryError(), SystemExit()]


class Outcome(NamedTuple):
    """What was answered, and whether the log has then failed for good."""

    answers: list[Any]
    failed: bool


def is_true(answer: Any, written: bool) -> bool:
    """Whether an answer is true of a write that is in the file, or is not."""
    if isinstance(answer, BaseException):
        return isinstance(answer, StoreError) and (not written or isinstance(answer, OutcomeUnknown))
    return written


async def write_all(store: Store) -> list[Any]:
    """A deletion, two writes to tables and one that makes another, all in one transaction."""
    deleted = asyncio.ensure_future(store.delete(["v"]))
    await asyncio.sleep(0)
    both = [
        store.append("t", 1, entries("b", "c"), True),
        store.create("new", b"{}", b"key", entries("n"), False),
        store.append("u", 1, entries("d"), False),
    ]
    return await asyncio.gather(deleted, *both, return_exceptions=True)


async def _written(store: Store) -> list[bool]:
    """Which of the writes of `write_all` are in the log; it is sound as a whole."""
    names = set(await store.tables())
    t, u = (await store.load("t"), await store.load("u"))
    assert (list(t.entries), t.due) in ((entries("a"), False), (entries("a", "b", "c"), True))
    kept = [entry for entry in u.entries if entry not in entries("later")]
    assert kept in (entries("a"), entries("a", "d"))
    assert "new" not in names or list((await store.load("new")).entries) == entries("n")
    return ["v" not in names, t.version == 3, "new" in names, len(kept) == 2]


def attempt(
    folder: Path, plan: FaultPlan, error: BaseException, faults: dict[int, When], lasting: bool = False
) -> Outcome:
    """Write while something fails; every answer is true of the file, and of one that a crash leaves."""
    folder.mkdir()
    path, crashed = folder / "log.sqlite", folder / "crashed.sqlite"

    async def prepare(store: Store) -> None:
        for table in "tuv":
            await begun(store, table, "a")

    async def run(store: Store) -> Outcome:
        plan.arm(error, faults, lasting)
        answers = await write_all(store)
        plan.disarm()
        for kind in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy(f"{path}{kind}", f"{crashed}{kind}")
        # what comes then is answered at once, and truly
        later = (await asyncio.gather(store.append("w", 0, [], False), return_exceptions=True))[0]
        assert isinstance(later, StoreError)
        assert isinstance(later, NoTable) == (store.failed is None) == (store.trouble is None)
        assert store.backlog.writes == 0
        if store.failed is None:  # it knows what is there
            version = (await store.load("u")).version
            assert await store.append("u", version, entries("later"), False) == version + 1
        return Outcome(answers, store.failed is not None)

    using(SqliteStore(path), prepare)
    outcome = using(SqliteStore(path), run)
    for file in (crashed, path):
        written = using(SqliteStore(file), _written)
        assert all(map(is_true, outcome.answers, written)), (file.name, outcome.answers, written)
        assert len(set(written)) == 1
    return outcome


def test_these_are_the_statements_of_a_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_faults(monkeypatch)
    error = sqlite3.OperationalError("disk I/O error")
    assert attempt(tmp_path / "well", plan, error, {}).answers == [("v",), 3, 1, 2]
    assert [
        one for one, right in zip(plan.seen, STATEMENTS, strict=True) if not one.startswith(right)
    ] == []
    assert attempt(tmp_path / "ill", plan, error, {COMMIT: "after"}).answers == [("v",), 3, 1, 2]
    both = zip(plan.seen, STATEMENTS + RECOVERY, strict=True)
    assert [one for one, right in both if not one.startswith(right)] == []


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("number", range(len(STATEMENTS)))
def test_what_is_answered_is_true_whichever_statement_fails(
    number: int, when: When, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_faults(monkeypatch)
    for kind, error in enumerate(errors()):
        for lasting in (False, True):
            outcome = attempt(tmp_path / f"{kind}{lasting}", plan, error, {number: when}, lasting)
            # only a COMMIT leaves a doubt, and only where the file cannot be looked at
            doubtful = number == COMMIT and lasting
            assert all(isinstance(answer, OutcomeUnknown) == doubtful for answer in outcome.answers)
            # it continues only after an error of SQLite itself, and if that was the only one
            assert outcome.failed or (isinstance(error, sqlite3.Error) and not doubtful)
            assert not outcome.failed or lasting or not isinstance(error, sqlite3.Error)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("further", range(len(RECOVERY)))
def test_a_failure_while_looking_leaves_a_doubt(
    further: int, when: When, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_faults(monkeypatch)
    for error in errors():
        for first in WHENS:
            faults = {COMMIT: first, COMMIT + 1 + further: when}
            outcome = attempt(tmp_path / f"{first}{type(error).__name__}", plan, error, faults)
            # unless one look was enough to see that nothing was written
            looked = first == "before" and further > RECOVERY.index("SELECT number")
            assert outcome.failed != (looked and isinstance(error, sqlite3.Error))
            assert all(isinstance(answer, OutcomeUnknown) != looked for answer in outcome.answers)


needs_seccomp = pytest.mark.skipif(not fsync.CAN_FAIL, reason="needs seccomp")
needs_limits = pytest.mark.skipif(not disk.CAN_BE_FULL, reason="needs prlimit")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        # SQLite has left in its log what it says it has not written: a crash must not bring it to light
        pytest.param("once", "1 StoreError, continues", marks=needs_seccomp),
        pytest.param("once", "1 StoreError, 2 written, 3 written, continues", marks=needs_seccomp),
        pytest.param(
            "always", "1 OutcomeUnknown, 2 OutcomeUnknown, 3 OutcomeUnknown, failed", marks=needs_seccomp
        ),
        pytest.param(
            "full", "1 OutcomeUnknown, 2 OutcomeUnknown, 3 OutcomeUnknown, failed", marks=needs_limits
        ),
    ],
)
def test_a_disk_that_fails_makes_no_answer_untrue(how: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    words = [sys.executable, "-m", "tests.store.failing_disk", str(path), how, str(said.count(","))]
    done = subprocess.run(words, capture_output=True, check=False, text=True, timeout=60)
    assert done.returncode == -signal.SIGKILL and ", ".join(done.stdout.splitlines()) == said, done
    there = {entry.body for entry in using(SqliteStore(path), lambda store: store.load("t")).entries}
    for line in done.stdout.splitlines()[:-1]:
        number, answer = line.split()
        assert answer == "OutcomeUnknown" or (number.encode() in there) == (answer == "written"), (
            there,
            done,
        )


def test_without_room_nothing_is_written_and_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, error = plan_faults(monkeypatch), sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    outcome = attempt(tmp_path / "once", plan, error, {COMMIT: "before"})
    assert not outcome.failed and {type(answer) for answer in outcome.answers} == {StoreError}
    assert "PRAGMA user_version = 1" not in plan.seen  # the disk may be too full for that, too
    assert attempt(tmp_path / "lasting", plan, error, {COMMIT: "before"}, lasting=True).failed


def test_a_rollback_that_fails_ends_the_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, error = plan_faults(monkeypatch), sqlite3.OperationalError("disk I/O error")
    outcome = attempt(tmp_path / "log", plan, error, {4: "before", 5: "before"})
    assert plan.seen[5] == "ROLLBACK"
    assert outcome.failed and {type(answer) for answer in outcome.answers} == {StoreError}


def test_everybody_who_waits_for_a_writer_that_dies_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, dies = threading.Event(), threading.Event()

    def die(jobs: object) -> Any:
        begins.set()
        dies.wait()
        raise ZeroDivisionError

    async def run(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        await begun(store, "t")
        monkeypatch.setattr(store, "_commit", die)
        first = store.append("t", 0, entries("a"), False)
        await asyncio.to_thread(begins.wait)
        waiting = store.append("t", 0, entries("b"), False)
        await asyncio.sleep(0)
        gathered = store.append("t", 0, entries("c"), False)
        assert store.trouble is None
        dies.set()
        answers = await asyncio.gather(first, waiting, gathered, return_exceptions=True)
        assert [type(answer) for answer in answers] == [OutcomeUnknown, StoreError, StoreError]
        assert store.failed and store.trouble and not store.backlog.writes
        with pytest.raises(StoreError, match="ZeroDivisionError"):
            await store.append("t", 0, entries("d"), False)
        # what is there can still be read
        assert (await store.load("t")).version == 0

    using(SqliteStore(tmp_path / "log.sqlite"), run)


def test_a_disk_that_hangs_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        await begun(store, "t")
        loop, now, answers = asyncio.get_running_loop(), [0.0], threading.Event()
        monkeypatch.setattr(loop, "time", lambda time=loop.time: time() + now[0])
        commit = store._commit
        monkeypatch.setattr(store, "_commit", lambda jobs: answers.wait() and commit(jobs))
        write = store.append("t", 0, entries("a"), False)
        await asyncio.sleep(0)
        assert store.trouble is None
        now[0] = LATE_SECONDS
        assert store.trouble == "the log does not answer" and store.failed is None
        answers.set()
        assert await write == 1 and store.trouble is None

    using(SqliteStore(tmp_path / "log.sqlite"), run)
