"""The helper process: asked, answering, failing, dying; and the coach who uses it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pasch.core.chance import KeyedGenerator
from pasch.core.errors import PaschError
from pasch.core.match import Match
from pasch.core.registry import find_game
from pasch.players.base import player
from pasch.solve.tables import limit_own_tables
from pasch.table import helper_process
from pasch.table.coaching import Coaching, Follower, NotYet
from pasch.table.helper import Helper, HelperFailed
from pasch.table.helper_pool import HelperPool
from pasch.table.helper_protocol import describe_state
from tests.table.test_redact import live_table
from tests.web.asgi import Browser, ScriptedHelper, with_server


def using(do: Callable[[Helper], Awaitable[None]]) -> None:
    async def run() -> None:
        helper = Helper()
        try:
            await do(helper)
        finally:
            await helper.close()

    asyncio.run(run())


def sixbysix() -> Match:
    return Match(find_game("sixbysix")(2), [{"deal": [[3, 9], [1, 4]]}])


def test_it_chooses_as_the_player_would(tmp_path: Path) -> None:
    async def run(helper: Helper) -> None:
        match = sixbysix()
        asked = describe_state(match.state, 0)
        assert asked["state"]["hands"] == [[3, 9], [None, None]]
        for level in ("greedy", "random"):
            move = await helper.ask("choose", 60, level=level, key="00", **asked)
            right = player(level).choose(match.state.view(0), KeyedGenerator(b"\0"))
            assert move == right.json()

    using(run)


def test_what_it_cannot_do_is_an_error_and_it_goes_on() -> None:
    async def run(helper: Helper) -> None:
        match = sixbysix()
        with pytest.raises(HelperFailed, match="nobody"):
            await helper.ask("choose", 60, level="nobody", key="00", **describe_state(match.state, 0))
        with pytest.raises(HelperFailed, match="dance"):
            await helper.ask("dance", 60)
        asked = describe_state(match.state, 0)
        assert await helper.ask("choose", 60, level="greedy", key="00", **asked)

    using(run)


def test_it_is_started_again_when_it_has_died() -> None:
    async def run(helper: Helper) -> None:
        match = sixbysix()
        asked = describe_state(match.state, 0)
        await helper.ask("choose", 60, level="greedy", key="00", **asked)
        assert helper._process is not None
        waiting = asyncio.ensure_future(helper.ask("choose", 60, level="greedy", key="00", **asked))
        helper._process.kill()
        await helper._process.wait()
        await asyncio.wait([waiting])
        assert await helper.ask("choose", 60, level="greedy", key="00", **asked)

    using(run)


def test_it_ends_when_its_server_is_killed() -> None:
    script = (
        "import asyncio\n"
        "from pasch.table.helper import Helper\n"
        "async def run():\n"
        "    helper = Helper()\n"
        "    print((await helper._running()).pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(run())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        helper = int(server.stdout.readline())
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        # its input has ended, so it reads on to the end; nothing else would make it go
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


# --- values -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_is_built_but_by_the_builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a table is missing the helper says so at once; one for a stranger's box may be removed again."""
    monkeypatch.setenv("PASCH_CACHE", str(tmp_path))
    game = find_game("joker1")
    box = msgspec.to_builtins(game.default_components())
    state = game.agree(1, {"components": box, "rounds": 13}).start()
    while state.actor < 0:
        state = state.apply(state.chance().pick(0))
    asked = {**describe_state(state, 0), "level": "perfect", "key": "00"}
    quick = helper_process.if_kept(helper_process.choose)
    assert quick(asked) is None and not [*tmp_path.iterdir()]
    assert helper_process.build({**asked, "for": "choose"})
    assert state.game.read_event(quick(asked)) in state.moves()
    assert [*tmp_path.iterdir()] and limit_own_tables(most_files=0)
    assert not [*tmp_path.iterdir()]


def test_the_report_of_a_game_that_was_ended_early() -> None:
    match = Match(find_game("joker1").agree(2, {"rounds": 1}), [{"seat": 0, "roll": [1, 2, 4]}])
    asked = {"record": match.record().to_json()}
    told = helper_process.report({**asked, "early_winners": [1]})
    assert (told["winners"], told["scores"]) == ((1,), (0, 0))
    assert "ended early" in told["statement"]["template"]
    with pytest.raises(PaschError, match="ends before the game does"):
        helper_process.report(asked)


# --- the coach ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "by", "winners"),
    [
        ({"value": [5.0, 9.0], "win": [0.6, 0.4], "winners": [0], "by": "chances"}, "chances", [0]),
        (None, "scores", [0, 1]),
    ],
)
def test_an_abandoned_game_is_decided_by_what_is_known(found: Any, by: str, winners: list[int]) -> None:
    helper = ScriptedHelper(value=lambda asked: found) if found else ScriptedHelper()

    async def ask() -> dict[str, Any]:
        return await Coaching(HelperPool(lambda: helper)).verdict(live_table("joker1", 2))

    verdict = asyncio.run(ask())
    assert (verdict["by"], verdict["winners"]) == (by, winners)


@pytest.mark.slow
def test_values_hints_judgements_and_reports_of_the_real_coach() -> None:
    async def run() -> None:
        helpers = HelperPool()
        try:
            await ask(helpers)
        finally:
            await helpers.close()

    async def ask(helpers: HelperPool) -> None:
        game = find_game("joker1").agree(2, {"rounds": 1})
        match = Match(game, [{"seat": 0, "roll": [1, 2, 4]}])
        coaching = Coaching(helpers)
        live = live_table("joker1", 2, rounds=1)
        for event in match.events:
            live.apply(live.play(event))
        advice = None
        while advice is None:
            try:
                advice = await coaching.hint(live)
            except NotYet:
                await asyncio.sleep(0.2)  # the tables are being made
        assert [move["points"] for move in advice.moves] == sorted(
            (move["points"] for move in advice.moves), reverse=True
        )
        assert advice.exact and len(advice.moves) == len(match.state.moves())
        worst = game.read_event(advice.moves[-1]["event"])
        live.apply(live.play(worst))
        roll, move = await coaching.judge(live, Follower(live))
        assert (roll.kind, move.kind, move.version) == ("roll", "move", 2)
        assert move.points > 0 and move.best == advice.moves[0]["event"] and move.sentences
        verdict = await coaching.verdict(live)
        assert verdict["by"] in ("chances", "value") and verdict["winners"]

    asyncio.run(run())


def test_the_coach_follows_and_hints_when_agreed(tmp_path: Path) -> None:
    def judge(asked: dict[str, Any]) -> Any:
        return [
            {
                "number": n,
                "seat": 0,
                "kind": "roll",
                "points": 1.5,
                "best": None,
                "exact": True,
                "sentences": [{"template": "lucky", "details": {}}],
            }
            for n in range(asked["first"], asked["first"] + len(asked["events"]))
        ]

    def hint(asked: dict[str, Any]) -> Any:
        moves = [{"event": {"seat": 0}, "points": 2.0, "win": None}]
        return {"exact": True, "moves": moves, "sentences": [{"template": "do it", "details": {}}]}

    async def run(browser: Browser) -> None:
        made = await browser.make("joker1", "here", coach="hints")
        mine = await browser.join(made["id"], made["seats"]["0"])
        assert (await mine.ask("name", seat=0, name="Ada"))["type"] == "accepted"
        await mine.hear("update")
        assert (await mine.ask("roll"))["type"] == "accepted"
        coached = await mine.hear("coached")
        # a contribution and a name are lines of the log, too, but nothing that the coach talks about
        assert [judgement["version"] for judgement in coached["judgements"]] == [3]
        table = await browser.lobby.find(made["id"])
        if table.live.state.actor == 0:
            advice = await mine.ask("hint")
            assert advice["type"] == "advice" and advice["moves"][0]["points"] == 2.0
        again = browser.open(made["id"])
        welcome = await again.hello(made["seats"]["0"])
        assert [judgement["version"] for judgement in welcome["judgements"]] == [3]

    with_server(tmp_path, run, helper=ScriptedHelper(judge=judge, hint=hint))


def test_a_coach_that_cannot_speak_holds_up_nobody(tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        made = await browser.make("joker1", "here", coach="hints")
        mine = await browser.join(made["id"], made["seats"]["0"])
        await mine.ask("roll")
        position = (await mine.hear("update"))["position"]
        if position["moves"]:
            answer = await mine.ask("hint")
            assert (answer["type"], answer["code"]) == ("refused", "not-ready")
            assert (await mine.ask("move", event=position["moves"][0]["event"]))["type"] == "accepted"

    with_server(tmp_path, run)
