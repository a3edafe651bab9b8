"""Hints are worked out once for a version of the table; computers that were stood in for say so."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pasch.core.registry import find_game
from pasch.players import base
from pasch.table.coaching import MOST_JUDGED, Coaching, Follower
from pasch.table.helper import HelperFailed, TooSlow
from pasch.table.helper_pool import HelperPool
from pasch.table.schema import MOST_GIVEN
from tests.table.test_redact import live_table
from tests.web.asgi import Browser, ScriptedHelper, Socket, with_server

#: seat 0 of a game of joker1 is to choose
GIVEN = [{"seat": 0, "roll": [1, 2, 4]}]


class Slow(ScriptedHelper):
    """A helper that answers hints when the test lets it."""

    def __init__(self, **answers: Any) -> None:
        super().__init__(**answers)
        self.gate = asyncio.Event()
        self.begun = asyncio.Event()

    async def ask(self, do: str, timeout: float | None = None, **details: Any) -> Any:
        if do == "hint":
            self.begun.set()
            await self.gate.wait()
        return await super().ask(do, timeout, **details)

    def hints(self) -> int:
        return sum(do == "hint" for do, _ in self.asked)


def advise(asked: dict[str, Any]) -> dict[str, Any]:
    return {"moves": [{"event": {}, "points": 2.0, "win": None}], "sentences": [], "exact": True}


async def sitting(browser: Browser, events: list[dict[str, Any]]) -> tuple[dict[str, Any], Socket]:
    made = await browser.make("joker1", "here", coach="hints", events=events)
    return made, await browser.join(made["id"], made["seats"]["0"])


async def answers(socket: Socket, number: int) -> dict[str, dict[str, Any]]:
    heard = [await socket.hear("advice", "refused") for _ in range(number)]
    return {answer["id"]: answer for answer in heard}


def test_sixty_hints_are_worked_out_once(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        made, mine = await sitting(browser, GIVEN)
        asked = [mine.send("hint") for _ in range(60)]
        await helper.begun.wait()
        helper.gate.set()
        found = await answers(mine, 60)
        assert [found[name]["type"] for name in asked] == ["advice"] * 60
        assert helper.hints() == 1
        # and from memory as long as the table stays as it is, whoever of the same seat asks
        again = await browser.join(made["id"], made["seats"]["0"])
        assert (await again.ask("hint"))["type"] == "advice" and helper.hints() == 1
        # a change of the table is a new version
        await mine.ask("name", seat=0, name="Ada")
        await mine.hear("update")
        assert (await mine.ask("hint"))["version"] == mine.version and helper.hints() == 2

    helper = Slow(hint=advise)
    with_server(tmp_path, run, helper=helper)


def test_at_most_one_hint_is_open_at_a_table(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        _, mine = await sitting(browser, GIVEN)
        first = mine.send("hint")
        await helper.begun.wait()
        await mine.ask("name", seat=0, name="Ada")
        await mine.hear("update")
        second = mine.send("hint")
        await mine.ask("name", seat=0, name="Eve")  # the second has come, and waits
        assert browser.lobby.helpers.waiting["short"] == 0
        helper.gate.set()
        found = await answers(mine, 2)
        # what was asked before is answered; by its turn, the other is about a table that has gone on
        assert found[first]["type"] == "advice"
        assert found[second]["code"] == "old-version" and helper.hints() == 1

    helper = Slow(hint=advise)
    with_server(tmp_path, run, helper=helper)


def test_too_many_who_wait_for_a_hint_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pasch.table.hints.MOST_WAITING", 3)

    async def run(browser: Browser) -> None:
        _, mine = await sitting(browser, GIVEN)
        asked = [mine.send("hint") for _ in range(5)]
        refused = await answers(mine, 2)
        assert {name: answer["code"] for name, answer in refused.items()} == dict.fromkeys(
            asked[3:], "too-fast"
        )
        helper.gate.set()
        assert set(await answers(mine, 3)) == set(asked[:3])

    helper = Slow(hint=advise)
    with_server(tmp_path, run, helper=helper)


def test_a_full_queue_is_said(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        _, mine = await sitting(browser, GIVEN)
        browser.lobby.helpers._schedule._queues["short"]._most = 0
        answer = await mine.ask("hint")
        assert (answer["type"], answer["code"]) == ("refused", "too-fast")

    with_server(tmp_path, run, helper=ScriptedHelper(hint=advise))


def test_what_a_helper_is_sent_does_not_grow_with_the_game(tmp_path: Path) -> None:
    """A hint, a move and a verdict are asked for with the state, not with the game so far."""
    game = find_game("sixbysix")(2)
    sizes = []
    for rounds in (0, 5):
        live = live_table("sixbysix", 2, round_limit=10)
        while live.state.rounds < rounds or live.state.actor < 0:  # type: ignore[attr-defined]
            state = live.state
            live.apply(live.play(state.chance().pick(0) if state.actor < 0 else state.moves()[0]))
        helper = ScriptedHelper(hint=advise)

        async def ask(live: Any = live, helper: ScriptedHelper = helper) -> None:
            await Coaching(HelperPool(lambda: helper)).hint(live)

        asyncio.run(ask())
        sizes.append(len(repr(helper.asked)))
    assert max(sizes) < 1.3 * min(sizes) and game.players == 2


def test_a_long_game_is_judged_in_slices_none_of_which_is_sent_twice() -> None:
    live = live_table("joker1", 1, rounds=10)
    while len(live.events) < 40:
        state = live.state
        live.apply(live.play(state.chance().pick(0) if state.actor < 0 else state.moves()[0]))

    def judge(asked: dict[str, Any]) -> list[dict[str, Any]]:
        told = {"seat": 0, "kind": "move", "points": 0.0, "best": None, "sentences": [], "exact": True}
        return [{**told, "number": asked["first"] + n} for n in range(len(asked["events"]))]

    helper = ScriptedHelper(judge=judge)

    async def run() -> list[int]:
        coaching, follower, found = Coaching(HelperPool(lambda: helper)), Follower(live), []
        while follower.lines < live.version:
            found += [judged.version for judged in await coaching.judge(live, follower)]
        assert follower.state == live.state
        return found

    found = asyncio.run(run())
    assert found == [n + 1 for n, line in enumerate(live.lines) if line.event is not None]
    sent = [asked["events"] for _, asked in helper.asked]
    assert [event for events in sent for event in events] == [event.json() for event in live.events]
    assert max(map(len, sent)) == MOST_JUDGED


def test_a_report_that_took_too_long_is_not_tried_again() -> None:
    class Hanging(ScriptedHelper):
        async def ask(self, do: str, timeout: float | None = None, **details: Any) -> Any:
            self.asked.append((do, details))
            raise TooSlow("no answer")

    helper = Hanging()

    async def run() -> None:
        coaching, live = Coaching(HelperPool(lambda: helper)), live_table("joker1", 1)
        for _ in range(3):
            with pytest.raises(HelperFailed):
                await coaching.report(live)

    asyncio.run(run())
    assert len(helper.asked) == 1


# --- who stands in ----------------------------------------------------------------------------------


def test_a_seat_says_when_a_simpler_player_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the values are being built the greedy player chooses, and everybody at the table is told."""
    monkeypatch.setitem(base._makers, "strong", base.GreedyPlayer)
    game = find_game("joker1").agree(1, {"rounds": 3})
    ready = False

    def choose(asked: dict[str, Any]) -> Any:
        return game.read_state(asked["state"]).moves()[-1].json() if ready else None

    async def run(browser: Browser) -> None:
        nonlocal ready
        options = {"rounds": 3}
        made = await browser.make("joker1", "strong", options=options, dice="real")
        socket = browser.open(made["id"])
        welcome = await socket.hello(made["maker"])
        assert not welcome["table"]["seats"][0]["simplified"]
        await socket.ask("read", values=[1, 2, 3])
        table = (await socket.hear("table"))["table"]
        assert table["seats"][0]["simplified"] and table["seats"][0]["level"] == "strong"
        # whoever comes now is told, too; the log has nothing of it
        late = await browser.open(made["id"]).hello(made["watch"])
        assert late["table"]["seats"][0]["simplified"]
        assert {entry["kind"] for entry in late["entries"]} == {"event"}
        ready = True
        while True:
            heard = await socket.hear("update", "table")
            if heard["type"] == "table":
                break
            if heard["position"]["awaits"] == "read":
                await socket.ask("read", values=[3] * len(heard["position"]["ask"]["parts"]))
        assert not heard["table"]["seats"][0]["simplified"]

    with_server(tmp_path, run, helper=ScriptedHelper(choose=choose, build=lambda asked: True))


def test_a_table_begins_with_as_many_events_as_games_need(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        wish = {"game": "joker1", "seats": [{"kind": "here"}]}
        answer = await browser.post("/api/tables", {**wish, "events": GIVEN * (MOST_GIVEN + 1)})
        assert (answer.status, answer.json["code"]) == (413, "too-large")
        assert str(MOST_GIVEN) in str(answer.json["reason"])
        answer = await browser.post("/api/tables", {**wish, "events": GIVEN * MOST_GIVEN})
        assert answer.json["code"] == "illegal"  # as many are looked at

    with_server(tmp_path, run)
