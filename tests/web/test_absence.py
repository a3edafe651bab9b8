"""Who is away: when the computer may stand in for them, what it does, and which agreements do not need them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from pasch.table.log import LiveTable
from tests.table.test_coach import Slow
from tests.web.asgi import NO_LIMITS, Browser, Clock, ScriptedHelper, Socket, server

#: what the coach says of a game that ends now
VERDICT = {"winners": [1], "value": [3.0, 4.0], "win": None, "by": "value"}


def seats(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The seats that a message tells of."""
    found: list[dict[str, Any]] = message["table"]["seats"]
    return found


async def leave(guest: Socket, mine: Socket) -> dict[str, Any]:
    """Cut the guest's connection and return the message that the other one receives."""
    await guest.vanish()
    return await mine.hear("table")


async def test_a_seat_is_lent_only_after_a_minute_and_at_the_level_of_the_table(
    browser: Browser, clock: Clock
) -> None:
    made, mine, guest = await browser.two(stand_in="greedy")
    await mine.refused("not-yours", "computer", seat=1, level="greedy")  # guest is there
    assert seats(await leave(guest, mine))[1]["away"] == "short"
    for _ in range(2):
        await mine.refused("not-now", "computer", seat=1, level="greedy")
        clock.now += 59.9
        await mine.refused("not-now", "computer", seat=1, level="greedy")
        # a short reconnection ends the absence
        again = await browser.join(made["id"], made["seats"]["1"])
        clock.now += 600
        await mine.refused("not-yours", "computer", seat=1, level="greedy")
        await leave(again, mine)
    clock.now += 60
    await mine.refused("illegal", "computer", seat=1, level="nobody")
    watcher = await browser.join(made["id"], made["watch"])
    await watcher.refused("not-yours", "computer", seat=1, level="greedy")
    # the level is the table's
    assert (await mine.ask("computer", seat=1, level="random"))["type"] == "accepted"
    update = await watcher.hear("update")
    assert update["entries"][0]["body"] == {"seat": 1, "level": "greedy", "absent": True}
    await mine.hear("update")
    await mine.refused("not-yours", "computer", seat=1, level="greedy")
    # who comes back has the seat again at once
    back = await browser.join(made["id"], made["seats"]["1"])
    assert (await back.ask("person", seat=1))["type"] == "accepted"


async def test_the_stand_in_is_hard_unless_the_maker_chooses_a_level(browser: Browser) -> None:
    made = await browser.make("joker1", "here", "link")
    assert (await browser.open(made["id"]).hello(made["watch"]))["table"]["stand_in"] == "hard"
    wish = {"game": "joker1", "seats": [{"kind": "here"}], "stand_in": "nobody"}
    answer = await browser.post("/api/tables", wish)
    assert (answer.status, answer.json["code"]) == (422, "illegal")


async def test_after_a_restart_absences_are_counted_anew(tmp_path: Path) -> None:
    clock = Clock()
    async with server(tmp_path, monotonic=clock) as browser:
        made, mine, guest = await browser.two(stand_in="greedy")
        await leave(guest, mine)
        clock.now += 50
    clock.now += 50
    async with server(tmp_path, monotonic=clock) as browser:
        mine = await browser.join(made["id"], made["seats"]["0"], made["maker"])
        await mine.refused("not-now", "computer", seat=1, level="greedy")
        clock.now += 60
        assert (await mine.ask("computer", seat=1, level="greedy"))["type"] == "accepted"


async def test_who_has_just_sat_down_is_not_away_for_as_long_as_the_seat_was_open(
    browser: Browser, clock: Clock
) -> None:
    made, mine = await browser.alone("joker1", "here", "link", stand_in="greedy")
    clock.now += 3600
    guest = browser.open(made["id"])
    # without a hello after it
    assert (await guest.ask("sit", invitation=made["invitations"]["1"], name="Guest"))["seat"] == 1
    await mine.hear("update")
    await mine.refused("not-now", "computer", seat=1, level="greedy")


@pytest.mark.settings(limits=msgspec.structs.replace(NO_LIMITS, lend_after=0.01, gone_after=0.025))
async def test_everybody_is_shown_when_an_absence_counts_as_longer(browser: Browser, clock: Clock) -> None:
    made, mine, guest = await browser.two()
    watcher = await browser.join(made["id"], made["watch"])
    await guest.vanish()
    # nobody does anything, only the clock advances
    for away in ("short", "long", "gone"):
        for person in (mine, watcher):
            while seats(await person.hear("table"))[1]["away"] != away:
                pass
        clock.now += 0.015


async def test_what_the_stand_in_did_is_shown_on_return(browser: Browser, clock: Clock) -> None:
    made, mine = await browser.alone("joker1", "link", "here", stand_in="greedy")
    await (await browser.sit(made, 0))[0].vanish()
    welcome = await mine.hello(made["seats"]["1"], made["maker"])
    assert seats(welcome)[0]["stand_in"] is None
    clock.now += 60
    lent = (await mine.ask("computer", seat=0, level="greedy"))["version"]
    while (await mine.hear("update"))["position"]["roller"] != 1:
        pass  # the computer's turn
    back = browser.open(made["id"])
    welcome = await back.hello(made["seats"]["0"])
    seat = seats(welcome)[0]
    assert (seat["kind"], seat["lent"], seat["level"]) == ("computer", True, "greedy")
    moves = [entry for entry in welcome["entries"] if entry["stand_in"]]
    first = next(entry["version"] for entry in welcome["entries"] if entry["kind"] == "computer")
    assert seat["stand_in"] == {"since": first, "moves": len(moves), "absent": True}
    assert moves and first <= lent < moves[0]["version"]
    assert all(entry["body"]["seat"] == 0 and "roll" not in entry["body"] for entry in moves)
    # it is the same when the table was loaded again
    live = (await browser.lobby.find(made["id"])).live
    loaded = LiveTable.load(await browser.lobby.store.load(made["id"]))
    assert (loaded.stand_in(0), loaded.stood_in) == (live.stand_in(0), live.stood_in)
    assert (await back.ask("person", seat=0))["type"] == "accepted"
    assert seats(await mine.hear("table"))[0]["lent"]  # the person is connected again
    assert seats(await mine.hear("table"))[0]["stand_in"] is None
    # the lines stay marked
    assert [
        entry for entry in (await back.hello(made["seats"]["0"]))["entries"] if entry["stand_in"]
    ] == moves


# --- agreeing -----------------------------------------------------------------------------------------


async def test_the_coach_is_not_changed_behind_the_back_of_who_has_lost_the_connection(
    browser: Browser, clock: Clock
) -> None:
    made, mine, guest = await browser.two(stand_in="greedy")
    live = (await browser.lobby.find(made["id"])).live
    # to ask for the coach in force takes a wish back
    for coach, wish in (("hints", "hints"), ("after", None)):
        await guest.done("coach", coach=coach)
        assert live.info().seats[1].wish == wish
    await mine.reach(guest.version)
    await leave(guest, mine)
    await mine.done("coach", coach="hints")
    assert live.info().coach == "after"
    # not either while the computer plays for them
    clock.now += 60
    version = (await mine.done("computer", seat=1, level="greedy"))["version"]
    for _ in range(2):
        assert (await mine.done("coach", coach="hints"))["version"] == version  # nothing is written
        clock.now += 419
    await mine.refused("not-agreed", "hint")
    # after a quarter of an hour the others continue without them
    clock.now += 2
    await mine.done("coach", coach="hints")
    assert live.info().coach == "hints" and [seat.wish for seat in live.info().seats] == [None, None]


async def test_a_wish_counts_though_the_seat_was_lent_since(browser: Browser, clock: Clock) -> None:
    made, mine, guest = await browser.two(stand_in="greedy")
    await guest.done("coach", coach="hints")
    await mine.reach(guest.version)
    await leave(guest, mine)
    clock.now += 60
    await mine.done("computer", seat=1, level="greedy")
    await mine.done("coach", coach="hints")
    assert (await browser.lobby.find(made["id"])).live.current.coach == "hints"


@pytest.mark.settings(helper=ScriptedHelper(value=lambda asked: VERDICT))
async def test_the_game_ends_early_when_all_agree(browser: Browser) -> None:
    made, mine, guest = await browser.two()
    watcher = await browser.join(made["id"], made["watch"])
    await watcher.refused("not-yours", "adjudicate")
    for agree in (True, False, True):
        assert (await guest.ask("adjudicate", agree=agree))["type"] == "accepted"
        table = await watcher.hear("table")
        assert table["table"]["phase"] == "playing" and seats(table)[1]["ends"] is agree
        entry = (await guest.hear("update"))["entries"][0]
        assert (entry["kind"], entry["body"]) == ("end", {"seats": [1], "agree": agree})
    # once more says nothing new
    assert (await guest.ask("adjudicate"))["version"] == guest.version
    await mine.reach(guest.version)
    assert (await mine.ask("adjudicate"))["type"] == "accepted"
    update = await mine.hear("update")
    assert update["entries"][0]["kind"] == "adjudicate" and update["position"]["winners"] == [1]
    assert (await mine.hear("table"))["table"]["phase"] == "adjudicated"
    await mine.refused("not-now", "roll")
    await mine.refused("not-now", "adjudicate", agree=False)


async def test_nobody_ends_a_game_over_the_head_of_who_is_away_for_a_while(
    browser: Browser, clock: Clock
) -> None:
    made, mine, guest = await browser.two(stand_in="greedy")
    await leave(guest, mine)
    maker = await browser.join(made["id"], made["maker"])
    for lend in (False, True):
        if lend:
            await mine.done("computer", seat=1, level="greedy")
            await maker.hear("update")
        answer = await mine.ask("adjudicate")
        assert (answer["type"], answer["version"]) == ("accepted", mine.version + (not lend))
        if not lend:
            await mine.hear("update")
        clock.now += 449
    await maker.hello(made["maker"])
    await maker.refused("not-now", "adjudicate")
    assert (await browser.lobby.find(made["id"])).live.current.phase == "playing"
    # for a quarter of an hour; by scores, because the coach is silent
    clock.now += 2
    version = (await mine.hello(made["seats"]["0"], made["maker"]))["position"]["version"]
    assert (await mine.ask("adjudicate"))["version"] == version + 1
    entry = (await mine.hear("update"))["entries"][0]
    assert (entry["kind"], entry["body"]["by"]) == ("adjudicate", "scores")


async def test_the_maker_ends_a_game_that_all_have_left(browser: Browser, clock: Clock) -> None:
    made = await browser.make("joker1", "here", "greedy")
    mine = await browser.join(made["id"], made["seats"]["0"])
    maker = await browser.join(made["id"], made["maker"])
    await maker.refused("not-now", "adjudicate")
    await leave(mine, maker)
    for seconds, answer in ((899, "refused"), (1, "accepted")):
        clock.now += seconds
        assert (await maker.ask("adjudicate"))["type"] == answer


async def test_who_comes_back_while_the_verdict_is_made_is_asked(tmp_path: Path) -> None:
    clock, helper = Clock(), Slow("value", value=lambda details: VERDICT)
    async with server(tmp_path, helper=helper, monotonic=clock) as browser:
        made, mine, guest = await browser.two()
        await leave(guest, mine)
        clock.now += 900
        name = mine.send("adjudicate")
        await helper.begun.wait()
        back = await browser.join(made["id"], made["seats"]["1"])
        helper.gate.set()
        answer = await mine.hear("accepted")
        assert answer["id"] == name
        entry = (await back.hear("update"))["entries"][0]
        assert (entry["kind"], entry["body"]) == ("end", {"seats": [0], "agree": True})


async def test_an_open_seat_has_not_been_asked(browser: Browser, clock: Clock) -> None:
    made, mine = await browser.alone("joker1", "here", "link")
    clock.now += 3600
    await mine.done("coach", coach="hints")
    await mine.done("adjudicate")
    current = (await browser.lobby.find(made["id"])).live.current
    assert (current.coach, current.phase) == ("after", "waiting")
