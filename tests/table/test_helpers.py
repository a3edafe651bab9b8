"""Helpers: jobs are bounded, can be ended, and hurt nobody else."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pebble.pool.process import PoolManager

from pasch.core.errors import PaschError
from pasch.core.registry import find_game
from pasch.table.descriptions import JobAnswer
from pasch.table.fair_queue import Requester
from pasch.table.helpers import (
    CUSTOM_BYTES,
    WAITED_LONG_SECONDS,
    Busy,
    HelperFailed,
    HelperProcesses,
    Helpers,
    Job,
    Lane,
    NotYet,
    TooSlow,
    lanes,
    process_count,
)
from tests.web.asgi import Clock, as_test

ME, STRANGER = Requester("10.0.0.1", "mine"), Requester("10.0.0.2", "theirs")
JOKER = find_game("joker1")
GAME = JOKER.agree(2, {})


def bounds(**seconds: float) -> dict[str, Lane]:
    """The usual lanes with other time limits."""
    return {name: lane._replace(seconds=seconds.get(name, lane.seconds)) for name, lane in lanes(2).items()}


def job(do: str, requester: Requester = ME, game: Any = None, waits: bool = True, **arguments: Any) -> Job:
    return Job(do, requester, lambda: arguments, game, waits=waits)


def stub(do: str, arguments: bytes, build: bool) -> bytes:
    """The function that helper processes of these tests call: it does what the request says."""
    request = msgspec.json.decode(arguments)
    if do == "hang":
        if not build:
            time.sleep(3600)
        Path(request["file"]).touch()
    elif do == "die":
        os._exit(1)
    elif do == "lack":
        if build:
            Path(request["file"]).touch()
        elif not Path(request["file"]).exists():
            return msgspec.json.encode(JobAnswer(missing=True))
    found = [request.get("say"), os.getpid(), os.nice(0)]
    return msgspec.json.encode(JobAnswer(msgspec.Raw(msgspec.json.encode(found))))


Test = Callable[..., Awaitable[None]]


def helped(make: Callable[[], Any], names: tuple[str, ...], more: dict[str, Any]) -> Callable[[Test], Any]:
    """Make tests of coroutines that are given helpers, perhaps what does their jobs, and perhaps their clock."""

    def decorate(test: Test) -> Any:
        async def with_helpers(fixtures: dict[str, Any]) -> None:
            if "clock" in inspect.signature(test).parameters:
                fixtures["clock"] = more["clock"] = Clock()
            processes = make()
            helpers = Helpers(processes, **more)
            given = dict(zip(names, (helpers, processes), strict=False))
            try:
                await test(**given, **fixtures)
            finally:
                await helpers.close()
                gc.collect()  # a task whose failure nobody has seen would be reported now

        return as_test(test, lambda **fixtures: asyncio.run(with_helpers(fixtures)), (*names, "clock"))

    return decorate


def with_processes(**more: Any) -> Callable[[Test], Any]:
    """Tests with real processes."""
    return helped(lambda: HelperProcesses(2, stub), ("helpers",), more)


async def answer_of(helpers: Helpers, *asked: Any, **more: Any) -> Any:
    return msgspec.json.decode(await helpers.ask(*asked, **more))


# --- real processes ---------------------------------------------------------------------------------


@pytest.mark.slow
@with_processes(bounds=bounds(long=0.5))
async def test_a_job_that_takes_too_long_is_killed_and_others_go_on(helpers: Helpers) -> None:
    long = asyncio.create_task(helpers.ask(job("hang"), "long"))
    answers = [await answer_of(helpers, job("echo", STRANGER, say=n)) for n in range(3)]
    assert [said for said, *_ in answers] == [0, 1, 2]
    (_, process, niceness), *_ = answers
    assert {one for _, one, _ in answers} == {process} and niceness == os.nice(0) + 5
    with pytest.raises(TooSlow):
        await long
    both = asyncio.gather(
        answer_of(helpers, job("echo", say="a"), "long"), answer_of(helpers, job("echo", STRANGER, say="b"))
    )
    assert [said for said, *_ in await both] == ["a", "b"]


@pytest.mark.slow
@with_processes()
async def test_a_process_that_dies_takes_only_its_own_job_along(helpers: Helpers) -> None:
    with pytest.raises(HelperFailed, match="ended"):
        await helpers.ask(job("die"))
    _, process, _ = await answer_of(helpers, job("echo", say=1))
    # one that has nothing to do may be killed, too, by a system without memory
    os.kill(process, signal.SIGKILL)
    found = None
    while found is None:
        try:
            found = await answer_of(helpers, job("echo", say=2))
        except HelperFailed:
            await asyncio.sleep(0.05)
    assert found[0] == 2


@pytest.mark.slow
@with_processes()
async def test_a_job_that_comes_while_its_pool_breaks_fails(
    helpers: Helpers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When an idle process is killed, pebble gives up all jobs; one that comes just afterwards has no answer."""
    schedule = PoolManager.schedule

    def too_late(manager: PoolManager, task: Any) -> None:
        manager.handle_broken_pool(BrokenProcessPool("an idle process was killed"))
        schedule(manager, task)

    with monkeypatch.context() as patch:
        patch.setattr(PoolManager, "schedule", too_late)
        with pytest.raises(HelperFailed, match="ended"):
            await asyncio.wait_for(helpers.ask(job("echo", say=1)), 60)
    assert (await answer_of(helpers, job("echo", say=2)))[0] == 2


@pytest.mark.slow
@with_processes()
async def test_what_is_missing_is_built_once_and_who_asks_waits(helpers: Helpers, tmp_path: Path) -> None:
    lacking = job("lack", game=GAME, say="there", file=str(tmp_path / "table"))
    with pytest.raises(NotYet):
        await helpers.ask(lacking._replace(waits=False))
    answers = await asyncio.gather(*(answer_of(helpers, lacking) for _ in range(3)))
    assert [said for said, *_ in answers] == ["there"] * 3
    assert all(niceness == os.nice(0) + 5 for *_, niceness in answers)


@pytest.mark.slow
@with_processes(bounds=bounds(short=1.0))
async def test_what_stays_too_slow_is_refused_at_once_for_a_while(
    helpers: Helpers, clock: Clock, tmp_path: Path
) -> None:
    """A short job that is killed is given to the builder; if it is too slow again, nobody tries for a minute."""
    slow = job("hang", game=GAME, file=str(tmp_path / "table"))
    await helpers.ask(slow)  # done by the builder
    with pytest.raises(TooSlow):
        await helpers.ask(slow)
    quick = job("lack", game=GAME, file=str(tmp_path / "table"))._replace(needs="hang")
    with pytest.raises(HelperFailed, match="too long"):
        await helpers.ask(quick)
    clock.now += 61
    assert await helpers.ask(quick)


@pytest.mark.slow
@with_processes()
async def test_a_job_that_is_cancelled_is_ended(helpers: Helpers) -> None:
    hanging = [asyncio.create_task(helpers.ask(job("hang", who))) for who in (ME, STRANGER)]
    await until(lambda: helpers._busy["short"] == 2)
    for task in hanging:
        task.cancel()
    assert (await answer_of(helpers, job("echo", say="free")))[0] == "free"


@pytest.mark.slow
def test_a_helper_ends_when_its_server_is_killed() -> None:
    script = (
        "import asyncio, msgspec\n"
        "from pasch.table.fair_queue import Requester\n"
        "from pasch.table.helpers import HelperProcesses, Job\n"
        "from tests.table.test_helpers import stub\n"
        "async def run():\n"
        "    helpers = HelperProcesses(1, stub)\n"
        "    answer = await helpers.run(Job('echo', Requester('', ''), dict), 60, False)\n"
        "    print(msgspec.json.decode(answer)['answer'][1], flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(run())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        helper = int(server.stdout.readline())
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        # its pipe is closed, so it ends; nothing else would make it go
        for _ in range(3000):
            if not _lives(helper):
                return
            subprocess.run([sys.executable, "-c", "pass"], check=True)
    raise AssertionError("the helper lives on")


def _lives(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_text("utf-8")
    except OSError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] != "Z"


# --- without processes ------------------------------------------------------------------------------


class Gated:
    """Does jobs when the test lets it; `say` is noted when one is begun."""

    count = 2
    builds = True

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.gate = asyncio.Event()
        #: the functions that lack values, and how many bytes are built for them
        self.lacking: dict[str, int] = {}

    async def run(self, job: Job, seconds: float, build: bool) -> bytes:
        say = job.arguments()["say"]
        if job.do in self.lacking and not build:
            return msgspec.json.encode(JobAnswer(missing=True))
        self.begun.append(say)
        await self.gate.wait()
        found = msgspec.Raw(msgspec.json.encode(say))
        return msgspec.json.encode(JobAnswer(found, built=self.lacking.get(job.do, 0)))

    async def close(self) -> None:
        return


def gated(**more: Any) -> Callable[[Test], Any]:
    """Tests in which jobs are done when the test lets them."""
    return helped(Gated, ("helpers", "gated"), more)


def start(helpers: Helpers, say: str, requester: Requester, lane: str = "short") -> asyncio.Task[Any]:
    return asyncio.create_task(answer_of(helpers, job("echo", requester, say=say), lane))


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it does not happen")


@gated()
async def test_thirty_seven_tables_of_one_address_do_not_delay_a_stranger(
    helpers: Helpers, gated: Gated
) -> None:
    flood = [start(helpers, f"flood {n}", Requester("flood", f"table {n}")) for n in range(37)]
    await until(lambda: len(gated.begun) == 1)  # an address never has all processes
    stranger = start(helpers, "stranger", STRANGER)
    await until(lambda: len(gated.begun) == 2)
    assert gated.begun == ["flood 0", "stranger"] and helpers.waiting["short"] == 36
    gated.gate.set()
    assert await stranger == "stranger"
    assert await asyncio.gather(*flood) == [f"flood {n}" for n in range(37)]


@gated()
async def test_a_hint_does_not_wait_behind_reports(helpers: Helpers, gated: Gated) -> None:
    reports = [start(helpers, f"report {n}", Requester(f"address {n}", "t"), "long") for n in range(8)]
    await until(lambda: len(gated.begun) == 1)
    hint = start(helpers, "hint", ME)
    await until(lambda: len(gated.begun) == 2)
    assert gated.begun == ["report 0", "hint"]
    gated.gate.set()
    await asyncio.gather(hint, *reports)


@gated()
async def test_a_report_is_not_kept_waiting_by_hints_for_ever(
    helpers: Helpers, gated: Gated, clock: Clock
) -> None:
    first = [start(helpers, f"first {n}", Requester(f"first {n}", "t")) for n in range(2)]
    await until(lambda: len(gated.begun) == 2)
    report = start(helpers, "report", ME, "long")
    await until(lambda: helpers.waiting["long"] == 1)
    later = [start(helpers, f"later {n}", Requester(f"later {n}", "t")) for n in range(3)]
    await until(lambda: helpers.waiting["short"] == 3)
    clock.now += WAITED_LONG_SECONDS
    gated.gate.set()
    await asyncio.gather(report, *first, *later)
    assert gated.begun[2] == "report"


@gated(bounds={**lanes(2), "short": Lane(2, 2, 1, 4.0)})
async def test_a_full_queue_refuses_and_who_goes_leaves_it(helpers: Helpers, gated: Gated) -> None:
    first = start(helpers, "first", ME)
    await until(lambda: len(gated.begun) == 1)
    waiting = [start(helpers, f"{n}", ME) for n in range(2)]
    await until(lambda: helpers.waiting["short"] == 2)
    with pytest.raises(Busy):
        await helpers.ask(job("echo", say="too many"))
    waiting[0].cancel()
    await until(lambda: helpers.waiting["short"] == 1)
    with pytest.raises(Busy):  # who does not want to wait so long
        await helpers.ask(job("echo", say="impatient"), limit=0.01)
    gated.gate.set()
    assert (await first, await waiting[1]) == ("first", "1")
    assert gated.begun == ["first", "1"]


@gated()
async def test_nothing_is_described_before_its_turn(helpers: Helpers, gated: Gated) -> None:
    """What waits holds nothing but the state, however many wait."""
    described: list[int] = []

    def describe(number: int) -> dict[str, Any]:
        described.append(number)
        return {"say": str(number)}

    jobs = [Job("echo", ME, partial(describe, number)) for number in range(20)]
    tasks = [asyncio.create_task(helpers.ask(one)) for one in jobs]
    await until(lambda: len(gated.begun) == 1)
    assert described == [0]
    gated.gate.set()
    await asyncio.gather(*tasks)


@gated()
async def test_who_waits_when_the_server_stops_is_told_so(helpers: Helpers, gated: Gated) -> None:
    tasks = [start(helpers, f"{n}", ME) for n in range(3)]
    await until(lambda: len(gated.begun) == 1)
    await helpers.close()
    for found in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(found, HelperFailed)
    with pytest.raises(HelperFailed):
        await helpers.ask(job("echo"))


# --- custom boxes -----------------------------------------------------------------------------------


BOX = msgspec.to_builtins(JOKER.default_components())


def custom(number: int = 0) -> Any:
    return JOKER.agree(1 + number, {"components": BOX})


@gated()
async def test_the_usual_values_do_not_wait_for_those_of_custom_boxes(
    helpers: Helpers, gated: Gated
) -> None:
    gated.lacking = {"hint": 10}
    mine = asyncio.create_task(helpers.ask(job("hint", ME, custom(), say="custom")))
    await until(lambda: gated.begun == ["custom"])
    usual = asyncio.create_task(helpers.ask(job("hint", STRANGER, GAME, say="usual")))
    await until(lambda: gated.begun == ["custom", "usual"])
    gated.gate.set()
    await asyncio.gather(mine, usual)


@gated()
async def test_the_values_of_an_addresss_custom_boxes_are_limited_in_bytes(
    helpers: Helpers, gated: Gated, clock: Clock
) -> None:
    gated.lacking = {"hint": int(CUSTOM_BYTES.burst)}
    gated.gate.set()
    await helpers.ask(job("hint", ME, custom(0), say="first"))
    with pytest.raises(Busy, match="too much room"):
        await helpers.ask(job("hint", ME, custom(1), say="second"))
    await helpers.ask(job("hint", STRANGER, custom(2), say="a stranger's"))
    await helpers.ask(job("hint", ME, GAME, say="usual"))
    clock.now += 60
    await helpers.ask(job("hint", ME, custom(1), say="later"))


@gated()
async def test_a_box_that_is_too_large_gets_no_values(
    helpers: Helpers, gated: Gated, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(msgspec.json.encode(JOKER.default_components()))
    gated.gate.set()
    monkeypatch.setattr("pasch.table.limits.MAX_BOX_BYTES", size)
    await helpers.ask(job("hint", ME, custom(), say="as large as possible"))
    monkeypatch.setattr("pasch.table.limits.MAX_BOX_BYTES", size - 1)
    with pytest.raises(HelperFailed, match="no values"):
        await helpers.ask(job("hint", ME, custom(), say="larger"))


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


def test_equal_games_need_the_same_values() -> None:
    assert job("hint", game=JOKER.agree(2, {})).values == job("hint", game=JOKER.agree(2, {})).values
    assert job("hint", game=JOKER.agree(2, {})).values != job("hint", game=JOKER.agree(3, {})).values
