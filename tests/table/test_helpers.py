"""Helpers: jobs are bounded, can be ended, and hurt nobody else; what they work out."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pebble.pool.process import PoolManager

from pasch.coach.puzzle_plan import puzzle_games
from pasch.core.errors import PaschError
from pasch.core.match import Match
from pasch.core.registry import find_game
from pasch.games.lines.values.rounds import rounds_on
from pasch.solve.tables import limit_own_tables
from pasch.solve.valuer import valuer
from pasch.table import jobs
from pasch.table.helpers import (
    CUSTOM_BYTES,
    HelperFailed,
    Helpers,
    Job,
    JobAnswer,
    NotYet,
    TooSlow,
    describe_game,
    describe_state,
    usual_bounds,
)
from pasch.table.limits import Bounds, Busy
from pasch.table.processes import HelperProcesses, process_count
from tests.table.test_lobby import until
from tests.web.asgi import Clock

ME, STRANGER = "10.0.0.1", "10.0.0.2"
JOKER = find_game("joker1")
GAME = JOKER.agree(2, {})


def job(do: str, address: str = ME, game: Any = None, waits: bool = True, **arguments: Any) -> Job:
    return Job(do, address, lambda: arguments, game, waits=waits)


def stub(do: str, arguments: bytes, build: bool) -> bytes:
    """The function that helper processes of these tests call: it does what the request says."""
    if do == "hang":
        time.sleep(3600)
    elif do == "die":
        os._exit(1)
    found = [msgspec.json.decode(arguments).get("say"), os.getpid(), os.nice(0)]
    return msgspec.json.encode(JobAnswer(msgspec.Raw(msgspec.json.encode(found))))


@pytest.fixture
async def helpers(request: pytest.FixtureRequest) -> AsyncIterator[Helpers]:
    """Helpers with two real processes, or with what the test calls `gated`; a test may set their clock, too."""
    settings = dict(mark.kwargs) if (mark := request.node.get_closest_marker("settings")) else {}
    if "clock" in request.fixturenames:
        settings["clock"] = request.getfixturevalue("clock")
    doing = (
        request.getfixturevalue("gated") if "gated" in request.fixturenames else HelperProcesses(2, stub)
    )
    made = Helpers(doing, **settings)
    yield made
    await made.close()
    gc.collect()  # a task whose failure nobody has seen would be reported now


async def answer_of(helpers: Helpers, *asked: Any, **more: Any) -> Any:
    return msgspec.json.decode(await helpers.ask(*asked, **more))


# --- real processes ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.settings(bounds={**usual_bounds(2), "long": Bounds(1, 2, 2, 0.5)})
async def test_a_job_that_takes_too_long_is_killed_and_others_continue(helpers: Helpers) -> None:
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
async def test_a_job_that_is_cancelled_is_ended(helpers: Helpers) -> None:
    hanging = [asyncio.create_task(helpers.ask(job("hang", who))) for who in (ME, STRANGER)]
    await until(helpers.lanes["short"]._places.locked)
    for task in hanging:
        task.cancel()
    assert (await answer_of(helpers, job("echo", say="free")))[0] == "free"


@pytest.mark.slow
def test_a_helper_ends_when_its_server_is_killed() -> None:
    script = (
        "import asyncio\n"
        "from pasch.table.helpers import Job\n"
        "from pasch.table.processes import HelperProcesses\n"
        "from tests.table.test_helpers import stub\n"
        "async def run():\n"
        "    helpers = HelperProcesses(1, stub)\n"
        "    await helpers.run(Job('echo', '', dict), 60, False)\n"
        "    print('works', flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(run())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None and server.stdout.readline() == b"works\n"
        server.kill()
        # the helper has the other end of this pipe, too, and nothing else would end it
        server.communicate(timeout=60)


# --- without processes ------------------------------------------------------------------------------


class Gated:
    """Does jobs when the test lets it; `say` is noted when one is begun."""

    count = 2
    builds = True

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.gate, self.closed = asyncio.Event(), False
        #: the functions that lack values, and how many bytes are built for them
        self.lacking: dict[str, int] = {}
        #: the functions that are too slow for all but the builder
        self.slow: set[str] = set()

    async def run(self, job: Job, seconds: float, build: bool) -> bytes:
        say = job.arguments()["say"]
        if job.do in self.lacking and not build:
            return msgspec.json.encode(JobAnswer(missing=True))
        if job.do in self.slow and not build:
            raise TooSlow("it took too long")
        self.begun.append(say)
        await self.gate.wait()
        if self.closed:
            raise HelperFailed("the process has ended")
        found = msgspec.Raw(msgspec.json.encode(say))
        return msgspec.json.encode(JobAnswer(found, built=self.lacking.get(job.do, 0)))

    async def close(self) -> None:
        self.closed = True
        self.gate.set()


@pytest.fixture
def gated() -> Gated:
    return Gated()


def start(helpers: Helpers, say: str, address: str, lane: str = "short") -> asyncio.Task[Any]:
    return asyncio.create_task(answer_of(helpers, job("echo", address, say=say), lane))


@pytest.mark.settings(bounds={**usual_bounds(2), "short": Bounds(2, 2, 2, 4.0)})
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


async def test_who_waits_when_the_server_stops_is_answered(helpers: Helpers, gated: Gated) -> None:
    gated.lacking = {"hint": 10}
    tasks = [asyncio.create_task(helpers.ask(job("hint", STRANGER, GAME, say="built")))]
    tasks += [start(helpers, f"{n}", ME) for n in range(3)]
    await until(lambda: len(gated.begun) == 2)
    await helpers.close()
    for found in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(found, PaschError)
    with pytest.raises(PaschError, match="stopping"):
        await helpers.ask(job("echo"))


async def test_what_is_missing_is_built_once_and_who_asks_waits(helpers: Helpers, gated: Gated) -> None:
    gated.lacking = {"hint": 10}
    # equal games need the same values
    lacking = [job("hint", game=JOKER.agree(2, {}), say="built") for _ in range(3)]
    with pytest.raises(NotYet):
        await helpers.ask(lacking[0]._replace(waits=False))
    asked = [asyncio.create_task(answer_of(helpers, one)) for one in lacking]
    await until(lambda: bool(gated.begun))
    gated.lacking = {}  # once it was built, others find it
    gated.gate.set()
    assert await asyncio.gather(*asked) == ["built"] * 3


async def test_what_is_too_slow_is_done_by_the_builder_once_a_minute(
    helpers: Helpers, gated: Gated, clock: Clock
) -> None:
    gated.slow = {"hint"}
    gated.gate.set()
    slow = job("hint", game=GAME, say="built")
    for _ in range(2):
        assert await answer_of(helpers, slow) == "built"
        with pytest.raises(HelperFailed, match="too long"):
            await helpers.ask(slow)
        clock.now += 61
    assert gated.begun == ["built"] * 2


# --- lanes ------------------------------------------------------------------------------------------


@pytest.mark.settings(bounds={**usual_bounds(2), "short": Bounds(1, 100, 100, 1.0)})
async def test_addresses_take_turns(helpers: Helpers, gated: Gated) -> None:
    """However much an address has waiting, and however many addresses keep coming, everybody's turn comes."""
    first = start(helpers, "first", "D")
    await until(lambda: gated.begun == ["first"])
    tasks = [start(helpers, f"{address}{n}", address) for address in "AB" for n in range(3)]
    tasks.append(start(helpers, "C0", "C"))
    await until(lambda: helpers.waiting["short"] == 7)
    gated.gate.set()
    await asyncio.gather(first, *tasks)
    assert gated.begun == ["first", "A0", "B0", "C0", "A1", "B1", "A2", "B2"]
    lane = helpers.lanes["short"]
    assert not lane._waiting and not lane._shares  # addresses without jobs are forgotten


# --- custom boxes -----------------------------------------------------------------------------------


BOX = msgspec.to_builtins(JOKER.default_components())


def custom(number: int = 0) -> Any:
    return JOKER.agree(1 + number, {"components": BOX})


async def test_neither_the_usual_values_nor_a_hint_wait_for_those_of_custom_boxes_or_reports(
    helpers: Helpers, gated: Gated
) -> None:
    gated.lacking = {"hint": 10}
    waiting = [asyncio.create_task(helpers.ask(job("hint", ME, custom(), say="custom")))]
    await until(lambda: gated.begun == ["custom"])
    waiting.append(asyncio.create_task(helpers.ask(job("hint", STRANGER, GAME, say="usual"))))
    await until(lambda: gated.begun == ["custom", "usual"])
    waiting += [start(helpers, f"report {n}", f"address {n}", "long") for n in range(8)]
    await until(lambda: len(gated.begun) == 3)
    waiting.append(start(helpers, "hint", ME))
    await until(lambda: gated.begun == ["custom", "usual", "report 0", "hint"])
    gated.gate.set()
    await asyncio.gather(*waiting)


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
    for processors, processes in ((1, 2), (3, 3), (64, 4), (None, 2)):
        monkeypatch.setattr("os.cpu_count", lambda processors=processors: processors)
        assert process_count() == processes
    for written in ("1", "65", "two"):
        monkeypatch.setenv("PASCH_HELPERS", written)
        with pytest.raises(PaschError, match="PASCH_HELPERS"):
            process_count()


def answered(do: str, arguments: dict[str, Any], build: bool = False) -> Any:
    return msgspec.json.decode(jobs.answer(do, msgspec.json.decode(msgspec.json.encode(arguments)), build))


def test_what_it_cannot_do_is_said() -> None:
    asked = {**describe_state(GAME.start(), 0), "level": "nobody", "key": "00"}
    assert "nobody" in answered("choose", asked)["problem"]
    assert "dance" in answered("dance", {})["problem"]


@pytest.mark.slow
def test_nothing_is_built_but_by_the_builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a table is missing a job says so at once; one for a stranger's box may be removed again."""
    monkeypatch.setenv("PASCH_CACHE", str(tmp_path))
    game = find_game("joker1")
    box = msgspec.to_builtins(game.default_components())
    state = game.agree(1, {"components": box, "rounds": 13}).start()
    while state.actor < 0:
        state = state.apply(state.chance().pick(0))
    asked = {**describe_state(state, 0), "level": "perfect", "key": "00"}
    assert answered("choose", asked) == {"missing": True} and not [*tmp_path.iterdir()]
    built = answered("choose", asked, build=True)
    assert built["built"] == sum(file.stat().st_size for file in tmp_path.iterdir()) > 0
    assert state.game.read_event(answered("choose", asked)["answer"]) in state.moves()
    limit_own_tables(max_files=0)
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_one_build_is_enough_for_puzzles_of_all_variants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values are not built again within a minute, and the next puzzle may be of another plan."""
    monkeypatch.setenv("PASCH_CACHE", str(tmp_path))
    lines = describe_game(puzzle_games("lines")[0])

    def forget() -> None:
        """Begin as a new process does: other tests of this one may have loaded the same plans."""
        valuer.cache_clear()
        rounds_on.cache_clear()

    def made(seed: str, build: bool = False) -> Any:
        return answered("puzzle", {**lines, "seed": seed, "difficulty": None, "kind": None}, build)

    forget()
    assert made("0") == {"missing": True}
    made("0", build=True)
    forget()
    plans = {str(made(str(seed))["answer"]["puzzle"]["table"]["options"]["plans"]) for seed in range(6)}
    assert len(plans) > 1
    forget()


@pytest.mark.slow
def test_the_report_of_a_game_that_was_ended_early() -> None:
    match = Match(find_game("joker1").agree(2, {"rounds": 1}), [{"seat": 0, "roll": [1, 2, 4]}])
    asked = {"record": match.record().to_json()}
    reply = jobs.report({**asked, "early_winners": [1]})
    assert (reply.winners, reply.scores) == ((1,), (0, 0))
    assert "ended early" in reply.statement.template
    with pytest.raises(PaschError, match="ends before the game does"):
        jobs.report(asked)
