"""Asking helpers: `Helpers.ask(job, lane, limit)` gives the answer of a function of `pasch.table.jobs`.

The server's own process imports no compiler and no solver; `pasch.table.processes` starts those that do. Each does one
job at a time, so a job that takes too long is ended with its process and hurts nobody else. Jobs wait in lanes, each
with places of its own, for which addresses take turns:

- `light`: moves of players that need little, in threads of the server's own process
- `short`: moves of strong players, hints, judgements of events
- `long`: reports
- `build` and `custom`: jobs that have to build values first, one at a time, in a process that ends afterwards; custom
  boxes have a lane of their own, so that printed ones never wait for them

A job that takes too long in its lane, or lacks values, moves to `build` or `custom`; the requester waits for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import msgspec

from pasch.core.errors import PaschError
from pasch.core.game import Game
from pasch.core.registry import find_game
from pasch.core.state import State
from pasch.table.limits import (
    Bounds,
    Busy,
    Lane,
    Rate,
    RateLimiter,
    busy,
    custom_box,
    is_too_large,
    stopping,
)

T = TypeVar("T")

#: attempts to build the same values
BUILDS: Final = Rate(1 / 60, 1)
#: bytes of values that are built for the custom boxes of one address, at first and then per second
CUSTOM_BYTES: Final = Rate(1024, 64 * 1024 * 1024)


class HelperFailed(PaschError):
    """The helper has ended, did not answer in time, or could not do what was asked."""


class TooSlow(HelperFailed):
    """The helper did not answer in time."""


class NotYet(HelperFailed):
    """The values are still being built; ask again later."""


# --- what passes between the server and its helpers --------------------------------------------------
#
# A state is a few hundred bytes however long the game has lasted. With a seat it has only what that seat may know, so
# that the helper cannot know more than the seat does.


def describe_game(game: Game[Any, Any]) -> dict[str, Any]:
    """The arguments that describe a game."""
    return {"game": game.id, "players": game.players, "options": game.options.json()}


def describe_state(state: State, seat: int | None = None) -> dict[str, Any]:
    """The arguments that describe a game and its state; with a seat, only what that seat may know."""
    known = state if seat is None else state.view(seat)
    return {**describe_game(state.game), "seat": seat, "state": known.snapshot()}


def read_game(arguments: Mapping[str, Any]) -> Game[Any, Any]:
    """The game that arguments describe."""
    options = msgspec.json.encode(arguments["options"])
    return _configured(arguments["game"], arguments["players"], options)


@lru_cache(maxsize=32)
def _configured(game: str, players: int, options: bytes) -> Game[Any, Any]:
    return find_game(game).agree(players, msgspec.json.decode(options))


def read_state(arguments: Mapping[str, Any]) -> State:
    """The state that arguments describe, as their seat (if there is one) knows it."""
    return read_game(arguments).read_state(arguments["state"])


class JobAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a helper answers, as JSON."""

    #: what the function has returned; empty if it has failed
    answer: msgspec.Raw = msgspec.Raw()
    #: values have to be built first
    missing: bool = False
    #: bytes of values that were built
    built: int = 0
    problem: str | None = None


class Job(NamedTuple):
    """A function of `pasch.table.jobs` and its arguments."""

    do: str
    #: the address that pays for it
    address: str
    #: makes the arguments, in a thread and only when it is this job's turn
    arguments: Callable[[], dict[str, Any]]
    #: the game whose values are built if they are missing; None: nothing is built
    game: Game[Any, Any] | None = None
    #: the key of what is built, where jobs with the same function differ
    needs: str = ""
    #: whether to wait while values are built; otherwise NotYet is raised
    waits: bool = True

    @property
    def values(self) -> str:
        """Equal for jobs that need the same values built; empty if none are built."""
        return f"{hash(self.game)}/{self.needs or self.do}" if self.game is not None else ""


class Processes(Protocol):
    """Where jobs are done: processes, or a worker of a browser."""

    #: the number of short jobs done at the same time
    count: int
    #: whether values can be built here
    builds: bool

    async def run(self, job: Job, seconds: float, build: bool) -> bytes:
        """The `JobAnswer` to a job, as JSON; TooSlow or another HelperFailed if there is none.

        With `build` it is done where values are built. When the task is cancelled, the job is ended.
        """

    async def close(self) -> None:
        """Cancel pending jobs."""


# --- lanes --------------------------------------------------------------------------------------------


def usual_bounds(processes: int) -> dict[str, Bounds]:
    """The bounds of all lanes for this number of processes."""
    build = Bounds(1, max_waiting=16, max_each=4, seconds=600.0)
    return {
        "light": Bounds(2, max_waiting=20_000, max_each=20_000, seconds=60.0),
        "short": Bounds(processes, max_waiting=512, max_each=64, seconds=8.0),
        "long": Bounds(max(1, processes // 4), max_waiting=64, max_each=8, seconds=30.0),
        "build": build,
        "custom": build,
    }


# --- asking -------------------------------------------------------------------------------------------


class Helpers:
    """All helpers of a server, shared fairly. Belongs to one event loop."""

    def __init__(
        self,
        processes: Processes,
        clock: Callable[[], float] = time.monotonic,
        bounds: Mapping[str, Bounds] | None = None,
    ) -> None:
        self._processes = processes
        bounds = bounds or usual_bounds(processes.count)
        self.lanes = {name: Lane(bound) for name, bound in bounds.items()}
        #: builds that run or wait, and the attempts that values still have
        self._builds: dict[str, asyncio.Task[msgspec.Raw]] = {}
        self._attempts = RateLimiter(BUILDS, clock)
        #: what the custom boxes of an address may still take
        self._custom = RateLimiter(CUSTOM_BYTES, clock)

    @property
    def waiting(self) -> dict[str, int]:
        """How many jobs wait in each lane."""
        return {name: lane.waiting for name, lane in self.lanes.items()}

    async def run(self, work: Callable[[], T], address: str) -> T:
        """The result of something that needs little, worked out in a thread."""
        async with self.lanes["light"].turn(address):
            return await asyncio.to_thread(work)

    async def ask(self, job: Job, lane: str = "short", limit: float | None = None) -> msgspec.Raw:
        """The JSON that a job returns; HelperFailed if there is none.

        `limit` is how long to wait for everything, in seconds: then Busy, or NotYet if values are being built, which
        continues. A job whose task is cancelled is dropped, or ended with its process.
        """
        if job.game is not None and is_too_large(job.game):
            raise HelperFailed("this box is larger than those of new tables, so there are no values for it")
        try:
            async with asyncio.timeout(limit):
                return await self._answer(job, lane)
        except TimeoutError:
            raise (_not_yet() if job.values in self._builds else busy()) from None

    async def _answer(self, job: Job, lane: str) -> msgspec.Raw:
        values = job.values
        if values in self._builds:
            await self._wait(job, self._builds[values])
        try:
            found = await self._attempt(job, lane)
        except TooSlow:
            if not values:
                raise
            found = JobAnswer(missing=True, problem="this takes too long to work out")
        if found.missing and values in self._builds:
            await self._wait(job, self._builds[values])
            found = await self._attempt(job, lane)
        elif found.missing and values and self._attempts.level(values) >= 1:
            if not self._processes.builds:
                raise HelperFailed("there are no values for this game on this device")
            building = self._builds[values] = asyncio.create_task(self._build(job, values))
            building.add_done_callback(lambda built: built.cancelled() or built.exception())
            await self._wait(job, building)
            return building.result()
        return _required(found)

    async def _wait(self, job: Job, building: asyncio.Task[msgspec.Raw]) -> None:
        """Wait until values have been built; the build continues if this job is cancelled."""
        if not job.waits:
            raise _not_yet()
        await asyncio.wait([building])
        if building.cancelled():
            raise stopping()

    async def _attempt(self, job: Job, lane: str) -> JobAnswer:
        async with self.lanes[lane].turn(job.address):
            answer = await self._processes.run(job, self.lanes[lane].bounds.seconds, build=False)
        return msgspec.json.decode(answer, type=JobAnswer)

    async def _build(self, job: Job, values: str) -> msgspec.Raw:
        """The answer to a job for which values have to be built."""
        custom = job.game is not None and custom_box(job.game) is not None
        try:
            if custom and self._custom.level(job.address) <= 0:
                raise Busy(
                    "too-fast", "the values for your custom boxes take too much room; try again later"
                )
            lane = self.lanes["custom" if custom else "build"]
            async with lane.turn(job.address):
                self._attempts.charge(values, 1)
                answer = await self._processes.run(job, lane.bounds.seconds, build=True)
        finally:
            del self._builds[values]
        found = msgspec.json.decode(answer, type=JobAnswer)
        if custom:
            self._custom.charge(job.address, found.built)
        return _required(found)

    async def close(self) -> None:
        """End all jobs; who waits is refused."""
        for building in tuple(self._builds.values()):
            building.cancel()
        for lane in self.lanes.values():
            lane.close()
        await self._processes.close()


def _required(found: JobAnswer) -> msgspec.Raw:
    """What a job has returned; HelperFailed if it has failed."""
    if not found.answer:
        raise HelperFailed("this could not be worked out", detail=found.problem or "values are missing")
    return found.answer


def _not_yet() -> NotYet:
    return NotYet("the coach is still working the values out; ask again in a moment")
