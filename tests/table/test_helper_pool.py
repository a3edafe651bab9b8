"""The pool of helper processes: jobs are bounded, can be ended, and hurt nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pasch.core.errors import PaschError
from pasch.core.registry import find_game
from pasch.table.helper import Helper, HelperFailed, TooSlow
from pasch.table.helper_pool import Busy, HelperPool, Need, NotYet, lanes, process_count
from pasch.table.scheduling import Asker, Lane

ME, STRANGER = Asker("10.0.0.1", "mine"), Asker("10.0.0.2", "theirs")
NEED = Need(1, "hint")


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Gated(Helper):
    """A helper without a process, which answers when the test lets it."""

    def __init__(self, log: list[str], gate: asyncio.Event) -> None:
        super().__init__()
        self.log, self.gate = log, gate

    async def ask(self, do: str, timeout: float | None = None, **details: Any) -> Any:
        self.log.append(details["say"])
        await self.gate.wait()
        return details["say"]


def stub() -> Helper:
    return Helper("tests.table.stub_helper", quiet=False)


def pooled(do: Callable[[HelperPool], Awaitable[None]], **more: Any) -> None:
    async def run() -> None:
        helpers = HelperPool(stub, 2, **more)
        try:
            await do(helpers)
        finally:
            await helpers.close()

    asyncio.run(run())


def bounds(**seconds: float) -> dict[str, Lane]:
    """The usual lanes with other time limits."""
    return {name: lane._replace(seconds=seconds.get(name, lane.seconds)) for name, lane in lanes(2).items()}


# --- real processes ---------------------------------------------------------------------------------


def test_a_job_that_takes_too_long_is_killed_and_others_go_on() -> None:
    async def run(helpers: HelperPool) -> None:
        long = asyncio.create_task(helpers.ask("hang", dict, ME, lane="long"))
        answers = [await helpers.ask("echo", partial(dict, say=n), STRANGER) for n in range(3)]
        assert [said for said, _ in answers] == [0, 1, 2]
        assert len({process for _, process in answers}) == 1
        with pytest.raises(TooSlow):
            await long
        # the process that hung was started anew, and works
        other = asyncio.gather(
            helpers.ask("echo", lambda: {"say": "a"}, ME, lane="long"),
            helpers.ask("echo", lambda: {"say": "b"}, STRANGER),
        )
        (first, one), (second, two) = await other
        assert (first, second) == ("a", "b") and one != two

    pooled(run, bounds=bounds(long=0.5))


def test_a_process_that_dies_takes_only_its_own_job_along() -> None:
    async def run(helpers: HelperPool) -> None:
        with pytest.raises(HelperFailed, match="ended"):
            await helpers.ask("die", dict, ME)
        assert (await helpers.ask("echo", lambda: {"say": 1}, ME))[0] == 1

    pooled(run)


def test_what_is_missing_is_built_in_the_background_once(tmp_path: Path) -> None:
    file = tmp_path / "table"

    async def run(helpers: HelperPool) -> None:
        def asked() -> dict[str, str]:
            return {"file": str(file)}

        for _ in range(3):
            with pytest.raises(NotYet):
                await helpers.ask("lack", asked, ME, need=NEED)
        assert helpers.waiting["build"] == 0  # one is being built; the others wait for the same
        await helpers.built(NEED, 60)
        assert await helpers.ask("lack", asked, ME, need=NEED) == "there"
        assert file.read_text("utf-8") == "lack"

    pooled(run)


def test_what_stays_too_slow_is_refused_at_once_for_a_while(tmp_path: Path) -> None:
    """A short job that is killed is given to the builder; if it is too slow again, nobody tries for a minute."""
    clock = Clock()

    async def run(helpers: HelperPool) -> None:
        def asked() -> dict[str, str]:
            return {"file": str(tmp_path / "table")}

        with pytest.raises(NotYet):
            await helpers.ask("hang", asked, ME, need=NEED)
        await helpers.built(NEED, 60)
        with pytest.raises(TooSlow):
            await helpers.ask("hang", asked, ME, need=NEED)
        with pytest.raises(HelperFailed, match="too long"):
            await helpers.ask("lack", asked, ME, need=NEED)
        clock.now += 61
        assert await helpers.ask("lack", asked, ME, need=NEED) == "there"

    pooled(run, clock=clock, bounds=bounds(short=1.0))


# --- without processes ------------------------------------------------------------------------------


def gated(
    do: Callable[[HelperPool, list[str], asyncio.Event], Awaitable[None]],
    bounds: dict[str, Lane] | None = None,
) -> None:
    async def run() -> None:
        begun: list[str] = []
        gate = asyncio.Event()
        helpers = HelperPool(lambda: Gated(begun, gate), 2, bounds=bounds)
        try:
            await do(helpers, begun, gate)
        finally:
            await helpers.close()

    asyncio.run(run())


def start(helpers: HelperPool, say: str, asker: Asker, **more: Any) -> asyncio.Task[Any]:
    return asyncio.create_task(helpers.ask("echo", lambda: {"say": say}, asker, **more))


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it does not happen")


def test_thirty_seven_tables_of_one_address_do_not_delay_a_stranger() -> None:
    async def run(helpers: HelperPool, begun: list[str], gate: asyncio.Event) -> None:
        flood = [start(helpers, f"flood {n}", Asker("flood", f"table {n}")) for n in range(37)]
        await until(lambda: len(begun) == 1)  # an address never has all processes
        stranger = start(helpers, "stranger", STRANGER)
        await until(lambda: len(begun) == 2)
        assert begun == ["flood 0", "stranger"] and helpers.waiting["short"] == 36
        gate.set()
        assert await stranger == "stranger"
        assert await asyncio.gather(*flood) == [f"flood {n}" for n in range(37)]

    gated(run)


def test_a_hint_does_not_wait_behind_reports() -> None:
    async def run(helpers: HelperPool, begun: list[str], gate: asyncio.Event) -> None:
        reports = [start(helpers, f"report {n}", Asker(f"address {n}", "t"), lane="long") for n in range(8)]
        await until(lambda: len(begun) == 1)
        hint = start(helpers, "hint", ME)
        await until(lambda: len(begun) == 2)
        assert begun == ["report 0", "hint"]
        gate.set()
        await asyncio.gather(hint, *reports)

    gated(run)


def test_a_full_queue_refuses_and_who_goes_leaves_it() -> None:
    async def run(helpers: HelperPool, begun: list[str], gate: asyncio.Event) -> None:
        first = start(helpers, "first", ME)
        await until(lambda: len(begun) == 1)
        waiting = [start(helpers, f"{n}", ME) for n in range(2)]
        await until(lambda: helpers.waiting["short"] == 2)
        with pytest.raises(Busy):
            await helpers.ask("echo", lambda: {"say": "too many"}, ME)
        waiting[0].cancel()
        with pytest.raises(Busy):  # who does not want to wait so long
            await helpers.ask("echo", lambda: {"say": "impatient"}, ME, patience=0.01)
        await until(lambda: helpers.waiting["short"] == 1)
        gate.set()
        assert (await first, await waiting[1]) == ("first", "1")
        assert begun == ["first", "1"]

    gated(run, {**lanes(2), "short": Lane(2, 2, 1, 4.0)})


def test_nothing_is_described_before_its_turn() -> None:
    """What waits holds nothing but the state, however many wait."""

    async def run(helpers: HelperPool, begun: list[str], gate: asyncio.Event) -> None:
        described: list[int] = []

        def describe(number: int) -> dict[str, Any]:
            described.append(number)
            return {"say": str(number)}

        tasks = [asyncio.create_task(helpers.ask("echo", partial(describe, n), ME)) for n in range(20)]
        await until(lambda: len(begun) == 1)
        assert described == [0]
        gate.set()
        await asyncio.gather(*tasks)

    gated(run)


def test_who_waits_when_the_server_stops_is_told_so() -> None:
    async def run(helpers: HelperPool, begun: list[str], gate: asyncio.Event) -> None:
        tasks = [start(helpers, f"{n}", ME) for n in range(3)]
        await until(lambda: len(begun) == 1)
        await helpers.close()
        for found in await asyncio.gather(*tasks, return_exceptions=True):
            assert isinstance(found, HelperFailed)
        with pytest.raises(HelperFailed):
            await helpers.ask("echo", dict, ME)
        gate.set()

    gated(run)


# --- how many ---------------------------------------------------------------------------------------


def test_the_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PASCH_HELPERS", raising=False)
    for processors, processes in ((1, 2), (2, 2), (3, 3), (64, 4), (None, 2)):
        monkeypatch.setattr("os.cpu_count", lambda processors=processors: processors)
        assert process_count() == processes
    monkeypatch.setenv("PASCH_HELPERS", "12")
    assert process_count() == 12
    for wrong in ("1", "65", "-3", "two", "99999999999", "2.5"):
        monkeypatch.setenv("PASCH_HELPERS", wrong)
        with pytest.raises(PaschError, match="PASCH_HELPERS"):
            process_count()


def test_equal_games_need_the_same() -> None:
    game = find_game("joker1")
    assert Need.of(game.agree(2, {}), "hint") == Need.of(game.agree(2, {}), "hint")
    assert Need.of(game.agree(2, {}), "hint") != Need.of(game.agree(3, {}), "hint")
