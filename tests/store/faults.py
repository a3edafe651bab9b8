"""Connections to SQLite whose statements fail when a test wants it, and what may be answered then."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal

import pytest

from pasch.store import sqlite
from pasch.store.base import OutcomeUnknown, StoreError

When = Literal["before", "after"]


async def answer_of(write: Awaitable[Any]) -> Any:
    """What a write is answered, or its exception."""
    return (await asyncio.gather(write, return_exceptions=True))[0]


def is_true(answer: Any, written: bool) -> bool:
    """Whether an answer is true of a write that is in the log, or is not."""
    if isinstance(answer, BaseException):
        return isinstance(answer, StoreError) and (not written or isinstance(answer, OutcomeUnknown))
    return written


class FaultPlan:
    """Which statements fail, counted from `arm` on, each before it is carried out or after.

    With `lasting` everything after the first of them fails in the same way. Connecting counts as a statement. Only
    statements that begin with `counted` count: a server reads its log at any time, beside what a test makes it write.
    """

    def __init__(self) -> None:
        #: the statements, while faults are planned
        self.seen: list[str] = []
        self._armed = False

    def arm(
        self, error: BaseException, faults: dict[int, When], lasting: bool = False, counted: str = ""
    ) -> None:
        self.seen = []
        self._error, self._faults, self._lasting, self._counted = error, faults, lasting, counted
        self._armed = True

    def disarm(self) -> None:
        self._armed = False

    def run(self, name: str, real: Callable[..., Any], *values: Any) -> Any:
        if not self._armed or not name.startswith(self._counted):
            return real(*values)
        here = len(self.seen)
        self.seen.append(" ".join(name.split()))
        first = min(self._faults, default=here)
        fails = self._faults.get(min(here, first) if self._lasting else here)
        if fails == "before":
            raise self._error
        result = real(*values)
        if fails == "after":
            raise self._error
        return result


class FaultyConnection:
    """A connection that asks the plan at every statement."""

    def __init__(self, real: sqlite3.Connection, plan: FaultPlan) -> None:
        self._real, self._plan = real, plan

    def execute(self, statement: str, *values: Any) -> Any:
        return self._plan.run(statement, self._real.execute, statement, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def plan_faults(monkeypatch: pytest.MonkeyPatch) -> FaultPlan:
    """The plan for the connections of all logs that are opened from now on."""
    plan, connect = FaultPlan(), sqlite._connect

    def faulty(path: Path, reading: bool = False) -> Any:
        return FaultyConnection(plan.run("connect", connect, path, reading), plan)

    monkeypatch.setattr(sqlite, "_connect", faulty)
    return plan
