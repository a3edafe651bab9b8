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
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tools.chaos import disk, fsync

from pasch.store.base import LATE_SECONDS, NoTable, OutcomeUnknown, Store, StoreError
from pasch.store.sqlite import SqliteStore
from tests.store.contract import begun, entries
from tests.store.faults import When, answer_of, is_true, plan_faults
from tests.store.test_contract import using

pytestmark = pytest.mark.slow

WHENS: tuple[When, ...] = ("before", "after")
ERRORS: tuple[BaseException, ...] = (
    sqlite3.OperationalError("disk I/O error"),
    MemoryError(),
    SystemExit(),
)


class Outcome(NamedTuple):
    """What was answered, and whether the log has then failed for good."""

    answers: list[Any]
    failed: bool


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


class Faults:
    """Writes while something fails, each time to a log of its own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.plan = plan_faults(monkeypatch)
        self._folder = folder
        self._number = 0
        assert asyncio.run(self.attempt(ERRORS[0], {})).answers == [("v",), 3, 1, 2]
        #: the statements of a transaction, of which the last is COMMIT, and those after one that has failed
        self.statements = self.plan.seen
        self.commit = len(self.statements) - 1
        assert asyncio.run(self.attempt(ERRORS[0], {self.commit: "after"})).answers == [("v",), 3, 1, 2]
        self.recovery = self.plan.seen[self.commit + 1 :]
        assert self.statements[self.commit] == "COMMIT" and self.recovery[0] == "connect"

    async def attempt(
        self, error: BaseException, faults: dict[int, When], lasting: bool = False
    ) -> Outcome:
        """Write; every answer is true of the file, and of one that a crash leaves."""
        self._number += 1
        folder = self._folder / f"{self._number}"
        folder.mkdir()
        path, crashed = folder / "log.sqlite", folder / "crashed.sqlite"
        async with SqliteStore(path) as store:
            for table in "tuv":
                await begun(store, table, "a")
        async with SqliteStore(path) as store:
            self.plan.arm(error, faults, lasting)
            answers = await write_all(store)
            self.plan.disarm()
            for kind in ("", "-wal"):
                with suppress(FileNotFoundError):
                    shutil.copy(f"{path}{kind}", f"{crashed}{kind}")
            # what comes then is answered at once, and truly
            later = await answer_of(store.append("w", 0, [], False))
            assert isinstance(later, StoreError)
            assert isinstance(later, NoTable) == (store.failed is None) == (store.trouble is None)
            assert store.unanswered == 0
            if store.failed is None:  # it knows what is there
                version = (await store.load("u")).version
                assert await store.append("u", version, entries("later"), False) == version + 1
            outcome = Outcome(answers, store.failed is not None)
        for file in (crashed, path):
            async with SqliteStore(file) as store:
                written = await _written(store)
            assert all(map(is_true, outcome.answers, written)), (file.name, outcome.answers, written)
            assert len(set(written)) == 1
        return outcome


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Faults:
    return Faults(tmp_path, monkeypatch)


@pytest.mark.parametrize("lasting", [False, True])
@pytest.mark.parametrize("when", WHENS)
@pytest.mark.parametrize("error", ERRORS, ids=repr)
async def test_what_is_answered_is_true_whichever_statement_fails(
    error: BaseException, when: When, lasting: bool, faults: Faults
) -> None:
    for number in range(len(faults.statements)):
        outcome = await faults.attempt(error, {number: when}, lasting)
        # only a COMMIT leaves a doubt, and only where the file cannot be looked at
        doubtful = number == faults.commit and lasting
        assert all(isinstance(answer, OutcomeUnknown) == doubtful for answer in outcome.answers)
        # it continues only after an error of SQLite itself, and if that was the only one
        assert outcome.failed or (isinstance(error, sqlite3.Error) and not doubtful)
        assert not outcome.failed or lasting or not isinstance(error, sqlite3.Error)


@pytest.mark.parametrize("when", WHENS)
@pytest.mark.parametrize("error", ERRORS, ids=repr)
async def test_a_failure_while_looking_leaves_a_doubt(
    error: BaseException, when: When, faults: Faults
) -> None:
    assert "FROM tables JOIN heads" in faults.recovery[-1], "at last the heads of the tables are looked at"
    for further, first in product(range(len(faults.recovery)), WHENS):
        planned = {faults.commit: first, faults.commit + 1 + further: when}
        outcome = await faults.attempt(error, planned)
        assert outcome.failed and all(isinstance(answer, OutcomeUnknown) for answer in outcome.answers)


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


async def test_on_a_full_disk_nothing_is_written_and_the_log_continues(faults: Faults) -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    outcome = await faults.attempt(error, {faults.commit: "before"})
    assert not outcome.failed and {type(answer) for answer in outcome.answers} == {StoreError}
    assert "PRAGMA user_version = 1" not in faults.plan.seen  # the disk may be too full for that, too
    assert (await faults.attempt(error, {faults.commit: "before"}, lasting=True)).failed


async def test_everybody_who_waits_for_a_writer_that_dies_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, dies = threading.Event(), threading.Event()

    def die(jobs: object) -> Any:
        begins.set()
        dies.wait()
        raise ZeroDivisionError

    async with SqliteStore(tmp_path / "log.sqlite") as store:
        await begun(store, "t")
        monkeypatch.setattr(store, "_transact", die)
        first = store.append("t", 0, entries("a"), False)
        await asyncio.to_thread(begins.wait)
        waiting = store.append("t", 0, entries("b"), False)
        await asyncio.sleep(0)
        gathered = store.append("t", 0, entries("c"), False)
        assert store.trouble is None
        dies.set()
        answers = await asyncio.gather(first, waiting, gathered, return_exceptions=True)
        assert [type(answer) for answer in answers] == [OutcomeUnknown, StoreError, StoreError]
        assert store.failed and store.trouble and not store.unanswered
        with pytest.raises(StoreError, match="ZeroDivisionError"):
            await store.append("t", 0, entries("d"), False)
        # what is there can still be read
        assert (await store.load("t")).version == 0


async def test_a_disk_that_hangs_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with SqliteStore(tmp_path / "log.sqlite") as store:
        await begun(store, "t")
        loop, now, answers = asyncio.get_running_loop(), [0.0], threading.Event()
        monkeypatch.setattr(loop, "time", lambda time=loop.time: time() + now[0])
        transact = store._transact
        monkeypatch.setattr(store, "_transact", lambda jobs: answers.wait() and transact(jobs))
        write = store.append("t", 0, entries("a"), False)
        await asyncio.sleep(0)
        assert store.trouble is None
        now[0] = LATE_SECONDS
        assert store.trouble == "the log does not answer" and store.failed is None
        answers.set()
        assert await write == 1 and store.trouble is None
