"""The coach at a table: hints, judgements, verdicts and reports, which are tried again when they fail."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from pasch.core.registry import find_game
from pasch.players import base
from pasch.table.authority import Authority
from pasch.table.coach import TableCoach, report
from pasch.table.helpers import Helpers, Job
from pasch.table.limits import Rate, busy
from pasch.table.log import LiveTable
from pasch.table.redact import Viewer
from pasch.table.schema import MAX_GIVEN
from tests.table.test_redact import live_table
from tests.web.asgi import Browser, ScriptedHelper, Socket, server

#: seat 0 of a game of joker1 is to choose
GIVEN = [{"seat": 0, "roll": [1, 2, 4]}]


class Slow(ScriptedHelper):
    """A helper that does one thing, and builds values, when the test lets it."""

    def __init__(self, slow: str = "", **answers: Any) -> None:
        super().__init__(**answers)
        self.slow = slow
        self.gate = asyncio.Event()
        self.begun = asyncio.Event()

    async def run(self, job: Job, seconds: float, build: bool) -> bytes:
        if build or job.do == self.slow:
            self.begun.set()
            await self.gate.wait()
        return await super().run(job, seconds, build)

    def hints(self) -> int:
        return sum(do == "hint" for do, _ in self.asked)


def advise(asked: dict[str, Any]) -> dict[str, Any]:
    return {"moves": [{"event": {}, "points": 2.0, "win": None}], "sentences": [], "exact": True}


async def sitting(browser: Browser, events: list[dict[str, Any]]) -> tuple[dict[str, Any], Socket]:
    return await browser.alone(coach="hints", events=events)


async def answers(socket: Socket, number: int) -> dict[str, dict[str, Any]]:
    received = [await socket.hear("advice", "refused") for _ in range(number)]
    return {answer["id"]: answer for answer in received}


async def test_sixty_hints_are_worked_out_once_and_sent_when_their_values_have_been_built(
    tmp_path: Path,
) -> None:
    """Nobody has to ask again."""

    def after_building(asked: dict[str, Any]) -> Any:
        return advise(asked) if helper.built else None

    helper = Slow(hint=after_building)
    async with server(tmp_path, helper=helper) as browser:
        made, mine = await sitting(browser, GIVEN)
        asked = [mine.send("hint") for _ in range(60)]
        await helper.begun.wait()
        helper.gate.set()
        found = await answers(mine, 60)
        assert [found[name]["type"] for name in asked] == ["advice"] * 60
        assert helper.built == ["hint"] and helper.hints() == 2
        # and from memory until the position changes, for every client of the same seat
        again = await browser.join(made["id"], made["seats"]["0"])
        assert (await again.ask("hint"))["type"] == "advice" and helper.hints() == 2
        await mine.done("name", seat=0, name="Ada")
        assert (await mine.ask("hint"))["version"] == mine.version and helper.hints() == 2


async def test_a_hint_about_an_earlier_position_is_refused_at_once(tmp_path: Path) -> None:
    helper = Slow("hint", hint=advise)
    async with server(tmp_path, helper=helper) as browser:
        _, mine = await sitting(browser, GIVEN)
        first = mine.send("hint")
        await helper.begun.wait()
        mine.send("move", event=mine.position["moves"][0]["event"])
        refused = await mine.hear("refused")
        assert (refused["id"], refused["code"]) == (first, "old-version")
        await mine.reach(refused["version"])
        mine.send("undo")
        await mine.reach(refused["version"] + 1)
        second = mine.send("hint")
        helper.gate.set()
        # the first was ended, and nobody waits for it
        advice = await mine.hear("advice")
        assert (advice["id"], advice["version"]) == (second, mine.version) and helper.hints() == 1


@pytest.mark.parametrize(
    ("command", "failure", "code"),
    [
        ("hint", RuntimeError("out of order"), "not-ready"),
        ("hint", busy(), "too-fast"),
        ("preview", RuntimeError("out of order"), "storage"),
    ],
)
async def test_what_failed_unexpectedly_is_refused_and_worked_out_again(
    command: str, failure: Exception, code: str, tmp_path: Path
) -> None:
    failures = iter([failure])

    def work(asked: dict[str, Any]) -> dict[str, Any]:
        for failure in failures:
            raise failure
        return advise(asked) if command == "hint" else VERDICT

    async with server(tmp_path, helper=ScriptedHelper(hint=work, value=work)) as browser:
        _, mine = await sitting(browser, GIVEN)
        assert (await mine.ask(command))["code"] == code
        assert (await mine.ask(command))["type"] in ("advice", "verdict")


async def test_too_many_who_wait_for_a_hint_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper = Slow("hint", hint=advise)
    async with server(tmp_path, helper=helper) as browser:
        made, mine = await sitting(browser, GIVEN)
        asked = [mine.send("hint")]
        await helper.begun.wait()
        tasks = len((await browser.lobby.find(made["id"]))._tasks)
        monkeypatch.setattr("pasch.table.authority.MAX_WAITING", tasks + 2)
        asked += [mine.send("hint") for _ in range(4)]
        refused = await answers(mine, 2)
        assert {name: answer["code"] for name, answer in refused.items()} == dict.fromkeys(
            asked[3:], "too-fast"
        )
        helper.gate.set()
        assert set(await answers(mine, 3)) == set(asked[:3])


def test_each_event_of_a_game_is_judged_once() -> None:
    live = live_table("joker1", 1, rounds=10)
    while len(live.events) < 40:
        state = live.state
        live.apply(live.play(state.chance().pick(0) if state.actor < 0 else state.moves()[0]))

    helper = ScriptedHelper(judge=lambda asked: judgement(asked["number"]))

    async def run() -> list[int]:
        coach = following(live, helper)
        await until_judged(coach)
        assert coach._state == live.state
        return [judged.version for judged in coach.judgements]

    found = asyncio.run(run())
    assert found == [n + 1 for n, line in enumerate(live.lines) if line.event is not None]
    assert [asked["event"] for _, asked in helper.asked] == [event.json() for event in live.events]


def judgement(number: int) -> dict[str, Any]:
    judgement = {"seat": 0, "kind": "move", "points": 0.0, "best": None, "sentences": [], "exact": True}
    return {**judgement, "number": number}


class Watching:
    """A client that keeps what it is sent."""

    address, welcomed, box = "", True, ""

    def __init__(self) -> None:
        self.viewer, self.sent = Viewer((0,)), list[bytes]()

    def send(self, message: bytes) -> None:
        self.sent.append(message)

    def close(self) -> None:
        return


def following(live: LiveTable, helper: ScriptedHelper, *clients: Watching) -> TableCoach:
    """The coach of a table with judgements turned on and a client connected."""
    live.current = replace(live.current, coach="moves")
    start_task = asyncio.get_running_loop().create_task
    table = SimpleNamespace(live=live, clients=clients or (Watching(),), payer="", start_task=start_task)
    return TableCoach(cast(Authority, table), Helpers(helper))


async def until_judged(coach: TableCoach) -> None:
    coach.follow()
    while coach._judging:
        await asyncio.sleep(0)


@pytest.mark.parametrize("wrong", [None, "no judgement", {"number": 1}])
async def test_a_coach_that_failed_tries_again(wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pasch.table.coach.RETRY_DELAY_SECONDS", 0.0)
    monkeypatch.setattr("pasch.table.helpers.BUILDS", Rate(1e9, 1e9))
    live = live_table("joker1", 1)
    live.apply(live.play(live.state.chance().pick(0)))
    found: list[Any] = [wrong, wrong, wrong, wrong, judgement(1)]
    helper = ScriptedHelper(judge=lambda asked: found.pop(0) if len(found) > 1 else found[0])
    client = Watching()
    coach = following(live, helper, client)
    await until_judged(coach)
    assert [judged.version for judged in coach.judgements] == [1]
    assert len(client.sent) == 1 and len(helper.asked) == 5


VERDICT = {"value": [5.0, 9.0], "win": [0.6, 0.4], "winners": [0], "by": "chances"}


@pytest.mark.parametrize("wrong", ["nonsense", None])
async def test_a_verdict_that_failed_is_tried_again_and_what_was_shown_decides(
    wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pasch.table.helpers.BUILDS", Rate(1e9, 1e9))
    helper = ScriptedHelper(value=lambda asked: wrong)
    live = live_table("joker1", 2)
    coach = following(live, helper)
    assert (await coach.preview("a")).by == "scores"
    assert (await coach.verdict())["winners"] == [0, 1]
    helper.answers["value"] = lambda asked: VERDICT
    # who has not asked again has seen the scores
    assert (await coach.verdict())["by"] == "scores"
    assert (await coach.preview("b")).by == "chances"
    assert await coach.verdict() == VERDICT
    live.apply(live.play(live.state.chance().pick(0)))
    coach.position_changed()
    helper.answers["value"] = lambda asked: {**VERDICT, "winners": [1]}
    assert (await coach.verdict())["winners"] == [1]


async def test_a_report_is_given_the_computers_that_play_to_win() -> None:
    helper = ScriptedHelper(report=lambda asked: asked["to_win"])
    live = live_table("joker1", 2)
    levels = zip(live.agreement.chairs, ("hard", "winner"), strict=True)
    chairs = tuple(replace(chair, kind="computer", level=level) for chair, level in levels)
    live.agreement = replace(live.agreement, chairs=chairs)
    assert await report(Helpers(helper), live) == b"[1]"


# --- who stands in ----------------------------------------------------------------------------------


async def test_a_seat_says_when_a_simpler_player_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the values are being built the greedy player chooses, and every client receives a notice."""
    monkeypatch.setitem(base._makers, "strong", base.GreedyPlayer)
    game = find_game("joker1").agree(1, {"rounds": 3})

    def choose(asked: dict[str, Any]) -> Any:
        return game.read_state(asked["state"]).moves()[-1].json() if helper.gate.is_set() else None

    helper = Slow(choose=choose)
    async with server(tmp_path, helper=helper) as browser:
        options = {"rounds": 3}
        made = await browser.make("joker1", "strong", options=options, dice="real")
        socket = browser.open(made["id"])
        welcome = await socket.hello(made["maker"])
        assert not welcome["table"]["seats"][0]["simplified"]
        await socket.ask("read", values=[1, 2, 3])
        table = (await socket.hear("table"))["table"]
        assert table["seats"][0]["simplified"] and table["seats"][0]["level"] == "strong"
        # a client that joins now receives it, too; it is not in the log
        late = await browser.open(made["id"]).hello(made["watch"])
        assert late["table"]["seats"][0]["simplified"]
        assert {entry["kind"] for entry in late["entries"]} == {"event"}
        helper.gate.set()
        while True:
            received = await socket.hear("update", "table")
            if received["type"] == "table":
                break
            if received["position"]["awaits"] == "read":
                await socket.ask("read", values=[3] * len(received["position"]["ask"]["parts"]))
        assert not received["table"]["seats"][0]["simplified"]


async def test_the_events_that_a_table_begins_with_are_bounded(browser: Browser) -> None:
    wish = {"game": "joker1", "seats": [{"kind": "here"}]}
    answer = await browser.post("/api/tables", {**wish, "events": GIVEN * (MAX_GIVEN + 1)})
    assert (answer.status, answer.json["code"]) == (413, "too-large")
    assert str(MAX_GIVEN) in str(answer.json["reason"])
    answer = await browser.post("/api/tables", {**wish, "events": GIVEN * MAX_GIVEN})
    assert answer.json["code"] == "illegal"  # as many are looked at
